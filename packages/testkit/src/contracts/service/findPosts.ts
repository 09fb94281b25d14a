import { HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "@outbound/domain/sources/refusals.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { personOf, slugOf, world } from "@outbound/sandbox/world/World.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  POST_SOURCES,
  resultOf,
  SUITE,
  whileSources
} from "./support.js"

const PLATFORMS = ["social", "x", "reddit", "youtube"] as const
const COMPLETE = PLATFORMS.map((platform) => ({ platform, status: "complete", reason: null }))

interface Post {
  readonly platform: string
  readonly url: string
  readonly author: { readonly handle: string }
  readonly text: string
  readonly posted_at: string
  readonly matched_terms: ReadonlyArray<string>
}

/** Finds posts, and looks at what it cost. */
const find = (client: Client, input: JsonObject, charge: string) =>
  Effect.map(client.call("find_posts", input), (answer) => {
    const result = resultOf(answer)
    assert.strictEqual(answer.svc.credits_charged, charge, answer.text)
    assert.strictEqual(result.relevance_check, "literal-v1")
    return result
  })

const keyword = (query: string) => ({ type: "keyword", query })
const profile = (handle: string, platform = "x") => ({ type: "profile", platform, handle })

/** What `find_posts` guarantees (contract: data, find posts). */
export const findPostsContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_posts (${name})`, (it) => {
    it.effect("each relevant post costs 0.5 credits, and a keyword that finds none nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const [query, count, charge] of [
          ["magic-0", 0, "0"],
          ["magic-3", 3, "1.5"],
          ["MAGIC-9", 9, "4.5"],
          ["magic-40", 25, "12.5"]
        ] as const) {
          const { candidates, platform_status, posts } = yield* find(client, { scope: keyword(query) }, charge)
          assert.strictEqual(posts.length, count)
          assert.deepStrictEqual(platform_status, COMPLETE)
          assert.isUndefined(candidates)
          assert.strictEqual(new Set(posts.map((post: Post) => post.url)).size, count)
          const dates = posts.map((post: Post) => post.posted_at)
          assert.deepStrictEqual(dates, [...dates].sort().reverse())
          for (const post of posts) assert.deepStrictEqual(post.matched_terms, [query])
        }
        const limited = yield* find(client, { scope: keyword("magic-300"), limit: 100 }, "50")
        assert.strictEqual(limited.posts.length, 100)
        assert.sameMembers([...new Set(limited.posts.map((post: Post) => post.platform))], [...PLATFORMS])
        yield* assertBalance(client, "231.5")
      })
    )

    it.effect("only the platforms named are searched, each once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = { scope: keyword("magic-5"), platforms: ["reddit", "x", "reddit"] }
        const [{ platform_status, posts }, asked] = yield* asking(find(client, input, "2.5"))
        assert.deepStrictEqual(asked, ["sandbox_posts_reddit", "sandbox_posts_x"])
        assert.deepStrictEqual(
          platform_status,
          COMPLETE.filter(({ platform }) => platform === "x" || platform === "reddit")
        )
        assert.strictEqual(posts.length, 5)
        for (const { platform } of posts) assert.include(["x", "reddit"], platform)
      })
    )

    it.effect("a post that does not hold every word and phrase is neither shown nor charged", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        // The source finds parts of words too.
        const { posts } = yield* find(client, { scope: keyword("slack dat"), limit: 100 }, "0")
        assert.deepStrictEqual(posts, [])
        for (const query of ["salesforce", "moved hubspot", '"Three things I wish" salesforce', "outlook"]) {
          const answer = yield* client.call("find_posts", { scope: keyword(query), limit: 100 })
          const found: ReadonlyArray<Post> = resultOf(answer).posts
          const words = query.toLowerCase().replaceAll('"', "").split(" ")
          for (const { text } of found) {
            const held = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
            for (const word of words) assert.include(held, word)
            if (query.includes('"')) assert.include(text, "Three things I wish")
          }
          assert.strictEqual(answer.svc.credits_charged, String(found.length / 2))
        }
      })
    )

    it.effect("a profile's posts cost 1 credit more, also where there are none", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { platform_status, posts } = yield* find(client, { scope: profile("@Magic-4") }, "3")
        assert.strictEqual(posts.length, 4)
        assert.deepStrictEqual(platform_status, [{ platform: "x", status: "complete", reason: null }])
        for (const post of posts) {
          assert.strictEqual(post.author.handle, "magic-4")
          assert.deepStrictEqual(post.matched_terms, [])
        }
        assert.deepStrictEqual((yield* find(client, { scope: profile("magic-0", "reddit") }, "1")).posts, [])
        assert.deepStrictEqual((yield* find(client, { scope: profile("nobody-knows-me", "social") }, "1")).posts, [])
        const byUrl = { type: "profile", url: "https://youtube.example/@magic-2" }
        const found = yield* find(client, { scope: byUrl, platforms: ["youtube"] }, "2")
        assert.deepStrictEqual(
          found.posts.map((post: Post) => post.platform),
          ["youtube", "youtube"]
        )
        yield* assertBalance(client, "293")
      })
    )

    it.effect("a name that several people go by gives candidates instead of a guess, free of charge", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { candidates, posts } = yield* find(client, { scope: profile("ambiguous-3") }, "0")
        assert.deepStrictEqual(posts, [])
        assert.deepStrictEqual(
          candidates,
          [1, 2, 3].map((number) => ({
            platform: "x",
            name: "Magic Test Person",
            handle: `magic-${number}`,
            url: `https://x.example/magic-${number}`
          }))
        )
        const [first] = candidates
        assert.strictEqual((yield* find(client, { scope: profile(first.handle) }, "1.5")).posts.length, 1)
        assert.strictEqual((yield* find(client, { scope: profile("ambiguous-30") }, "0")).candidates.length, 10)
        const counts = new Map<string, number>()
        for (let person = 0; person < 5000; person++) {
          const fullName = personOf(world(), person).fullName ?? ""
          counts.set(fullName, (counts.get(fullName) ?? 0) + 1)
        }
        const [shared] = [...counts].find(([, count]) => count > 1) ?? [""]
        const people = yield* find(client, { scope: profile(shared, "social") }, "0")
        for (const one of people.candidates) assert.strictEqual(one.name, shared)
        const slug = slugOf(world(), 7)
        const one = yield* client.call("find_posts", { scope: profile(slug, "social") })
        assert.isUndefined(resultOf(one).candidates)
      })
    )

    it.effect("since leaves older posts out", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        yield* TestClock.setTime(Date.UTC(2026, 4, 10, 15))
        const today = Date.UTC(2026, 4, 10)
        const now = yield* Clock.currentTimeMillis
        assert.isAtLeast(now, today)
        const since = new Date(today - 3 * HOUR_MILLIS).toISOString()
        yield* find(client, { scope: keyword("magic-20"), since }, "1.5")
        yield* find(client, { scope: keyword("magic-50"), since: "2026-05-09", limit: 100 }, "12")
        yield* find(client, { scope: keyword("magic-20"), since: "2026-05-10" }, "0")
        yield* find(client, { scope: profile("magic-20"), since }, "2.5")
      })
    )

    it.effect(
      "each platform has its own status; one that does not answer costs nothing, and says when to try again",
      () =>
        Effect.gen(function* () {
          const client = yield* makeClient()
          const faults = yield* Faults
          const gone = (platform: string, seconds = RETRY_AFTER_SECONDS_DEFAULT) => ({
            platform,
            status: "unavailable",
            reason: "upstream_error",
            retry_after_seconds: seconds
          })
          yield* faults.script("sandbox_posts_x", [
            Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 1_800 })
          ])
          yield* faults.script("sandbox_posts_social", [Behaviour.Garbage()])
          const part = yield* find(client, { scope: keyword("magic-8") }, "2")
          assert.deepStrictEqual(part.platform_status, [gone("social"), gone("x", 1_800), ...COMPLETE.slice(2)])
          for (const behaviour of [Behaviour.Fail({ reason: "transient" }), Behaviour.Garbage()]) {
            const searches = Effect.all([
              find(client, { scope: keyword("magic-8") }, "0"),
              find(client, { scope: profile("magic-8") }, "0")
            ])
            const [all, scoped] = yield* whileSources(POST_SOURCES, behaviour, searches)
            assert.deepStrictEqual(
              all.platform_status,
              PLATFORMS.map((platform) => gone(platform))
            )
            assert.deepStrictEqual(scoped.platform_status, [gone("x")])
            assert.deepStrictEqual([all.posts, scoped.posts], [[], []])
          }
          yield* assertBalance(client, "298")
        })
    )

    it.effect("a source that lists everything twice is charged for once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const once = yield* find(client, { scope: keyword("magic-6") }, "3")
        const again = find(client, { scope: keyword("magic-6") }, "3")
        assert.deepStrictEqual(yield* whileSources(POST_SOURCES, Behaviour.Twice(), again), once)
        yield* whileSources(POST_SOURCES, Behaviour.Twice(), find(client, { scope: profile("magic-6") }, "4"))
      })
    )

    it.effect("a search by company is refused with the reason, dry or not", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const dry_run of [false, true]) {
          const scope = { type: "company", company_domain: "acme.example" }
          const refused = yield* client.call("find_posts", { scope, dry_run })
          assert.strictEqual(refused.status, 503)
          assertRefused(refused, "tool_unavailable", { tool: "find_posts" })
          assert.match(String(refused.error?.details?.["reason"]), /resolver/)
        }
        yield* assertBalance(client, "300")
      })
    )

    it.effect("a ceiling below the most it could cost refuses the call with nothing done", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const cases = [
          [{ scope: keyword("magic-1") }, "12.5"],
          [{ scope: keyword("magic-1"), limit: 3 }, "1.5"],
          [{ scope: profile("magic-1") }, "13.5"],
          [{ scope: profile("magic-1"), limit: 1 }, "1.5"]
        ] as const
        for (const [input, most] of cases) {
          for (const dry_run of [false, true]) {
            const low = { ...input, dry_run, budget_credits: Number(most) - 0.000001 }
            const [refused, asked] = yield* asking(client.call("find_posts", low))
            assertRefused(refused, "invalid_request", { reason: "budget_too_low", minimum_credits: most })
            assert.deepStrictEqual(asked, [])
          }
          const [dry, asked] = yield* asking(
            client.call("find_posts", { ...input, dry_run: true, budget_credits: Number(most) })
          )
          assert.deepStrictEqual(resultOf(dry).plan.would, {
            candidate_sources: input.scope.type === "keyword" ? 4 : 1,
            maximum_credits: most,
            budget_credits: most
          })
          assert.deepStrictEqual(asked, [])
          resultOf(yield* client.call("find_posts", { ...input, budget_credits: Number(most) }))
        }
        yield* assertBalance(client, "296")
      })
    )
  })
}

/** What a request of `find_posts` may be, and for whom. */
export const findPostsRequestsContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`requests of find_posts (${name})`, (it) => {
    it.effect("a scope is of one kind, whole, and fits its platforms", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const scope = keyword("magic-1")
        const refusals: ReadonlyArray<readonly [JsonObject, ReadonlyArray<string>]> = [
          [{}, ["scope"]],
          [{ scope: { type: "keyword" } }, ["scope.query"]],
          [{ scope: keyword("") }, ["scope.query"]],
          [{ scope: keyword(' "" - & ') }, ["scope.query"]],
          [{ scope: keyword("x".repeat(201)) }, ["scope.query"]],
          [{ scope: { type: "profile", platform: "x" } }, ["scope.handle"]],
          [{ scope: { type: "profile", handle: "ada" } }, ["scope.platform"]],
          [{ scope: profile(" @ ") }, ["scope.handle"]],
          [{ scope: { ...profile("ada"), url: "https://x.com/ada" } }, ["scope.url"]],
          [{ scope: { type: "profile", url: "https://acme.example/ada" } }, ["scope.platform"]],
          [{ scope: { type: "profile", platform: "reddit", url: "https://x.com/ada" } }, ["scope.platform"]],
          [{ scope: { type: "profile", url: "not a url" } }, ["scope.url"]],
          [{ scope: { type: "company" } }, ["scope.company_domain"]],
          [{ scope: profile("ada", "x"), platforms: ["social"] }, ["platforms"]],
          [{ scope, platforms: [] }, ["platforms"]],
          [{ scope, platforms: ["myspace"] }, ["platforms.0"]],
          [{ scope, limit: 0 }, ["limit"]],
          [{ scope, limit: 101 }, ["limit"]],
          [{ scope, since: "2026-02-30" }, ["since"]],
          [{ scope, since: "yesterday" }, ["since"]],
          [{ scope, route: "balanced" }, ["route"]]
        ]
        for (const [input, paths] of refusals) assertIssues(yield* client.call("find_posts", input), paths)
        yield* assertBalance(client, "300")
      })
    )

    it.effect("a workspace without a source is told so", () =>
      Effect.gen(function* () {
        const live = yield* makeClient({ kind: "live" })
        for (const scope of [keyword("magic-1"), profile("magic-1")]) {
          const refused = yield* live.call("find_posts", { scope })
          assertRefused(refused, "tool_unavailable", { tool: "find_posts" })
        }
      })
    )
  })
}

/** `closed`: profiles, and reddit, for that reason. */
export const closedPlatformsContract = <E>(name: string, service: Layer.Layer<Service, E>, reason: string) => {
  describeLayer(service, SUITE)(`find_posts where parts are closed (${name})`, (it) => {
    it.effect("what is closed and named is refused; where nothing is named the other platforms answer", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const input of [
          { scope: profile("magic-1") },
          { scope: keyword("magic-1"), platforms: ["x", "reddit"] }
        ]) {
          for (const dry_run of [false, true]) {
            const refused = yield* client.call("find_posts", { ...input, dry_run })
            assertRefused(refused, "tool_unavailable", { tool: "find_posts", reason })
          }
        }
        const { platform_status, posts } = yield* find(client, { scope: keyword("magic-4") }, "2")
        assert.strictEqual(posts.length, 4)
        assert.deepStrictEqual(
          platform_status,
          COMPLETE.map((one) =>
            one.platform === "reddit" ? { platform: "reddit", status: "unavailable", reason: "not_released" } : one
          )
        )
      })
    )
  })
}

import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits, format, fromNumberRoundedDown, plus, times, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { aPostSearch } from "./dataCalls.js"
import { asking, assertRefused, balanceOf, POST_SOURCES, resultOf, SUITE } from "./support.js"

const BEHAVIOURS = [
  Behaviour.Answer(),
  Behaviour.Answer(),
  Behaviour.Answer(),
  Behaviour.Twice(),
  Behaviour.Garbage(),
  Behaviour.Fail({ reason: "transient" })
]

interface Scope {
  readonly type: string
  readonly query?: string
}

interface Post {
  readonly url: string
  readonly text: string
  readonly posted_at: string
}

/** What holds of any search for posts, whatever its sources do. */
export const findPostsProperties = <E>(name: string, service: Layer.Layer<Service, E>, runs = 150) => {
  describeLayer(service, SUITE)(`any search for posts (${name})`, (it) => {
    it.effect("costs its price per post, never more than its plan or its ceiling, and a dry run asks nobody", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const faults = yield* Faults
        yield* admin.grantCredits(client.workspaceId, credits("1000000"))
        yield* admin.setKey(client.keyId, { ratePerMinute: 1_000_000 })
        const cases = fc.record({
          call: aPostSearch,
          behaviours: fc.tuple(...POST_SOURCES.map(() => fc.constantFrom(...BEHAVIOURS)))
        })
        let found = 0
        for (const { behaviours, call } of fc.sample(cases, { numRuns: runs, seed: 20_260_102 })) {
          const { input } = call
          const scope = input["scope"] as unknown as Scope
          const isScoped = scope.type === "profile"
          const limit = (input["limit"] ?? 25) as number
          const ceiling = input["budget_credits"] as number | undefined
          const maximum = plus(times(credits("0.5"), limit), isScoped ? credits("1") : zero)
          const before = yield* balanceOf(client)
          const [dry, asked] = yield* asking(client.call("find_posts", { ...input, dry_run: true }))
          assert.deepStrictEqual(asked, [])
          assert.deepStrictEqual(yield* balanceOf(client), before)
          for (const [index, source] of POST_SOURCES.entries()) {
            yield* faults.behave(source, behaviours[index] ?? Behaviour.Answer())
          }
          const answer = yield* client.call("find_posts", input)
          if (ceiling !== undefined && fromNumberRoundedDown(ceiling) < maximum) {
            const details = { reason: "budget_too_low", minimum_credits: format(maximum) }
            for (const refused of [dry, answer]) assertRefused(refused, "invalid_request", details)
            assert.deepStrictEqual(yield* balanceOf(client), before)
            continue
          }
          assert.strictEqual(resultOf(dry).plan.would.maximum_credits, format(maximum))
          assert.strictEqual(dry.result.plan.credits_estimate, format(maximum))
          const { candidates, platform_status } = resultOf(answer)
          const posts: ReadonlyArray<Post> = answer.result.posts
          const isAnswered = platform_status.some((one: { status: string }) => one.status !== "unavailable")
          const base = isScoped && isAnswered && candidates === undefined ? credits("1") : zero
          const charge = format(plus(base, times(credits("0.5"), posts.length)))
          assert.strictEqual(answer.svc.credits_charged, charge, answer.text)
          assert.isAtMost(posts.length, limit)
          assert.strictEqual(new Set(posts.map(({ url }) => url)).size, posts.length)
          const words = (scope.query ?? "").toLowerCase().replaceAll('"', "").split(" ")
          for (const { posted_at, text } of posts) {
            for (const word of words) assert.include(text.toLowerCase(), word)
            const since = input["since"] as string | undefined
            if (since !== undefined) assert.isAtLeast(Date.parse(posted_at), Date.parse(since))
          }
          found += posts.length
        }
        assert.isAbove(found, runs)
        assert.strictEqual((yield* balanceOf(client)).reserved, format(zero))
      }).pipe(
        Effect.ensuring(
          Effect.flatMap(Faults, ({ behave }) => Effect.forEach(POST_SOURCES, (one) => behave(one, Behaviour.Answer())))
        ),
        Effect.orDie
      )
    )
  })
}

import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { CAPABILITIES, DEFAULT_SCOPES, SCOPES } from "@outbound/domain/verbs/Policy.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { verbList, type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeClient, makeKey, send } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { callEntries, campaign, CALLS } from "./wellFormed.js"
import { asking, assertBalance, assertIssues, assertRefused, resultOf, SUITE } from "./support.js"

/** Who may ask, and for what (contract: keys, scopes). */
export const accessContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`access (${name})`, (it) => {
    it.effect("no, a malformed, an unknown and a revoked key are all told the same", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        yield* admin.changeKeyState(client.keyId, "revoke")
        const secrets = [
          null,
          "",
          "x",
          `svc_key_${"x".repeat(42)}`,
          `svc_key_${"x".repeat(44)}`,
          `svc_key_${"x".repeat(43)}`,
          `${client.apiKey} `,
          client.apiKey.toUpperCase(),
          client.apiKey
        ]
        const messages = new Set<string>()
        for (const secret of secrets) {
          for (const verb of ["get_me", "verify_email"] as const) {
            const answer = yield* send(secret, verb, { email: "valid@magic.test" })
            assert.strictEqual(answer.status, 401, String(secret))
            assertRefused(answer, "unauthorized")
            messages.add(answer.error?.message ?? "")
          }
        }
        assert.strictEqual(messages.size, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("every verb asks for its scope and for no other", () =>
      Effect.gen(function* () {
        // Those of chat answer in a form of their own, and have suites of their own.
        const names = verbList.filter(({ route }) => !route.path.startsWith("/v1/llm")).map((verb) => verb.name)
        assert.sameMembers(Object.keys(CALLS), names, "give every verb a well-formed call")
        for (const [verb, [scope, input]] of callEntries) {
          const without = yield* makeClient({ scopes: SCOPES.filter((other) => other !== scope) })
          const refused = yield* without.call(verb, input, { key: "k" })
          if (scope === null) assert.notStrictEqual(refused.status, 403, verb)
          else {
            assert.strictEqual(refused.status, 403, verb)
            assertRefused(refused, "forbidden", { required_scope: scope })
            const only = yield* makeKey(without.workspaceId, without.ownerEmail, { scopes: [scope] })
            const answer = yield* only.call(verb, input, { key: "k" })
            assert.include([200, 202, 404], answer.status, answer.text)
          }
        }
      })
    )

    it.effect("a key that its owner paused may ask only what it may do", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ scopes: SCOPES })
        const admin = yield* Admin
        const pausedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
        yield* admin.changeKeyState(client.keyId, "pause")
        yield* TestClock.adjust("1 minutes")
        for (const [verb, [, input]] of callEntries) {
          const answer = yield* client.call(verb, input, { key: "k" })
          if (verb === "get_me") resultOf(answer)
          else {
            assert.strictEqual(answer.status, 403, verb)
            assertRefused(answer, "agent_paused", { paused_at: pausedAt })
          }
        }
        yield* admin.changeKeyState(client.keyId, "resume")
        resultOf(yield* client.call("verify_email", { email: "unknown@magic.test" }))
      }).pipe(Effect.orDie)
    )

    it.effect("what a capability is needed for is refused without it, and nothing else is", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const off = CAPABILITIES.map((name) => ({ name, on: false }))
        yield* admin.setKey(client.keyId, { capabilities: off })
        const email = "unknown@magic.test"
        const person = { email: "miss@magic.test" }
        const audience = "anybody"
        const refused: ReadonlyArray<readonly [VerbName, JsonObject, string]> = [
          ["verify_email", { email, budget_credits: 5 }, "ceilings"],
          ["verify_email", { email, dry_run: true }, "previews"],
          ["enrich", { person, max_credits: "5" }, "ceilings"],
          ["enrich", { person, budget_credits: 5 }, "ceilings"],
          ["enrich", { person, route: "cheapest" }, "route_choice"],
          ["enrich", { person, route: "cheapest", budget_credits: 5 }, "ceilings"],
          ["find_leads", { audience, budget_credits: 5 }, "ceilings"],
          ["find_leads", { audience, route: "broadest" }, "route_choice"],
          ["setup_sending", { ...CALLS.setup_sending?.[1], dry_run: true }, "previews"]
        ]
        for (const [verb, input, capability] of refused) {
          const answer = yield* client.call(verb, input)
          assert.strictEqual(answer.status, 403, answer.text)
          assertRefused(answer, "forbidden", { reason: "capability_not_enabled", capability })
          const on = yield* makeKey(client.workspaceId, client.ownerEmail)
          assert.strictEqual((yield* on.call(verb, input)).status, 200)
        }
        resultOf(yield* client.call("verify_email", { email, dry_run: false }))
        resultOf(yield* client.call("enrich", { person, route: "balanced", want: ["mobile_phone"] }))
        resultOf(yield* client.call("find_leads", { audience, limit: 1, route: "balanced" }))
      }).pipe(Effect.orDie)
    )

    it.effect("a live workspace without providers is told so, and nobody is asked in its name", () =>
      Effect.gen(function* () {
        const live = yield* makeClient({ kind: "live" })
        for (const verb of ["find_leads", "enrich", "verify_email", "setup_sending"] as const) {
          const input = CALLS[verb]?.[1] ?? {}
          for (const dry_run of [false, true]) {
            const [answer, asked] = yield* asking(live.call(verb, { ...input, dry_run }))
            assert.strictEqual(answer.status, 503)
            assertRefused(answer, "tool_unavailable", { tool: verb })
            assert.deepStrictEqual(asked, [])
          }
        }
        yield* assertBalance(live, "300")
        const admin = yield* Admin
        const email = "valid@magic.test"
        const scopeless = yield* makeKey(live.workspaceId, live.ownerEmail, { scopes: ["usage:read"] })
        assertRefused(yield* scopeless.call("verify_email", { email }), "forbidden")
        yield* admin.changeKeyState(live.keyId, "pause")
        assertRefused(yield* live.call("verify_email", { email }), "agent_paused")
        yield* admin.setKey(live.keyId, { ratePerMinute: 1 })
        assertRefused(yield* live.call("verify_email", { email }), "rate_limited")
        assertIssues(yield* live.call("verify_email", { email: "x" }), ["email"])
      }).pipe(Effect.orDie)
    )

    it.effect("a minute holds as many requests as the key's rate, and no more", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const remaining = (answer: { readonly rate: { readonly remaining: number } | null }) => answer.rate?.remaining
        assert.strictEqual(remaining(yield* client.call("get_me")), 299)
        yield* admin.setKey(client.keyId, { ratePerMinute: 5 })
        // What is refused counts too, but for a refusal for the rate.
        assert.strictEqual(remaining(yield* client.call("verify_email", {})), 3)
        yield* TestClock.adjust("30 seconds")
        const plan = yield* client.call("verify_email", { email: "valid@magic.test", dry_run: true })
        assert.strictEqual(remaining(plan), 2)
        resultOf(yield* client.call("get_usage"))
        const last = yield* client.call("get_me")
        assert.strictEqual(remaining(last), 0)
        assert.deepStrictEqual(last.result.rate_limit, { requests_per_minute: 5, remaining: 0 })
        const refused = yield* client.call("get_me")
        assert.strictEqual(refused.status, 429)
        assertRefused(refused, "rate_limited", { limit: "key_rate" })
        const wait = refused.error?.details?.["retry_after_seconds"] as number
        assert.isAtMost(wait, 31)
        for (let second = 0; second < wait - 1; second++) {
          yield* TestClock.adjust("1 seconds")
          assert.strictEqual((yield* client.call("get_me")).status, 429)
        }
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual(remaining(yield* client.call("get_me")), 1)
        assert.strictEqual(remaining(yield* client.call("get_me")), 0)
        assert.strictEqual((yield* client.call("get_me")).status, 429)
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(remaining(yield* client.call("get_me")), 4)
      }).pipe(Effect.orDie)
    )

    it.effect("a key may ask 300 times a minute unless told otherwise, and each key for itself", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const other = yield* makeKey(client.workspaceId, client.ownerEmail)
        const call = client.call("get_me")
        const answers = yield* Effect.all(new Array<typeof call>(310).fill(call), { concurrency: "unbounded" })
        assert.strictEqual(answers.filter((answer) => answer.status === 200).length, 300)
        for (const answer of answers.filter(({ status }) => status !== 200)) assertRefused(answer, "rate_limited")
        resultOf(yield* other.call("get_me"))
      })
    )

    it.effect("get_me says all that the key may do and the room it has", () =>
      Effect.gen(function* () {
        const createdAt = new Date(yield* Clock.currentTimeMillis).toISOString()
        const client = yield* makeClient({ cap: credits("50.5"), autonomy: false })
        const admin = yield* Admin
        yield* admin.setKey(client.keyId, {
          capabilities: [{ name: "keywords", on: false }],
          premiumAllowance: credits("12.25"),
          ratePerMinute: 100
        })
        resultOf(yield* client.call("verify_email", { email: "valid@magic.test" }))
        const me = resultOf(yield* client.call("get_me"))
        assert.deepStrictEqual(
          { ...me, verbs: null },
          {
            key: { id: client.keyId, name: "test", prefix: client.apiKey.slice(0, 14), created_at: createdAt },
            workspace: { id: client.workspaceId, name: "Test", kind: "sandbox", sending_suspended: false },
            scopes: DEFAULT_SCOPES,
            capabilities: {
              ceilings: true,
              previews: true,
              route_choice: true,
              modes: true,
              keywords: false,
              premium_offers: true,
              want_handling: true,
              goal_ordering: true
            },
            autonomous_external_actions: false,
            monthly_spend_cap: "50.5",
            spent_this_month: "1",
            daily_spend_cap: null,
            spent_today: "1",
            premium_allowance: "12.25",
            credits_available: "299",
            daily_send_cap: 500,
            sends_today: 0,
            launches_today: 0,
            replies: { workspace_daily_cap: 100, workspace_sent_today: 0, mailbox_daily_cap: 20 },
            rate_limit: { requests_per_minute: 100, remaining: 98 },
            verbs: null,
            retry_codes: ["rate_limited", "provider_unavailable", "internal"]
          }
        )
        const against = Object.fromEntries(
          me.verbs.map((verb: { verb: string; allowed: boolean; reason: string | null }) => {
            assert.strictEqual(verb.allowed, verb.reason === null)
            return [verb.verb, verb.reason]
          })
        )
        assert.sameMembers(Object.keys(against), Object.keys(verbs))
        assert.isNull(against.verify_email)
        assert.strictEqual(against.launch_campaign, "autonomy_off")
        // A draft takes people without asking anybody; this key has not even that scope.
        assert.strictEqual(against.add_leads, against.create_campaign)
        assert.strictEqual(against.get_trail, "missing_scope:trail:read")
        yield* admin.changeKeyState(client.keyId, "pause")
        const paused = resultOf(yield* client.call("get_me")).verbs
        for (const { reason, verb } of paused) assert.strictEqual(reason, verb === "get_me" ? null : "agent_paused")
      }).pipe(Effect.orDie)
    )

    it.effect("get_me lets a key without autonomy add people: a draft takes them without asking anybody", () =>
      Effect.gen(function* () {
        const { ownerEmail, workspaceId } = yield* makeClient()
        const shy = yield* makeKey(workspaceId, ownerEmail, {
          scopes: ["campaign:write", "campaign:launch", "reply:send"],
          autonomy: false
        })
        const { verbs } = resultOf(yield* shy.call("get_me"))
        const against = new Map<string, string | null>(
          verbs.map(({ reason, verb }: { verb: string; reason: string | null }) => [verb, reason])
        )
        for (const verb of ["create_campaign", "add_leads"]) assert.isNull(against.get(verb), verb)
        for (const verb of ["launch_campaign", "reply_to_thread"]) assert.strictEqual(against.get(verb), "autonomy_off")
      })
    )

    it.effect("no verb takes a field that it does not know, and says so by name", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ scopes: SCOPES })
        for (const [verb, [, input]] of callEntries) {
          assertIssues(yield* client.call(verb, { ...input, surprise: 1, "svc.x": null }, { key: "k" }), [
            "surprise",
            "svc.x"
          ])
        }
      })
    )

    it.effect("what no store can keep is refused wherever it stands, with every other mistake", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        assertIssues(yield* client.call("verify_email", { email: "a\u0000b@magic.test", x: 1 }), ["email", "x"])
        const titles = ["ok", "no\u0000"]
        assertIssues(yield* client.call("find_leads", { audience: "anybody", titles }), ["titles.1"])
        const nested = { person: { email: "miss@magic.test", full_name: "\u0000" } }
        assertIssues(yield* client.call("enrich", nested), ["person.full_name"])
        const custom = { ...campaign, recipients: [{ email: "silent@magic.test", custom: { "a\u0000": "x" } }] }
        const answer = yield* client.call("create_campaign", custom, { key: "k" })
        assert.strictEqual(answer.status, 400, answer.text)
        let deep: Json = "x"
        for (let level = 0; level < 100_000; level++) deep = [deep]
        assertIssues(yield* client.call("find_leads", { audience: "anybody", deep }), ["deep"])
        const half = { audience: "half \ud83d of a pair", limit: 1 }
        assertIssues(yield* client.call("find_leads", half, { key: "pair" }), ["audience"])
      })
    )
  })
}

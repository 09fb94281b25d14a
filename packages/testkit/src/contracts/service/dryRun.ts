import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { aDataCall } from "./dataCalls.js"
import { asking, assertBalance, assertIssues, assertRefused, resultOf, SUITE } from "./support.js"

/** Canonical JSON as its specification (RFC 8785) has it, written apart from the service's own. */
const canonical = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return "[" + value.map((item: Json) => canonical(item)).join(",") + "]"
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return (
    "{" + keys.map((key) => JSON.stringify(key) + ":" + canonical((value as JsonObject)[key] as Json)).join(",") + "}"
  )
}

const inputVersion = (input: JsonObject): string => createHash("sha256").update(canonical(input), "utf8").digest("hex")

interface Preview {
  readonly verb: VerbName
  readonly input: JsonObject
  readonly estimate: string
  readonly would: JsonObject
  readonly warnings?: number
}

const PREVIEWS: ReadonlyArray<Preview> = [
  {
    verb: "verify_email",
    input: { email: "valid@magic.test" },
    estimate: "1",
    would: { candidate_sources: 2, maximum_credits: "1", budget_credits: null }
  },
  {
    verb: "verify_email",
    input: { email: "valid@magic.test", budget_credits: 1.5 },
    estimate: "1",
    would: { candidate_sources: 2, maximum_credits: "1", budget_credits: "1.5" }
  },
  {
    verb: "enrich",
    input: { person: { email: "mobile-search@magic.test" } },
    estimate: "5",
    would: { candidate_sources: 2, maximum_credits: "5", budget_credits: null }
  },
  {
    verb: "enrich",
    input: { want: ["mobile_phone", "work_email"], person: { email: "mobile-search@magic.test" }, max_credits: "22.0" },
    estimate: "22",
    would: { candidate_sources: 3, maximum_credits: "22", budget_credits: "22" }
  },
  {
    verb: "enrich",
    input: { want: ["mobile_phone"], person: { email: "mobile-search@magic.test" }, max_credits: "21.99" },
    estimate: "5",
    would: { candidate_sources: 2, maximum_credits: "5", budget_credits: "21.99" },
    warnings: 1
  },
  {
    verb: "find_leads",
    input: { audience: "anybody", route: "broadest" },
    estimate: "5",
    would: { limit: 25, budget_applied: null, candidate_sources: 1, maximum_credits: "5", budget_credits: null }
  },
  {
    verb: "find_leads",
    input: { audience: "anybody", limit: 200, budget_credits: 0.5 },
    estimate: "0.4",
    would: {
      limit: 2,
      budget_applied: { limit_requested: 200, limit_used: 2 },
      candidate_sources: 1,
      maximum_credits: "0.4",
      budget_credits: "0.5"
    }
  },
  {
    verb: "find_leads",
    input: { audience: "anybody [[offer]]", limit: 100, premium: "within_budget", budget_credits: 12.5 },
    estimate: "12.4",
    would: {
      limit: 62,
      budget_applied: { limit_requested: 100, limit_used: 62 },
      candidate_sources: 3,
      maximum_credits: "12.4",
      budget_credits: "12.5"
    }
  }
]

/** What a dry run guarantees (contract: calls, dry runs). */
export const dryRunContract = <E>(name: string, service: Layer.Layer<Service, E>, runs = 60) => {
  describeLayer(service, SUITE)(`dry runs (${name})`, (it) => {
    it.effect("a plan says what the call would do and cost, and nothing happens", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const { estimate, input, verb, warnings, would } of PREVIEWS) {
          const now = yield* Clock.currentTimeMillis
          const [answer, asked] = yield* asking(client.call(verb, { ...input, dry_run: true }))
          const { plan, ...rest } = resultOf(answer)
          assert.deepStrictEqual(rest, { dry_run: true, advisory: true, evaluated_at: new Date(now).toISOString() })
          assert.strictEqual(plan.warnings.length, warnings ?? 0)
          assert.deepStrictEqual(plan, {
            verb,
            plan_version: 3,
            input_version: inputVersion(input),
            credits_estimate: estimate,
            would_exceed: [],
            warnings: plan.warnings,
            would
          })
          assert.strictEqual(answer.svc.credits_charged, "0")
          assert.strictEqual(answer.svc.credits_available, "300")
          assert.deepStrictEqual(asked, [])
          const record = resultOf(yield* client.call("get_request", { request_id: answer.requestId }))
          assert.deepStrictEqual(
            [record.verb, record.mode, record.status, record.http_status, record.credits_charged],
            [verb, "dry_run", "succeeded", 200, "0"]
          )
        }
        yield* assertBalance(client, "300")
        assert.deepStrictEqual(resultOf(yield* client.call("get_usage")).last_30_days, [])
      })
    )

    it.effect("the input version is that of the request, whatever the order of its fields", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const version = (input: JsonObject) =>
          Effect.map(client.call("find_leads", input), (answer) => resultOf(answer).plan.input_version as string)
        const headcount = { min: 1, max: 9 }
        const one = yield* version({ audience: "é\u{1F4EC}\n", limit: 5, company_headcount: headcount, dry_run: true })
        const other = { dry_run: true, company_headcount: { max: 9, min: 1 }, limit: 5, audience: "é\u{1F4EC}\n" }
        assert.strictEqual(yield* version(other), one)
        assert.strictEqual(one, inputVersion({ audience: "é\u{1F4EC}\n", company_headcount: headcount, limit: 5 }))
        assert.notStrictEqual(yield* version({ ...other, limit: 6 }), one)
        const defaults = yield* version({ audience: "anybody", dry_run: true })
        assert.notStrictEqual(yield* version({ audience: "anybody", limit: 25, dry_run: true }), defaults)
      })
    )

    it.effect("a plan of a sending verb has version 1", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const order = { daily_sends: 50, brand: "acme", identity: { first_name: "A", last_name: "B" } }
        const { plan } = resultOf(yield* client.call("setup_sending", { ...order, dry_run: true }))
        assert.strictEqual(plan.plan_version, 1)
        assert.strictEqual(plan.input_version, inputVersion(order))
        assert.strictEqual(plan.credits_estimate, "1500")
      })
    )

    it.effect("what would refuse the call is named by its code, and the plan comes all the same", () =>
      Effect.gen(function* () {
        const admin = yield* Admin
        const preview = { email: "valid@magic.test", dry_run: true }
        const poor = yield* makeClient({ credits: "0.999999", cap: credits("0.5") })
        const run = yield* admin.createRun({
          workspaceId: poor.workspaceId,
          name: "small",
          budget: credits("0.25"),
          expiresInMillis: 60_000
        })
        const exceeds = (answer: { readonly result: { readonly plan: { readonly would_exceed: unknown } } }) =>
          answer.result.plan.would_exceed
        const short = yield* poor.call("verify_email", preview, { run: run.runId })
        assert.deepStrictEqual(exceeds(short), ["run_budget_exceeded", "payment_required", "insufficient_credits"])
        yield* admin.setKey(poor.keyId, { runRequired: true })
        const unnamed = yield* poor.call("verify_email", preview)
        assert.deepStrictEqual(exceeds(unnamed), ["run_required", "payment_required", "insufficient_credits"])
        const scopeless = yield* makeClient({ scopes: ["usage:read"] })
        assert.deepStrictEqual(exceeds(yield* scopeless.call("verify_email", preview)), ["forbidden"])
      }).pipe(Effect.orDie)
    )

    it.effect("what makes the request itself invalid refuses its dry run too", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        assertIssues(yield* client.call("verify_email", { email: "x", dry_run: true }), ["email"])
        const low = { email: "valid@magic.test", budget_credits: 0.5, dry_run: true }
        assertRefused(yield* client.call("verify_email", low), "invalid_request", { reason: "budget_too_low" })
        const live = yield* makeClient({ kind: "live" })
        const unserved = yield* live.call("verify_email", { email: "valid@magic.test", dry_run: true })
        assertRefused(unserved, "tool_unavailable", { tool: "verify_email" })
        yield* admin.setKey(client.keyId, { capabilities: [{ name: "previews", on: false }] })
        const off = yield* client.call("verify_email", { email: "valid@magic.test", dry_run: true })
        assert.strictEqual(off.status, 403)
        assertRefused(off, "forbidden", { reason: "capability_not_enabled", capability: "previews" })
        const act = yield* client.call("verify_email", { email: "valid@magic.test", dry_run: false })
        assert.strictEqual(resultOf(act).status, "valid")
      }).pipe(Effect.orDie)
    )

    it.effect("a read has no dry run", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ scopes: ["data:read", "trail:read"] })
        for (const verb of ["get_me", "get_usage", "get_trail", "get_replies"] as const) {
          assertIssues(yield* client.call(verb, { dry_run: true }), ["dry_run"])
        }
      })
    )

    it.effect("a chat has no dry run either, and is refused as any mistake is", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const chat = { model: "sandbox-mini", messages: [{ role: "user", content: "hi" }], dry_run: true }
        const refused = yield* client.call("llm_chat", chat)
        assertRefused(refused, "invalid_request", { reason: "dry_run_unsupported" })
        assert.strictEqual(refused.rate?.remaining, 299)
      })
    )

    it.effect("a dry run never binds its Idempotency-Key, and is bound by none", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const email = "valid@magic.test"
        const key = { key: "mine" }
        resultOf(yield* client.call("verify_email", { email: "risky@magic.test", dry_run: true }, key))
        const act = yield* client.call("verify_email", { email }, key)
        assert.isUndefined(act.svc.replayed)
        const plan = yield* client.call("verify_email", { email: "risky@magic.test", dry_run: true }, key)
        assert.strictEqual(resultOf(plan).dry_run, true)
        assert.isUndefined(plan.svc.replayed)
        assert.strictEqual((yield* client.call("verify_email", { email }, key)).svc.replayed, true)
      })
    )

    it.effect("a plan's maximum is what the call needs, and the call never charges more", () =>
      Effect.gen(function* () {
        const sample = fc.sample(aDataCall, { numRuns: runs, seed: 20_260_101 })
        const poor = yield* makeClient({ credits: "0" })
        const rich = yield* makeClient({ credits: "100000" })
        const admin = yield* Admin
        yield* Effect.forEach([poor, rich], ({ keyId }) => admin.setKey(keyId, { ratePerMinute: 100_000 }))
        for (const { input, verb } of sample) {
          const planned = yield* poor.call(verb, { ...input, dry_run: true })
          const refused = yield* poor.call(verb, input)
          const done = yield* rich.call(verb, input)
          if (planned.status === 400) {
            assert.deepStrictEqual(refused.error?.details, planned.error?.details)
            assert.deepStrictEqual(done.error?.details, planned.error?.details)
            continue
          }
          const { plan } = resultOf(planned)
          assert.deepStrictEqual(plan.would_exceed, ["insufficient_credits"])
          assert.strictEqual(plan.would.maximum_credits, plan.credits_estimate)
          assertRefused(refused, "insufficient_credits", { required: plan.credits_estimate })
          if (done.status !== 200) assertRefused(done, "provider_unavailable")
          else assert.isTrue(credits(done.svc.credits_charged) <= credits(plan.credits_estimate), done.text.slice(-300))
        }
      }).pipe(Effect.orDie)
    )
  })
}

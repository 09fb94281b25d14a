import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { baseUrl, withHost } from "./support/Host.js"
import { apiKey, bearer, type Got, newerCall, olderCall } from "./support/Raw.js"

const verify = { email: "valid@magic.test" }

describe("arguments that are null", () => {
  it.live("are absent where they may be, at any depth, and a mistake where they may not", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        const nothing = { budget_credits: null, dry_run: null, idempotency_key: null, run_id: null }
        const verified = yield* olderCall(key, "verify_email", { ...verify, ...nothing })
        assert.strictEqual(verified.body.result.structuredContent.result.status, "valid")
        const person = { email: "miss@magic.test", full_name: null, social_url: null, title: null }
        const enriched = yield* newerCall(key, "enrich", { person, want: null, max_credits: null, ...nothing })
        assert.strictEqual(enriched.body.result.structuredContent.result.outcome, "miss")
        const given = {
          name: "First",
          recipients: [{ email: "silent@magic.test", first_name: null, custom: null }],
          sequence: [{ subject: "Hello", body: "Hi", variants: null, wait_days: null }],
          schedule: { timezone: null, days: null, start_hour: null, end_hour: null },
          idempotency_key: "k"
        }
        const created = yield* olderCall(key, "create_campaign", given)
        assert.strictEqual(created.body.result.structuredContent.result.leads_accepted, 1)
        const { schedule: _, ...without } = given
        const again = yield* olderCall(key, "create_campaign", { ...without, schedule: {} })
        assert.isTrue(again.body.result.structuredContent.svc.replayed)

        const issuesOf = ({ body }: Got) => body.result.structuredContent.error.details.issues
        const required = yield* olderCall(key, "verify_email", { email: null })
        assert.deepStrictEqual(issuesOf(required), [{ path: "email", message: "must be a string" }])
        const unknown = yield* olderCall(key, "verify_email", { ...verify, colour: null })
        assert.deepStrictEqual(issuesOf(unknown), [{ path: "colour", message: "unknown field" }])
        const unwritten = [{ subject: "Hello", body: null }]
        const ofStep = yield* olderCall(key, "create_campaign", { ...without, sequence: unwritten })
        assert.deepStrictEqual(
          issuesOf(ofStep).map(({ path }: { readonly path: string }) => path),
          ["sequence.0.body"]
        )
      })
    )
  )

  it.live("are refused by REST, where a program has lost what it meant to send", () =>
    withHost(
      Effect.gen(function* () {
        const [url, key] = [yield* baseUrl, yield* apiKey]
        const response = yield* Effect.promise(() =>
          fetch(`${url}/v1/verify_email`, {
            method: "POST",
            headers: { ...bearer(key), "content-type": "application/json" },
            body: JSON.stringify({ ...verify, budget_credits: null })
          })
        )
        assert.strictEqual(response.status, 400)
      })
    )
  )
})

describe("a refusal", () => {
  it.live("names a tool's arguments, as text and as structured content", () =>
    withHost(
      Effect.gen(function* () {
        const key = yield* apiKey
        const given = { ...verify, idempotency_key: "k".repeat(201), run_id: "no" }
        for (const { body } of [
          yield* olderCall(key, "verify_email", given),
          yield* olderCall(key, "verify_email", given, { meta: { anything: 1 } }),
          yield* newerCall(key, "verify_email", given),
          yield* olderCall(key, "create_campaign", { name: "x", recipients: [], sequence: [] })
        ]) {
          assert.isTrue(body.result.isError)
          assert.match(JSON.stringify(body), /"path":"idempotency_key"/)
          assert.notMatch(JSON.stringify(body), /Idempotency-Key|Svc-Run-Id|"path":"(?:body|query)\b/)
        }
      })
    )
  )
})

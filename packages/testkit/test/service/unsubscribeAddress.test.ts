import { assert, describe, it } from "@effect/vitest"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { Effect } from "effect"
import { draft, freshKey, launched, ok, refused, SCOPES, sender, silent } from "../../src/contracts/service/stories.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { makeClient } from "../../src/service/Client.js"
import { over } from "../../src/service/Service.js"

const at = (baseUrl: string) => Effect.provide(over(MemoryLayer.layer, noProviders, baseUrl))

/** A draft of a live workspace that lacks nothing for a launch but a mailbox. */
const liveDraft = Effect.gen(function* () {
  const client = yield* makeClient({ kind: "live", postalAddress: "1 Main Street, Springfield", scopes: SCOPES })
  const { result } = yield* draft(client, { recipients: silent(1) })
  const campaign_id = result.campaign_id as string
  const plan = ok(yield* client.call("launch_campaign", { campaign_id, dry_run: true })).result.plan
  const answer = yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })
  return { answer, exceeded: plan.would_exceed as ReadonlyArray<string> }
})

const UNREACHABLE = [
  "http://outbound.example",
  "http://localhost:8080",
  "https://localhost",
  "https://127.0.0.1:8443",
  "https://127.1.2.3",
  "https://[::1]",
  "https://outbound.localhost"
]

describe("the address under which recipients unsubscribe", () => {
  it.effect.each(UNREACHABLE)("a live workspace launches nothing if it is %s, and the dry run says so", (baseUrl) =>
    Effect.gen(function* () {
      const { answer, exceeded } = yield* liveDraft
      refused(answer, 400, "invalid_request", { reason: "unsubscribe_address_unreachable" })
      assert.include(answer.error?.message, "OUTBOUND_BASE_URL")
      assert.deepStrictEqual(exceeded, ["unsubscribe_address_unreachable", "mailbox_unavailable"])
    }).pipe(at(baseUrl))
  )

  it.effect("with https it lacks only its mailbox", () =>
    Effect.gen(function* () {
      const { answer, exceeded } = yield* liveDraft
      refused(answer, 409, "mailbox_unavailable")
      assert.deepStrictEqual(exceeded, ["mailbox_unavailable"])
    }).pipe(at("https://outbound.example"))
  )

  it.effect("a sandbox launches under any address", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      assert.isString(yield* launched(client, { recipients: silent(1) }))
    }).pipe(at("http://localhost:8080"))
  )
})

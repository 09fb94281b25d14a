import { assert, layer as describeLayer } from "@effect/vitest"
import { Calls } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, type Layer } from "effect"
import { makeKey } from "../../service/Client.js"
import { freshKey, member, type ServiceOnStores, SUITE, refused } from "./stories.js"

interface Asked {
  readonly workspaceId: string
  readonly keyId: string
  readonly byUserId?: string
}

/** What a signed-in person calls as a key of their workspace (decision 0058). */
const callAs = (
  { byUserId, keyId, workspaceId }: Asked,
  verb: VerbName,
  input: JsonObject,
  idempotencyKey: string | null = null
) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const ids = yield* Ids
    const { body, status } = yield* calls.answer({
      requestId: ids.next(yield* Clock.currentTimeMillis),
      bearer: null,
      asKey: { workspaceId, keyId, ...(byUserId === undefined ? {} : { byUserId }) },
      verb: verbs[verb],
      input,
      reject: null,
      idempotencyKey,
      runId: null
    })
    return { status, code: (JSON.parse(body) as { readonly error?: { readonly code: string } }).error?.code ?? null }
  })

export const asKeyContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`a person's call as a key (${name})`, (it) => {
    it.effect("has Idempotency-Keys of its own: no client takes one that a person's button will use", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const key = freshKey()
        const taken = { emails: ["valid@magic.test"] }
        assert.strictEqual((yield* client.call("verify_emails", taken, { key })).status, 202)
        for (const reserved of [`\u0001${key}`, `${key}\n`, "\u007f"]) {
          refused(yield* client.call("verify_emails", taken, { key: reserved }), 400, "invalid_request", {
            issues: [{ path: "Idempotency-Key", message: "must not contain control characters" }]
          })
        }
        const emails = ["valid@magic.test", "invalid@magic.test"]
        assert.strictEqual((yield* callAs(client, "verify_emails", { emails }, key)).status, 202)
        assert.strictEqual((yield* callAs(client, "verify_emails", { emails }, key)).status, 202)
        refused(yield* client.call("verify_emails", { emails }, { key }), 409, "idempotency_conflict", {
          reason: "different_request"
        })
      })
    )

    it.effect("is refused for a key of another workspace, and for one that is none", () =>
      Effect.gen(function* () {
        const [ours, theirs] = [yield* member(), yield* member()]
        const { workspaceId } = ours
        for (const keyId of [theirs.keyId, "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"]) {
          const input = { emails: ["valid@magic.test"], dry_run: true }
          const got = yield* callAs({ workspaceId, keyId }, "verify_emails", input)
          assert.deepStrictEqual(got, { status: 401, code: "unauthorized" })
        }
      })
    )

    it.effect("does no more than the key may, and nothing that no client is ever granted", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const narrow = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["campaign:write"] })
        const forbidden = { status: 403, code: "forbidden" }
        assert.deepStrictEqual(yield* callAs(narrow, "verify_emails", { emails: ["a@x.test"] }, freshKey()), forbidden)
        assert.deepStrictEqual(yield* callAs(client, "kill", { reason: "Test" }), forbidden)
        // Only for what is approved does a person's own name stand for the key's scope.
        const byUserId = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
        assert.deepStrictEqual(
          yield* callAs({ ...client, byUserId }, "kill", { reason: "Test" }, freshKey()),
          forbidden
        )
        const { keyId, workspaceId } = narrow
        const asked = yield* callAs(
          { workspaceId, keyId, byUserId },
          "verify_emails",
          { emails: ["a@x.test"] },
          freshKey()
        )
        assert.deepStrictEqual(asked, forbidden)
      })
    )
  })
}

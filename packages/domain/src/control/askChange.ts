import { Effect, Either } from "effect"
import { canonicalJson, type Json } from "../kernel/canonical.js"
import type { ApiKey } from "../calls/keys/KeyStore.js"
import { step } from "../kernel/machine.js"
import { Ids } from "../kernel/ports/Ids.js"
import { ChangeRequestMachine } from "./ChangeRequestMachine.js"
import { type ChangeRequest, ChangeRequestStore } from "./ChangeRequestStore.js"
import { encodeChange, inOrder, type PolicyChange, policyOf } from "./PolicyChange.js"

const same = (one: PolicyChange, other: PolicyChange): boolean =>
  canonicalJson(encodeChange(one) as unknown as Json) === canonicalJson(encodeChange(other) as unknown as Json)

/**
 * Keeps a loosening for owners to decide on, under the lock of the key it is about. The same open request is not
 * multiplied, whoever asks; another one of the same key about the same key takes the place of its open one, so that
 * no key can fill the page with what it would like.
 */
export const makeAskChange = Effect.gen(function* () {
  const requests = yield* ChangeRequestStore
  const ids = yield* Ids
  return (asked: {
    readonly key: ApiKey
    readonly change: PolicyChange
    readonly requestedByKeyId: string
    readonly requestId: string
    readonly nowMillis: number
  }) =>
    Effect.gen(function* () {
      const { key, nowMillis, requestId, requestedByKeyId } = asked
      const { scopes } = asked.change
      const change = { ...asked.change, ...(scopes === undefined ? {} : { scopes: inOrder(scopes) }) }
      const open = yield* requests.openOfKey(key.workspaceId, key.keyId)
      const [known] = open.filter((request) => same(request.change, change))
      if (known !== undefined) return known.changeRequestId
      for (const older of open.filter((request) => request.requestedByKeyId === requestedByKeyId)) {
        const state = step(ChangeRequestMachine, older.state, "supersede")
        if (Either.isRight(state)) yield* requests.update({ ...older, state: state.right })
      }
      const request: ChangeRequest = {
        changeRequestId: ids.next(nowMillis),
        workspaceId: key.workspaceId,
        keyId: key.keyId,
        requestedByKeyId,
        change,
        before: policyOf(key),
        state: ChangeRequestMachine.initial,
        requestId,
        createdAtMillis: nowMillis,
        decidedAtMillis: null,
        decidedByUserId: null
      }
      yield* requests.insert(request)
      return request.changeRequestId
    })
})

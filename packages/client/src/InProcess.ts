import { Calls } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, Layer, Redacted } from "effect"
import { exitOfEnvelope, protocolError } from "./Exits.js"
import { IDEMPOTENCY_KEY, RUN_ID } from "./Headers.js"
import { Protocol, RpcSerialization } from "./Rpc.js"

/** The verbs of a service that runs in this process: every call goes through its pipeline, as one by HTTP does. */
export const layer = (options: { readonly apiKey: Redacted.Redacted }): Layer.Layer<Protocol, never, Calls | Ids> =>
  Layer.effect(
    Protocol,
    Effect.gen(function* () {
      const calls = yield* Calls
      const ids = yield* Ids
      return yield* Protocol.make((write) =>
        Effect.succeed({
          supportsAck: false,
          supportsTransferables: false,
          codecFor: RpcSerialization.json.codecFor,
          send: (clientId, request) =>
            Effect.gen(function* () {
              if (request._tag !== "Request") return
              const headers = new Map(request.headers)
              const answer = yield* calls.answer({
                requestId: ids.next(yield* Clock.currentTimeMillis),
                bearer: Redacted.value(options.apiKey),
                verb: verbs[request.tag as VerbName],
                input: request.payload as JsonObject,
                reject: null,
                idempotencyKey: headers.get(IDEMPOTENCY_KEY) ?? null,
                runId: headers.get(RUN_ID) ?? null
              })
              const exit = exitOfEnvelope(request.id, answer.body)
              if (exit === undefined) return yield* protocolError("The service answered with no envelope.")
              yield* write(clientId, exit)
            })
        })
      )
    })
  )

import { type CallResponse, Calls, type IncomingCall } from "@outbound/domain/calls/Calls.js"
import { encodeError, refuse, statusOf } from "@outbound/domain/kernel/errors/Wire.js"
import { Context, Effect, Layer } from "effect"

/** A bearer secret that the scripted calls know. */
export const KEY = `svc_key_${"a".repeat(43)}`

/** The calls that arrived, and what to do with those that nothing is wrong with. */
export class Script extends Context.Service<
  Script,
  {
    readonly arrived: Array<IncomingCall>
    behave: (call: IncomingCall) => Effect.Effect<CallResponse>
  }
>()("@outbound/host-http/test/Script") {}

const rate = { limit: 300, remaining: 299, resetSeconds: 60 }

export const succeed = (call: IncomingCall, result: unknown = { input: call.input }): CallResponse => ({
  requestId: call.requestId,
  status: 200,
  body: JSON.stringify({ result, svc: { request_id: call.requestId, credits_charged: "0", credits_available: "300" } }),
  rate,
  retryAfterSeconds: null
})

/** Answers as the pipeline does: the credential first, then what the transport found. */
export const layer: Layer.Layer<Calls | Script> = Layer.effectContext(
  Effect.sync(() => {
    const script: Script["Service"] = {
      arrived: [],
      behave: (call) => Effect.succeed(succeed(call))
    }
    const answer = (call: IncomingCall): Effect.Effect<CallResponse> => {
      script.arrived.push(call)
      const isKnown = call.bearer === KEY
      const error = isKnown ? call.reject : refuse("unauthorized", {})
      if (error === null) return script.behave(call)
      return Effect.succeed({
        requestId: call.requestId,
        status: statusOf(error),
        body: JSON.stringify({ error: { ...encodeError(error), request_id: call.requestId } }),
        rate: isKnown ? rate : null,
        retryAfterSeconds: error.code === "rate_limited" ? error.details.retry_after_seconds : null
      })
    }
    return Context.make(Script, script).pipe(Context.add(Calls, { answer }))
  })
)

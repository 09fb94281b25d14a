import { RpcClientError } from "@effect/rpc/RpcClientError"
import type { ResponseExitEncoded } from "@effect/rpc/RpcMessage"
import { Either, Schema } from "effect"
import { WireRefusal } from "./Refusal.js"
import { Billing } from "./VerbGroup.js"

/** What an answer's body may be: an envelope. */
const Envelope = Schema.parseJson(
  Schema.Union(Schema.Struct({ error: WireRefusal }), Schema.Struct({ result: Schema.Unknown, svc: Billing }))
)
const decodeEnvelope = Schema.decodeUnknownEither(Envelope)

/** The exit of the request that an envelope answers; nothing where the text is none. */
export const exitOfEnvelope = (requestId: string, body: string): ResponseExitEncoded | undefined =>
  Either.match(decodeEnvelope(body), {
    onLeft: () => undefined,
    onRight: (envelope) => ({
      _tag: "Exit",
      requestId,
      exit:
        "error" in envelope
          ? { _tag: "Failure", cause: { _tag: "Fail", error: envelope.error } }
          : { _tag: "Success", value: envelope }
    })
  })

export const protocolError = (message: string, cause?: unknown): RpcClientError =>
  new RpcClientError({ reason: "Protocol", message, ...(cause === undefined ? {} : { cause }) })

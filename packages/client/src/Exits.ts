import { Result, Schema } from "effect"
import { WireRefusal } from "./Refusal.js"
import { type RequestEncoded, type ResponseExitEncoded, RpcClientDefect, RpcClientError } from "./Rpc.js"
import { Billing } from "./VerbGroup.js"

/** What an answer's body may be: an envelope. */
const Envelope = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ error: WireRefusal }), Schema.Struct({ result: Schema.Unknown, svc: Billing })])
)
const decodeEnvelope = Schema.decodeUnknownResult(Envelope)

/** The exit of the request that an envelope answers; nothing where the text is none. */
export const exitOfEnvelope = (requestId: RequestEncoded["id"], body: string): ResponseExitEncoded | undefined =>
  Result.match(decodeEnvelope(body), {
    onFailure: () => undefined,
    onSuccess: (envelope) => ({
      _tag: "Exit",
      requestId,
      exit:
        "error" in envelope
          ? { _tag: "Failure", cause: [{ _tag: "Fail", error: envelope.error }] }
          : { _tag: "Success", value: envelope }
    })
  })

export const protocolError = (message: string, cause?: unknown): RpcClientError =>
  new RpcClientError({ reason: new RpcClientDefect({ message, cause }) })

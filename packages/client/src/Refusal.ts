import { isRetryable, WIRE_CODES, type WireCode, type WIRE } from "@outbound/domain/kernel/errors/Wire.js"
import { Data, Schema, SchemaTransformation } from "effect"

/** A code's public details, as they are sent. */
export type RefusalDetails<C extends WireCode> = (typeof WIRE)[C]["details"]["Encoded"]

/** What the service answered instead of a result, typed by its code: `catchTag("not_found", …)`. */
export class Refusal<C extends WireCode = WireCode> extends Data.Error<{
  readonly code: C
  readonly message: string
  readonly requestId: string
  readonly details: RefusalDetails<C>
}> {
  override readonly name = "Refusal"

  get _tag(): C {
    return this.code
  }

  /** Whether the same call may be sent again, with the same Idempotency-Key. */
  get isRetryable(): boolean {
    return isRetryable(this.code)
  }
}

/** A refusal by any code: the union over the codes. */
export type AnyRefusal = { readonly [C in WireCode]: Refusal<C> }[WireCode]

/** The member `error` of a failure's envelope. */
export const WireRefusal = Schema.Struct({
  code: Schema.Literals(WIRE_CODES),
  message: Schema.String,
  request_id: Schema.String,
  details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown))
})
export type WireRefusal = typeof WireRefusal.Type

const fromWire = ({ code, details = {}, message, request_id: requestId }: WireRefusal): AnyRefusal =>
  // The code and its details belong together by the service's own table.
  new Refusal({ code, message, requestId, details } as ConstructorParameters<typeof Refusal>[0]) as AnyRefusal

const toWire = ({ code, details, message, requestId }: AnyRefusal): WireRefusal =>
  Object.keys(details).length === 0
    ? { code, message, request_id: requestId }
    : { code, message, request_id: requestId, details: { ...details } }

/** A refusal as it is sent, and as callers see it. */
export const RefusalFromWire = WireRefusal.pipe(
  Schema.decodeTo(
    Schema.declare((u: unknown): u is AnyRefusal => u instanceof Refusal, { identifier: "Refusal" }),
    SchemaTransformation.transform({ decode: fromWire, encode: toWire })
  )
)

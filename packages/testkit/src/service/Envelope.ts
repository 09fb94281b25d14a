import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { statusOf, WIRE, WIRE_CODES, type WireCode, WireError } from "@outbound/domain/kernel/errors/Wire.js"
import { CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { Route, Uuid } from "@outbound/domain/verbs/fields.js"
import { allErrorsOf, type AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Schema } from "effect"

/** RFC 3339 UTC with milliseconds (contract: calls, names and times). */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Credits as the service writes them: without trailing zeros. */
const CREDITS = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/

const RETRY_AFTER_CODES: ReadonlyArray<string> = ["rate_limited", "provider_unavailable"]

const TimestampText = Schema.String.pipe(Schema.pattern(TIMESTAMP))

const Svc = Schema.Struct({
  request_id: Uuid,
  credits_charged: CreditsFromWire,
  credits_available: CreditsFromWire,
  replayed: Schema.optional(Schema.Boolean),
  route: Schema.optional(Schema.Struct({ used: Route, source: Schema.Literal("request", "key", "guess", "default") }))
})

/** Reasons of `invalid_request` that a plan names as limits of their own (contract: calls, dry runs). */
const REASONS_AS_LIMITS = ["campaign_state", "campaign_full", "postal_address_missing"] as const

const planOf = (verb: AnyVerb) =>
  Schema.Struct({
    dry_run: Schema.Literal(true),
    advisory: Schema.Literal(true),
    evaluated_at: TimestampText,
    plan: Schema.Struct({
      verb: Schema.Literal(verb.name),
      plan_version: Schema.Literal(verb.planVersion),
      input_version: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
      credits_estimate: CreditsFromWire,
      would_exceed: Schema.Array(Schema.Literal(...WIRE_CODES, ...REASONS_AS_LIMITS)),
      warnings: Schema.Array(Schema.String),
      would: verb.would ?? Schema.Never
    })
  })

const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Literal(...WIRE_CODES),
    message: Schema.NonEmptyString,
    request_id: Uuid,
    details: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  })
})

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what)
}

const decode = <A, I>(schema: Schema.Schema<A, I>, value: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(value)

/** Amounts and timestamps have one form wherever they stand, which a schema of strings does not say. */
const checkForms = (value: unknown, name: string): void => {
  if (Array.isArray(value)) for (const item of value) checkForms(item, name)
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) checkForms(member, key)
  } else if (typeof value === "string") {
    if (name.endsWith("_at")) demand(TIMESTAMP.test(value), `${name} is no timestamp: ${value}`)
    if (name.includes("credits")) demand(CREDITS.test(value), `${name} is no canonical amount: ${value}`)
  }
}

const checkError = (verb: AnyVerb, answer: CallResponse, envelope: unknown): void => {
  const { error } = decode(ErrorEnvelope, envelope)
  const code: WireCode = error.code
  demand(allErrorsOf(verb).includes(code), `${verb.name} does not say that it can answer ${code}`)
  const details = decode(WIRE[code].details as Schema.Schema<unknown>, error.details ?? {}) as never
  demand(answer.status === statusOf(new WireError({ code, details, message: error.message }) as never), "wrong status")
  demand(error.request_id === answer.requestId, "the envelope names another request")
  const wait = error.details?.["retry_after_seconds"] ?? null
  demand(RETRY_AFTER_CODES.includes(code) === (answer.retryAfterSeconds !== null), `Retry-After with ${code}`)
  demand(wait === answer.retryAfterSeconds, "Retry-After differs from its details")
}

const checkSuccess = (verb: AnyVerb, input: JsonObject, answer: CallResponse, envelope: unknown): void => {
  const schema = input["dry_run"] === true && verb.would !== null ? planOf(verb) : verb.result
  const { result, svc } = decode(Schema.Struct({ result: Schema.Unknown, svc: Svc }), envelope)
  decode(schema as Schema.Schema<unknown>, result)
  checkForms(envelope, "")
  demand(svc.request_id === answer.requestId, "the envelope names another request")
  demand(answer.rate !== null && answer.retryAfterSeconds === null, "a success has a rate and no Retry-After")
  demand(verb.mode === "act" || svc.credits_charged === 0n, "a read was charged")
}

/** Dies where an answer is not what the contract says that every answer of the verb is. */
export const checkAnswer = (verb: AnyVerb, input: JsonObject, answer: CallResponse, envelope: unknown): void => {
  try {
    if (answer.status === 200) checkSuccess(verb, input, answer, envelope)
    else checkError(verb, answer, envelope)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${verb.name} answered against its contract: ${why}\n${answer.body}`, { cause })
  }
}

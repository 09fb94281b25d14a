import { INVALID_REASONS, TRANSPORT_STATUS, WIRE, type WireCode, WIRE_CODES } from "@outbound/domain/errors/Wire.js"
import { type Definitions, type JsonSchema, object, opened } from "@outbound/domain/verbs/JsonSchema.js"
import { allErrorsOf, type AnyVerb } from "@outbound/domain/verbs/Verb.js"
import type { Schema } from "effect"

const pascal = (text: string): string =>
  text
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

type TransportReason = keyof typeof TRANSPORT_STATUS
const TRANSPORT_REASONS = Object.keys(TRANSPORT_STATUS) as ReadonlyArray<TransportReason>
const isTransport = (reason: string): boolean => Object.hasOwn(TRANSPORT_STATUS, reason)

const componentOf = (code: WireCode): string => `${pascal(code)}Error`
const transportComponentOf = (reason: TransportReason): string => `${pascal(reason)}Error`

const RETRY_WORDS = {
  never: "Not to be retried.",
  same_key: "May be retried with the same Idempotency-Key.",
  poll: "Never retry: poll the operation."
} as const

const envelope = (code: WireCode, details: JsonSchema): JsonSchema => {
  const fields = {
    code: { type: "string", const: code },
    message: { type: "string" },
    request_id: { type: "string", format: "uuid" }
  }
  const hasDetails = Object.keys(details.properties ?? {}).length > 0
  const isOptional = (details.required ?? []).length === 0
  return {
    ...object({
      error: object({ ...fields, ...(hasDetails ? { details } : {}) }, hasDetails && isOptional ? ["details"] : [])
    }),
    description: RETRY_WORDS[WIRE[code].retry]
  }
}

/** `details` with the reasons narrowed to those that come with its status. */
const withReasons = (details: JsonSchema, reasons: ReadonlyArray<string>): JsonSchema => {
  // Said only of a body that is too large, which has a shape of its own.
  const { max_bytes: _, ...properties } = details.properties ?? {}
  return { ...details, properties: { ...properties, reason: { type: "string", enum: reasons } } }
}

/** Every error of the table as a shape of its own: its code and exactly its details. */
export const errorSchemas = (render: (schema: Schema.Schema.Any) => JsonSchema): Definitions => {
  const detailsOf = (code: WireCode): JsonSchema => {
    const details = opened(render(WIRE[code].details))
    return code === "invalid_request"
      ? withReasons(
          details,
          INVALID_REASONS.filter((reason) => !isTransport(reason))
        )
      : details
  }
  const codes = WIRE_CODES.map((code) => [componentOf(code), envelope(code, detailsOf(code))] as const)
  const transport = TRANSPORT_REASONS.map((reason) => {
    const bytes = reason === "body_too_large" ? { max_bytes: { type: "integer", minimum: 1 } } : {}
    const details = object({ reason: { type: "string", const: reason }, ...bytes })
    return [transportComponentOf(reason), envelope("invalid_request", details)] as const
  })
  return Object.fromEntries([...codes, ...transport])
}

/** A code that a verb can answer with, and the name of its shape. */
export interface Failure {
  readonly code: WireCode
  readonly shape: string
}

/** What a verb can answer beside success, by status. */
export const failuresOf = (verb: AnyVerb): ReadonlyMap<number, ReadonlyArray<Failure>> => {
  const failures = new Map<number, Array<Failure>>()
  const add = (status: number, code: WireCode, shape: string) =>
    failures.set(status, [...(failures.get(status) ?? []), { code, shape }])
  for (const code of allErrorsOf(verb)) add(WIRE[code].status, code, componentOf(code))
  if (verb.route.method !== "GET") {
    for (const reason of ["body_too_large", "unsupported_media_type"] as const) {
      add(TRANSPORT_STATUS[reason], "invalid_request", transportComponentOf(reason))
    }
  }
  return new Map([...failures].sort(([one], [other]) => one - other))
}

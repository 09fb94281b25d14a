import { type JsonSchema, makeRenderer, object, opened } from "@outbound/domain/verbs/JsonSchema.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { compact, DEFS, type Keywords, omit, shapeOf, type ToolSchema } from "./Compact.js"

/** Keywords left out of answers, to keep the list of tools short. */
const OF_ANSWERS: Keywords = new Set([
  "description",
  "examples",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems"
])
const OF_REQUESTS: Keywords = new Set(["examples"])

/** Keywords left out of roots, because many models accept only plain objects. The pipeline still validates. */
const OF_ROOTS: Keywords = new Set(["anyOf", "oneOf", "allOf", "not"])

const RUN_ID: JsonSchema = { type: "string", format: "uuid", description: "The run whose budget this call uses." }

const KEY_WORDS = {
  none: "Ignored: reads don't need one.",
  optional: "Repeating the key with the same arguments returns the first result without a new charge.",
  required: "Required except for a dry run. Repeating the key with the same arguments returns the first result.",
  required_when_confirmed: "Required with a confirmation_token. Repeating the key returns the first result."
} as const

/** A tool's input: the verb's request, `idempotency_key` and `run_id`. */
export const inputSchemaOf = (verb: AnyVerb): ToolSchema => {
  const { definitions, render } = makeRenderer(DEFS)
  const rendered = render(verb.request)
  const shapes = definitions()
  const request = shapes[shapeOf(rendered)] ?? rendered
  const idempotency_key = { type: "string", minLength: 1, maxLength: 200, description: KEY_WORDS[verb.idempotency] }
  const schema: JsonSchema = {
    ...omit(request, OF_ROOTS),
    properties: { ...request.properties, idempotency_key, run_id: RUN_ID },
    additionalProperties: false
  }
  return compact(schema, shapes, OF_REQUESTS)
}

const TEXT: JsonSchema = { type: "string" }
const FLAG: JsonSchema = { type: "boolean" }

const SVC: JsonSchema = object(
  { request_id: TEXT, credits_charged: TEXT, credits_available: TEXT, replayed: FLAG, route: { type: "object" } },
  ["replayed", "route"]
)

const ERROR: JsonSchema = object({ code: TEXT, message: TEXT, request_id: TEXT, details: { type: "object" } }, [
  "details"
])

const planOf = (verb: AnyVerb, would: JsonSchema): JsonSchema =>
  object({
    dry_run: { type: "boolean", const: true },
    advisory: FLAG,
    evaluated_at: { type: "string", format: "date-time" },
    plan: object({
      verb: { type: "string", const: verb.name },
      plan_version: { type: "integer" },
      input_version: TEXT,
      credits_estimate: TEXT,
      would_exceed: { type: "array", items: TEXT },
      warnings: { type: "array", items: TEXT },
      would
    })
  })

const envelopeOf = (verb: AnyVerb, dropped: Keywords): ToolSchema => {
  const { definitions, render } = makeRenderer(DEFS)
  const result = opened(render(verb.result))
  const would = verb.would === null ? null : opened(render(verb.would))
  const shapes = Object.fromEntries(Object.entries(definitions()).map(([name, shape]) => [name, opened(shape)]))
  const results = [...(result.oneOf ?? result.anyOf ?? [result]), ...(would === null ? [] : [planOf(verb, would)])]
  const [first = result, ...others] = results
  const schema: JsonSchema = {
    type: "object",
    properties: { result: others.length === 0 ? first : { anyOf: results }, svc: SVC, error: ERROR },
    anyOf: [{ required: ["result", "svc"] }, { required: ["error"] }]
  }
  return compact(schema, shapes, dropped)
}

/** The full schema of the envelope, for successes and errors. */
export const answerSchemaOf = (verb: AnyVerb): ToolSchema => envelopeOf(verb, new Set())

/** A tool's output: the envelope's schema, shortened. Clients validate answers against it. */
export const outputSchemaOf = (verb: AnyVerb): ToolSchema => envelopeOf(verb, OF_ANSWERS)

import { type JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import type { AnyVerb, Route as Address } from "@outbound/domain/verbs/Verb.js"
import { failureResponses, planSchema, type Responses, type ResponseObject, success } from "./Responses.js"

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly "application/json": { readonly schema: JsonSchema; readonly example?: unknown } }
  }
  readonly responses: Responses
}

export const TAGS = [
  { name: "data", description: "Find people, reveal and verify addresses." },
  { name: "sending", description: "Sending capacity, campaigns, replies." },
  { name: "control", description: "Tightening keys, and stopping all sending." },
  { name: "state", description: "What a key may do, what calls and operations came to, and the audit trail." }
] as const

export const tagOf = (verb: AnyVerb): (typeof TAGS)[number]["name"] =>
  verb.scope === "control:manage"
    ? "control"
    : verb.route.method === "GET"
      ? "state"
      : verb.planVersion === 3
        ? "data"
        : "sending"

const KEY_WORDS = {
  optional: "The same key with the same body replays the first outcome without a new charge.",
  required: "Required, but for a dry run. The same key with the same body replays the first outcome.",
  required_when_confirmed: "Required with a `confirmation_token`. The same key with the same body replays the outcome."
} as const

const headerParameters = (verb: AnyVerb): ReadonlyArray<Readonly<Record<string, unknown>>> => [
  ...(verb.idempotency === "none"
    ? []
    : [
        {
          name: "Idempotency-Key",
          in: "header",
          required: verb.idempotency === "required",
          description: KEY_WORDS[verb.idempotency],
          schema: { type: "string", minLength: 1, maxLength: 200 }
        }
      ]),
  { $ref: "#/components/parameters/SvcRunId" }
]

const isInPathOf = (verb: AnyVerb, name: string): boolean => verb.route.path.split("/").includes(`:${name}`)

/** The fields that stand in the path; of a `GET` the others as well, in its query. */
const fieldParameters = (verb: AnyVerb, request: JsonSchema, isGet: boolean) =>
  Object.entries(request.properties ?? {}).flatMap(([name, schema]) => {
    const { description, ...rest } = schema
    const isInPath = isInPathOf(verb, name)
    if (!isGet && !isInPath) return []
    const parameter = {
      name,
      in: isInPath ? "path" : "query",
      required: isInPath || (request.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest
    }
    return [parameter]
  })

/** What is left for the body once the path has taken its own. */
export const bodyOf = (verb: AnyVerb, request: JsonSchema): JsonSchema => {
  const without = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !isInPathOf(verb, name)))
  const properties = without(request.properties ?? {}) as Record<string, JsonSchema>
  if (Object.keys(properties).length === Object.keys(request.properties ?? {}).length) return request
  const { required = [], examples, ...rest } = request
  const left = required.filter((name) => !isInPathOf(verb, name))
  return {
    ...rest,
    ...(left.length === 0 ? {} : { required: left }),
    properties,
    ...(examples === undefined ? {} : { examples: examples.map((one) => without(one as Record<string, unknown>)) })
  }
}

/** A verb's further addresses are operations of their own, named for where they differ. */
const operationIdOf = (verb: AnyVerb, address: Address): string =>
  address === verb.route ? verb.name : `${verb.name}_${address.path.split("/").at(-1) ?? ""}`

export const operation = (of: {
  readonly verb: AnyVerb
  readonly address: Address
  readonly request: JsonSchema
  /** What of the request stands in the body. */
  readonly body: JsonSchema
  readonly result: JsonSchema
  readonly would: JsonSchema | null
  readonly example: unknown
  /** Responses that several operations have in common are put here. */
  readonly shared: Record<string, ResponseObject>
}): Operation => {
  const { address, body, example, request, result, shared, verb, would } = of
  const isGet = address.method === "GET"
  const alternatives = [...(result.oneOf ?? [result]), ...(would === null ? [] : [planSchema(verb, would)])]
  const answer = alternatives.length === 1 ? result : { oneOf: alternatives }
  const scope = verb.scope === null ? "Any key may call it." : `Needs the scope \`${verb.scope}\`.`
  return {
    operationId: operationIdOf(verb, address),
    tags: [tagOf(verb)],
    summary: verb.summary,
    description: `${verb.description}\n\n${scope}`,
    parameters: [...fieldParameters(verb, request, isGet), ...headerParameters(verb)],
    ...(isGet
      ? {}
      : {
          requestBody: {
            required: (request.required ?? []).length > 0,
            content: { "application/json": { schema: body, ...(example === undefined ? {} : { example }) } }
          }
        }),
    responses: {
      "200": success(verb, answer, address),
      ...failureResponses(verb, shared)
    }
  }
}

export const openPath = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

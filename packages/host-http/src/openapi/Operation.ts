import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
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
  { name: "data", description: "Find leads and companies, reveal and verify emails." },
  { name: "sending", description: "Sending capacity, campaigns, replies." },
  { name: "control", description: "Tighten keys and stop all sending." },
  { name: "state", description: "Keys, calls, operations and the audit trail." }
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
  optional: "Repeating the key with the same body returns the first result without a new charge.",
  required: "Required except for a dry run. Repeating the key with the same body returns the first result.",
  required_when_confirmed:
    "Required with a `confirmation_token`. Repeating the key with the same body returns the first result."
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

/** The path parameters and, for `GET`, the query parameters. */
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

/** The request without its path parameters. */
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

/** A body without members is left out. */
const takesNothing = ({ properties }: JsonSchema): boolean =>
  properties !== undefined && Object.keys(properties).length === 0

/** A verb's further routes are separate operations, named after the difference. */
const operationIdOf = (verb: AnyVerb, address: Address): string =>
  address === verb.route ? verb.name : `${verb.name}_${address.path.split("/").at(-1) ?? ""}`

export const operation = (of: {
  readonly verb: AnyVerb
  readonly address: Address
  readonly request: JsonSchema
  readonly body: JsonSchema
  readonly result: JsonSchema
  readonly would: JsonSchema | null
  readonly example: unknown
  /** Receives the shared responses. */
  readonly shared: Record<string, ResponseObject>
}): Operation => {
  const { address, body, example, request, result, shared, verb, would } = of
  const isGet = address.method === "GET"
  const alternatives = [...(result.oneOf ?? [result]), ...(would === null ? [] : [planSchema(verb, would)])]
  const answer = alternatives.length === 1 ? result : { oneOf: alternatives }
  const plan = would === null ? answer : planSchema(verb, would)
  const scope = verb.scope === null ? "Any key can call it." : `Needs the scope \`${verb.scope}\`.`
  return {
    operationId: operationIdOf(verb, address),
    tags: [tagOf(verb)],
    summary: verb.summary,
    description: `${verb.description}\n\n${scope}`,
    parameters: [...fieldParameters(verb, request, isGet), ...headerParameters(verb)],
    ...(isGet || takesNothing(body)
      ? {}
      : {
          requestBody: {
            required: (request.required ?? []).length > 0,
            content: { "application/json": { schema: body, ...(example === undefined ? {} : { example }) } }
          }
        }),
    responses: {
      ...(verb.accepts
        ? { "200": success(verb, plan, address), "202": success(verb, result, address) }
        : { "200": success(verb, answer, address) }),
      ...failureResponses(verb, shared)
    }
  }
}

export const openPath = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

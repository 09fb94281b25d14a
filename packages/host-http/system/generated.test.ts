import { assert, layer } from "@effect/vitest"
import { isSuccess } from "@outbound/domain/calls/envelope.js"
import type { Definitions, JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Context, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import type { openApiDocument } from "../src/openapi/Document.js"
import type { ResponseObject } from "../src/openapi/Responses.js"
import { mutated, valuesOf } from "../test/support/FromJsonSchema.js"
import { mistakesIn } from "./support/Boundaries.js"
import { type CallResponse, send } from "./support/Client.js"
import { assertClean, type Host } from "./support/Host.js"
import { Served } from "./support/Served.js"
import { makeTenant, type Tenant } from "./support/Tenant.js"
import { makeThings, type Things } from "./support/Things.js"

type Paths = ReturnType<typeof openApiDocument>["paths"]
type Operation = NonNullable<Paths[string]>[string]

interface Document {
  readonly paths: Paths
  readonly components: {
    readonly schemas: Definitions
    readonly responses: Readonly<Record<string, ResponseObject>>
  }
}

/** How many generated requests each operation is sent, beside one for every bound of its schema. */
const REQUESTS = 30
const FULLEST_OF = 25
const AT_ONCE = 16
const SEED = 20_260

const UNKNOWN = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

/** What the document of the running service says, and whom it is held against. */
class Described extends Context.Service<
  Described,
  {
    readonly host: Host
    readonly tenant: Tenant
    readonly things: Things
    readonly document: Document
    readonly valid: Validator
  }
>()("@outbound/host-http/system/generated/Described") {
  static readonly layer = Layer.effect(
    Described,
    Effect.gen(function* () {
      const { host, place } = yield* Served
      const tenant = yield* makeTenant(place, { credits: 1_000_000, granted: 1_000_000, scopes: [...SCOPES] })
      const { json } = yield* send(host, { path: "/openapi.json" })
      const document = json as Document
      const things = yield* makeThings(place, host, tenant)
      return { host, tenant, things, document, valid: validator(document) }
    })
  ).pipe(Layer.provideMerge(Served.layer))
}

type Validator = (schema: JsonSchema) => ValidateFunction

const validator = ({ components }: Document): Validator => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const known = new Map<JsonSchema, ValidateFunction>()
  return (schema) => {
    const made = known.get(schema) ?? ajv.compile({ ...schema, components })
    known.set(schema, made)
    return made
  }
}

/** One request, and what the document says of it. */
interface Sent {
  readonly what: string
  readonly path?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: unknown
  /** False: the document forbids it. */
  readonly isAllowed: boolean
}

/** An operation where it stands. */
interface Address {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const responseOf = (document: Document, { operation }: Address, status: number): ResponseObject | undefined => {
  const found = operation.responses[String(status)]
  return found !== undefined && "$ref" in found
    ? document.components.responses[found.$ref.split("/").at(-1) ?? ""]
    : found
}

/** Rules between fields, or of the world, which a schema can't say. They stand in descriptions; their refusal says why. */
const explains = ({ json }: CallResponse): boolean => {
  const { issues, reason } = json.error.details ?? {}
  return typeof reason === "string" || (Array.isArray(issues) && issues.length > 0)
}

/** Holds one answer against the document. */
const hold = (document: Document, valid: Validator, described: Address, sent: Sent, answer: CallResponse): void => {
  const { headers, json, status, text } = answer
  const say = `${described.method} ${described.path}, ${sent.what}: ${JSON.stringify(sent).slice(0, 600)} -> ${status} ${text.slice(0, 600)}`
  const response = responseOf(document, described, status)
  if (response === undefined) return assert.fail(`an undocumented status: ${say}`)
  if (!sent.isAllowed) assert.isTrue(status >= 400 && status < 500, `what the document forbids is accepted: ${say}`)
  if (headers["content-type"]?.startsWith("text/event-stream") === true) {
    return assert.isDefined(response.content["text/event-stream"], say)
  }
  const validate = valid(response.content["application/json"].schema)
  assert.isTrue(validate(json), `${say} ${JSON.stringify(validate.errors)}`)
  if (isSuccess(status)) return
  const { code } = json.error
  assert.include(response.description, `\`${code}\``, `an undocumented code: ${say}`)
  assert.notStrictEqual(code, "internal", say)
  if (sent.isAllowed && status === 400) assert.isTrue(explains(answer), `refused without a reason: ${say}`)
  if (!sent.isAllowed && status === 400) assert.strictEqual(code, "invalid_request", say)
}

const bodyOf = ({ operation }: Address): JsonSchema | undefined =>
  operation.requestBody?.content["application/json"].schema

const parametersOf = ({ operation }: Address, place: string) =>
  operation.parameters.filter((one) => one["in"] === place) as unknown as ReadonlyArray<{
    readonly name: string
    readonly required?: boolean
    readonly schema: JsonSchema
  }>

const sample = (values: fc.Arbitrary<unknown>, count: number): ReadonlyArray<unknown> =>
  fc.sample(values, { numRuns: count, seed: SEED }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** The requests whose body is generated: allowed ones, ones with something wrong, and one for each bound. */
const bodies = (document: Document, valid: Validator, described: Address): ReadonlyArray<Sent> => {
  const schema = bodyOf(described)
  if (schema === undefined) return []
  const { schemas } = document.components
  const values = valuesOf(schema, schemas)
  const allowed = sample(values, REQUESTS / 2)
  const strange = sample(mutated(values), REQUESTS / 2)
  const fullest = sample(values, FULLEST_OF)
    .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)
    .slice(0, 3)
  const bounds = new Map(
    fullest.flatMap((value) => mistakesIn(schema, value, schemas)).map((one) => [one.what, one.value])
  )
  const example = described.operation.requestBody?.content["application/json"].example
  return [
    { what: "its example", body: example },
    ...allowed.map((body) => ({ what: "generated", body })),
    ...strange.map((body) => ({ what: "changed", body })),
    ...[...bounds].map(([what, body]) => ({ what, body }))
  ].map((one) => ({ ...one, isAllowed: valid(schema)(one.body) }))
}

const queries = (document: Document, valid: Validator, described: Address): ReadonlyArray<Sent> => {
  const given = parametersOf(described, "query")
  const { schemas } = document.components
  const wrong = given.flatMap(({ name, schema }) =>
    ["", "none_of_the_choices", "-1", "1e9", "2026-02-30", "\u0001"].map((text): Sent => {
      const asNumber = text !== "" && Number.isFinite(Number(text)) ? Number(text) : text
      const isAllowed = valid(schema)(text) || valid(schema)(asNumber) || valid(schema)([text])
      return { what: `${name}: ${JSON.stringify(text)}`, query: { [name]: text }, isAllowed }
    })
  )
  const right = given.flatMap(({ name, schema }) =>
    sample(valuesOf(schema, schemas), 5).map((value) => {
      const text = Array.isArray(value) ? value.join(",") : String(value)
      return { what: `${name}: generated`, query: { [name]: text }, isAllowed: true }
    })
  )
  return [{ what: "an unknown parameter", query: { unheard_of: "1" }, isAllowed: false }, ...right, ...wrong]
}

const headers = (described: Address): ReadonlyArray<Sent> => {
  const example = described.operation.requestBody?.content["application/json"].example
  return parametersOf(described, "header").flatMap(({ name, required, schema }) =>
    [
      { what: `without ${name}`, headers: { [name]: null }, isAllowed: required !== true },
      ...(typeof schema["maxLength"] === "number"
        ? [
            {
              what: `${name} too long`,
              headers: { [name]: "k".repeat(Number(schema["maxLength"]) + 1) },
              isAllowed: false
            }
          ]
        : []),
      { what: `an empty ${name}`, headers: { [name]: "" }, isAllowed: false }
    ].map((one): Sent => ({ ...one, ...(example === undefined ? {} : { body: example }) }))
  )
}

/** Ids in a path: of nothing, and no ids at all. */
const paths = (described: Address, body: unknown): ReadonlyArray<Sent> =>
  parametersOf(described, "path").flatMap(({ name }) =>
    ["1", "not-an-id", "%00", `${UNKNOWN}x`].map((text) => ({
      what: `${name}: ${text}`,
      path: described.path.replace(`{${name}}`, text),
      body,
      isAllowed: false
    }))
  )

const requestOf = (described: Address, { apiKey }: Tenant, sent: Sent) => {
  const path = (sent.path ?? described.path).replace(/\{\w+\}/g, UNKNOWN)
  const query = new URLSearchParams(sent.query ?? {}).toString()
  const needsKey = parametersOf(described, "header").some(
    ({ name, required }) => name === "Idempotency-Key" && required
  )
  const given: Record<string, string | null> = {
    authorization: `Bearer ${apiKey}`,
    ...(described.method === "GET" ? {} : { "content-type": "application/json" }),
    ...(needsKey ? { "Idempotency-Key": randomUUID() } : {}),
    ...sent.headers
  }
  return {
    method: described.method,
    path: query === "" ? path : `${path}?${query}`,
    headers: Object.fromEntries(Object.entries(given).filter((one): one is [string, string] => one[1] !== null)),
    ...(described.method === "GET" ? {} : { body: JSON.stringify("body" in sent ? sent.body : {}) })
  }
}

/** The same requests of things that there are. */
const ofThings = (described: Address, things: Things, all: ReadonlyArray<Sent>): ReadonlyArray<Sent> => {
  const [, inPath] = /\{(\w+)\}/.exec(described.path) ?? []
  const known = things[inPath ?? ""]?.[0]
  return all.flatMap((sent, index): ReadonlyArray<Sent> => {
    if (!sent.isAllowed || sent.path !== undefined) return []
    const path =
      inPath === undefined || known === undefined ? {} : { path: described.path.replace(`{${inPath}}`, known) }
    const { body } = sent
    if (typeof body !== "object" || body === null) return inPath === undefined ? [] : [{ ...sent, ...path }]
    const named = Object.entries(things).flatMap(([name, ids]) =>
      name in body ? [[name, ids[index % ids.length]] as const] : []
    )
    return named.length === 0 && inPath === undefined
      ? []
      : [{ ...sent, ...path, what: `${sent.what}, known`, body: { ...body, ...Object.fromEntries(named) } }]
  })
}

const stopping = (path: string): number => ["/pause", "/kill"].findIndex((end) => path.endsWith(end))

/** What stops sending comes last. */
const OPERATIONS = verbList
  .flatMap(({ aliases, route }) => [route, ...aliases])
  .map(({ method, path }) => ({ method: method as string, path: path.replace(/:(\w+)/g, "{$1}") }))
  .toSorted((a, b) => stopping(a.path) - stopping(b.path))

layer(Described.layer, { timeout: "180 seconds", excludeTestServices: true })("generated requests", (it) => {
  it.effect("the running service describes every operation that it has, and no other", () =>
    Effect.gen(function* () {
      const { document } = yield* Described
      const described = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
      )
      assert.sameMembers(
        described,
        OPERATIONS.map(({ method, path }) => `${method} ${path}`)
      )
    })
  )

  it.effect.each(OPERATIONS)("$method $path: nothing forbidden is accepted, and every answer is documented", (at) =>
    Effect.gen(function* () {
      const { document, host, tenant, things, valid } = yield* Described
      const operation = document.paths[at.path]?.[at.method.toLowerCase()] ?? assert.fail(at.path)
      const described = { ...at, operation }
      const example = operation.requestBody?.content["application/json"].example
      const made = [
        ...bodies(document, valid, described),
        ...queries(document, valid, described).map((one) => ({ ...one, body: example })),
        ...headers(described),
        ...paths(described, example),
        ...(at.method === "GET" ? [{ what: "plain", isAllowed: true }] : [])
      ]
      const all = [...made, ...ofThings(described, things, made)]
      const outcomes = yield* Effect.forEach(
        all,
        (sent) =>
          Effect.map(send(host, requestOf(described, tenant, sent)), (answer) => {
            hold(document, valid, described, sent, answer)
            return { sent, status: answer.status }
          }),
        { concurrency: AT_ONCE }
      )
      assert.isNotEmpty(outcomes.filter(({ sent, status }) => sent.isAllowed && isSuccess(status)))
      assert.isNotEmpty(outcomes.filter(({ sent }) => !sent.isAllowed))
    })
  )

  it.effect("the books balance after all of it", () =>
    Effect.gen(function* () {
      const { place } = yield* Served
      yield* assertClean(place)
    })
  )
})

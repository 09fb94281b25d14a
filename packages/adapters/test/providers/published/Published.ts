import { Schema } from "effect"
import { readFileSync } from "node:fs"

/** What a vendor publishes of a value: the parts of JSON Schema by which names and types are told. */
interface Shape {
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  /** Of a parameter: what its text must be, whole. */
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Told>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Told
  readonly anyOf?: ReadonlyArray<Told>
  /** Members of any name. */
  readonly open?: boolean
  /** The name of a shape that several share. */
  readonly part?: string
}

/** True: nothing is told. */
type Told = Shape | true
export type RecordShape = Told

interface Endpoint {
  readonly query: Readonly<Record<string, Told>>
  /** Parameters that may not be left out. */
  readonly needs?: ReadonlyArray<string>
  readonly body?: Told
  readonly answer?: Told
}

const Facts = Schema.fromJsonString(
  Schema.Struct({
    vendor: Schema.String,
    source: Schema.String,
    root: Schema.String,
    endpoints: Schema.Record(Schema.String, Schema.Any as Schema.Codec<Endpoint>),
    parts: Schema.Record(Schema.String, Schema.Any as Schema.Codec<Told>)
  })
)

export type Facts = typeof Facts.Type

export const readFacts = (vendor: string): Facts =>
  Schema.decodeSync(Facts)(readFileSync(new URL(`./${vendor}.json`, import.meta.url), "utf8"))

const isOf = (type: string, value: unknown): boolean => {
  switch (type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** Where a value is not as published, by path. */
const differences = (facts: Facts, told: Told, value: unknown, path: string): ReadonlyArray<string> => {
  if (told === true) return []
  const shape = told.part === undefined ? told : facts.parts[told.part]
  if (shape === undefined || shape === true) return []
  if (shape.anyOf !== undefined) {
    const each = shape.anyOf.map((one) => differences(facts, one, value, path))
    return each.some(({ length }) => length === 0) ? [] : (each[0] ?? [])
  }
  const types = [shape.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    return [`${path} is ${JSON.stringify(value)} and no ${types.join(" or ")}`]
  }
  if (shape.enum !== undefined && !shape.enum.includes(value)) return [`${path} may not be ${JSON.stringify(value)}`]
  const { items, properties } = shape
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((one, index) => differences(facts, items, one, `${path}[${index}]`))
  }
  if (typeof value !== "object" || value === null || properties === undefined) return []
  const missing = (shape.required ?? []).filter((name) => !(name in value)).map((name) => `${path} lacks ${name}`)
  const members = Object.entries(value).flatMap(([name, one]) => {
    const known = properties[name]
    if (known === undefined) return shape.open === true ? [] : [`${path}.${name} is not published`]
    return differences(facts, known, one, `${path}.${name}`)
  })
  return [...missing, ...members]
}

const endpointOf = ({ endpoints, root }: Facts, method: string, path: string) =>
  Object.entries(endpoints).find(([name]) => {
    const [verb, place = ""] = name.split(" ")
    const parts = `${root}${place}`.split("/")
    const given = path.split("/")
    return (
      verb === method &&
      parts.length === given.length &&
      parts.every((part, index) => part === "*" || part === given[index])
    )
  })

/** Where a request is not as its vendor publishes it. Null: it is to no endpoint that is known. */
export const requestDifferences = (
  facts: Facts,
  { body, method, path, query }: { method: string; path: string; query: URLSearchParams; body: unknown }
): ReadonlyArray<string> | null => {
  const [name, endpoint] = endpointOf(facts, method, path) ?? []
  if (endpoint === undefined) return null
  const unknown = [...query.keys()]
    .filter((key) => !(key in endpoint.query))
    .map((key) => `${name} ?${key} is not published`)
  const missing = (endpoint.needs ?? []).filter((key) => !query.has(key)).map((key) => `${name} lacks ?${key}`)
  const wrong = [...query].flatMap(([key, value]) => {
    const told = endpoint.query[key]
    const pattern = told === undefined || told === true ? undefined : told.pattern
    return pattern === undefined || new RegExp(`^(?:${pattern})$`, "u").test(value)
      ? []
      : [`${name} ?${key} may not be ${JSON.stringify(value)}`]
  })
  if (body === undefined) return [...unknown, ...missing, ...wrong]
  // Some vendors publish the members of a body as parameters.
  const told = endpoint.body ?? { type: "object", properties: withoutBrackets(endpoint.query) }
  return [...unknown, ...missing, ...wrong, ...differences(facts, told, body, name ?? "")]
}

const withoutBrackets = (query: Endpoint["query"]): Endpoint["query"] =>
  Object.fromEntries(Object.entries(query).map(([name, told]) => [name.replace(/\[\]$/, ""), told]))

const RECORD = "RECORD /"

/** What a record of a publisher's file holds. */
export const recordShape = (publisher: string): RecordShape => readFacts(publisher).endpoints[RECORD]?.answer ?? true

/** Where a record is not as its publisher says that they are. */
export const recordDifferences = (publisher: string, record: unknown): ReadonlyArray<string> =>
  differences(readFacts(publisher), recordShape(publisher), record, publisher)

/** Where a good answer is not as its vendor publishes it. */
export const answerDifferences = (facts: Facts, method: string, path: string, json: unknown): ReadonlyArray<string> => {
  const [name, endpoint] = endpointOf(facts, method, path) ?? []
  return endpoint?.answer === undefined ? [] : differences(facts, endpoint.answer, json, `${name} answers`)
}

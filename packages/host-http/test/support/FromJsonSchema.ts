import * as fc from "fast-check"
import type { Definitions, JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"

type Value = unknown

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  "date-time": fc
    .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uri: fc.webUrl()
}

const bound = (schema: JsonSchema, keyword: string, fallback: number): number => {
  const value = schema[keyword]
  return typeof value === "number" ? value : fallback
}

const text = (schema: JsonSchema): fc.Arbitrary<string> => {
  const format = FORMATS[String(schema["format"])]
  if (format !== undefined) return format
  if (typeof schema["pattern"] === "string") {
    const [min, max] = [bound(schema, "minLength", 0), bound(schema, "maxLength", 200)]
    return fc.stringMatching(new RegExp(schema["pattern"])).filter((s) => s.length >= min && s.length <= max)
  }
  const min = bound(schema, "minLength", 0)
  const random = fc.string({ minLength: min, maxLength: Math.min(bound(schema, "maxLength", 20), min + 20) })
  const examples = (schema.examples ?? []).filter((one) => typeof one === "string")
  return examples.length === 0 ? random : fc.oneof(fc.constantFrom(...examples), random)
}

/** Values that a published schema allows: made from the document, not from what it was made of. */
export const valuesOf = (schema: JsonSchema, definitions: Definitions): fc.Arbitrary<Value> => {
  if (schema.$ref !== undefined) return valuesOf(definitions[schema.$ref.split("/").at(-1)!]!, definitions)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === undefined && schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((member) => valuesOf(member, definitions)))
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => valuesOf({ ...schema, type }, definitions)))
  }
  switch (schema.type) {
    case "null":
      return fc.constant(null)
    case "string":
      return text(schema)
    case "boolean":
      return fc.boolean()
    case "integer": {
      const min = bound(schema, "minimum", 0)
      return fc.integer({ min, max: bound(schema, "maximum", min + 10_000) })
    }
    case "number":
      return fc.double({
        min: bound(schema, "exclusiveMinimum", 0),
        minExcluded: true,
        max: bound(schema, "maximum", 1e6),
        noNaN: true
      })
    case "array": {
      const minLength = bound(schema, "minItems", 0)
      const size = { minLength, maxLength: Math.min(bound(schema, "maxItems", 3), minLength + 2) }
      const item = valuesOf(schema.items ?? {}, definitions)
      return schema["uniqueItems"] === true ? fc.uniqueArray(item, size) : fc.array(item, size)
    }
    case "object": {
      const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, valuesOf(part, definitions)])
      const members = Object.fromEntries(parts) as Record<string, fc.Arbitrary<Value>>
      const alternatives = schema.anyOf ?? [{}]
      const records = alternatives.map(({ required = [] }) =>
        fc.record(members, { requiredKeys: [...new Set([...(schema.required ?? []), ...required])] })
      )
      const additional = schema.additionalProperties
      if (typeof additional !== "object") return fc.oneof(...records)
      const more = fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), valuesOf(additional, definitions), {
        maxKeys: 3
      })
      return schema.properties === undefined
        ? more
        : fc.tuple(more, fc.oneof(...records)).map(([others, named]) => ({ ...others, ...(named as object) }))
    }
    default:
      return fc.constant({})
  }
}

const STRANGE: ReadonlyArray<Value> = [
  null,
  true,
  "",
  " ",
  "x",
  "y".repeat(21_000),
  "2026-02-30",
  "not-a-uuid",
  "-1",
  "0.1234567",
  -1,
  0,
  1.5,
  5001,
  1e12,
  [],
  {},
  [[]],
  Array.from({ length: 60 }, () => "z")
]

/** The places in a value, as paths. */
const placesIn = (value: Value, at: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  value === null || typeof value !== "object"
    ? [at]
    : [at, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...at, key]))]

const changedAt = (value: Value, path: ReadonlyArray<string>, change: (found: Value) => Value): Value => {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, Value>
  const next = changedAt(copy[key], rest, change)
  if (next === undefined) delete copy[key]
  else copy[key] = next
  return copy
}

/** The same values with one thing about them changed: gone, of another kind, out of bounds, or one too many. */
export const mutated = (values: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.tuple(values, fc.nat(), fc.nat(), fc.nat(2)).map(([value, place, strange, kind]) => {
    const places = placesIn(value)
    const path = places[place % places.length] ?? []
    const isObject = (found: Value): found is object =>
      found !== null && typeof found === "object" && !Array.isArray(found)
    return changedAt(value, path, (found) => {
      if (kind === 0 && isObject(found)) return { ...found, unheard_of: 1 }
      if (kind === 1 && path.length > 0 && !Array.isArray(changedAt(value, path.slice(0, -1), (parent) => parent))) {
        return undefined
      }
      return STRANGE[strange % STRANGE.length]
    })
  })

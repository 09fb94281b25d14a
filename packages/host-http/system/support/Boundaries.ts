import type { Definitions, JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"

type Value = unknown

/** A value with one thing wrong about it, and what that is. */
export interface Mistake {
  readonly what: string
  readonly value: Value
}

const isObject = (value: Value): value is Record<string, Value> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const typesOf = (schema: JsonSchema): ReadonlyArray<string> => (schema.type === undefined ? [] : [schema.type].flat())

/** One value of every kind of JSON. */
const KINDS: Readonly<Record<string, Value>> = {
  null: null,
  boolean: true,
  string: "a string",
  number: 1.5,
  array: ["an item"],
  object: { unheard_of: 1 }
}

/** A string of so many characters that is as little else than too long or too short as can be. */
const stretched = (value: string, length: number): string =>
  value.length >= length ? value.slice(0, length) : value.padEnd(length, "a")

const numberMistakes = (schema: JsonSchema): ReadonlyArray<Mistake> => {
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum } = schema as Record<string, unknown>
  return [
    ...(typeof minimum === "number" ? [{ what: `below ${minimum}`, value: minimum - 1 }] : []),
    ...(typeof maximum === "number" ? [{ what: `above ${maximum}`, value: maximum + 1 }] : []),
    ...(typeof exclusiveMinimum === "number"
      ? [{ what: `no more than ${exclusiveMinimum}`, value: exclusiveMinimum }]
      : []),
    ...(typeof exclusiveMaximum === "number"
      ? [{ what: `no less than ${exclusiveMaximum}`, value: exclusiveMaximum }]
      : []),
    ...(typesOf(schema).includes("integer") ? [{ what: "no integer", value: 1.5 }] : [])
  ]
}

const stringMistakes = (schema: JsonSchema, value: string): ReadonlyArray<Mistake> => {
  const { enum: choices, format, maxLength, minLength, pattern } = schema as Record<string, unknown>
  return [
    ...(typeof minLength === "number" && minLength > 0
      ? [{ what: `shorter than ${minLength}`, value: stretched(value, minLength - 1) }]
      : []),
    ...(typeof maxLength === "number"
      ? [{ what: `longer than ${maxLength}`, value: stretched(value, maxLength + 1) }]
      : []),
    ...(choices === undefined ? [] : [{ what: "none of the choices", value: "none_of_the_choices" }]),
    ...(pattern === undefined ? [] : [{ what: "against the pattern", value: "\u0001 against \u0001" }]),
    ...(format === undefined ? [] : [{ what: `no ${String(format)}`, value: "no such format" }])
  ]
}

const arrayMistakes = (schema: JsonSchema, value: ReadonlyArray<Value>): ReadonlyArray<Mistake> => {
  const { maxItems, minItems, uniqueItems } = schema as Record<string, unknown>
  const item = value[0]
  return [
    ...(typeof minItems === "number" && minItems > 0
      ? [{ what: `fewer than ${minItems}`, value: value.slice(0, minItems - 1) }]
      : []),
    ...(typeof maxItems === "number" && item !== undefined
      ? [{ what: `more than ${maxItems}`, value: Array.from({ length: maxItems + 1 }, () => item) }]
      : []),
    ...(uniqueItems === true && item !== undefined ? [{ what: "the same twice", value: [item, item] }] : [])
  ]
}

const objectMistakes = (schema: JsonSchema, value: Record<string, Value>): ReadonlyArray<Mistake> => [
  ...(schema.additionalProperties === false ? [{ what: "an unknown field", value: { ...value, unheard_of: 1 } }] : []),
  ...(schema.required ?? []).map((name) => ({
    what: `without ${name}`,
    value: Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }))
]

/** Everything that can be wrong with this value by its schema, one thing at a time, here and further in. */
export const mistakesIn = (schema: JsonSchema, value: Value, definitions: Definitions): ReadonlyArray<Mistake> => {
  if (schema.$ref !== undefined) {
    const named = definitions[schema.$ref.split("/").at(-1) ?? ""]
    return named === undefined ? [] : mistakesIn(named, value, definitions)
  }
  const types = typesOf(schema)
  const ofAnotherKind = Object.entries(KINDS)
    .filter(([kind]) => types.length > 0 && !types.includes(kind) && !(kind === "number" && types.includes("integer")))
    .map(([kind, other]) => ({ what: `${kind} instead`, value: other }))
  const here = [
    ...ofAnotherKind,
    ...(typeof value === "number" ? numberMistakes(schema) : []),
    ...(typeof value === "string" ? stringMistakes(schema, value) : []),
    ...(Array.isArray(value) ? arrayMistakes(schema, value) : []),
    ...(isObject(value) ? objectMistakes(schema, value) : [])
  ]
  const within = (at: string, mistakes: ReadonlyArray<Mistake>, put: (part: Value) => Value) =>
    mistakes.map((one) => ({ what: `${at}: ${one.what}`, value: put(one.value) }))
  if (isObject(value)) {
    return [
      ...here,
      ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
        name in value
          ? within(name, mistakesIn(part, value[name], definitions), (found) => ({ ...value, [name]: found }))
          : []
      )
    ]
  }
  if (Array.isArray(value) && value.length > 0 && schema.items !== undefined) {
    const [first, ...rest] = value as ReadonlyArray<Value>
    return [...here, ...within("0", mistakesIn(schema.items, first, definitions), (found) => [found, ...rest])]
  }
  const [member] = (schema.anyOf ?? []).filter((one) => one.$ref !== undefined || one.type !== "null")
  return types.length === 0 && member !== undefined ? [...here, ...mistakesIn(member, value, definitions)] : here
}

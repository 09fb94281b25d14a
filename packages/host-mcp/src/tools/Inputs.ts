import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { type Definitions, type JsonSchema, makeRenderer } from "@outbound/domain/verbs/JsonSchema.js"
import { DEFS, shapeOf, type ToolSchema } from "./Compact.js"

/*
 * What a model is shown of a request: one plain type for each value, and no keyword that Anthropic, OpenAI or Gemini
 * refuses. One refused keyword makes them refuse the whole list of tools. What the other keywords say stands in words. The
 * pipeline validates all of it, and names every mistake.
 */

/** Members that many tools share. The instructions say once what they mean. */
const SHARED: ReadonlySet<string> = new Set(["dry_run", "budget_credits", "route", "confirmation_token"])

/** Keywords that every vendor knows with the same meaning. */
const KEPT = ["minimum", "maximum"] as const

const TEXT: JsonSchema = { type: "string" }

const sentence = (words: string): string => (words === "" || /[.!?]$/.test(words) ? words : `${words}.`)

const described = (schema: JsonSchema, ...words: ReadonlyArray<string>): JsonSchema => {
  const text = words.filter((one) => one !== "").map(sentence)
  return text.length === 0 ? schema : { ...schema, description: text.join(" ") }
}

/** `a, b and c`. */
const listed = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`

const namesOf = (schema: JsonSchema): ReadonlyArray<string> => schema.required ?? []

const alternativesOf = ({ anyOf, oneOf }: JsonSchema): ReadonlyArray<JsonSchema> =>
  (anyOf ?? oneOf ?? []).filter(({ type }) => type !== "null")

/** Alternatives that only say which members belong together. */
const areNeeds = (alternatives: ReadonlyArray<JsonSchema>): boolean =>
  alternatives.length > 0 &&
  alternatives.every(({ properties, type }) => properties === undefined && type === undefined)

/** Which members belong together: `platform and handle, or url`. */
const needsOf = (schema: JsonSchema): string => {
  const alternatives = alternativesOf(schema)
  return areNeeds(alternatives) ? alternatives.map((one) => listed(namesOf(one))).join(", or ") : ""
}

const valueOf = ({ const: value, enum: values }: JsonSchema): ReadonlyArray<unknown> | null =>
  value === undefined ? (values ?? null) : [value]

/** One alternative among objects, told by its fixed members: `type keyword needs query`. */
const caseOf = (schema: JsonSchema): string => {
  const fixed = Object.entries(schema.properties ?? {}).filter(([, member]) => member.const !== undefined)
  const own = namesOf(schema).filter((name) => !fixed.some(([fixedName]) => fixedName === name))
  const needs = [listed(own), needsOf(schema)].filter((words) => words !== "").join(" and ")
  return needs === ""
    ? ""
    : `${fixed.map(([name, member]) => `${name} ${String(member.const)}`).join(" ")} needs ${needs}`
}

/** A member that several alternatives have: with the values of all, if they are choices. */
const joined = (one: JsonSchema, other: JsonSchema): JsonSchema => {
  const [values, more] = [valueOf(one), valueOf(other)]
  if (values === null || more === null) return one
  const { const: _, ...rest } = one
  return { ...rest, enum: [...new Set([...values, ...more])] }
}

const membersOf = (alternatives: ReadonlyArray<JsonSchema>): Definitions => {
  const members: Record<string, JsonSchema> = {}
  for (const { properties = {} } of alternatives) {
    for (const [name, member] of Object.entries(properties)) {
      const known = members[name]
      members[name] = known === undefined ? member : joined(known, member)
    }
  }
  return members
}

/** Alternatives as one: objects with the members of all, else the first. */
const merged = (schema: JsonSchema, alternatives: ReadonlyArray<JsonSchema>): JsonSchema => {
  const [first = {}] = alternatives
  const { anyOf: _, oneOf: __, ...rest } = schema
  if (!alternatives.every(({ properties }) => properties !== undefined)) return { ...first, ...rest }
  const cases = alternatives.map(caseOf)
  return described(
    {
      ...rest,
      type: "object",
      properties: membersOf(alternatives),
      required: namesOf(first).filter((name) => alternatives.every((one) => namesOf(one).includes(name)))
    },
    rest.description ?? "",
    ...cases
  )
}

/** A map's members, by an example: a model needs to see some, and Gemini refuses an object without any. */
const exampleMembers = ({ additionalProperties, examples }: JsonSchema): Definitions => {
  const [example] = examples ?? []
  return typeof additionalProperties === "object" && typeof example === "object" && example !== null
    ? Object.fromEntries(Object.keys(example).map((name) => [name, additionalProperties]))
    : {}
}

const plain = (given: JsonSchema, shapes: Definitions): JsonSchema => {
  const target = shapes[shapeOf(given)]
  if (target !== undefined) {
    const { $ref: _, ...rest } = given
    return plain({ ...target, ...rest }, shapes)
  }
  const alternatives = alternativesOf(given)
  if (alternatives.length > 0 && !areNeeds(alternatives)) {
    return plain(
      merged(
        given,
        alternatives.map((one) => ({ ...shapes[shapeOf(one)], ...one }))
      ),
      shapes
    )
  }
  const { additionalProperties, default: preset, description = "", items, properties, required, type } = given
  const types = (typeof type === "string" ? [type] : (type ?? [])).filter((name) => name !== "null")
  const values = valueOf(given)?.filter((value) => value !== null) ?? null
  const needs = needsOf(given)
  const isMap = typeof additionalProperties === "object" && properties === undefined
  const members = isMap ? exampleMembers(given) : properties
  const { exclusiveMinimum, maxItems } = given
  const each = items === undefined ? undefined : plain(items, shapes)
  const result: JsonSchema = {
    type: types[0] ?? "string",
    ...(values === null ? {} : { enum: values }),
    ...Object.fromEntries(KEPT.flatMap((keyword) => (given[keyword] === undefined ? [] : [[keyword, given[keyword]]]))),
    // The limit itself is refused by the pipeline.
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum }),
    ...(members === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member, shapes)]))
        }),
    ...(required === undefined || required.length === 0 ? {} : { required }),
    ...(each === undefined ? {} : { items: each })
  }
  return described(
    result,
    description,
    needs === "" ? "" : `Needs ${needs}`,
    isMap ? "Other names may be used too" : "",
    maxItems === undefined || each?.enum !== undefined ? "" : `At most ${String(maxItems)}`,
    preset === undefined || /\bdefault\b/i.test(description) ? "" : `Default: ${String(preset)}`
  )
}

const withoutWords = (member: JsonSchema): JsonSchema => {
  const { description: _, ...rest } = member
  return rest
}

/** A tool's input: the verb's request, `idempotency_key` and `run_id`. */
export const inputSchemaOf = (verb: AnyVerb): ToolSchema => {
  const { definitions, render } = makeRenderer(DEFS)
  const rendered = render(verb.request)
  const shapes = definitions()
  const { anyOf: _, oneOf: __, description: ___, ...root } = shapes[shapeOf(rendered)] ?? rendered
  const { properties = {}, ...rest } = plain(root, shapes)
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    SHARED.has(name) ? withoutWords(member) : member
  ])
  return {
    ...rest,
    type: "object",
    properties: { ...Object.fromEntries(members), idempotency_key: TEXT, run_id: TEXT }
  }
}

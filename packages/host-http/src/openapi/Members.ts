import { type JsonSchema, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"
import type { OpenApiDocument } from "./Document.js"
import type { Operation } from "./Operation.js"
import type { ResponseObject } from "./Responses.js"

/** Deeper members are only in the document. */
const DEPTH_MAX = 4

export interface Row {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

const resolve = (schema: JsonSchema, document: OpenApiDocument): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const { $ref: _, ...beside } = schema
  return { ...document.components.schemas[schema.$ref.slice(SCHEMAS.length)], ...beside }
}

const typeOf = (schema: JsonSchema, document: OpenApiDocument): string => {
  const plain = resolve(schema, document)
  if (plain.items !== undefined) return `list of ${typeOf(plain.items, document)}`
  if (plain.anyOf !== undefined && plain.type === undefined) {
    return plain.anyOf.map((member) => typeOf(member, document)).join(" or ")
  }
  const type = typeof plain.type === "string" ? plain.type : (plain.type?.join(" or ") ?? "any")
  return plain["format"] === undefined ? type : `${type} (${String(plain["format"])})`
}

/** "1 to 120 characters", "at least 1 item", "at most 50 members". */
const range = (min: unknown, max: unknown, unit: string): string => {
  if (min === undefined && max === undefined) return ""
  const words = min === undefined ? `at most ${String(max)}` : max === undefined ? `at least ${String(min)}` : ""
  const number = words === "" ? `${String(min)} to ${String(max)}` : words
  return unit === "" ? number : `${number} ${unit}`
}

const limitsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const value = (keyword: string) => schema[keyword]
  const more = value("exclusiveMinimum")
  return [
    more === undefined ? "" : `more than ${String(more)}`,
    range(value("minimum"), value("maximum"), ""),
    range(value("minLength"), value("maxLength"), "characters"),
    range(value("minItems"), value("maxItems"), "items"),
    range(undefined, value("maxProperties"), "members"),
    value("default") === undefined ? "" : `default \`${JSON.stringify(value("default"))}\``,
    schema.const === undefined ? "" : `always \`${JSON.stringify(schema.const)}\``
  ].filter((words) => words !== "")
}

const sentence = (words: string): string => (words === "" ? "" : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`)

const aboutOf = (schema: JsonSchema, document: OpenApiDocument): string => {
  const plain = resolve(schema, document)
  const [choice = plain] = (plain.anyOf ?? [])
    .filter(({ type }) => type !== "null")
    .map((one) => resolve(one, document))
  const values = (choice.enum ?? choice.items?.enum ?? []).map((value) => `\`${String(value)}\``).join(", ")
  return [plain.description ?? "", values === "" ? "" : `One of ${values}.`, sentence(limitsOf(plain).join(", "))]
    .filter((part) => part !== "")
    .join(" ")
}

/** An object's members; nested ones have their full name. */
export const rowsOf = (schema: JsonSchema, document: OpenApiDocument, prefix = "", depth = 1): ReadonlyArray<Row> => {
  const plain = resolve(schema, document)
  return Object.entries(plain.properties ?? {}).flatMap(([name, member]): ReadonlyArray<Row> => {
    const resolved = resolve(member, document)
    const inner = resolved.items === undefined ? resolved : resolve(resolved.items, document)
    const full = `${prefix}${name}`
    const row = {
      name: full,
      type: typeOf(member, document),
      isRequired: plain.required?.includes(name) ?? false,
      about: aboutOf(member, document)
    }
    const below = resolved.items === undefined ? `${full}.` : `${full}[].`
    return depth >= DEPTH_MAX ? [row] : [row, ...rowsOf(inner, document, below, depth + 1)]
  })
}

const resolvedParameter = (parameter: Readonly<Record<string, unknown>>, document: OpenApiDocument) => {
  const shared = document.components["parameters"] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const name =
    String(parameter["$ref"] ?? "")
      .split("/")
      .at(-1) ?? ""
  return shared[name] ?? parameter
}

export const parameterRows = (operation: Operation, document: OpenApiDocument): ReadonlyArray<Row> =>
  operation.parameters.flatMap((given) => {
    const parameter = resolvedParameter(given, document)
    const {
      description,
      in: place,
      name,
      required,
      schema
    } = parameter as {
      readonly name?: string
      readonly in?: string
      readonly required?: boolean
      readonly description?: string
      readonly schema?: JsonSchema
    }
    if (name === undefined || schema === undefined) return []
    const about = aboutOf({ ...schema, ...(description === undefined ? {} : { description }) }, document)
    return [{ name, type: `${typeOf(schema, document)}, ${place ?? ""}`, isRequired: required ?? false, about }]
  })

const resultIn = (response: ResponseObject): JsonSchema => {
  const { schema } = response.content["application/json"]
  return schema.properties?.["result"] ?? schema
}

/** What a success holds; of a verb that answers 202, that and its plan. */
export const successOf = ({ responses }: Operation): JsonSchema => {
  const [done, accepted] = [responses["200"], responses["202"]] as ReadonlyArray<ResponseObject | undefined>
  const found = [accepted, done].flatMap((response) => (response === undefined ? [] : [resultIn(response)]))
  return found.length === 1 && found[0] !== undefined ? found[0] : { oneOf: found }
}

export const titleOfAlternative = (schema: JsonSchema): string => {
  const status = schema.properties?.["status"]?.const
  if (status !== undefined) return `Result with status ${String(status)}`
  return schema.properties?.["dry_run"]?.const === true ? "Result of a dry run" : "Result"
}

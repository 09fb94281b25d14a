import { type Definitions, type JsonSchema, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70",
  "date-time": "2026-01-02T03:04:05.678Z",
  uri: "https://social.example/in/ada"
}

const isDefined = (value: unknown): boolean => value !== undefined

/**
 * An example made from a schema: its own examples where it has some, else its required parts. Undefined where it says
 * too little to tell.
 */
export const exampleOf = (schema: JsonSchema, definitions: Definitions): unknown => {
  if (schema.$ref !== undefined) return exampleOf(definitions[schema.$ref.slice(SCHEMAS.length)] ?? {}, definitions)
  const given = [schema.examples?.[0], schema.const, schema.enum?.[0], FORMATS[String(schema["format"])]].find(
    isDefined
  )
  if (given !== undefined) return given
  if (schema.type === "array") {
    const item = exampleOf(schema.items ?? {}, definitions)
    return item === undefined ? [] : [item]
  }
  if (schema.type === "integer" || schema.type === "number") return schema["minimum"] ?? 1
  if (schema.type === "object") {
    const members = (schema.required ?? []).map((name) => {
      const part = schema.properties?.[name] ?? {}
      return [name, exampleOf(part, definitions)] as const
    })
    return members.every(([, value]) => isDefined(value)) ? Object.fromEntries(members) : undefined
  }
  return undefined
}

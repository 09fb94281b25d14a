import { type JsonSchema, makeRenderer, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import type { FlagHelp } from "../readArguments.js"

/** How a member of a request is given as a flag. */
export interface VerbFlag {
  readonly member: string
  readonly help: FlagHelp
  /** The member's value from what was typed; a text says what is wrong with it. */
  readonly read: (given: string | ReadonlyArray<string>) => { readonly value: unknown } | string
}

type Kind = "text" | "number" | "truth" | "texts" | "json"

const KINDS: Readonly<Record<string, Kind>> = { string: "text", integer: "number", number: "number", boolean: "truth" }

/** A type's own schema: behind references, and without null. */
const solid = (schema: JsonSchema, shapes: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  if (schema.$ref !== undefined) {
    const shape = shapes[schema.$ref.slice(SCHEMAS.length)]
    return shape === undefined ? schema : { ...solid(shape, shapes), ...said(schema) }
  }
  const some = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null")
  const [only] = some
  return some.length === 1 && only !== undefined ? { ...solid(only, shapes), ...said(schema) } : schema
}

const said = ({ description }: JsonSchema): JsonSchema => (description === undefined ? {} : { description })

const typeOf = ({ type }: JsonSchema): string | undefined =>
  typeof type === "string" ? type : type?.find((one) => one !== "null")

const kindOf = (schema: JsonSchema, shapes: Readonly<Record<string, JsonSchema>>): Kind => {
  const type = typeOf(schema) ?? ""
  if (type === "array" && schema.items !== undefined) {
    return KINDS[typeOf(solid(schema.items, shapes)) ?? ""] === "text" ? "texts" : "json"
  }
  return KINDS[type] ?? "json"
}

const PLACEHOLDERS: Readonly<Record<Kind, string | null>> = {
  text: "TEXT",
  number: "NUMBER",
  truth: null,
  texts: "TEXT",
  json: "JSON"
}

const read =
  (kind: Kind) =>
  (given: string | ReadonlyArray<string>): ReturnType<VerbFlag["read"]> => {
    if (kind === "truth") return { value: true }
    if (kind === "texts" || kind === "text" || typeof given !== "string") return { value: given }
    try {
      const value: unknown = JSON.parse(given)
      return kind === "number" && typeof value !== "number" ? "must be a number" : { value }
    } catch {
      return kind === "number" ? "must be a number" : "must be JSON"
    }
  }

/** The first sentence of a description, for a line of help. */
const firstSentence = (text: string): string =>
  (/^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/[`*]|\s+/g, (one) => (one.trim() === "" ? " " : ""))

const flagName = (member: string): string => member.replaceAll("_", "-")

/** The flags of a verb: one for each member of its request, with dashes. */
export const verbFlags = (verb: AnyVerb): Readonly<Record<string, VerbFlag>> => {
  const { definitions, render } = makeRenderer()
  const rendered = render(verb.request)
  const shapes = definitions()
  const { properties = {}, required = [] } = solid(rendered, shapes)
  return Object.fromEntries(
    Object.entries(properties).map(([member, given]): readonly [string, VerbFlag] => {
      const schema = solid(given, shapes)
      const kind = kindOf(schema, shapes)
      const about = [
        firstSentence(schema.description ?? ""),
        schema.enum === undefined ? "" : `One of ${schema.enum.filter((one) => one !== null).join(", ")}.`,
        required.includes(member) ? "Required." : ""
      ]
      return [
        flagName(member),
        {
          member,
          help: {
            value: PLACEHOLDERS[kind],
            about: about.filter((part) => part !== "").join(" "),
            need: kind === "texts" ? "repeatable" : "optional"
          },
          read: read(kind)
        }
      ]
    })
  )
}

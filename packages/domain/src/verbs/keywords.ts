import type { SchemaAST as AST } from "effect"

/** Keywords of JSON Schema. */
export type Keywords = Readonly<Record<string, unknown>>

/** The annotation with the JSON Schema of a type or a filter, where it is not the library's. */
const OWN = "jsonSchema"

const isKeywords = (value: unknown): value is Keywords => typeof value === "object" && value !== null

/** The annotation with what a named type says at one place only: what its name stands for does not say it. */
export const IN_PLACE = "inPlace"

export const saidInPlace = (annotations: Keywords): Keywords => {
  const said = annotations[IN_PLACE]
  return isKeywords(said) ? said : {}
}

/** The type's own JSON Schema; undefined: it follows from the type. */
export const ownSchema = (annotations: AST.AST["annotations"]): Keywords | undefined => {
  const own = annotations?.[OWN]
  return isKeywords(own) ? own : undefined
}

type Payload = Readonly<Record<string, unknown>>

const lengthOf = (ast: AST.AST, which: "min" | "max"): string => `${which}${ast._tag === "Arrays" ? "Items" : "Length"}`

/** What the library's filters say in JSON Schema, by the ids under which it describes them. */
const LIBRARY: Readonly<Record<string, (payload: Payload, ast: AST.AST) => Keywords>> = {
  isMinLength: ({ minLength }, ast) => ({ [lengthOf(ast, "min")]: minLength }),
  isMaxLength: ({ maxLength }, ast) => ({ [lengthOf(ast, "max")]: maxLength }),
  isMaxCodePoints: ({ maxCodePoints }) => ({ maxLength: maxCodePoints }),
  isPattern: ({ source }) => ({ pattern: source }),
  isBetween: ({ maximum, minimum }) => ({ minimum, maximum }),
  isGreaterThan: ({ exclusiveMinimum }) => ({ exclusiveMinimum }),
  isGreaterThanOrEqualTo: ({ minimum }) => ({ minimum }),
  isLessThan: ({ exclusiveMaximum }) => ({ exclusiveMaximum }),
  isLessThanOrEqualTo: ({ maximum }) => ({ maximum }),
  isInt: () => ({ type: "integer" })
}

/** The filters of a type, one by one. */
export const filtersOf = ({ checks }: AST.AST): ReadonlyArray<AST.Filter<unknown>> => {
  const flat = (check: AST.Check<unknown>): ReadonlyArray<AST.Filter<unknown>> =>
    check._tag === "Filter" ? [check] : check.checks.flatMap(flat)
  return (checks ?? []).flatMap(flat)
}

/** What a filter of this type demands. */
export const keywordsOf = ({ annotations }: AST.Filter<unknown>, ast: AST.AST): Keywords => {
  const own = ownSchema(annotations)
  if (own !== undefined) return own
  const { id, payload } = annotations?.representation ?? {}
  const read = typeof id === "string" ? LIBRARY[id.slice(id.lastIndexOf("/") + 1)] : undefined
  return read === undefined ? {} : read(isKeywords(payload) ? payload : {}, ast)
}

/** The type as it is on the wire: where decoding begins. */
export const wireOf = (ast: AST.AST): AST.AST => {
  const last = ast.encoding?.at(-1)
  return last === undefined ? ast : wireOf(last.to)
}

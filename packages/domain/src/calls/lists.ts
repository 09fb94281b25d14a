import { Option, SchemaAST as AST } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import type { JsonObject } from "../kernel/canonical.js"
import { itemsMaxWords } from "./issues.js"

/** The most items of a list, from the filter that says so; null where it has no bound, or is none. */
const itemsMaxOf = (ast: AST.AST): number | null => {
  switch (ast._tag) {
    case "Refinement": {
      const schema = Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({}))
      return "maxItems" in schema && typeof schema.maxItems === "number" ? schema.maxItems : itemsMaxOf(ast.from)
    }
    case "Transformation":
      return itemsMaxOf(ast.from)
    case "Union": {
      const [only, ...others] = ast.types.filter((type) => !AST.isUndefinedKeyword(type))
      return only === undefined || others.length > 0 ? null : itemsMaxOf(only)
    }
    default:
      return null
  }
}

export type ListBounds = ReadonlyArray<readonly [field: string, itemsMax: number]>

/** The bounds of the lists that a request holds by itself, not within something else. */
export const listBoundsOf = (request: AST.AST): ListBounds => {
  if (AST.isRefinement(request) || AST.isTransformation(request)) return listBoundsOf(request.from)
  if (!AST.isTypeLiteral(request)) return []
  return request.propertySignatures.flatMap(({ name, type }) => {
    const itemsMax = itemsMaxOf(type)
    return itemsMax === null || typeof name !== "string" ? [] : [[name, itemsMax] as const]
  })
}

/**
 * Cuts lists that are too long to what they may be, before anything looks at their items: a body has room for a million of
 * them, and each would be decoded, only for the list to be refused.
 */
export const cutLists = (
  input: JsonObject,
  bounds: ListBounds
): { readonly input: JsonObject; readonly issues: ReadonlyArray<Issue> } => {
  const tooLong = bounds.flatMap(([field, itemsMax]) => {
    const list = Object.hasOwn(input, field) ? input[field] : undefined
    return Array.isArray(list) && list.length > itemsMax ? [{ field, itemsMax, kept: list.slice(0, itemsMax) }] : []
  })
  return tooLong.length === 0
    ? { input, issues: [] }
    : {
        input: { ...input, ...Object.fromEntries(tooLong.map(({ field, kept }) => [field, kept])) },
        issues: tooLong.map(({ field, itemsMax }) => ({ path: field, message: itemsMaxWords(itemsMax) }))
      }
}

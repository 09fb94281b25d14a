import { Result, SchemaAST as AST, SchemaIssue } from "effect"
import { filtersOf } from "./keywords.js"

/**
 * Marks a filter that also looks at a value with invalid parts, so that all errors are reported together. Such a filter
 * gets the value as it was sent: any part may be of another kind than its schema says.
 */
export const STABLE_FILTER = "outbound/stableFilter"

type Path = ReadonlyArray<PropertyKey>

interface Found {
  readonly path: Path
  readonly issue: SchemaIssue.Issue
}

const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A filter written for whole values may stumble over one of another kind. Then the value's own error is enough. */
const ran = (filter: AST.Filter<unknown>, input: unknown, ast: AST.AST): SchemaIssue.Issue | undefined => {
  const issue = Result.getOrUndefined(Result.try(() => filter.run(input, ast, { errors: "all" })))
  return issue === undefined ? undefined : new SchemaIssue.Filter(filter, issue)
}

function* parts(ast: AST.AST, input: unknown, path: Path): Generator<Found> {
  if (AST.isObjects(ast) && isObject(input)) {
    for (const { name, type } of ast.propertySignatures) {
      if (Object.hasOwn(input, name)) yield* stableIssues(type, input[name], [...path, name])
    }
    for (const { type } of ast.indexSignatures) {
      for (const name of Object.keys(input)) yield* stableIssues(type, input[name], [...path, name])
    }
  } else if (AST.isArrays(ast) && Array.isArray(input)) {
    const [item] = ast.rest
    if (item !== undefined)
      for (const [index, each] of input.entries()) yield* stableIssues(item, each, [...path, index])
  } else if (AST.isUnion(ast)) {
    // Which of several objects was meant is not known.
    const [only, ...others] = ast.types.filter((type) => !AST.isUndefined(type) && !AST.isNull(type))
    if (only !== undefined && others.length === 0) yield* stableIssues(only, input, path)
  }
}

/** What the marked filters of a schema say of a value as it was sent, at every depth. */
export function* stableIssues(ast: AST.AST, input: unknown, path: Path = []): Generator<Found> {
  yield* parts(ast, input, path)
  for (const filter of filtersOf(ast)) {
    if (filter.annotations?.[STABLE_FILTER] !== true) continue
    if ((AST.isObjects(ast) && !isObject(input)) || (AST.isArrays(ast) && !Array.isArray(input))) continue
    const issue = ran(filter, input, ast)
    if (issue !== undefined) yield { path, issue }
  }
}

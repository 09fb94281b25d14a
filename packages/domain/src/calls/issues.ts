import { Option, ParseResult, SchemaAST as AST } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"

/** Longest message of an issue, in characters. */
const ISSUE_CHARS_MAX = 600

/** Most choices that a message lists. */
const CHOICES_MAX = 60

type Path = ReadonlyArray<PropertyKey>

const items = (count: number, singular: string): string => `${count} ${singular}${count === 1 ? "" : "s"}`

export const itemsMaxWords = (itemsMax: number): string => `must have at most ${items(itemsMax, "item")}`

/** What a filter requires, from its JSON schema. */
const demandOf = (schema: Readonly<Record<string, unknown>>): string | null => {
  const { exclusiveMaximum, exclusiveMinimum, format, maximum, maxItems, maxLength, minimum, minItems, minLength } =
    schema
  if (typeof minLength === "number") return `must have at least ${items(minLength, "character")}`
  if (typeof maxLength === "number") return `must have at most ${items(maxLength, "character")}`
  if (typeof minItems === "number") return `must have at least ${items(minItems, "item")}`
  if (typeof maxItems === "number") return itemsMaxWords(maxItems)
  if (typeof minimum === "number" && typeof maximum === "number") return `must be from ${minimum} to ${maximum}`
  if (typeof minimum === "number") return `must be at least ${minimum}`
  if (typeof maximum === "number") return `must be at most ${maximum}`
  if (typeof exclusiveMinimum === "number") return `must be more than ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === "number") return `must be less than ${exclusiveMaximum}`
  if (schema["type"] === "integer") return "must be a whole number"
  if (typeof schema["pattern"] === "string") return `must match ${schema["pattern"]}`
  return typeof format === "string" ? `must be a ${format}` : null
}

const jsonSchemaOf = (ast: AST.AST): Readonly<Record<string, unknown>> =>
  Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) as Readonly<Record<string, unknown>>

const literalOf = (ast: AST.AST): string | null =>
  AST.isLiteral(ast) && ast.literal !== null ? String(ast.literal) : null

/** The expected kind of value, such as `a string`. */
const kindOf = (ast: AST.AST): string => {
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return "a string"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "true or false"
    case "Literal":
      return ast.literal === null ? "null" : JSON.stringify(ast.literal)
    case "TupleType":
      return "an array"
    case "TypeLiteral":
      return "an object"
    case "Union": {
      const types = ast.types.filter((type) => !AST.isUndefinedKeyword(type))
      const literals = types.map(literalOf)
      if (types.length > 1 && !literals.includes(null)) return `one of ${literals.slice(0, CHOICES_MAX).join(", ")}`
      return [...new Set(types.map(kindOf))].join(" or ")
    }
    case "Refinement":
    case "Transformation":
      return kindOf(ast.from)
    case "Suspend":
      return kindOf(ast.f())
    default:
      return "another value"
  }
}

/** The schema's own message, or null. */
const ownMessage = (ast: AST.AST, issue: ParseResult.ParseIssue): string | null => {
  const own = Option.map(AST.getMessageAnnotation(ast), (message) => message(issue))
  return Option.isSome(own) && typeof own.value === "string" ? own.value : null
}

const refinementMessage = (issue: ParseResult.Refinement): string =>
  ownMessage(issue.ast, issue) ?? demandOf(jsonSchemaOf(issue.ast)) ?? "is not valid"

const isMany = (
  issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>
): issues is readonly [ParseResult.ParseIssue, ...Array<ParseResult.ParseIssue>] => Array.isArray(issues)

/** Reports the errors of the union member that fits best: the one whose errors lie deepest. */
const deepest = (members: ReadonlyArray<ReadonlyArray<Issue>>, path: Path, ast: AST.AST): ReadonlyArray<Issue> => {
  const at = path.map(String).join(".")
  const inner = members.filter((issues) => issues.every((issue) => issue.path !== at))
  const [first] = inner
  if (first !== undefined) return inner.reduce((best, issues) => (issues.length < best.length ? issues : best), first)
  // A message about more than the kind means that the kind was right.
  const kinds = new Set(AST.isUnion(ast) ? ast.types.map((type) => `must be ${kindOf(type)}`) : [])
  const said = members.flat().find((issue) => !kinds.has(issue.message))
  return [said ?? { path: at, message: demandOf(jsonSchemaOf(ast)) ?? `must be ${kindOf(ast)}` }]
}

/** An optional field's complaint that the value is not absent; it says nothing useful. */
const isAbsence = (issue: ParseResult.ParseIssue): boolean => issue._tag === "Type" && AST.isUndefinedKeyword(issue.ast)

/** A generator, so that no more errors are computed than are reported. */
function* walk(issue: ParseResult.ParseIssue, path: Path): Generator<Issue> {
  const here = (message: string): Issue => ({ path: path.map(String).join("."), message })
  switch (issue._tag) {
    case "Pointer":
      return yield* walk(issue.issue, [
        ...path,
        ...(Array.isArray(issue.path) ? issue.path : [issue.path as PropertyKey])
      ])
    case "Composite": {
      const parts = (isMany(issue.issues) ? issue.issues : [issue.issues]).filter((part) => !isAbsence(part))
      if (AST.isUnion(issue.ast) && parts.length > 1) {
        const walked = parts.map((part) => [...walk(part, path)])
        return yield* deepest(walked, path, issue.ast)
      }
      for (const part of parts) yield* walk(part, path)
      return
    }
    case "Refinement":
      if (issue.kind === "Predicate" && issue.issue._tag === "Type" && issue.issue.message === undefined) {
        return yield here(refinementMessage(issue))
      }
      return yield* walk(issue.issue, path)
    case "Transformation":
      return yield* walk(issue.issue, path)
    case "Missing":
      return yield here("is required")
    case "Unexpected":
      return yield here("unknown field")
    case "Forbidden":
      return yield here("is not valid")
    case "Type":
      return yield here(issue.message ?? ownMessage(issue.ast, issue) ?? `must be ${kindOf(issue.ast)}`)
  }
}

const short = (message: string): string =>
  message.length > ISSUE_CHARS_MAX ? `${message.slice(0, ISSUE_CHARS_MAX)}…` : message

/** The validation errors, each once, at most `issuesMax`. They never contain the decoded text. */
export const issuesOf = (
  error: ParseResult.ParseError,
  issuesMax: number = Number.POSITIVE_INFINITY
): ReadonlyArray<Issue> => {
  const issues = new Map<string, Issue>()
  for (const { message, path } of walk(error.issue, [])) {
    issues.set(`${path}\n${message}`, { path, message: short(message) })
    if (issues.size >= issuesMax) break
  }
  return [...issues.values()]
}

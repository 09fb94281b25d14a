import { type Schema, SchemaAST as AST, type SchemaIssue } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import { type Keywords, keywordsOf, ownSchema, wireOf } from "../verbs/keywords.js"
import { STABLE_FILTER, stableIssues } from "../verbs/stableFilters.js"

/** Longest message of an issue, in characters. */
const ISSUE_CHARS_MAX = 600

/** Most choices that a message lists. */
const CHOICES_MAX = 60

type Path = ReadonlyArray<PropertyKey>

const items = (count: number, singular: string): string => `${count} ${singular}${count === 1 ? "" : "s"}`

export const itemsMaxWords = (itemsMax: number): string => `must have at most ${items(itemsMax, "item")}`

/** What a filter requires, from its JSON schema. */
const demandOf = (schema: Keywords): string | null => {
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

const literalOf = (ast: AST.AST): string | null => (AST.isLiteral(ast) ? String(ast.literal) : null)

/** Where an error stands alone. */
const UNKNOWN = AST.unknown

/** The expected kind of value, such as `a string`. */
const kindOf = (type: AST.AST): string => {
  const ast = wireOf(type)
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "a string"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Arrays":
      return "an array"
    case "Objects":
      return "an object"
    case "Union": {
      const types = ast.types.filter((type) => !AST.isUndefined(type))
      const literals = types.map(literalOf)
      if (types.length > 1 && !literals.includes(null)) return `one of ${literals.slice(0, CHOICES_MAX).join(", ")}`
      return [...new Set(types.map(kindOf))].join(" or ")
    }
    case "Suspend":
      return kindOf(ast.thunk())
    default:
      return "another value"
  }
}

const messageOf = (annotations: AST.AST["annotations"]): string | null => {
  const own = annotations?.["message"]
  return typeof own === "string" ? own : null
}

const filterMessage = ({ filter }: SchemaIssue.Filter, ast: AST.AST): string =>
  messageOf(filter.annotations) ?? demandOf(keywordsOf(filter, ast)) ?? "is not valid"

/** What a value of another kind is told: what its schema says, or the expected kind. */
const kindMessage = (ast: AST.AST): string =>
  messageOf(ast.annotations) ?? demandOf(ownSchema(ast.annotations) ?? {}) ?? `must be ${kindOf(ast)}`

/** What a schema says in words of its own, or the first of a union's members that does. */
const ownWords = (type: AST.AST): string | null => {
  const ast = wireOf(type)
  const own = messageOf(ast.annotations) ?? demandOf(ownSchema(ast.annotations) ?? {})
  if (own !== null || !AST.isUnion(ast)) return own
  return ast.types.reduce<string | null>((said, member) => said ?? ownWords(member), null)
}

/** The member that tells the objects of a union apart, and its values. */
const discriminatorOf = (
  ast: AST.Union
): { readonly name: PropertyKey; readonly values: ReadonlyArray<string> } | null => {
  const members = ast.types.map(wireOf).filter(AST.isObjects)
  const [first] = members
  if (first === undefined || members.length < ast.types.length) return null
  for (const { name } of first.propertySignatures) {
    const values = members.map((member) => {
      const type = member.propertySignatures.find((property) => property.name === name)?.type
      return type === undefined ? null : literalOf(type)
    })
    if (!values.includes(null)) return { name, values: values.filter((value) => value !== null) }
  }
  return null
}

/** None of a union's members was meant. */
const unmatched = (issue: SchemaIssue.AnyOf, path: Path): Issue => {
  const { ast, input } = issue
  const apart = typeof input === "object" && input !== null && !Array.isArray(input) ? discriminatorOf(ast) : null
  // A member with words of its own says more than the kinds.
  if (apart === null) return { path: path.map(String).join("."), message: ownWords(ast) ?? kindMessage(ast) }
  return {
    path: [...path, apart.name].map(String).join("."),
    message: Object.hasOwn(input as object, apart.name) ? `must be one of ${apart.values.join(", ")}` : "is required"
  }
}

/** Reports the errors of the union member that fits best: the one whose errors lie deepest. */
const deepest = (members: ReadonlyArray<ReadonlyArray<Issue>>, path: Path, ast: AST.Union): ReadonlyArray<Issue> => {
  const at = path.map(String).join(".")
  const inner = members.filter((issues) => issues.every((issue) => issue.path !== at))
  const [first] = inner
  if (first !== undefined) return inner.reduce((best, issues) => (issues.length < best.length ? issues : best), first)
  // A message about more than the kind means that the kind was right.
  const kinds = new Set(ast.types.map((type) => `must be ${kindOf(type)}`))
  const said = members.flat().find((issue) => !kinds.has(issue.message))
  return [said ?? { path: at, message: kindMessage(ast) }]
}

/** An optional field's complaint that the value is not absent; it says nothing useful. */
const isAbsence = (issue: SchemaIssue.Issue): boolean => issue._tag === "InvalidType" && AST.isUndefined(issue.ast)

/** A generator, so that no more errors are computed than are reported. */
function* walk(issue: SchemaIssue.Issue, path: Path, ast: AST.AST): Generator<Issue> {
  const here = (message: string): Issue => ({ path: path.map(String).join("."), message })
  switch (issue._tag) {
    case "Pointer":
      return yield* walk(issue.issue, [...path, ...issue.path], ast)
    case "Composite": {
      let isFiltered = false
      for (const part of issue.issues) {
        // Of a value's filters the first that fails says enough, beside those that say something of its parts.
        if (part._tag === "Filter" && part.filter.annotations?.[STABLE_FILTER] !== true) {
          if (isFiltered) continue
          isFiltered = true
        }
        yield* walk(part, path, issue.ast)
      }
      return
    }
    case "AnyOf": {
      const parts = issue.issues.filter((part) => !isAbsence(part))
      const [only, ...others] = parts
      if (only === undefined) return yield unmatched(issue, path)
      if (others.length === 0) return yield* walk(only, path, issue.ast)
      return yield* deepest(
        parts.map((part) => [...walk(part, path, issue.ast)]),
        path,
        issue.ast
      )
    }
    case "Filter":
      if (issue.issue._tag === "InvalidValue" && messageOf(issue.issue.annotations) === null) {
        return yield here(filterMessage(issue, ast))
      }
      return yield* walk(issue.issue, path, ast)
    case "Encoding":
      return yield* walk(issue.issue, path, issue.ast)
    case "MissingKey":
      return yield here("is required")
    case "UnexpectedKey":
      return yield here("unknown field")
    case "Forbidden":
    case "OneOf":
      return yield here("is not valid")
    case "InvalidValue":
      return yield here(messageOf(issue.annotations) ?? "is not valid")
    case "InvalidType":
      return yield here(kindMessage(issue.ast))
  }
}

const short = (message: string): string =>
  message.length > ISSUE_CHARS_MAX ? `${message.slice(0, ISSUE_CHARS_MAX)}…` : message

function* walked(issue: SchemaIssue.Issue): Generator<Issue> {
  yield* walk(issue, [], UNKNOWN)
  if (issue._tag !== "Composite" || !("input" in issue)) return
  for (const found of stableIssues(issue.ast, issue.input)) yield* walk(found.issue, found.path, issue.ast)
}

/** How to decode so that `issuesOf` can say all that is wrong. */
export const ALL_ISSUES = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/**
 * The validation errors, each once, at most `issuesMax`. They never contain the decoded text. Where the input was reported
 * too (`ALL_ISSUES`), also those of the filters that look at a value with invalid parts.
 */
export const issuesOf = (
  { issue }: Schema.SchemaError,
  issuesMax: number = Number.POSITIVE_INFINITY
): ReadonlyArray<Issue> => {
  const issues = new Map<string, Issue>()
  for (const { message, path } of walked(issue)) {
    issues.set(`${path}\n${message}`, { path, message: short(message) })
    if (issues.size >= issuesMax) break
  }
  return [...issues.values()]
}

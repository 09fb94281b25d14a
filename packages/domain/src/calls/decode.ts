import { Result, Schema, SchemaAST as AST } from "effect"
import { type AnyWireError, invalid, type Issue, ISSUES_MAX, refuse } from "../kernel/errors/Wire.js"
import { isUuid } from "../kernel/ports/Ids.js"
import { filtersOf, keywordsOf, wireOf } from "../verbs/keywords.js"
import type { AnyVerb } from "../verbs/Verb.js"
import type { IncomingCall } from "./Calls.js"
import { isLarger, type JsonObject, unkeepable } from "../kernel/canonical.js"
import { textFlaw } from "../kernel/text.js"
import { ALL_ISSUES, issuesOf, itemsMaxWords } from "./issues.js"

/** The most items of a list, read from its filter; null: no bound, or not a list. */
const itemsMaxOf = (type: AST.AST): number | null => {
  const ast = wireOf(type)
  if (AST.isUnion(ast)) {
    const [only, ...others] = ast.types.filter((member) => !AST.isUndefined(member))
    return only === undefined || others.length > 0 ? null : itemsMaxOf(only)
  }
  const bounds = filtersOf(ast).map((filter) => keywordsOf(filter, ast)["maxItems"])
  return bounds.findLast((bound) => typeof bound === "number") ?? null
}

type ListBounds = ReadonlyArray<readonly [field: string, itemsMax: number]>

/** The bounds of a request's top-level lists. */
const listBoundsOf = (request: AST.AST): ListBounds => {
  const ast = wireOf(request)
  if (!AST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) => {
    const itemsMax = itemsMaxOf(type)
    return itemsMax === null || typeof name !== "string" ? [] : [[name, itemsMax] as const]
  })
}

/**
 * Cuts overlong lists before their items are decoded. A body has room for a million items; decoding them all, only to
 * refuse the list, would be wasteful.
 */
const cutLists = (
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

export const IDEMPOTENCY_KEY_CHARS_MAX = 200

/** The parts of a request besides its verb's own fields. */
export interface DecodedCall {
  readonly request: unknown
  readonly dryRun: boolean
  readonly confirmationToken: string | null
  readonly offerToken: string | null
}

type Decoder = (input: unknown) => Result.Result<unknown, Schema.SchemaError>

interface Decoders {
  /** Stops at the first error. */
  readonly first: Decoder
  /** Collects all errors. */
  readonly all: Decoder
  readonly lists: ListBounds
}

const decoders = new WeakMap<AnyVerb, Decoders>()

const decodersOf = (verb: AnyVerb): Decoders => {
  const known = decoders.get(verb)
  if (known !== undefined) return known
  const decoder = (errors: "first" | "all") => Schema.decodeUnknownResult(verb.request, { ...ALL_ISSUES, errors })
  const made = { first: decoder("first"), all: decoder("all"), lists: listBoundsOf(verb.request.ast) }
  decoders.set(verb, made)
  return made
}

/**
 * For inputs with more values than this we return only the first error. A campaign of 5,000 people with fifteen values
 * each is smaller. Without the bound, a body full of errors could occupy its host for half a minute.
 */
const VALUES_MAX = 100_000

const decode = (input: JsonObject, { all, first }: Decoders): Result.Result<unknown, Schema.SchemaError> => {
  const decoded = first(input)
  return Result.isFailure(decoded) && !isLarger(input, VALUES_MAX) ? all(input) : decoded
}

/** A struct without fields accepts any object, so unknown fields need their own check. */
const strayIssues = (call: IncomingCall, verb: AnyVerb): ReadonlyArray<Issue> => {
  const { ast } = verb.request
  const isBare = AST.isObjects(ast) && ast.propertySignatures.length + ast.indexSignatures.length === 0
  return isBare ? Object.keys(call.input).map((path) => ({ path, message: "unknown field" })) : []
}

/** Whether a required Idempotency-Key is missing. A dry run never needs one. */
const lacksKey = ({ idempotencyKey, input }: IncomingCall, verb: AnyVerb, isConfirmed: boolean): boolean =>
  idempotencyKey === null &&
  input["dry_run"] !== true &&
  (verb.idempotency === "required" || (verb.idempotency === "required_when_confirmed" && isConfirmed))

const CONTROLS = "must not contain control characters"

/** A person's own keys begin with one, which no caller can send. */
const hasControls = (key: string, { asKey }: IncomingCall): boolean => asKey === undefined && /\p{Cc}/u.test(key)

const headerIssues = (call: IncomingCall, verb: AnyVerb): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const key = verb.idempotency === "none" ? null : call.idempotencyKey
  if (key !== null && (key.length === 0 || key.length > IDEMPOTENCY_KEY_CHARS_MAX)) {
    issues.push({ path: "Idempotency-Key", message: `must have 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} characters` })
  }
  const flaw = key === null ? null : (textFlaw(key) ?? (hasControls(key, call) ? CONTROLS : null))
  if (flaw !== null) issues.push({ path: "Idempotency-Key", message: flaw })
  if (call.runId !== null && !isUuid(call.runId)) issues.push({ path: "Svc-Run-Id", message: "must be a UUID" })
  return issues
}

const field = (request: unknown, name: string): unknown =>
  typeof request === "object" && request !== null ? (request as Record<string, unknown>)[name] : undefined

/** Decodes a call and returns all errors together. Has no effects. */
export const decodeCall = (call: IncomingCall, verb: AnyVerb): Result.Result<DecodedCall, AnyWireError> => {
  const known = decodersOf(verb)
  const cut = cutLists(call.input, known.lists)
  const decoded = decode(cut.input, known)
  const flaw = unkeepable(cut.input)
  const issues = [
    ...headerIssues(call, verb),
    ...strayIssues(call, verb),
    ...(flaw === null ? [] : [flaw]),
    ...cut.issues,
    ...(Result.isFailure(decoded) ? issuesOf(decoded.failure, ISSUES_MAX) : [])
  ]
  if (Result.isFailure(decoded) || issues.length > 0) {
    const missing = lacksKey(call, verb, false) ? [{ path: "Idempotency-Key", message: "is required" }] : []
    return Result.fail(invalid([...missing, ...issues]))
  }
  const dryRun = field(decoded.success, "dry_run") === true
  const token = (name: string): string | null => {
    const value = field(decoded.success, name)
    return typeof value === "string" ? value : null
  }
  const confirmationToken = token("confirmation_token")
  const offerToken = verb.makesOffers ? token("offer_token") : null
  if (dryRun && verb.would === null) return Result.fail(refuse("invalid_request", { reason: "dry_run_unsupported" }))
  if (dryRun && (confirmationToken ?? offerToken) !== null) {
    return Result.fail(refuse("invalid_request", { reason: "dry_run_with_token" }))
  }
  if (lacksKey(call, verb, confirmationToken !== null)) {
    return Result.fail(refuse("invalid_request", { reason: "idempotency_key_required" }))
  }
  return Result.succeed({ request: decoded.success, dryRun, confirmationToken, offerToken })
}

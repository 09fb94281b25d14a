import { Either, type ParseResult, Schema, SchemaAST as AST } from "effect"
import { type AnyWireError, invalid, type Issue, refuse } from "../errors/Wire.js"
import { isUuid } from "../ports/Ids.js"
import type { AnyVerb } from "../verbs/Verb.js"
import { unkeepable } from "./canonical.js"
import type { IncomingCall } from "./Calls.js"
import { issuesOf } from "./issues.js"

export const IDEMPOTENCY_KEY_CHARS_MAX = 200

/** What a request says beside its verb's own fields. */
export interface DecodedCall {
  readonly request: unknown
  readonly dryRun: boolean
  readonly confirmationToken: string | null
  readonly offerToken: string | null
}

const decoders = new WeakMap<AnyVerb, (input: unknown) => Either.Either<unknown, ParseResult.ParseError>>()

const decoderOf = (verb: AnyVerb) => {
  const known = decoders.get(verb)
  if (known !== undefined) return known
  const decoder = Schema.decodeUnknownEither(verb.request, { errors: "all", onExcessProperty: "error" })
  decoders.set(verb, decoder)
  return decoder
}

/** A struct without fields accepts any object, so that what does not belong to it must be looked for. */
const strayIssues = (call: IncomingCall, verb: AnyVerb): ReadonlyArray<Issue> => {
  const { ast } = verb.request
  const isBare = AST.isTypeLiteral(ast) && ast.propertySignatures.length + ast.indexSignatures.length === 0
  return isBare ? Object.keys(call.input).map((path) => ({ path, message: "unknown field" })) : []
}

/** Whether a call must name an Idempotency-Key, and does not. A dry run never needs one. */
const lacksKey = ({ idempotencyKey, input }: IncomingCall, verb: AnyVerb, isConfirmed: boolean): boolean =>
  idempotencyKey === null &&
  input["dry_run"] !== true &&
  (verb.idempotency === "required" || (verb.idempotency === "required_when_confirmed" && isConfirmed))

const headerIssues = (call: IncomingCall, verb: AnyVerb): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const key = verb.idempotency === "none" ? null : call.idempotencyKey
  if (key !== null && (key.length === 0 || key.length > IDEMPOTENCY_KEY_CHARS_MAX)) {
    issues.push({ path: "Idempotency-Key", message: `must have 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} characters` })
  }
  if (key?.includes("\u0000") === true) issues.push({ path: "Idempotency-Key", message: "must not contain U+0000" })
  if (call.runId !== null && !isUuid(call.runId)) issues.push({ path: "Svc-Run-Id", message: "must be a UUID" })
  return issues
}

const field = (request: unknown, name: string): unknown =>
  typeof request === "object" && request !== null ? (request as Record<string, unknown>)[name] : undefined

/** Decodes a call, naming every mistake at once. Nothing has happened yet. */
export const decodeCall = (call: IncomingCall, verb: AnyVerb): Either.Either<DecodedCall, AnyWireError> => {
  const decoded = decoderOf(verb)(call.input)
  const flaw = unkeepable(call.input)
  const issues = [
    ...headerIssues(call, verb),
    ...strayIssues(call, verb),
    ...(flaw === null ? [] : [flaw]),
    ...(Either.isLeft(decoded) ? issuesOf(decoded.left) : [])
  ]
  if (Either.isLeft(decoded) || issues.length > 0) {
    const missing = lacksKey(call, verb, false) ? [{ path: "Idempotency-Key", message: "is required" }] : []
    return Either.left(invalid([...missing, ...issues]))
  }
  const dryRun = field(decoded.right, "dry_run") === true
  const token = (name: string): string | null => {
    const value = field(decoded.right, name)
    return typeof value === "string" ? value : null
  }
  const confirmationToken = token("confirmation_token")
  const offerToken = verb.makesOffers ? token("offer_token") : null
  if (dryRun && verb.would === null) return Either.left(refuse("invalid_request", { reason: "dry_run_unsupported" }))
  if (dryRun && (confirmationToken ?? offerToken) !== null) {
    return Either.left(refuse("invalid_request", { reason: "dry_run_with_token" }))
  }
  if (lacksKey(call, verb, confirmationToken !== null)) {
    return Either.left(refuse("invalid_request", { reason: "idempotency_key_required" }))
  }
  return Either.right({ request: decoded.right, dryRun, confirmationToken, offerToken })
}

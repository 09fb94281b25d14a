import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { IncomingCall } from "@outbound/domain/calls/Calls.js"
import { decodeCall } from "@outbound/domain/calls/decode.js"
import { invalid, type Issue, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Either } from "effect"
import type { ToolVerb } from "./Tools.js"

export type ToolCall = Pick<IncomingCall, "input" | "reject" | "idempotencyKey" | "runId">

/** What by REST stands in the path, and there names nothing unless it is a UUID (contract: calls, requests). */
const pathNames = (verb: ToolVerb): ReadonlyArray<string> =>
  verb.route.path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []))

const textIssues = (given: JsonObject, names: ReadonlyArray<string>): ReadonlyArray<Issue> =>
  names.flatMap((path) =>
    given[path] === undefined || typeof given[path] === "string" ? [] : [{ path, message: "must be a string" }]
  )

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A tool's arguments as a call: the verb's own request, and what by REST are headers. */
export const toolCall = (verb: ToolVerb, given: JsonObject): ToolCall => {
  const { idempotency_key, run_id, ...input } = given
  const idempotencyKey = verb.idempotency === "none" ? null : textOf(idempotency_key)
  const call = { input, idempotencyKey, runId: textOf(run_id) }
  const namesNothing = pathNames(verb).some((name) => typeof input[name] === "string" && !isUuid(input[name]))
  if (namesNothing) return { ...call, reject: refuse("not_found", {}) }

  const issues = textIssues(given, verb.idempotency === "none" ? ["run_id"] : ["idempotency_key", "run_id"])
  if (issues.length === 0) return { ...call, reject: null }
  // All mistakes are named at once, those of the request among them.
  const decoded = decodeCall({ ...call, requestId: "", bearer: null, verb, reject: null }, verb)
  const more = Either.isLeft(decoded) && decoded.left.code === "invalid_request" ? decoded.left.details.issues : []
  return { ...call, reject: invalid([...issues, ...(more ?? [])]) }
}

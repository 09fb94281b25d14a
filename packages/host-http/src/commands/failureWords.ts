import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Cause, Option } from "effect"
import type { ListenError } from "../HttpServer.js"
import { BadOutcome } from "./Command.js"

const codeOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined

const wordsOf = (error: unknown): string => {
  if (error instanceof Error && error.message !== "") return error.message
  return codeOf(error) ?? String(error)
}

/** The innermost cause is the most specific. */
const innermost = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? error : innermost(cause)
}

/** Checks the tag, so that the server need not be loaded. */
const isListenError = (error: unknown): error is ListenError =>
  error instanceof Error && "_tag" in error && error._tag === "ListenError"

const isDatabaseError = (error: unknown): error is Error =>
  error instanceof StoreUnavailable || (error instanceof Error && "_tag" in error && error._tag === "SqlError")

const listenWords = (error: ListenError): string => {
  const at = `${error.host}:${error.port}`
  return codeOf(error.cause) === "EADDRINUSE"
    ? `${at} is already in use. Stop the other program, or set OUTBOUND_PORT to a free port.`
    : `${error.message}. Set OUTBOUND_HOST and OUTBOUND_PORT to an address of this machine.`
}

/** What the program exits with after a failure. */
export const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  return failure instanceof BadOutcome ? (failure.exitCode ?? 1) : 1
}

/** The message of a failure; null if it was already printed. */
export const failureWords = (cause: Cause.Cause<unknown>): string | null => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isNone(failure)) return Cause.hasInterruptsOnly(cause) ? null : Cause.pretty(cause)
  const error = failure.value
  if (error instanceof BadOutcome) return null
  if (isListenError(error)) return listenWords(error)
  if (isDatabaseError(error)) {
    return `The database is unavailable: ${wordsOf(innermost(error))}. Check DATABASE_URL and that the server is running.`
  }
  if (isWireError(error) && error.code === "invalid_request" && error.details.issues !== undefined) {
    return error.details.issues.map(({ message, path }) => `--${path} ${message}`).join("\n")
  }
  return wordsOf(error)
}

import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { excessOf } from "@outbound/domain/calls/jsonText.js"
import { type AnyWireError, invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { Result } from "effect"
import { LIMITS } from "../http/Limits.js"

const JSON_MEDIA = /^application\/json *(?:; *charset *= *"?utf-8"? *)?;? *$/i

/** Whether a body is uncompressed JSON in UTF-8. */
export const isJson = (contentType: string | undefined, contentEncoding: string | undefined): boolean =>
  contentType !== undefined &&
  JSON_MEDIA.test(contentType.trim()) &&
  (contentEncoding === undefined || /^(identity)?$/i.test(contentEncoding.trim()))

const utf8 = new TextDecoder("utf-8", { fatal: true })

const malformed = (message?: string): AnyWireError => refuse("invalid_request", { reason: "malformed_json" }, message)

const membersMax = LIMITS.jsonMembersMax

const tooFull = invalid([{ path: "", message: `must not contain an object with more than ${membersMax} members` }])

/** Parses a body as an object. No body is `{}`, which the verb's schema then validates. */
export const objectOf = (bytes: Buffer, depthMax: number): Result.Result<JsonObject, AnyWireError> => {
  if (bytes.length === 0) return Result.succeed({})
  let value: Json
  try {
    const text = utf8.decode(bytes)
    const excess = excessOf(text, depthMax, membersMax)
    if (excess === "levels") return Result.fail(malformed(`The body is nested deeper than ${depthMax} levels.`))
    if (excess === "members") return Result.fail(tooFull)
    value = JSON.parse(text) as Json
  } catch {
    return Result.fail(malformed())
  }
  return value !== null && typeof value === "object" && !Array.isArray(value)
    ? Result.succeed(value as JsonObject)
    : Result.fail(invalid([{ path: "", message: "must be a JSON object" }]))
}

/** Query parameters by name; a repeated one is an array. */
export const queryOf = (search: string): JsonObject => {
  if (search === "") return {}
  const values = new Map<string, string | Array<string>>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = values.get(name)
    if (before === undefined) values.set(name, value)
    else if (typeof before === "string") values.set(name, [before, value])
    else before.push(value)
  }
  return Object.fromEntries(values)
}

/** Refuses unknown query parameters. */
export const unknownParameters = (names: ReadonlyArray<string>): AnyWireError =>
  invalid(names.map((path) => ({ path, message: "is not a query parameter of this call" })))

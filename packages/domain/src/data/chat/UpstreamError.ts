import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { ProviderFailureReason } from "../../sources/ports/Source.js"
import { isObject, listOf } from "./json.js"
import { BASE_CODES, CERTAIN, isErrorName, KINDS, reasonOfStatus } from "./upstreamCodes.js"
import { wordsOf } from "./upstreamWords.js"

export { reasonOfStatus } from "./upstreamCodes.js"

/** What an upstream says went wrong, in the body of a refusal or inside of a success. */
export interface UpstreamError {
  /** What its own names and words say without a doubt, whatever the status is. */
  readonly certain: ProviderFailureReason | null
  /** The reason by its status or kind, where it names one. */
  readonly likely: ProviderFailureReason | null
  /** What it says, in at most 300 characters; null: nothing that could be read. */
  readonly said: string | null
  readonly retryAfterSeconds: number | null
}

/** How deep errors and their words may lie within each other. */
const DEEP_MAX = 4
const LISTED_MAX = 5

/** Where an error puts its words, the best first. */
const WORDS = [
  "message",
  "detail",
  "msg",
  "error_description",
  "description",
  "error_msg",
  "error_message",
  "status_msg",
  "reason",
  "title",
  "details",
  "error"
] as const

/** A field that an upstream complains about stands where in the request it found it. */
const placeOf = ({ loc }: JsonObject): string =>
  listOf(loc)
    .filter((part) => part !== "body" && (typeof part === "string" || typeof part === "number"))
    .join(".")

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const said = (value: Json | undefined, deep = DEEP_MAX): string => {
  if (typeof value === "string") return value
  if (deep === 0) return ""
  if (Array.isArray(value)) {
    const all = (value as ReadonlyArray<Json>).slice(0, LISTED_MAX).map((one) => said(one, deep - 1))
    return all.filter((one) => one !== "").join("; ")
  }
  if (!isObject(value)) return ""
  for (const name of WORDS) {
    const words = said(value[name] ?? value[capital(name)], deep - 1)
    const place = placeOf(value)
    if (words !== "") return place === "" ? words : `${place}: ${words}`
  }
  return ""
}

/** The name of an error, not words about it. */
const NAME = /^[\w-]+(?: [\w-]+){0,2}$/

/** What is wrong with each of several members, by its name. */
const mistakesIn = (errors: JsonObject): string =>
  Object.entries(errors)
    .slice(0, LISTED_MAX)
    .flatMap(([name, mistakes]) => (Array.isArray(mistakes) ? [`${name}: ${said(mistakes)}`] : []))
    .join("; ")

/** Amazon names a member after the exception that it holds. */
const exceptionIn = (body: JsonObject): readonly [string, JsonObject] | null => {
  for (const [name, value] of Object.entries(body))
    if (name.endsWith("Exception") && isObject(value)) return [name, value]
  return null
}

/** Where the error lies in the body of a refusal: some wrap it in lists and in other errors. */
const unwrapped = (body: Json, deep = DEEP_MAX): JsonObject => {
  if (Array.isArray(body)) return deep === 0 ? {} : unwrapped((body as ReadonlyArray<Json>)[0] ?? {}, deep - 1)
  if (!isObject(body)) return { message: body }
  const within = body["error"] ?? body["errors"]
  const exception = exceptionIn(body)
  if (exception !== null) return { ...exception[1], code: exception[0] }
  if (within === undefined || within === null || typeof within === "boolean" || deep === 0) return body
  // Its code may stand beside it.
  const { error: _, errors: __, ...beside } = body
  // Many servers name the error there, and say beside it what is wrong.
  if (typeof within === "string" && NAME.test(within) && said(beside) !== "") return { code: within, ...beside }
  const mistakes = within === body["errors"] && isObject(within) ? mistakesIn(within) : ""
  return { ...beside, ...(mistakes === "" ? unwrapped(within, deep - 1) : { message: mistakes }) }
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** What the upstream of a proxy said, where the proxy tells only that there was something. */
const saidBehind = ({ metadata }: JsonObject): string => {
  const raw = isObject(metadata) ? metadata["raw"] : undefined
  return raw === undefined || raw === null ? "" : said(unwrapped(typeof raw === "string" ? parsed(raw) : raw))
}

const statusIn = (value: Json | undefined): number | null => {
  const status = typeof value === "number" ? value : typeof value === "string" && /^\d{3}$/.test(value) ? +value : 0
  return status >= 300 && status <= 599 ? status : null
}

/** "37s", as some say how long to wait. */
const secondsIn = (value: Json | undefined): number | null => {
  const [, seconds] = typeof value === "string" ? (/^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(value) ?? []) : []
  return seconds === undefined ? null : Number(seconds)
}

const firstOf = <A, B>(all: ReadonlyArray<A>, find: (one: A) => B | null | undefined): B | null => {
  for (const one of all) {
    const found = find(one)
    if (found !== null && found !== undefined) return found
  }
  return null
}

const inTable =
  (table: ReadonlyMap<string, ProviderFailureReason>) =>
  (name: Json | undefined): ProviderFailureReason | null =>
    typeof name === "string" ? (table.get(name.toLowerCase()) ?? null) : null

/** Names of what it is. Amazon's stand behind the place where they are defined. */
const namesOf = (body: JsonObject): ReadonlyArray<Json | undefined> => {
  const { code, error_code: errorCode, error_type: errorType, __type: shape, reason, status, type } = body
  return [code, status, type, errorType, errorCode, reason, typeof shape === "string" ? shape.split("#").at(-1) : shape]
}

/** The error in the body of a refusal, in whatever form it comes. */
export const errorIn = (body: Json): UpstreamError => {
  const error = unwrapped(body)
  const details = listOf(error["details"]).filter(isObject)
  const { code, metadata, status: named } = error
  const names = [...namesOf(error), ...details.map((detail) => detail["reason"])]
  const words = wordsOf(saidBehind(error) || said(error))
  const isFlagged = isObject(metadata) && (metadata["flagged_input"] ?? metadata["reasons"] ?? null) !== null
  const status = firstOf([code, named, error["status_code"]], statusIn)
  const kind = firstOf(names, inTable(KINDS))
  return {
    certain: firstOf(names, inTable(CERTAIN)) ?? (isFlagged ? "invalid" : words.names),
    likely: status === null ? (kind ?? words.suggests) : reasonOfStatus(status),
    said: words.shown,
    retryAfterSeconds: firstOf(details, ({ retryDelay }) => secondsIn(retryDelay))
  }
}

const isSaid = (value: Json | undefined): boolean =>
  typeof value === "string" ? value !== "" : isObject(value) ? Object.keys(value).length > 0 : listOf(value).length > 0

/** Whether a body that holds no answer says that it is an error. Events of other kinds, such as progress, hold words too. */
const isNamedError = (body: JsonObject): boolean => {
  if (body["object"] === "error" || body["type"] === "error" || isSaid(body["errors"]) || isSaid(body["detail"]))
    return true
  if (exceptionIn(body) !== null) return true
  if (said(body) === "") return false
  const hasCode = statusIn(body["code"]) !== null || statusIn(body["status"]) !== null
  return hasCode || body["error"] === true || body["success"] === false || namesOf(body).some(isErrorName)
}

/** Where an error lies inside of a success; null: nowhere. `isAnswer`: it holds an answer as well. */
export const errorInside = (body: Json, isAnswer: boolean): UpstreamError | null => {
  if (Array.isArray(body))
    return isAnswer || body.length === 0 ? null : errorInside((body as ReadonlyArray<Json>)[0] ?? null, false)
  if (!isObject(body)) return null
  if (isSaid(body["error"])) return errorIn(body)
  if (isAnswer) return null
  const { base_resp: base } = body
  if (isObject(base) && typeof base["status_code"] === "number" && base["status_code"] !== 0) {
    const error = errorIn(base)
    return { ...error, certain: BASE_CODES.get(base["status_code"]) ?? error.certain }
  }
  return isNamedError(body) ? errorIn(body) : null
}

/** What it means: its own names before its status. Without either it may pass. */
export const reasonOf = ({ certain, likely }: UpstreamError): ProviderFailureReason => certain ?? likely ?? "transient"

import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { ProviderFailureReason } from "../../sources/ports/Source.js"
import { isObject, listOf } from "./json.js"
import { wordsOf } from "./upstreamWords.js"

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

type Reasons<A> = ReadonlyArray<readonly [ProviderFailureReason, ReadonlyArray<A>]>

const tableOf = <A>(reasons: Reasons<A>): ReadonlyMap<A, ProviderFailureReason> =>
  new Map(reasons.flatMap(([reason, those]) => those.map((one) => [one, reason] as const)))

/** The others are transient. With a wrong address, an upstream redirects or knows no such path or method. */
const STATUSES = tableOf<number>([
  ["invalid", [400, 413, 422]],
  ["account", [301, 302, 307, 308, 401, 402, 403, 404, 405, 410]],
  ["rate_limited", [429]]
])

export const reasonOfStatus = (status: number): ProviderFailureReason => STATUSES.get(status) ?? "transient"

/** Codes and types that mean the same whatever status they come with. */
const CERTAIN = tableOf<string>([
  [
    "account",
    [
      "insufficient_quota",
      "billing_not_active",
      "billing_hard_limit_reached",
      "account_deactivated",
      "invalid_api_key",
      "model_not_found",
      "api_key_invalid",
      "api_key_service_blocked",
      "service_disabled",
      "billing_disabled",
      "consumer_suspended",
      "billing_error",
      "invalidapikey",
      "authentication_error",
      "authenticationerror",
      "permission_error",
      "permission_denied",
      "unauthenticated",
      "unauthorized"
    ]
  ],
  [
    "invalid",
    [
      "content_filter",
      "content_policy_violation",
      "moderation_blocked",
      "context_length_exceeded",
      "string_above_max_length",
      "unsupported_parameter",
      "unsupported_value"
    ]
  ]
])

/** Kinds of errors, which some upstreams give in place of a status. */
const KINDS = tableOf<string>([
  [
    "invalid",
    [
      "invalid_request_error",
      "invalid_request",
      "invalid_argument",
      "bad_request",
      "badrequesterror",
      "invalid_prompt",
      "out_of_range",
      "request_too_large",
      "validation_error",
      "unprocessable_entity"
    ]
  ],
  ["account", ["forbidden", "not_found_error", "not_found", "failed_precondition"]],
  [
    "rate_limited",
    ["rate_limit_error", "rate_limit_exceeded", "ratelimiterror", "too_many_requests", "resource_exhausted"]
  ],
  [
    "transient",
    ["server_error", "api_error", "overloaded_error", "internal", "unavailable", "timeout", "internal_error"]
  ]
])

/** How deep errors and their words may lie within each other. */
const DEEP_MAX = 4
const LISTED_MAX = 5

/** Where the error lies in the body of a refusal: some wrap it in lists and in other errors. */
const unwrapped = (body: Json, deep = DEEP_MAX): JsonObject => {
  if (Array.isArray(body)) return deep === 0 ? {} : unwrapped((body as ReadonlyArray<Json>)[0] ?? {}, deep - 1)
  if (!isObject(body)) return { message: body }
  const within = body["error"] ?? body["errors"]
  if (within === undefined || within === null || typeof within === "boolean" || deep === 0) return body
  // Its code may stand beside it.
  const { error: _, errors: __, ...beside } = body
  return { ...beside, ...unwrapped(within, deep - 1) }
}

/** Where an error puts its words, the best first. */
const WORDS = ["message", "detail", "msg", "description", "error_msg", "error_message", "status_msg", "title"] as const

/** A field that an upstream complains about stands where in the request it found it. */
const placeOf = ({ loc }: JsonObject): string =>
  listOf(loc)
    .filter((part) => part !== "body" && (typeof part === "string" || typeof part === "number"))
    .join(".")

const said = (value: Json | undefined, deep = DEEP_MAX): string => {
  if (typeof value === "string") return value
  if (deep === 0) return ""
  if (Array.isArray(value)) {
    const all = (value as ReadonlyArray<Json>).slice(0, LISTED_MAX).map((one) => said(one, deep - 1))
    return all.filter((one) => one !== "").join("; ")
  }
  if (!isObject(value)) return ""
  for (const name of WORDS) {
    const words = said(value[name], deep - 1)
    const place = placeOf(value)
    if (words !== "") return place === "" ? words : `${place}: ${words}`
  }
  return ""
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

/** The error in the body of a refusal, in whatever form it comes. */
export const errorIn = (body: Json): UpstreamError => {
  const error = unwrapped(body)
  const details = listOf(error["details"]).filter(isObject)
  const { code, error_code: errorCode, error_type: errorType, metadata, reason, status: named, type } = error
  const names = [code, named, type, errorType, errorCode, reason, ...details.map((detail) => detail["reason"])]
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

/** Where an error lies inside of a success; null: nowhere. `isAnswer`: it holds an answer as well. */
export const errorInside = (body: Json, isAnswer: boolean): UpstreamError | null => {
  if (Array.isArray(body))
    return isAnswer || body.length === 0 ? null : errorInside((body as ReadonlyArray<Json>)[0] ?? null, false)
  if (!isObject(body)) return null
  if (isSaid(body["error"])) return errorIn(body)
  if (isAnswer) return null
  const { base_resp: base } = body
  if (isObject(base) && typeof base["status_code"] === "number" && base["status_code"] !== 0) return errorIn(base)
  const isNamed = body["object"] === "error" || body["type"] === "error" || isSaid(body["errors"])
  const hasCode = statusIn(body["code"]) !== null || statusIn(body["status"]) !== null
  return isNamed || (hasCode && said(body) !== "") || isSaid(body["detail"]) ? errorIn(body) : null
}

/** What it means: its own names before its status. Without either it may pass. */
export const reasonOf = ({ certain, likely }: UpstreamError): ProviderFailureReason => certain ?? likely ?? "transient"

import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect, Redacted, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"
import { retryAfterSeconds as secondsIn } from "../platform/retryAfter.js"
import { bodyText } from "../providers/bodyText.js"

/** An upstream's address and our credential. */
export interface UpstreamAddress {
  /** The owner of its models for callers, and the provider in logs. */
  readonly name: string
  /** Includes the version, such as `https://models.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}

/** Connections are kept open between calls. A stream holds one while it runs. */
const CONNECTIONS_MAX = 512
const KEEP_ALIVE_MILLIS = 30_000
const CONNECT_MILLIS_MAX = 10_000

/** A backstop beyond the callers' own time limits. */
const SILENCE_MILLIS_MAX = 330_000

/** The largest answer to read, and the largest refusal. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const REFUSAL_BYTES_MAX = 64 * 1024
const SAID_CHARS_MAX = 300

/** The others are transient. With a wrong address, an upstream redirects or knows no such path or method. */
const REASONS: Readonly<Record<number, ProviderFailureReason>> = {
  400: "invalid",
  413: "invalid",
  422: "invalid",
  301: "account",
  302: "account",
  307: "account",
  308: "account",
  401: "account",
  402: "account",
  403: "account",
  404: "account",
  405: "account",
  410: "account",
  429: "rate_limited"
}

type Headers = Readonly<Record<string, string | Array<string> | undefined>>

/** "6m0s", "1.5s", "120ms" in seconds; null where it is none of that. */
const durationOf = (text: string): number | null => {
  const [, hours = "0", minutes = "0", seconds = "0", millis = "0"] =
    /^(?=\d)(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,6}(?:\.\d+)?)s)?(?:(\d{1,9}(?:\.\d+)?)ms)?$/.exec(text) ?? []
  const all = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(millis) / 1000
  return all > 0 ? all : null
}

/** The reset time of the exhausted window, of its two: requests and tokens. */
const resetOf = (headers: Headers): number | null => {
  const windows = ["requests", "tokens"].flatMap((unit) => {
    const reset = headers[`x-ratelimit-reset-${unit}`]
    const seconds = typeof reset === "string" ? durationOf(reset) : null
    return seconds === null ? [] : [{ seconds, isUsedUp: headers[`x-ratelimit-remaining-${unit}`] === "0" }]
  })
  const usedUp = windows.filter(({ isUsedUp }) => isUsedUp)
  const waits = (usedUp.length > 0 ? usedUp : windows).map(({ seconds }) => seconds)
  return waits.length === 0 ? null : Math.max(...waits)
}

/** How long to leave it alone. A date in `Retry-After` is ignored: the upstream's clock isn't ours. */
const retryAfterOf = (headers: Headers, reason: ProviderFailureReason): { retryAfterSeconds?: number } => {
  const after = headers["retry-after"]
  const said = typeof after === "string" ? secondsIn(after) : null
  const seconds = said ?? (reason === "rate_limited" ? resetOf(headers) : null)
  return seconds === null ? {} : { retryAfterSeconds: seconds }
}

const CONTROL = /\p{Cc}+/gu

interface Refusal {
  readonly said?: string
  /** The reason that its code or type names, whatever the status; null: the status decides. */
  readonly reason: ProviderFailureReason | null
}

/** Codes and types of the third-party form that some upstreams send with a status of another meaning. */
const NAMED_REASONS: Readonly<Record<string, ProviderFailureReason>> = {
  insufficient_quota: "account",
  billing_not_active: "account",
  billing_hard_limit_reached: "account",
  account_deactivated: "account",
  invalid_api_key: "account",
  model_not_found: "account",
  content_filter: "invalid",
  content_policy_violation: "invalid",
  moderation_blocked: "invalid"
}

const reasonNamed = (name: unknown): ProviderFailureReason | null =>
  typeof name === "string" && Object.hasOwn(NAMED_REASONS, name) ? (NAMED_REASONS[name] ?? null) : null

/** An error in the third-party form. */
const refusalIn = (text: string): Refusal => {
  try {
    const { error } = JSON.parse(text) as {
      readonly error?: { readonly message?: unknown; readonly code?: unknown; readonly type?: unknown }
    }
    const message = error?.message
    return {
      reason: reasonNamed(error?.code) ?? reasonNamed(error?.type),
      ...(typeof message === "string" && message !== ""
        ? { said: message.replace(CONTROL, " ").slice(0, SAID_CHARS_MAX) }
        : {})
    }
  } catch {
    return { reason: null }
  }
}

export type UpstreamBody = Dispatcher.ResponseData["body"]

/** Posts JSON to one upstream over kept connections, and classifies its failures. */
export interface UpstreamHttp {
  /** The whole answer. */
  readonly post: (path: string, body: unknown) => Effect.Effect<string, ProviderFailure>
  /** The body as it arrives. Destroying it aborts the request. */
  readonly open: (path: string, body: unknown) => Effect.Effect<UpstreamBody, ProviderFailure>
  readonly failed: (cause: unknown) => ProviderFailure
}

/** Its connections close with the scope. */
export const makeUpstreamHttp = (address: UpstreamAddress): Effect.Effect<UpstreamHttp, never, Scope.Scope> =>
  Effect.gen(function* () {
    const base = new URL(address.baseUrl)
    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Pool(base.origin, {
            connections: CONNECTIONS_MAX,
            connect: { timeout: CONNECT_MILLIS_MAX },
            keepAliveTimeout: KEEP_ALIVE_MILLIS,
            headersTimeout: SILENCE_MILLIS_MAX,
            bodyTimeout: SILENCE_MILLIS_MAX
          })
      ),
      (one) => Effect.promise(() => one.destroy())
    )
    const root = base.pathname.replace(/\/$/, "")
    const failed = (cause: unknown, reason: ProviderFailureReason = "transient") =>
      new ProviderFailure({ provider: address.name, reason, cause })

    const request = async (path: string, accept: string, body: unknown, signal: AbortSignal) => {
      const answer = await pool.request({
        method: "POST",
        path: `${root}${path}`,
        headers: {
          authorization: `Bearer ${Redacted.value(address.apiKey)}`,
          "content-type": "application/json",
          accept,
          "user-agent": "outbound"
        },
        body: JSON.stringify(body),
        signal
      })
      if (answer.statusCode === 200) return answer.body
      const { headers, statusCode } = answer
      const { said, ...named } = refusalIn(await bodyText(answer.body, REFUSAL_BYTES_MAX).catch(() => ""))
      const byStatus = REASONS[statusCode] ?? "transient"
      const reason = byStatus === "transient" ? byStatus : (named.reason ?? byStatus)
      throw new ProviderFailure({
        provider: address.name,
        reason,
        status: statusCode,
        cause: `status ${statusCode}`,
        ...retryAfterOf(headers, reason),
        ...(reason === "invalid" && said !== undefined ? { said } : {})
      })
    }

    const classified = (cause: unknown): ProviderFailure => (cause instanceof ProviderFailure ? cause : failed(cause))

    return {
      failed,
      post: (path, body) =>
        Effect.tryPromise({
          try: async (signal) => bodyText(await request(path, "application/json", body, signal), ANSWER_BYTES_MAX),
          catch: classified
        }),
      open: (path, body) =>
        Effect.tryPromise({ try: (signal) => request(path, "text/event-stream", body, signal), catch: classified })
    }
  })

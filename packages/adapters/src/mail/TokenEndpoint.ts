import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { MailGrant } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Effect, Redacted, Result, Schema } from "effect"
import { Agent, request } from "undici"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { CONNECTING, doorTo, lookupThrough } from "../site/door.js"
import { makeGate, NotAllowed, portOf, type Resolve, resolveBy } from "../site/Gate.js"
import { textWithin } from "../platform/textWithin.js"

/** The provider name in failures of token endpoints. */
const TOKEN_ENDPOINT = "token_endpoint"

/** From the DNS look-up to the end of the answer. */
const TIMEOUT_MILLIS = 10_000

const ANSWER_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024
const TOKEN_CHARS_MAX = 16_384

/** Token lifetime if the endpoint states none, and the longest we believe. */
const LIFETIME_SECONDS = 3_600
const LIFETIME_SECONDS_MAX = 86_400

export interface TokenEndpointOptions {
  /** Whether an endpoint may be on this machine: only where the user runs the service themselves. */
  readonly isAtHome: boolean
  /** DNS resolver; default: the machine's name servers. */
  readonly resolve?: Resolve
  readonly timeoutMillis?: number
}

/** The result of a refresh. */
export interface RenewedToken {
  readonly accessToken: Redacted.Redacted
  readonly lifetimeSeconds: number
  /** Replaces the used refresh token; null: that one stays valid. */
  readonly refreshToken: Redacted.Redacted | null
}

export const failed = (reason: "account" | "transient", cause: string): ProviderFailure =>
  new ProviderFailure({ provider: TOKEN_ENDPOINT, reason, cause })

const Token = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(TOKEN_CHARS_MAX),
  Schema.isPattern(/^[\x20-\x7e]+$/)
)

/** RFC 6749 §5.1. Some servers write the lifetime as text. */
export const Granted = Schema.fromJsonString(
  Schema.Struct({
    access_token: Token,
    token_type: Schema.String.check(Schema.makeFilter((type) => type.toLowerCase() === "bearer")),
    expires_in: Schema.optional(Schema.NullOr(Schema.Union([Schema.Number, NumberText]))),
    refresh_token: Schema.optional(Schema.NullOr(Token)),
    scope: Schema.optional(Schema.NullOr(Schema.String))
  })
)
const decodeGranted = Schema.decodeUnknownResult(Granted)

/** RFC 6749 §5.2. We keep only the code: the description may repeat what was sent. */
export const Refused = Schema.fromJsonString(
  Schema.Struct({ error: Schema.String.check(Schema.isPattern(/^[a-z_]{1,40}$/)) })
)
const decodeRefused = Schema.decodeUnknownResult(Refused)

const lifetimeOf = (seconds: number | null | undefined): number =>
  typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0
    ? Math.min(seconds, LIFETIME_SECONDS_MAX)
    : LIFETIME_SECONDS

const answerOf = (status: number, text: string): Effect.Effect<RenewedToken, ProviderFailure> => {
  if (status === 200) {
    const granted = decodeGranted(text)
    if (Result.isFailure(granted))
      return Effect.fail(failed("transient", "The token endpoint answered no access token"))
    const { access_token, expires_in, refresh_token } = granted.success
    return Effect.succeed({
      accessToken: Redacted.make(access_token),
      lifetimeSeconds: lifetimeOf(expires_in),
      refreshToken: typeof refresh_token === "string" ? Redacted.make(refresh_token) : null
    })
  }
  const refused = decodeRefused(text)
  const code = Result.isSuccess(refused) && status >= 400 && status < 500 ? refused.success.error : null
  return Effect.fail(
    failed(
      code !== null && OWNERS_TO_MEND.has(code) ? "account" : "transient",
      `The token endpoint answered ${code === null ? "" : `${code}, `}status ${status}`
    )
  )
}

/**
 * Errors that only the owner can fix (RFC 6749 §5.2): the grant was withdrawn or expired, or the client or its secret
 * is wrong.
 */
const OWNERS_TO_MEND: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"])

/** Client credentials go into the body (RFC 6749 §2.3.1), as Google and Microsoft expect. */
const formOf = ({ clientId, clientSecret, refreshToken, scope }: MailGrant): string =>
  new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: Redacted.value(refreshToken),
    client_id: clientId,
    ...(clientSecret === null ? {} : { client_secret: Redacted.value(clientSecret) }),
    ...(scope === null ? {} : { scope })
  }).toString()

/** We drop the error's text: it comes from a library that had the request. */
const wordsOf = (error: unknown): string => {
  const isForbidden = error instanceof NotAllowed && error.reason !== "unresolved"
  return isForbidden ? "The token endpoint is at no public address" : "The token endpoint can't be reached"
}

/** What an endpoint answered. */
export interface Answered {
  readonly status: number
  readonly text: string
}

/**
 * Posts a form to a token endpoint. We don't follow redirects, and connect only to the public addresses just resolved.
 * Fails (`transient`) if there is no whole answer.
 */
export const makeFormPost = (options: TokenEndpointOptions) => {
  const gate = makeGate(options.resolve ?? resolveBy(), [])
  return (tokenUrl: string, form: string): Effect.Effect<Answered, ProviderFailure> =>
    Effect.suspend(() => {
      const url = URL.canParse(tokenUrl) ? new URL(tokenUrl) : null
      const door = url === null ? null : doorTo(url, options.isAtHome, gate)
      if (url === null || door === null) {
        return Effect.fail(failed("transient", "The token endpoint is at no public address"))
      }
      const ask = async (signal: AbortSignal) => {
        const agent = new Agent({
          connect: { lookup: lookupThrough(door, portOf(url)), allowH2: false, ...CONNECTING },
          maxHeaderSize: HEADER_BYTES_MAX
        })
        try {
          const { body, statusCode } = await request(url, {
            dispatcher: agent,
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
            body: form,
            signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMillis ?? TIMEOUT_MILLIS)])
          })
          // A longer answer is no valid one.
          return { status: statusCode, text: (await textWithin(body as AsyncIterable<Buffer>, ANSWER_BYTES_MAX)) ?? "" }
        } finally {
          // The endpoint is not requested again within the hour.
          void agent.destroy()
        }
      }
      return Effect.tryPromise({ try: ask, catch: (error) => failed("transient", wordsOf(error)) })
    })
}

/** Renews access tokens (RFC 6749 §6). Failures: `account`: the grant or its client is no longer valid; `transient`: the rest. */
export const makeTokenEndpoint = (options: TokenEndpointOptions) => {
  const post = makeFormPost(options)
  return (grant: MailGrant): Effect.Effect<RenewedToken, ProviderFailure> =>
    Effect.flatMap(post(grant.tokenUrl, formOf(grant)), ({ status, text }) => answerOf(status, text))
}

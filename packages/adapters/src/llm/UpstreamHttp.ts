import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Redacted, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"
import { retryAfterSeconds as secondsIn } from "../platform/retryAfter.js"

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

type Reasons<A> = ReadonlyArray<readonly [ProviderFailureReason, ReadonlyArray<A>]>

const reasonIn = <A>(reasons: Reasons<A>, said: A): ProviderFailureReason | null =>
  reasons.find(([, those]) => those.includes(said))?.[0] ?? null

/** The others are transient. With a wrong address, an upstream redirects or knows no such path or method. */
const STATUSES: Reasons<number> = [
  ["invalid", [400, 413, 422]],
  ["account", [301, 302, 307, 308, 401, 402, 403, 404, 405, 410]],
  ["rate_limited", [429]]
]

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
const NAMES: Reasons<unknown> = [
  [
    "account",
    [
      "insufficient_quota",
      "billing_not_active",
      "billing_hard_limit_reached",
      "account_deactivated",
      "invalid_api_key",
      "model_not_found"
    ]
  ],
  ["invalid", ["content_filter", "content_policy_violation", "moderation_blocked"]]
]

/** An error in the third-party form. */
const refusalIn = (text: string): Refusal => {
  try {
    const { error } = JSON.parse(text) as {
      readonly error?: { readonly message?: unknown; readonly code?: unknown; readonly type?: unknown }
    }
    const message = error?.message
    return {
      reason: reasonIn(NAMES, error?.code) ?? reasonIn(NAMES, error?.type),
      ...(typeof message === "string" && message !== ""
        ? { said: message.replace(CONTROL, " ").slice(0, SAID_CHARS_MAX) }
        : {})
    }
  } catch {
    return { reason: null }
  }
}

/** A body on its way, which can be held up and given up. */
export type Arriving = Pick<Dispatcher.DispatchController, "pause" | "resume" | "abort">

/** Receives a body as it arrives, in plain code. */
export interface Receiver {
  readonly data: (bytes: Buffer) => void
  /** Nothing comes any more: null at its end, else what broke it off. */
  readonly over: (cause: unknown) => void
  /** Nobody wants it any more. */
  readonly leave: () => void
}

/** Why a request ends that was aborted. */
export const LEFT = "nobody waits any more"

/** Collects a text of at most `bytesMax`. */
class TextReceiver implements Receiver {
  readonly #chunks: Array<Buffer> = []
  #size = 0

  constructor(
    private readonly bytesMax: number,
    private readonly arriving: Arriving,
    private readonly done: (text: string) => void,
    private readonly failed: (cause: unknown) => void
  ) {}

  data(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size <= this.bytesMax) return void this.#chunks.push(bytes)
    this.#abort(`the answer is larger than ${this.bytesMax} bytes`)
  }

  leave(): void {
    this.#abort(LEFT)
  }

  #abort(message: string): void {
    const cause = new Error(message)
    this.arriving.abort(cause)
    this.failed(cause)
  }

  over(cause: unknown): void {
    if (cause !== null) return this.failed(cause)
    const [only] = this.#chunks
    this.done((this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#size)).toString("utf8"))
  }
}

/**
 * Posts JSON to one upstream over kept connections, and classifies its failures. A request ends by its signal, not by
 * interruption (see `ChatUpstream`).
 */
export interface UpstreamHttp {
  /** The whole answer. */
  readonly post: (path: string, body: unknown, signal: AbortSignal) => Effect.Effect<string, ProviderFailure>
  /** The body as it arrives, once its head has come. */
  readonly open: <R extends Receiver>(
    path: string,
    body: unknown,
    signal: AbortSignal,
    receiver: (arriving: Arriving) => R
  ) => Effect.Effect<R, ProviderFailure>
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

    const headersOf = (accept: string) => ({
      authorization: `Bearer ${Redacted.value(address.apiKey)}`,
      "content-type": "application/json",
      accept,
      "user-agent": "outbound"
    })
    const headers = { json: headersOf("application/json"), events: headersOf("text/event-stream") }

    const refusalOf = (status: number, headers: Headers, text: string): ProviderFailure => {
      const { said, ...named } = refusalIn(text)
      const byStatus = reasonIn(STATUSES, status) ?? "transient"
      const reason = byStatus === "transient" ? byStatus : (named.reason ?? byStatus)
      return new ProviderFailure({
        provider: address.name,
        reason,
        status,
        cause: `status ${status}`,
        ...retryAfterOf(headers, reason),
        ...(reason === "invalid" && said !== undefined ? { said } : {})
      })
    }

    /** `begun` gives the receiver of a body of status 200. */
    const request = <A>(
      path: string,
      accepts: keyof typeof headers,
      body: unknown,
      signal: AbortSignal,
      begun: (arriving: Arriving, resume: (result: Effect.Effect<A, ProviderFailure>) => void) => Receiver
    ): Effect.Effect<A, ProviderFailure> =>
      Effect.async<A, ProviderFailure>((resume) => {
        let controller: Dispatcher.DispatchController | null = null
        let receiver: Receiver | null = null
        const fail = (cause: unknown): void => resume(Effect.fail(failed(cause)))
        const leave = (): void => {
          if (receiver !== null) return receiver.leave()
          const cause = new Error(LEFT)
          controller?.abort(cause)
          fail(cause)
        }
        if (signal.aborted) return leave()
        signal.addEventListener("abort", leave)
        const handler: Dispatcher.DispatchHandler = {
          onRequestStart: (started) => {
            controller = started
            // It waited for a connection.
            if (signal.aborted) started.abort(new Error(LEFT))
          },
          onResponseStart: (arriving, status, received) => {
            // Others come before it (RFC 9110 §15.2).
            if (status < 200) return
            const refuse = (text: string): void => resume(Effect.fail(refusalOf(status, received, text)))
            receiver =
              status === 200
                ? begun(arriving, resume)
                : new TextReceiver(REFUSAL_BYTES_MAX, arriving, refuse, () => refuse(""))
          },
          onResponseData: (_arriving, bytes) => receiver?.data(bytes),
          onResponseEnd: () => receiver?.over(null),
          onResponseError: (_arriving, cause) => (receiver === null ? fail(cause) : receiver.over(cause))
        }
        const options = { method: "POST", path: `${root}${path}`, headers: headers[accepts] } as const
        pool.dispatch({ ...options, body: JSON.stringify(body) }, handler)
      })

    return {
      failed,
      post: (path, body, signal) =>
        request<string>(path, "json", body, signal, (arriving, resume) => {
          const done = (text: string): void => resume(Effect.succeed(text))
          const broken = (cause: unknown): void => resume(Effect.fail(failed(cause)))
          return new TextReceiver(ANSWER_BYTES_MAX, arriving, done, broken)
        }),
      open: (path, body, signal, receiver) =>
        request<ReturnType<typeof receiver>>(path, "events", body, signal, (arriving, resume) => {
          const made = receiver(arriving)
          resume(Effect.succeed(made))
          return made
        })
    }
  })

import type { UnreadableReason } from "@outbound/domain/sources/ports/SiteReader.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Deferred, Effect, Scope } from "effect"
import { Agent } from "undici"
import { pipeline } from "node:stream"
import { constants, createGunzip } from "node:zlib"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import { textWithin } from "../../platform/textWithin.js"
import { CallRates } from "../CallRate.js"
import { type Classified, classifiedByStatus, headerOf, retryAfterOf } from "../classify.js"
import { codeOf, connector } from "../connecting.js"
import { WAITING } from "../VendorHttp.js"

class TooLarge extends Error {}

/** The largest answer to read, unpacked. */
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** The largest to keep for the next question, and how many. */
const KEPT_CHARS_MAX = 2 * 1024 * 1024
const KEPT_MAX = 200
/** A source's own lifetime counts up to this; the validators of an answer are kept as long. */
const KEEP_MILLIS_MAX = 6 * 3_600_000
/** How long a slow answer is waited for. A call that left before finds it kept. */
const READ_MILLIS_MAX = 30_000
const CONNECTIONS_MAX = 8

const UNZIP = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

/** What is published of one company can't be read, which says nothing of the source for others. */
export const unreadable = (provider: string, cause: string): ProviderFailure =>
  new ProviderFailure({ provider, reason: "invalid", concluded: "unreadable", cause })

/** Sites that can't be read today may be tomorrow. Of the others we know that we read nothing there. Null: of the others. */
export const unreadableSite = (provider: string, reason: UnreadableReason): ProviderFailure | null =>
  reason === "unreachable" || reason === "refused"
    ? unreadable(provider, `the company's website can't be read: ${reason}`)
    : null

/** A complete answer: 2xx, or of a resource that does not exist (404, 410). */
export interface OpenAnswer {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | null
}

export interface OpenHttpOptions {
  /** The source's name. */
  readonly name: string
  /** Whom its publisher may write to. */
  readonly contact: string
  /** The most requests a minute to one host: the published limit, or less. */
  readonly callsPerMinute: number | null
  /** How long an answer counts where its publisher names no time. */
  readonly keepSeconds: number
  /** The publisher's own error signs. Null: go by the status. */
  readonly classify?: (answer: OpenAnswer) => Classified | null
}

/** Reads what is published for everybody: at its publisher's pace, with a name, and never twice what did not change. */
export interface OpenHttp {
  readonly get: (address: string, accept?: string) => Effect.Effect<OpenAnswer, ProviderFailure>
  readonly failed: (reason: ProviderFailure["reason"], cause: string) => ProviderFailure
}

interface Kept {
  readonly answer: OpenAnswer
  readonly freshUntilMillis: number
}

/** The lifetime that an answer states, in milliseconds; null: none. */
const lifetimeOf = ({ header }: OpenAnswer): number | null => {
  const control = header("cache-control") ?? ""
  if (/\bno-store\b|\bno-cache\b/i.test(control)) return 0
  const seconds = /\bmax-age\s*=\s*(\d{1,9})/i.exec(control)?.[1]
  return seconds === undefined ? null : Math.min(Number(seconds) * 1000, KEEP_MILLIS_MAX)
}

/** That a resource isn't there is an answer. */
const failureIn = (answer: OpenAnswer): Classified | null =>
  answer.status === 404 || answer.status === 410 ? null : classifiedByStatus(answer)

/** Its connections close with the scope. */
export const makeOpenHttp = (options: OpenHttpOptions): Effect.Effect<OpenHttp, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.Scope
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: CONNECTIONS_MAX, connect: connector(), ...WAITING })),
      (one) => Effect.promise(() => one.destroy())
    )
    const rates = new CallRates(options.callsPerMinute)
    const kept = new ExpiringCache<Kept>(KEPT_MAX, KEEP_MILLIS_MAX)
    const underWay = new Map<string, Deferred.Deferred<OpenAnswer, ProviderFailure>>()

    const failed: OpenHttp["failed"] = (reason, cause) => new ProviderFailure({ provider: options.name, reason, cause })

    const exchange = async (address: string, accept: string, known: OpenAnswer | null, signal: AbortSignal) => {
      const url = new URL(address)
      const etag = known?.header("etag") ?? null
      const modified = known?.header("last-modified") ?? null
      const { body, headers, statusCode } = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: "GET",
        headers: {
          accept,
          "accept-encoding": "gzip",
          "user-agent": `outbound/1 (${options.contact})`,
          ...(etag === null ? {} : { "if-none-match": etag }),
          ...(modified === null ? {} : { "if-modified-since": modified })
        },
        signal
      })
      const header = headerOf(headers)
      const isZipped = /\bgzip\b/i.test(header("content-encoding") ?? "")
      // The reading below sees an error of either stream.
      const plain = isZipped ? pipeline(body, createGunzip(UNZIP), () => undefined) : body
      const text = await textWithin(plain, ANSWER_BYTES_MAX)
      if (text === null) throw new TooLarge()
      return { status: statusCode, header, text } satisfies OpenAnswer
    }

    const read = (address: string, accept: string): Effect.Effect<OpenAnswer, ProviderFailure> =>
      Effect.gen(function* () {
        const known = kept.get(address, yield* Clock.currentTimeMillis)?.answer ?? null
        const asked = Effect.tryPromise({
          try: (signal) => exchange(address, accept, known, signal),
          catch: (cause) =>
            cause instanceof TooLarge
              ? unreadable(options.name, "the answer is too large")
              : failed("transient", codeOf(cause) || "the exchange broke off")
        })
        const came = yield* Effect.timeoutOrElse(asked, {
          duration: READ_MILLIS_MAX,
          orElse: () => Effect.fail(failed("transient", "no answer in time"))
        })
        const answer = came.status === 304 && known !== null ? known : came
        const classified = options.classify?.(answer) ?? failureIn(answer)
        if (classified !== null) {
          return yield* Effect.fail(
            new ProviderFailure({
              provider: options.name,
              reason: classified.reason,
              status: answer.status,
              cause: classified.cause ?? `status ${answer.status}`,
              ...(classified.reason === "rate_limited" ? retryAfterOf(answer, classified) : {})
            })
          )
        }
        const now = yield* Clock.currentTimeMillis
        if (answer.text.length <= KEPT_CHARS_MAX) {
          const lives = lifetimeOf(came) ?? options.keepSeconds * 1000
          kept.set(address, { answer, freshUntilMillis: now + lives }, now)
        }
        return answer
      })

    /** Goes on when its caller leaves: the next call finds what was slow. */
    const readTogether = (address: string, accept: string) =>
      Effect.suspend(() => {
        const before = underWay.get(address)
        if (before !== undefined) return Deferred.await(before)
        const answer = Deferred.makeUnsafe<OpenAnswer, ProviderFailure>()
        underWay.set(address, answer)
        const reading = Effect.onExit(read(address, accept), (exit) => {
          underWay.delete(address)
          return Deferred.done(answer, exit)
        })
        return Effect.andThen(Effect.forkIn(Effect.interruptible(reading), scope), Deferred.await(answer))
      })

    return {
      failed,
      get: (address, accept = "application/json") =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const known = kept.get(address, now)
          if (known !== undefined && now < known.freshUntilMillis) return known.answer
          const wait = underWay.has(address) ? 0 : rates.enter(new URL(address).host, now)
          if (wait > 0) {
            return yield* Effect.fail(
              new ProviderFailure({ provider: options.name, reason: "rate_limited", retryAfterSeconds: wait / 1000 })
            )
          }
          return yield* readTogether(address, accept)
        })
    }
  })

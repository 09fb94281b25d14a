import { Clock, Effect } from "effect"
import robotsParser from "robots-parser"
import { decodeText } from "./Charset.js"
import type { FetchFailure, FetchOptions } from "./Fetch.js"
import { fetchFollowing } from "./Redirects.js"

/** What a server's robots.txt tells us. */
export interface Robots {
  readonly allows: (url: URL) => boolean
  /** The pause it wants between requests. */
  readonly pauseMillis: number
}

const EVERYTHING: Robots = { allows: () => true, pauseMillis: 0 }
const NOTHING: Robots = { allows: () => false, pauseMillis: 0 }

// The library's types say ES module, but its code is CommonJS: Node exports the function itself.
const parse = robotsParser as unknown as (typeof robotsParser)["default"]

/** Each character of a rule with wildcards is tried at every place of a path. An address that takes more is not asked for. */
const TRIES_MAX = 64 * 1024 * 1024

const wildcardChars = (text: string): number =>
  text.split(/[\r\n]+/).reduce((sum, line) => sum + (line.includes("*", line.indexOf(":") + 2) ? line.length : 0), 0)

/** What a robots.txt says to a product. */
export const robotsIn = (url: URL, text: string, product: string): Robots => {
  const wildcards = wildcardChars(text)
  const rules = parse(url.href, text)
  const delay = rules.getCrawlDelay(product) ?? 0
  return {
    allows: (page) => wildcards * page.href.length <= TRIES_MAX && rules.isAllowed(page.href, product) !== false,
    pauseMillis: Number.isFinite(delay) && delay > 0 ? delay * 1000 : 0
  }
}

/**
 * Reads a server's robots.txt (RFC 9309): if there is none, everything is allowed; if the server can't say, nothing is.
 * Fails if the server is unreachable.
 */
export const readRobots = (
  origin: string,
  product: string,
  redirectsMax: number,
  options: FetchOptions
): Effect.Effect<Robots, FetchFailure> => {
  const url = new URL("/robots.txt", origin)
  return fetchFollowing(url, redirectsMax, options, () => Effect.void).pipe(
    Effect.map(({ body, headers, status }) =>
      status === 200
        ? robotsIn(url, decodeText(body, headers["content-type"]), product)
        : status >= 500 || status === 429
          ? NOTHING
          : EVERYTHING
    ),
    // A robots.txt that redirects elsewhere says nothing about this site.
    Effect.catchIf(
      ({ reason }) => reason === "elsewhere",
      () => Effect.succeed(EVERYTHING)
    )
  )
}

/** Reads each server's robots.txt once and keeps its pauses. For one visit of one site. */
export interface Manners {
  readonly robotsOf: (url: URL) => Effect.Effect<Robots, FetchFailure>
  /** Waits until the server may be asked again. */
  readonly pause: (url: URL, pauseMillisMax: number) => Effect.Effect<void>
}

export const makeManners = (read: (origin: string) => Effect.Effect<Robots, FetchFailure>): Manners => {
  const byOrigin = new Map<string, Robots>()
  const askedAt = new Map<string, number>()
  return {
    robotsOf: ({ origin }) =>
      Effect.suspend(() => {
        const robots = byOrigin.get(origin)
        return robots === undefined
          ? Effect.tap(read(origin), (fresh) => Effect.sync(() => byOrigin.set(origin, fresh)))
          : Effect.succeed(robots)
      }),
    pause: ({ origin }, pauseMillisMax) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const pauseMillis = Math.min(byOrigin.get(origin)?.pauseMillis ?? 0, pauseMillisMax)
        const before = askedAt.get(origin)
        const wait = before === undefined ? 0 : Math.max(0, before + pauseMillis - now)
        askedAt.set(origin, now + wait)
        if (wait > 0) yield* Effect.sleep(wait)
      })
  }
}

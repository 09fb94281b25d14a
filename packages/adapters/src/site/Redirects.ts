import { Effect } from "effect"
import { type Fetched, fetchOnce, FetchFailure, type FetchOptions } from "./Fetch.js"

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The final response and its URL. */
export interface Arrived extends Fetched {
  readonly url: URL
}

const targetOf = (from: URL, { headers, status }: Fetched): URL | null => {
  if (!REDIRECTS.has(status) || headers.location === undefined) return null
  if (!URL.canParse(headers.location, from.href)) return null
  const to = new URL(headers.location, from)
  to.hash = ""
  return to
}

/** A GET that follows redirects under the same rules, `permits` before each. Endless redirects count as unreachable. */
export const fetchFollowing = <E>(
  start: URL,
  redirectsMax: number,
  options: FetchOptions,
  permits: (url: URL) => Effect.Effect<void, E>
): Effect.Effect<Arrived, FetchFailure | E> => {
  const step = (url: URL, seen: ReadonlySet<string>): Effect.Effect<Arrived, FetchFailure | E> =>
    Effect.gen(function* () {
      yield* permits(url)
      const fetched = yield* fetchOnce(url, options)
      const target = targetOf(url, fetched)
      if (target === null) return { ...fetched, url }
      if (seen.has(target.href) || seen.size > redirectsMax) {
        return yield* Effect.fail(new FetchFailure({ reason: "unreachable", cause: "redirects without an end" }))
      }
      return yield* step(target, new Set(seen).add(target.href))
    })
  return step(start, new Set([start.href]))
}

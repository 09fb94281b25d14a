import type { TokenEstimator } from "@outbound/domain/sources/ports/TokenEstimator.js"
import { Effect } from "effect"

/** The text counted in one go, a few milliseconds at most, so that long texts don't block the process. */
const SLICE_CHARS = 16 * 1024

/**
 * The longest run without a break to merge as one. Merging takes time quadratic in the run, and a text may be a single
 * run. Each cut adds at most one token.
 */
const RUN_CHARS_MAX = 64

const LONG_RUN = /\S{65}|\s{65}/u
const RUNS = /\s{0,64}?\S{1,64}|\s{1,64}/gu

interface Encoding {
  readonly countTokens: (text: string, options: { readonly disallowedSpecial: Set<string> }) => number
}

/** Treats template marks in a text as text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

let loading: Promise<Encoding> | undefined
let loaded: Encoding | undefined

/** About half a second and 60 MB. Nothing else runs meanwhile, so a host that forwards chats loads it when it starts. */
export const loadO200k: Effect.Effect<Encoding> = Effect.promise(async () => {
  loading ??= import("gpt-tokenizer/encoding/o200k_base")
  loaded = await loading
  return loaded
})

/** Cuts after white space if possible, and never within a surrogate pair. */
const sliceAt = (text: string, from: number): number => {
  const until = from + SLICE_CHARS
  if (until >= text.length) return text.length
  const space = text.lastIndexOf(" ", until)
  if (space > from + SLICE_CHARS - RUN_CHARS_MAX) return space
  const code = text.charCodeAt(until)
  return code >= 0xdc00 && code <= 0xdfff ? until - 1 : until
}

const countSlice = ({ countTokens }: Encoding, slice: string): number =>
  LONG_RUN.test(slice)
    ? (slice.match(RUNS) ?? []).reduce((sum, run) => sum + countTokens(run, AS_TEXT), 0)
    : countTokens(slice, AS_TEXT)

const turn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

const countText = (encoding: Encoding, text: string): Effect.Effect<number> =>
  Effect.gen(function* () {
    let tokens = 0
    for (let from = 0; from < text.length;) {
      const until = sliceAt(text, from)
      if (from > 0) yield* turn
      tokens += countSlice(encoding, text.slice(from, until))
      from = until
    }
    return tokens
  })

/** Counts with the encoding `o200k_base`. Other encodings differ by less than the reservation's margin. */
export const tokensO200k: TokenEstimator = {
  count: (texts) =>
    Effect.flatMap(
      Effect.suspend(() => (loaded === undefined ? loadO200k : Effect.succeed(loaded))),
      (encoding) =>
        Effect.reduce(texts, 0, (sum, text) => Effect.map(countText(encoding, text), (tokens) => sum + tokens))
    )
}

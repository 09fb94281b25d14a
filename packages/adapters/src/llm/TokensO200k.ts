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

const load = async (): Promise<Encoding> => {
  loading ??= import("gpt-tokenizer/encoding/o200k_base")
  loaded = await loading
  return loaded
}

/** About half a second and 60 MB. Nothing else runs meanwhile, so a host that forwards chats loads it when it starts. */
export const loadO200k: Effect.Effect<void> = Effect.promise(load)

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

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

const countSlices = async (encoding: Encoding, text: string): Promise<number> => {
  let tokens = 0
  for (let from = 0; from < text.length;) {
    const until = sliceAt(text, from)
    if (from > 0) await turn()
    tokens += countSlice(encoding, text.slice(from, until))
    from = until
  }
  return tokens
}

const countAll = async (texts: ReadonlyArray<string>): Promise<number> => {
  const encoding = loaded ?? (await load())
  let tokens = 0
  for (const text of texts) tokens += await countSlices(encoding, text)
  return tokens
}

/** Counts with the encoding `o200k_base`. Other encodings differ by less than the reservation's margin. */
export const tokensO200k: TokenEstimator = {
  count: (texts) => {
    let [chars, tokens] = [0, 0]
    for (const { length } of texts) chars += length
    if (loaded === undefined || chars > SLICE_CHARS) return countAll(texts)
    for (const text of texts) tokens += countSlice(loaded, text)
    return tokens
  }
}

export const CLASSIFICATIONS = [
  "interested",
  "not_interested",
  "out_of_office",
  "unsubscribe",
  "bounce",
  "other"
] as const
export type Classification = (typeof CLASSIFICATIONS)[number]

/** Those that programs write. */
export const AUTOMATIC: ReadonlyArray<Classification> = ["bounce", "out_of_office"]

/** Read so, a reply asks for no answer, unless its text says more. */
export const ASKS_NOTHING: ReadonlyArray<Classification> = [...AUTOMATIC, "not_interested", "unsubscribe"]

/** How much of a text is read for its intent: the beginning. A page holds as much of each body. */
export const READ_CHARS_MAX = 4_000
/** Longest beginning of an HTML part that is read for flags. */
export const HTML_READ_CHARS_MAX = 16_000

/** Text without what a store refuses: NUL and lone surrogates. */
export const readable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, "\uFFFD")

/** The first characters of a text, without splitting a surrogate pair. */
export const cut = (text: string, max: number): string => readable(text.slice(0, max).replace(/[\uD800-\uDBFF]$/, ""))

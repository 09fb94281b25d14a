/** What was written, without what no store keeps: a NUL, or half of a character. */
export const readable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, "\uFFFD")

/** The first characters of a text, none of them cut in two. */
export const cut = (text: string, max: number): string => readable(text.slice(0, max).replace(/[\uD800-\uDBFF]$/, ""))

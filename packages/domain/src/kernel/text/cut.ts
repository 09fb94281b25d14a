import { repaired } from "../text.js"

/** The first characters of a text, without splitting a surrogate pair. */
export const cut = (text: string, max: number): string => repaired(text.slice(0, max).replace(/[\uD800-\uDBFF]$/, ""))

/** Shorter texts can't nest deep enough or hold enough members to cause harm. */
const CHECKED_FROM = 1024

/** What a JSON text has too much of. */
export type Excess = "levels" | "members"

/**
 * Checks, before parsing, whether a JSON text nests deeper than `levelsMax` or has an object with more than
 * `membersMax` members (at least some hundreds). Counts brackets and colons outside strings; the text need not be
 * valid.
 */
export const excessOf = (text: string, levelsMax: number, membersMax: number): Excess | null => {
  if (text.length < CHECKED_FROM) return null
  /** Members seen so far in the open value of each level. */
  const members: Array<number> = [0]
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inString) {
      if (char === 0x5c) i++
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > levelsMax) return "levels"
      members[depth] = 0
    } else if (char === 0x7d || char === 0x5d) depth = Math.max(depth - 1, 0)
    else if (char === 0x3a) {
      const count = (members[depth] ?? 0) + 1
      if (count > membersMax) return "members"
      members[depth] = count
    }
  }
  return null
}

/** Whether a JSON text nests deeper than `levels`. */
export const isDeeper = (text: string, levels: number): boolean =>
  excessOf(text, levels, Number.POSITIVE_INFINITY) === "levels"

/** A text that is shorter cannot nest deep enough to hurt. */
const DEPTH_CHECKED_FROM = 1024

/** How deep a JSON text nests. Counts brackets outside strings; the text need not be valid. */
const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inString) {
      if (char === 0x5c) i++
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x7d || char === 0x5d) depth--
  }
  return deepest
}

/** Whether a JSON text nests deeper than so many levels, told before anything walks it. */
export const isDeeper = (text: string, levels: number): boolean =>
  text.length >= DEPTH_CHECKED_FROM && depthOf(text) > levels

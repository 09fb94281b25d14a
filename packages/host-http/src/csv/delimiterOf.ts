const DELIMITERS = [",", ";", "\t", "|"] as const

/** Detects the delimiter of a CSV from its first line. */
export const delimiterOf = (head: string): string => {
  // A quoted heading may contain a delimiter.
  const line = (head.trimStart().split(/\r?\n/, 1)[0] ?? "").replace(/"(?:[^"]|"")*"/g, "")
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ","
}

/** The beginning of the text, up to its first line with words, to detect its format; and the whole text. */
export const withHead = async (
  texts: AsyncGenerator<string>,
  charsMax: number
): Promise<{ head: string; all: AsyncGenerator<string> }> => {
  let head = ""
  while (head.length < charsMax && !head.trimStart().includes("\n")) {
    const next = await texts.next()
    if (next.done === true) break
    head += next.value
  }
  async function* all() {
    yield head
    yield* texts
  }
  return { head, all: all() }
}

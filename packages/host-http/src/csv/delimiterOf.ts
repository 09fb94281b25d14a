const DELIMITERS = [",", ";", "\t", "|"] as const

/** Detects the delimiter of a CSV from its first line. */
export const delimiterOf = (head: string): string => {
  // A quoted heading may contain a delimiter.
  const line = (head.trimStart().split(/\r?\n/, 1)[0] ?? "").replace(/"(?:[^"]|"")*"/g, "")
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ","
}

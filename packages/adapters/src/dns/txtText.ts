/** TXT values as DNS hosts write them: one or more quoted strings of at most 255 octets. */

const STRING_CHARS_MAX = 255

/** Its text without quotes and escapes, its strings joined. */
export const readTxt = (content: string): string => {
  const trimmed = content.trim()
  if (!trimmed.startsWith('"')) return trimmed
  return [...trimmed.matchAll(/"((?:[^"\\]|\\.)*)"/gs)]
    .map(([, quoted = ""]) =>
      quoted
        .replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
        .replaceAll(/\\(.)/gs, "$1")
    )
    .join("")
}

export const writeTxt = (text: string): string => {
  const strings: Array<string> = []
  for (let at = 0; at < text.length || at === 0; at += STRING_CHARS_MAX) {
    strings.push(text.slice(at, at + STRING_CHARS_MAX))
  }
  return strings.map((one) => `"${one.replaceAll(/[\\"]/g, String.raw`\$&`)}"`).join(" ")
}

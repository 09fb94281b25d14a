/** TXT values as DNS hosts write them: one or more quoted strings of at most 255 octets. */

const STRING_CHARS_MAX = 255

const unescaped = (quoted: string): string =>
  quoted
    .replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replaceAll(/\\(.)/gs, "$1")

/** Where the quotation mark is that closes the one before `from`; -1: none does. */
const closing = (content: string, from: number): number => {
  let at = from
  while (at < content.length && content[at] !== '"') at += content[at] === "\\" ? 2 : 1
  return at < content.length ? at : -1
}

/** Its text without quotes and escapes, its strings joined, in time linear in the text. */
export const readTxt = (content: string): string => {
  const trimmed = content.trim()
  if (!trimmed.startsWith('"')) return trimmed
  const strings: Array<string> = []
  for (let open = 0; open !== -1;) {
    const end = closing(trimmed, open + 1)
    if (end === -1) break
    strings.push(unescaped(trimmed.slice(open + 1, end)))
    open = trimmed.indexOf('"', end + 1)
  }
  return strings.join("")
}

export const writeTxt = (text: string): string => {
  const strings: Array<string> = []
  for (let at = 0; at < text.length || at === 0; at += STRING_CHARS_MAX) {
    strings.push(text.slice(at, at + STRING_CHARS_MAX))
  }
  return strings.map((one) => `"${one.replaceAll(/[\\"]/g, String.raw`\$&`)}"`).join(" ")
}

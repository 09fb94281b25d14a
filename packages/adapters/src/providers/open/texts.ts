import { Parser } from "htmlparser2"

/** What is there of these, each once. */
export const present = (parts: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(parts.flatMap((part) => (part === null || part === undefined || part.trim() === "" ? [] : [part.trim()])))
]

/** No text of a posting or an entry nests so deeply, and the parser's work grows with the square of the depth. */
const DEPTH_MAX = 200
const CHUNK_CHARS = 4 * 1024

/** The words of markup up to where it nests too deeply. */
const wordsIn = (markup: string): string => {
  let text = ""
  let depth = 0
  let isTooDeep = false
  const parser = new Parser({
    onopentagname: () => {
      depth += 1
      if (depth > DEPTH_MAX) isTooDeep = true
    },
    ontext: (part) => (text += part),
    onclosetag: () => {
      depth -= 1
      text += " "
    }
  })
  for (let at = 0; at < markup.length && !isTooDeep; at += CHUNK_CHARS) parser.write(markup.slice(at, at + CHUNK_CHARS))
  if (!isTooDeep) parser.end()
  return text
}

/** Whether a text holds a tag. A tag that nothing closes is none, so its start is looked for before the last `>` alone. */
const holdsTag = (text: string): boolean => /<[a-z]/i.test(text.slice(0, text.lastIndexOf(">") + 1))

/** The words of markup; of text that is written as escaped markup too. */
export const plainText = (html: string | null): string | null => {
  if (html === null) return null
  const once = wordsIn(html)
  const text = (holdsTag(once) ? wordsIn(once) : once).replace(/\s+/g, " ").trim()
  return text === "" ? null : text
}

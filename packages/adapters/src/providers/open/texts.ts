import { Parser } from "htmlparser2"

/** What is there of these, each once. */
export const present = (parts: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(parts.flatMap((part) => (part === null || part === undefined || part.trim() === "" ? [] : [part.trim()])))
]

/** The words of markup; of text that is written as escaped markup too. */
export const plainText = (html: string | null): string | null => {
  if (html === null) return null
  const words = (markup: string): string => {
    let text = ""
    const parser = new Parser({ ontext: (part) => (text += part), onclosetag: () => (text += " ") })
    parser.end(markup)
    return text
  }
  const once = words(html)
  const text = (/<[a-z][^>]*>/i.test(once) ? words(once) : once).replace(/\s+/g, " ").trim()
  return text === "" ? null : text
}

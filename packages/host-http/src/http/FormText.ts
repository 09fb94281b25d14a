import type { Issue } from "@outbound/domain/kernel/errors/Wire.js"
import { textFlaw } from "@outbound/domain/kernel/text.js"

const NOT_UTF8 = "must be percent-encoded UTF-8"

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return null
  }
}

/**
 * What is wrong with the text of a query or a form. `URLSearchParams` would read such bytes as U+FFFD, and store another
 * text than was sent.
 */
export const formFlaws = (text: string): ReadonlyArray<Issue> =>
  text.split("&").flatMap((pair) => {
    const mark = pair.indexOf("=")
    const [name, value] = [
      decoded(mark < 0 ? pair : pair.slice(0, mark)),
      decoded(mark < 0 ? "" : pair.slice(mark + 1))
    ]
    const flaw = name === null || value === null ? NOT_UTF8 : (textFlaw(name) ?? textFlaw(value))
    return flaw === null ? [] : [{ path: name === null || textFlaw(name) !== null ? "" : name, message: flaw }]
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of a body, or null if it is not UTF-8. */
export const utf8Text = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** A form's text, or null if it is not well-formed. */
export const formText = (bytes: Buffer): string | null => {
  const text = utf8Text(bytes)
  return text !== null && formFlaws(text).length === 0 ? text : null
}

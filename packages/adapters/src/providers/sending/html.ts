// Plain text as HTML for sending vendors. They expand templates, so no brace of ours may look like one, except our
// own variables.
import type { MessagePart } from "@outbound/domain/sources/ports/VendorScheduled.js"

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "{": "&#123;",
  "}": "&#125;"
}

/** Escapes text for HTML. */
export const htmlOf = (text: string): string =>
  text.replace(/[&<>"{}]/g, (character) => ESCAPES[character] ?? character).replace(/\r?\n/g, "<br/>")

/** Separates adjacent braces, which would begin a template. */
export const plainOf = (text: string): string =>
  text.replace(/\{(?=[{%])/g, "{\u200b").replace(/[}%](?=\})/g, "$&\u200b")

const written = (parts: ReadonlyArray<MessagePart>, textOf: (text: string) => string): string =>
  parts.map((part) => (typeof part === "string" ? textOf(part) : `{{${part.variable}}}`)).join("")

export const htmlBody = (parts: ReadonlyArray<MessagePart>): string => written(parts, htmlOf)
export const plainSubject = (parts: ReadonlyArray<MessagePart>): string => written(parts, plainOf)

/** A person's values, escaped for their place. */
export const valuesOf = (values: {
  readonly subjectValues: Readonly<Record<string, string>>
  readonly bodyValues: Readonly<Record<string, string>>
}): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(values.subjectValues).map(([name, value]) => [name, plainOf(value)])),
  ...Object.fromEntries(Object.entries(values.bodyValues).map(([name, value]) => [name, htmlOf(value)]))
})

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", apos: "'" }

const BREAKING = /^(?:br|\/p|\/div|\/li|\/tr)\b/i
const RAW = /^(style|script)\b/i
const TAG_NAME_CHARS = 12

/** HTML without its tags, in one pass: it is a stranger's, and of any size. A `<` that no `>` follows is a sign. */
const withoutTags = (html: string): string => {
  const lower = html.toLowerCase()
  /** Ends of elements that the rest no longer has. */
  const missing = new Set<string>()
  const texts: Array<string> = []
  let at = 0
  for (;;) {
    const open = html.indexOf("<", at)
    const close = open === -1 ? -1 : html.indexOf(">", open)
    if (close === -1) return [...texts, html.slice(at)].join("")
    const begin = html.slice(open + 1, Math.min(close, open + 1 + TAG_NAME_CHARS))
    texts.push(html.slice(at, open))
    if (BREAKING.test(begin)) texts.push("\n")
    at = close + 1
    const raw = RAW.exec(begin)?.[1]?.toLowerCase()
    if (raw === undefined || missing.has(raw)) continue
    const end = lower.indexOf(`</${raw}>`, at)
    if (end === -1) missing.add(raw)
    else at = end + raw.length + 3
  }
}

/** The text of HTML, for comparing and for messages without a text part. */
export const textOfHtml = (html: string): string =>
  withoutTags(html).replace(
    /&(?:#(\d{1,6})|([a-z]{2,6}));/gi,
    (whole, code: string | undefined, name: string | undefined) =>
      code === undefined
        ? (NAMED[(name ?? "").toLowerCase()] ?? whole)
        : String.fromCodePoint(Math.min(Number(code), 0x10ffff))
  )

/** Collapses white space. */
export const wordsOf = (text: string): string => text.replace(/[\s\u200b]+/g, " ").trim()

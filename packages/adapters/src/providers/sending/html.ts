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

/** The text of HTML, for comparing and for messages without a text part. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<(?:br|\/p|\/div|\/li|\/tr)\b[^>]*>/gi, "\n")
    .replace(/<(style|script)\b[^>]*>[^]*?<\/\1>/gi, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d{1,6})|([a-z]{2,6}));/gi, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined
        ? (NAMED[(name ?? "").toLowerCase()] ?? whole)
        : String.fromCodePoint(Math.min(Number(code), 0x10ffff))
    )

/** Collapses white space. */
export const wordsOf = (text: string): string => text.replace(/[\s\u200b]+/g, " ").trim()

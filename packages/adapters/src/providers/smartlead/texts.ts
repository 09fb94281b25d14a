import type { MessagePart } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { htmlBody, plainSubject, valuesOf } from "../sending/html.js"

/** It takes one of `{these|those}` at random: in a line, where braces can't be written otherwise, the bar is another. */
const withoutChoice = (text: string): string =>
  text.replace(/\{[^{}]*\|[^{}]*\}/g, (choice) => choice.replaceAll("|", "\u00a6"))

export const subjectOf = (parts: ReadonlyArray<MessagePart>): string => withoutChoice(plainSubject(parts))
export const bodyOf = htmlBody

/** The values of a person, which it expands like everything else. */
export const fieldsOf = (values: Parameters<typeof valuesOf>[0]): Record<string, string> =>
  Object.fromEntries(Object.entries(valuesOf(values)).map(([name, value]) => [name, withoutChoice(value)]))

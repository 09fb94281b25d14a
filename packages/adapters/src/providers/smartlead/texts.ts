import type { MessagePart } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { htmlBody, plainSubject, valuesOf } from "../sending/html.js"

/** It expands `{these|those}` at random, so the bar is replaced in lines that can't escape braces. */
const withoutChoice = (text: string): string =>
  text.replace(/\{[^{}]*\|[^{}]*\}/g, (choice) => choice.replaceAll("|", "\u00a6"))

export const subjectOf = (parts: ReadonlyArray<MessagePart>): string => withoutChoice(plainSubject(parts))
export const bodyOf = htmlBody

/** A person's values; the vendor expands templates in them too. */
export const fieldsOf = (values: Parameters<typeof valuesOf>[0]): Record<string, string> =>
  Object.fromEntries(Object.entries(valuesOf(values)).map(([name, value]) => [name, withoutChoice(value)]))

import type { Person } from "../../sources/ports/Person.js"
import { registrableDomain } from "../../kernel/people/Domain.js"

// Source data is third-party text. Implausible parts are removed here, before it is shown, kept or charged for.

const TEXT_CHARS_MAX = 300
const URL_CHARS_MAX = 500

/** Control characters, including U+0000, which can't be stored, and lone surrogates. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** E.164. */
const PHONE = /^\+[1-9]\d{6,14}$/

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:[Tt ].*)?$/

export const credibleText = (text: string | null): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" || trimmed.length > TEXT_CHARS_MAX || UNPRINTABLE.test(trimmed) ? null : trimmed
}

/** Like `UNPRINTABLE`, but allows paragraphs. */
const UNPRINTABLE_IN_PARAGRAPHS = /(?![\n\t])[\p{Cc}\p{Cs}]/u

/** A text of any length with paragraphs; null if nothing can be shown. */
export const credibleParagraphs = (text: string): string | null => {
  const trimmed = text.replace(/\r\n?/g, "\n").trim()
  return trimmed === "" || UNPRINTABLE_IN_PARAGRAPHS.test(trimmed) ? null : trimmed
}

export const credibleUrl = (text: string | null): string | null => {
  if (text === null || text.length > URL_CHARS_MAX || UNPRINTABLE.test(text) || !URL.canParse(text)) return null
  return /^https?:$/.test(new URL(text).protocol) ? text : null
}

/** The wire form of a timestamp. */
export const credibleTimestamp = (text: string | null): string | null =>
  text !== null && TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : null

export const isCrediblePhone = (text: string): boolean => PHONE.test(text)

/** The person without implausible fields. */
export const crediblePerson = (person: Person): Person => {
  const firstName = credibleText(person.firstName)
  const lastName = credibleText(person.lastName)
  const joined = firstName === null || lastName === null ? null : `${firstName} ${lastName}`
  const headcount = person.companyHeadcount
  return {
    fullName: credibleText(person.fullName) ?? joined,
    firstName,
    lastName,
    title: credibleText(person.title),
    companyName: credibleText(person.companyName),
    companyDomain: person.companyDomain === null ? null : registrableDomain(person.companyDomain),
    companyHeadcount: headcount !== null && Number.isSafeInteger(headcount) && headcount >= 0 ? headcount : null,
    companyIndustry: credibleText(person.companyIndustry),
    city: credibleText(person.city),
    country: credibleText(person.country),
    socialUrl: credibleUrl(person.socialUrl),
    observedAt: credibleTimestamp(person.observedAt)
  }
}

/** Whether the person can be identified. */
export const isIdentified = (person: Person): boolean => person.fullName !== null || person.socialUrl !== null

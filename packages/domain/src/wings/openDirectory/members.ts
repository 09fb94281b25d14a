/** Members of published records, of which any may be missing or of another type. */
import { registrableDomain } from "../../kernel/people/Domain.js"
import { isOthersSite } from "../../kernel/people/othersSites.js"
import { repaired } from "../../kernel/text.js"
import type { OpenRefusal, RawRecord } from "./OpenRecords.js"

const TEXT_CHARS_MAX = 300

export const isRecord = (value: unknown): value is RawRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The member at a path: within records of records (JSON), or under the path itself (the columns of a CSV file). */
export const memberAt = (record: RawRecord, path: string): unknown =>
  Object.hasOwn(record, path)
    ? record[path]
    : path.split(".").reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), record)

/** One line of text that can be stored; null: none. */
export const lineOf = (value: unknown): string | null => {
  if (typeof value !== "string" && typeof value !== "number") return null
  const line = repaired(String(value)).replace(/\s+/g, " ").trim().slice(0, TEXT_CHARS_MAX).trim()
  return line === "" ? null : line
}

export const lineAt = (record: RawRecord, path: string): string | null => lineOf(memberAt(record, path))

export const countAt = (record: RawRecord, path: string): number | null => {
  const text = lineAt(record, path)
  return text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null
}

/** Whether a yes is stated: `true`, as CSV files have it too, or `J`. */
export const isYes = (record: RawRecord, path: string): boolean =>
  /^(?:true|j|ja|yes)$/i.test(String(memberAt(record, path) ?? ""))

export const listAt = (record: RawRecord, path: string): ReadonlyArray<unknown> => {
  const value = memberAt(record, path)
  return Array.isArray(value) ? value : []
}

export const recordsAt = (record: RawRecord, path: string): ReadonlyArray<RawRecord> =>
  listAt(record, path).filter(isRecord)

/** YYYY-MM-DD at the beginning of a date, which may stand as DD/MM/YYYY. */
export const dayOf = (text: string | null): string | null => {
  const iso = /^\d{4}-\d{2}-\d{2}/.exec(text ?? "")?.[0]
  if (iso !== undefined) return Number.isNaN(Date.parse(iso)) ? null : iso
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text ?? "") ?? []
  const turned = `${year}-${month}-${day}`
  return year === undefined || Number.isNaN(Date.parse(turned)) ? null : turned
}

export const yearOf = (text: string | null): number | null => {
  const day = dayOf(text)
  return day === null ? null : Number(day.slice(0, 4))
}

/** A company's own domain among addresses of websites; null: there are none. */
export const ownDomainAmong = (
  sites: ReadonlyArray<string>
): string | null | Extract<OpenRefusal, "others_website"> => {
  const domains = sites.flatMap((site) => registrableDomain(site) ?? [])
  return domains.find((domain) => !isOthersSite(domain)) ?? (domains.length === 0 ? null : "others_website")
}

/** A name in capitals alone, as registers write places, with a capital for each word. */
export const inSmall = (name: string | null): string | null =>
  name === null || name !== name.toUpperCase()
    ? name
    : name.toLowerCase().replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase())

/** SPF records (RFC 7208): merged with what stands there, and counted. */
import { Effect, Result } from "effect"
import type { DomainRecords, RecordsUnavailable } from "../mail/DomainRecords.js"

/** Receivers treat a record that takes more look-ups as an error (RFC 7208 §4.6.4). */
export const SPF_LOOKUPS_MAX = 10

/** How many records are read to count the look-ups of one. */
const RECORDS_READ_MAX = 20

export const isSpf = (text: string): boolean => /^v=spf1(?:\s|$)/i.test(text)

const ALL = /^[-+~?]?all$/i
const REDIRECT = /^redirect=/i

const termsOf = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/).slice(1)

/** `+include:x` and `include:x` are the same. */
const bare = (term: string): string => term.toLowerCase().replace(/^\+/, "").replace(/\.$/, "")

/**
 * The one record that also allows these terms: the same text if it does already. Left: why we leave it alone. What others
 * wrote stays, in its order.
 */
export const mergeSpf = (
  found: ReadonlyArray<string>,
  wanted: ReadonlyArray<string>
): Result.Result<string, string> => {
  const [record] = found
  if (record === undefined) return Result.succeed(["v=spf1", ...wanted, "~all"].join(" "))
  if (found.length > 1) {
    return Result.fail(
      `There are ${found.length} SPF records, which receivers treat as an error. Keep one with the terms of all.`
    )
  }
  const terms = termsOf(record)
  if (terms.some((term) => /^\+?all$/i.test(term))) {
    return Result.fail("The SPF record ends with “+all”, so it allows every server. Change that to “~all” first.")
  }
  const known = new Set(terms.map(bare))
  const missing = wanted.filter((term) => !known.has(bare(term)))
  const isEnded = terms.some((term) => ALL.test(term) || REDIRECT.test(term))
  if (missing.length === 0 && isEnded) return Result.succeed(record)
  const end = terms.findIndex((term) => ALL.test(term) || REDIRECT.test(term))
  const at = end < 0 ? terms.length : end
  const merged = [...terms.slice(0, at), ...missing, ...terms.slice(at)]
  return Result.succeed(["v=spf1", ...merged, ...(isEnded ? [] : ["~all"])].join(" "))
}

/** The domain whose record a term reads too; null: it reads none, or one that depends on the message. */
const readBy = (term: string): string | null => {
  const domain = /^[-+~?]?(?:include:|redirect=)(.+)$/i.exec(term)?.[1]
  return domain === undefined || domain.includes("%") ? null : domain.replace(/\.$/, "").toLowerCase()
}

const isLookup = (term: string): boolean =>
  /^[-+~?]?(?:include:|exists:|(?:a|mx|ptr)(?:$|[:/]))/i.test(term) || REDIRECT.test(term)

/**
 * How many look-ups a receiver does for this record, those of included records among them. It stops counting soon after
 * too many.
 */
export const countSpfLookups = (
  records: DomainRecords["Service"],
  text: string
): Effect.Effect<number, RecordsUnavailable> =>
  Effect.gen(function* () {
    const waiting = [text]
    let [count, read] = [0, 0]
    for (let next = waiting.shift(); next !== undefined && count <= SPF_LOOKUPS_MAX; next = waiting.shift()) {
      const terms = termsOf(next)
      const hasAll = terms.some((term) => ALL.test(term))
      for (const term of terms.filter((one) => isLookup(one) && !(hasAll && REDIRECT.test(one)))) {
        count += 1
        const domain = readBy(term)
        if (domain === null || count > SPF_LOOKUPS_MAX || read >= RECORDS_READ_MAX) continue
        read += 1
        waiting.push(...(yield* records.txt(domain)).filter(isSpf).slice(0, 1))
      }
    }
    return count
  })

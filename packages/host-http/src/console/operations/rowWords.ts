import type { Json } from "@outbound/domain/kernel/canonical.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { RowMachine } from "@outbound/domain/outreach/operations/lists/RowMachine.js"

/** The texts and numbers in a value, in their order. */
const wordsIn = (value: Json | undefined): ReadonlyArray<string> => {
  if (value === null || value === undefined || typeof value === "boolean") return []
  if (typeof value !== "object") return [String(value)]
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(wordsIn)
}

/** What a row asks about: an address, a person, or a company. */
export const askedWords = ({ input }: ListRow): string => {
  if (input === null) return "No longer kept"
  const { company_domain, email, person } = input
  return wordsIn([email ?? null, person ?? null, company_domain ?? null]).join(", ")
}

/** The members that tell a result in short, by the verb that made it. */
const TOLD = [
  "status",
  "verdict",
  "work_email",
  "mobile_phone",
  "full_name",
  "title",
  "company_name",
  "signals"
] as const

type Outcome = Readonly<Record<string, Json | undefined>>

const objectOf = (value: Json | undefined): Outcome | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Outcome) : null

/** What a row's call found: a contact, or the result itself; null: the row has none. */
const foundBy = ({ body, state }: ListRow): Outcome | null => {
  if (body === null || !RowMachine.is.done(state)) return null
  const outcome = JSON.parse(body) as Outcome
  return objectOf(outcome["contact"]) ?? objectOf(outcome["person"]) ?? outcome
}

/** What came out of a row, in short; its export tells all. */
export const outcomeWords = (row: ListRow): string => {
  const { body, endedAtMillis, state } = row
  if (endedAtMillis === null) return "–"
  if (body === null) return RowMachine.is.done(state) || RowMachine.is.failed(state) ? "No longer kept" : "–"
  const outcome = JSON.parse(body) as Outcome
  if (RowMachine.is.failed(state)) return wordsIn([outcome["code"] ?? null, outcome["message"] ?? null]).join(": ")
  const found = foundBy(row) ?? {}
  const told = TOLD.flatMap((member) => {
    const value = found[member]
    return Array.isArray(value) ? [`${value.length} ${member}`] : wordsIn(value)
  })
  return told.length > 0 ? told.join(", ") : wordsIn(outcome["outcome"]).join("")
}

/** What the export has a column for, beside the whole body. */
export const FOUND = [
  "outcome",
  "status",
  "verdict",
  "work_email",
  "work_email_status",
  "email_verdict",
  "mobile_phone",
  "full_name",
  "title",
  "company_name",
  "company_domain",
  "social_url"
] as const

/** The values of these columns. */
export const foundCells = (row: ListRow): ReadonlyArray<string> => {
  const found = foundBy(row)
  if (found === null) return FOUND.map(() => "")
  const outcome = JSON.parse(row.body ?? "{}") as Outcome
  return FOUND.map((member) => wordsIn(found[member] ?? outcome[member]).join("; "))
}

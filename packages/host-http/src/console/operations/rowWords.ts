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
const TOLD = ["status", "verdict", "work_email", "full_name", "title", "company_name", "signals"] as const

/** What came out of a row, in short; its export tells all. */
export const outcomeWords = ({ body, endedAtMillis, state }: ListRow): string => {
  if (endedAtMillis === null) return "–"
  if (body === null) return RowMachine.is.done(state) || RowMachine.is.failed(state) ? "No longer kept" : "–"
  const outcome = JSON.parse(body) as Readonly<Record<string, Json | undefined>>
  if (RowMachine.is.failed(state)) return wordsIn([outcome["code"] ?? null, outcome["message"] ?? null]).join(": ")
  const found = (
    typeof outcome["person"] === "object" && outcome["person"] !== null ? outcome["person"] : outcome
  ) as Readonly<Record<string, Json | undefined>>
  return TOLD.flatMap((member) => {
    const value = found[member]
    return Array.isArray(value) ? [`${value.length} ${member}`] : wordsIn(value)
  }).join(", ")
}

import { Schema } from "effect"
import { roundType } from "../companies.js"
import { listOf, maybe, maybeTexts, Numeric } from "../shape.js"
import type { Row } from "./http.js"

export const FinancingEvent = Schema.Struct({
  ...maybeTexts("effective_date", "found_at", "first_seen_at", "financing_type", "financing_type_normalized", "amount"),
  /** In US dollars. */
  amount_normalized: maybe(Numeric),
  source_urls: listOf(Schema.String)
})

export type FinancingRow = Row<typeof FinancingEvent.Type>

export const roundOf = ({ attributes }: FinancingRow): string | null =>
  roundType(attributes.financing_type ?? attributes.financing_type_normalized)

/** When it happened, else when it was reported. */
export const dateOf = ({ attributes }: FinancingRow): string | null =>
  attributes.effective_date ?? attributes.found_at ?? attributes.first_seen_at

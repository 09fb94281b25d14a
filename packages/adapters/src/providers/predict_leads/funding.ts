import { Schema } from "effect"
import { roundType } from "../companies.js"
import { Numeric, listOf, maybe } from "../shape.js"
import type { Row } from "./http.js"

export const FinancingEvent = Schema.Struct({
  effective_date: maybe(Schema.String),
  found_at: maybe(Schema.String),
  first_seen_at: maybe(Schema.String),
  financing_type: maybe(Schema.String),
  financing_type_normalized: maybe(Schema.String),
  amount: maybe(Schema.String),
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

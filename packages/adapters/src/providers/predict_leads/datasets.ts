import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type {
  CompanyDatasetSource,
  CompanyRelationship,
  RelationshipKind
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { Effect, Option, Schema } from "effect"
import { addressOf, maybeTexts } from "../shape.js"
import { dateOf, FinancingEvent, type FinancingRow, roundOf } from "./funding.js"
import { CALL_CREDITS, type Included, type PredictLeadsSettings, type Row, rowsOf } from "./http.js"
import type { VendorParts } from "../Vendor.js"

const Connection = Schema.Struct(maybeTexts("category", "source_url", "first_seen_at", "last_seen_at"))

/** The category: what the first company of a connection is to the second. Other categories don't tell. */
const FIRST_IS: Readonly<Record<string, RelationshipKind>> = {
  vendor: "supplier",
  partner: "partner",
  integration: "partner",
  investor: "investor",
  parent: "parent"
}

/** The inverse: what the second is to the first. */
const TURNED: Readonly<Partial<Record<RelationshipKind, RelationshipKind>>> = {
  supplier: "customer",
  partner: "partner",
  parent: "subsidiary",
  subsidiary: "parent"
}

const domainOf = (companies: ReadonlyArray<Included>): string | null =>
  registrableDomain(companies[0]?.domain ?? "") ?? null

const relationshipOf = (
  row: Row<typeof Connection.Type>,
  companyDomain: string,
  { parent_is_first }: PredictLeadsSettings
): CompanyRelationship | null => {
  const category = row.attributes.category ?? ""
  const kind = category === "parent" && !parent_is_first ? "subsidiary" : FIRST_IS[category]
  const [first, second] = [domainOf(row.related("company1")), domainOf(row.related("company2"))]
  const isSecond = second === companyDomain
  const other = isSecond ? first : second
  // We have no relationship kind for an investor.
  const own = kind === undefined ? undefined : isSecond ? kind : TURNED[kind]
  if (own === undefined || other === null || other === companyDomain) return null
  const { first_seen_at, last_seen_at, source_url } = row.attributes
  return {
    companyDomain: other,
    kind: own,
    evidenceUrl: addressOf(source_url),
    observedAt: last_seen_at ?? first_seen_at
  }
}

const roundFrom = (row: FinancingRow) => ({
  date: dateOf(row)?.slice(0, 10) ?? null,
  type: roundOf(row),
  amountUsd: row.attributes.amount_normalized,
  investors: row.related("investors").flatMap(({ company_name, name }) => company_name ?? name ?? [])
})

export const makeDatasets = (parts: VendorParts<PredictLeadsSettings>): CompanyDatasetSource => ({
  ...parts.declared("company_dataset_source", { units: CALL_CREDITS, missRate: 0.4, latencyMillis: 1_000 }),
  lookups: {
    profile: null,
    technologies: null,
    funding: (companyDomain) =>
      Effect.map(
        rowsOf(parts, FinancingEvent, { companyDomain, rows: "financing_events", limit: parts.settings.rows_max }),
        (rows) => {
          const rounds = rows
            .map(roundFrom)
            .filter(({ amountUsd, date, type }) => date !== null || type !== null || amountUsd !== null)
          // It may not know all rounds, so their sum isn't a total.
          return rounds.length === 0 ? Option.none() : Option.some({ totalUsd: null, rounds })
        }
      ),
    relationships: (companyDomain) =>
      Effect.map(
        rowsOf(parts, Connection, { companyDomain, rows: "connections", limit: parts.settings.rows_max }),
        (rows) => {
          const relationships = rows.flatMap((row) => relationshipOf(row, companyDomain, parts.settings) ?? [])
          return relationships.length === 0 ? Option.none() : Option.some(relationships)
        }
      )
  }
})

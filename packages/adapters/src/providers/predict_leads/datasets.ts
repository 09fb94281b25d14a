import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type {
  CompanyDatasetSource,
  CompanyRelationship,
  RelationshipKind
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { Effect, Option, Schema } from "effect"
import { addressOf, maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import { declaredOf, type VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { dateOf, FinancingEvent, type FinancingRow, roundOf } from "./funding.js"
import { CALL_CREDITS, type Included, PREDICT_LEADS, type Row, rowsOf } from "./http.js"
import type { PredictLeadsSettings } from "./settings.js"

const Connection = Schema.Struct({
  category: maybe(Schema.String),
  source_url: maybe(Schema.String),
  first_seen_at: maybe(Schema.String),
  last_seen_at: maybe(Schema.String)
})

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

export const makeDatasets = (
  http: VendorHttp,
  settings: PredictLeadsSettings,
  config: VendorConfig,
  spend: Spend
): CompanyDatasetSource => ({
  ...declaredOf(config, PREDICT_LEADS, "company_dataset_source", {
    costMicros: CALL_CREDITS * config.unitMicros,
    missRate: 0.4,
    latencyMillis: 1_000
  }),
  lookups: {
    profile: null,
    technologies: null,
    funding: (companyDomain) =>
      Effect.map(
        rowsOf(http, spend, FinancingEvent, { companyDomain, rows: "financing_events", limit: settings.rows_max }),
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
        rowsOf(http, spend, Connection, { companyDomain, rows: "connections", limit: settings.rows_max }),
        (rows) => {
          const relationships = rows.flatMap((row) => relationshipOf(row, companyDomain, settings) ?? [])
          return relationships.length === 0 ? Option.none() : Option.some(relationships)
        }
      )
  }
})

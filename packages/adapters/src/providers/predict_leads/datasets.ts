import { registrableDomain } from "@outbound/domain/people/Domain.js"
import type {
  CompanyDatasetSource,
  CompanyRelationship,
  RelationshipKind
} from "@outbound/domain/ports/providers/CompanyDatasetSource.js"
import { Effect, Option, Schema } from "effect"
import { addressOf, maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import { declaredOf, type VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { dateOf, FinancingEvent, type FinancingRow, roundOf } from "./funding.js"
import { CALL_CREDITS, type Included, PREDICT_LEADS, type Row, rowsOf } from "./http.js"

const ROWS_MAX = 1000

const Connection = Schema.Struct({
  category: maybe(Schema.String),
  source_url: maybe(Schema.String),
  first_seen_at: maybe(Schema.String),
  last_seen_at: maybe(Schema.String)
})

/** What the second company of a connection is to the first one. The categories beside these say nothing of that. */
const SECOND_IS: Readonly<Record<string, RelationshipKind>> = {
  customer: "customer",
  vendor: "supplier",
  partner: "partner",
  integration: "partner",
  investor: "investor",
  parent: "parent"
}

/** … and what the first is to the second. */
const TURNED: Readonly<Partial<Record<RelationshipKind, RelationshipKind>>> = {
  customer: "supplier",
  supplier: "customer",
  partner: "partner",
  parent: "subsidiary"
}

const domainOf = (companies: ReadonlyArray<Included>): string | null =>
  registrableDomain(companies[0]?.domain ?? "") ?? null

const relationshipOf = (row: Row<typeof Connection.Type>, companyDomain: string): CompanyRelationship | null => {
  const kind = SECOND_IS[row.attributes.category ?? ""]
  const [first, second] = [domainOf(row.related("company1")), domainOf(row.related("company2"))]
  const isSecond = second === companyDomain
  const other = isSecond ? first : second
  // That a company invested in another one is no relationship that we know a word for.
  const own = kind === undefined ? undefined : isSecond ? TURNED[kind] : kind
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

export const makeDatasets = (http: VendorHttp, config: VendorConfig, spend: Spend): CompanyDatasetSource => ({
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
        rowsOf(http, spend, FinancingEvent, { companyDomain, rows: "financing_events", limit: ROWS_MAX }),
        (rows) => {
          const rounds = rows
            .map(roundFrom)
            .filter(({ amountUsd, date, type }) => date !== null || type !== null || amountUsd !== null)
          // It knows the rounds that it was told of, which need not be all: their sum is no total.
          return rounds.length === 0 ? Option.none() : Option.some({ totalUsd: null, rounds })
        }
      ),
    relationships: (companyDomain) =>
      Effect.map(rowsOf(http, spend, Connection, { companyDomain, rows: "connections", limit: ROWS_MAX }), (rows) => {
        const relationships = rows.flatMap((row) => relationshipOf(row, companyDomain) ?? [])
        return relationships.length === 0 ? Option.none() : Option.some(relationships)
      })
  }
})

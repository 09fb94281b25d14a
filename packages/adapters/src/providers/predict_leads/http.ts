import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { classifiedWithSaying } from "../saying.js"
import { listOf, maybe, maybeTexts } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import type { VendorParts } from "../Vendor.js"

export const PredictLeadsSettings = Schema.Struct({
  /** The most rows per call; more cost nothing extra. */
  rows_max: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })), 1_000),
  /** Whether the first company of a `parent` connection is the parent, as with the other kinds. */
  parent_is_first: setting(Schema.Boolean, true)
})

export type PredictLeadsSettings = typeof PredictLeadsSettings.Type

/** Credits per call, for any number of rows. */
export const CALL_CREDITS = 1

/** An unknown company may be a 404 with its own body. */
export const classify = (answer: VendorAnswer): Classified | "answer" | null =>
  answer.status === 404 && isJsonObject(answer.json) ? "answer" : classifiedWithSaying(answer)

/** Neither half may be empty. */
export const CREDENTIAL_FORM = { pattern: /^[^:]+:.+$/, words: "key:token" }

/** The vendor needs two secrets; the credential holds both, as `key:token`. */
export const authorize = (both: string) => {
  const colon = both.indexOf(":")
  const [key, token] = colon < 0 ? [both, ""] : [both.slice(0, colon), both.slice(colon + 1)]
  return { headers: { "x-api-key": key, "x-api-token": token } }
}

const Reference = Schema.Struct({ id: Schema.String, type: Schema.String })

/** One reference, several, or none. */
const Relationship = Schema.Struct({
  data: maybe(Schema.Union([Reference, Schema.Array(Reference)]))
})

const Included = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  attributes: maybe(Schema.Struct(maybeTexts("domain", "company_name", "name", "url", "published_at")))
})

export type Included = NonNullable<(typeof Included.Type)["attributes"]>

/** A JSON:API row and its references. */
export interface Row<A> {
  readonly attributes: A
  /** The included resources of this relationship, in order. */
  readonly related: (name: string) => ReadonlyArray<Included>
}

/** The vendor's rows of a company. */
export const rowsOf = <A, I>(
  { charged }: Pick<VendorParts, "charged">,
  attributes: Schema.Codec<A, I>,
  request: { readonly companyDomain: string; readonly rows: string; readonly limit: number }
) => {
  const Answer = Schema.Struct({
    data: listOf(
      Schema.Struct({
        attributes,
        relationships: maybe(Schema.Record(Schema.String, Relationship))
      })
    ),
    included: listOf(Included)
  })
  const path = `/companies/${encodeURIComponent(request.companyDomain)}/${request.rows}`
  return Effect.map(
    charged(Answer, { method: "GET", path, query: { limit: request.limit } }, () => CALL_CREDITS),
    ({ data, included }): ReadonlyArray<Row<A>> => {
      const known = new Map(included.map((one) => [`${one.type} ${one.id}`, one.attributes]))
      return data.map((row) => ({
        attributes: row.attributes,
        related: (name) => {
          const data = row.relationships?.[name]?.data ?? []
          return [data].flat().flatMap(({ id, type }) => known.get(`${type} ${id}`) ?? [])
        }
      }))
    }
  )
}

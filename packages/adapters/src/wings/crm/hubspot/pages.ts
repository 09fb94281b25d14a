import type { Crm, CrmOwner, CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { Id, maybe, maybeTexts } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { chunksOf, filledFields, NOTHING, pagesOf } from "../CrmHttp.js"

/** `0-3` are deals. */
const KINDS = ["contacts", "companies", "0-3"] as const
type Kind = (typeof KINDS)[number]

/** Most records of a page. Deals are fewer, because each asks for its people and companies. */
const LIMITS: Readonly<Record<Kind, number>> = { contacts: 200, companies: 200, "0-3": 25 }

/** Most records that one request reads by id, and most that one page of deals reads of each kind. */
const BATCH_MAX = 100
const NAMED_MAX = 1_000
const OWNER_PAGES_MAX = 20

/** The stages of people and companies that bought. */
const CUSTOMER_STAGES = ["customer", "evangelist"]

const Properties = Schema.Record(Schema.String, Schema.NullOr(Schema.String))
const SimpleObject = Schema.Struct({ id: Id, properties: Properties })
const Found = Schema.Struct({ results: Schema.Array(SimpleObject) })
const Associated = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      from: Schema.Struct({ id: Id }),
      to: Schema.Array(Schema.Struct({ toObjectId: Id }))
    })
  )
})
const Owners = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      id: Id,
      ...maybeTexts("email", "firstName", "lastName")
    })
  ),
  paging: maybe(Schema.Struct({ next: maybe(Schema.Struct({ after: Schema.String })) }))
})

type SimpleObject = typeof SimpleObject.Type

/** What it keeps of who opted out of all email, and of addresses to which mail came back for good. */
const NOES = ["hs_email_optout", "hs_email_bad_address", "hs_email_hard_bounce_reason_enum"] as const

const PROPERTIES: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  contacts: ["email", "hs_additional_emails", "lifecyclestage", "hubspot_owner_id", ...NOES],
  companies: ["domain", "lifecyclestage", "hubspot_owner_id"],
  "0-3": ["hs_is_closed", "hubspot_owner_id"]
}

/** The property that says when a record changed. */
const CHANGED: Readonly<Record<Kind, string>> = {
  contacts: "lastmodifieddate",
  companies: "hs_lastmodifieddate",
  "0-3": "hs_lastmodifieddate"
}

interface Filter {
  readonly propertyName: string
  readonly operator: "EQ" | "GT" | "GTE" | "IN" | "HAS_PROPERTY"
  readonly value?: string
  readonly values?: ReadonlyArray<string>
}

/** Those that matter, in one of several ways. A search has at most five of them. */
const MATTERS: Readonly<Record<Kind, ReadonlyArray<Filter>>> = {
  contacts: [
    { propertyName: "lifecyclestage", operator: "IN", values: CUSTOMER_STAGES },
    { propertyName: "hubspot_owner_id", operator: "HAS_PROPERTY" },
    { propertyName: "hs_email_optout", operator: "EQ", value: "true" },
    { propertyName: "hs_email_bad_address", operator: "EQ", value: "true" },
    { propertyName: "hs_email_hard_bounce_reason_enum", operator: "HAS_PROPERTY" }
  ],
  companies: [
    { propertyName: "lifecyclestage", operator: "IN", values: CUSTOMER_STAGES },
    { propertyName: "hubspot_owner_id", operator: "HAS_PROPERTY" }
  ],
  "0-3": [{ propertyName: "hs_is_closed", operator: "EQ", value: "false" }]
}

const emailsOf = ({ properties }: SimpleObject): ReadonlyArray<string> =>
  [properties["email"], ...(properties["hs_additional_emails"] ?? "").split(";")].filter(
    (email): email is string => typeof email === "string" && email !== ""
  )

const domainsOf = ({ properties }: SimpleObject): ReadonlyArray<string> =>
  typeof properties["domain"] === "string" ? [properties["domain"]] : []

const ownerOf = ({ properties }: SimpleObject): string | null => properties["hubspot_owner_id"] || null

const isCustomer = ({ properties }: SimpleObject): boolean =>
  CUSTOMER_STAGES.includes(properties["lifecyclestage"] ?? "")

const isOpen = ({ properties }: SimpleObject): boolean => properties["hs_is_closed"] !== "true"

/** Pages in the order of ids, each after the last id of the one before: so no list is too long, and no page is skipped. */
export const makePages = (http: VendorHttp): Crm["page"] => {
  const search = (kind: Kind, after: string | null, sinceMillis: number | null) => {
    const behind: ReadonlyArray<Filter> =
      after === null ? [] : [{ propertyName: "hs_object_id", operator: "GT", value: after }]
    const wanted =
      sinceMillis === null
        ? MATTERS[kind]
        : [{ propertyName: CHANGED[kind], operator: "GTE" as const, value: String(sinceMillis) }]
    return Effect.map(
      http.ask(Found, `/crm/v3/objects/${kind}/search`, {
        filterGroups: wanted.map((filter) => ({ filters: [filter, ...behind] })),
        sorts: ["hs_object_id"],
        properties: PROPERTIES[kind],
        limit: LIMITS[kind],
        after: "0"
      }),
      ({ results }) => results
    )
  }

  /** The ids that each deal names. */
  const associated = (deals: ReadonlyArray<SimpleObject>, to: "contacts" | "companies") =>
    Effect.map(
      http.ask(Associated, `/crm/v4/associations/deals/${to}/batch/read`, { inputs: deals.map(({ id }) => ({ id })) }),
      ({ results }) =>
        new Map(results.map(({ from, to: named }) => [from.id, named.map(({ toObjectId }) => toObjectId)]))
    )

  const named = (kind: "contacts" | "companies", ids: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(chunksOf([...new Set(ids)].slice(0, NAMED_MAX), BATCH_MAX), (chunk) =>
        http.ask(Found, `/crm/v3/objects/${kind}/batch/read`, {
          inputs: chunk.map((id) => ({ id })),
          properties: PROPERTIES[kind],
          propertiesWithHistory: []
        })
      ),
      (answers) => new Map(answers.flatMap(({ results }) => results).map((one) => [one.id, one]))
    )

  const ofDeals = (found: ReadonlyArray<SimpleObject>): Effect.Effect<ReadonlyArray<CrmRecord>, ProviderFailure> =>
    Effect.gen(function* () {
      const open = found.filter(isOpen)
      const closed = found.filter((one) => !isOpen(one)).map(({ id }) => ({ ...NOTHING, ref: `deal:${id}` }))
      if (open.length === 0) return closed
      const contactIds = yield* associated(open, "contacts")
      const companyIds = yield* associated(open, "companies")
      const contacts = yield* named("contacts", [...contactIds.values()].flat())
      const companies = yield* named("companies", [...companyIds.values()].flat())
      const deals = open.map(({ id }): CrmRecord => ({
        ...NOTHING,
        ref: `deal:${id}`,
        emails: (contactIds.get(id) ?? []).flatMap((one) => contacts.get(one) ?? []).flatMap(emailsOf),
        domains: (companyIds.get(id) ?? []).flatMap((one) => companies.get(one) ?? []).flatMap(domainsOf),
        hasOpenDeal: true
      }))
      return [...closed, ...deals]
    })

  const recordOf =
    (kind: Kind) =>
    (one: SimpleObject): CrmRecord => ({
      ref: `${kind}:${one.id}`,
      emails: emailsOf(one),
      domains: domainsOf(one),
      isCustomer: isCustomer(one),
      hasOpenDeal: false,
      ownerRef: ownerOf(one),
      fields: filledFields(one.properties, NOES)
    })

  const read = (kind: Kind) => (after: string | null, sinceMillis: number | null) =>
    Effect.gen(function* () {
      const found = yield* search(kind, after, sinceMillis)
      const records = kind === "0-3" ? yield* ofDeals(found) : found.map(recordOf(kind))
      return { records, next: found.length < LIMITS[kind] ? null : (found.at(-1)?.id ?? null) }
    })

  return pagesOf(http, Object.fromEntries(KINDS.map((kind) => [kind, read(kind)])))
}

export const makeOwners = (http: VendorHttp): Crm["owners"] =>
  Effect.gen(function* () {
    const owners: Array<CrmOwner> = []
    let after: string | null = null
    for (let pages = 0; pages < OWNER_PAGES_MAX; pages += 1) {
      const page: typeof Owners.Type = yield* http.get(Owners, "/crm/v3/owners", { limit: 100, after })
      for (const { email, firstName, id, lastName } of page.results) {
        const name = [firstName, lastName].filter((part) => (part ?? "") !== "").join(" ")
        owners.push({ ref: id, email, name: name || (email ?? id) })
      }
      const next: string | null = page.paging?.next?.after ?? null
      if (next === null || next === after) break
      after = next
    }
    return owners
  })

import type { Crm, CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import { Array, Effect, Schema } from "effect"
import { maybe, maybeTexts } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"
import { chunksOf, domainOf, filledFields, NOTHING, pagesOf } from "../CrmHttp.js"
import { allListed, Emails, emailsIn, listed, type ListOptions, quoted } from "./lists.js"

/** Most companies whose people one request reads, and most pages of them. */
const COMPANIES_MAX = 30
const PEOPLE_PAGES_MAX = 10
const OWNER_PAGES_MAX = 20

/** Stages of deals that were won or lost. Everything else is open: a workspace may name its stages as it likes. */
const WON = new Set(["CUSTOMER", "WON", "CLOSED_WON"])
const LOST = new Set(["LOST", "CLOSED_LOST", "CLOSED"])

const Company = Schema.Struct({
  id: Schema.String,
  ...maybeTexts("deletedAt", "accountOwnerId"),
  domainName: maybe(Schema.Struct({ primaryLinkUrl: maybe(Schema.String) }))
})
/** With the fields that its workspace made: one of them may say whether people may be mailed. */
const Person = Schema.StructWithRest(
  Schema.Struct({
    id: Schema.String,
    deletedAt: maybe(Schema.String),
    emails: Emails,
    companyId: maybe(Schema.String),
    company: maybe(Company)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
const Opportunity = Schema.Struct({
  id: Schema.String,
  ...maybeTexts("deletedAt", "stage"),
  pointOfContact: maybe(Person),
  company: maybe(Company)
})
const Member = Schema.Struct({
  id: Schema.String,
  name: maybe(Schema.Struct({ firstName: maybe(Schema.String), lastName: maybe(Schema.String) })),
  userEmail: maybe(Schema.String)
})

const domainsIn = (company: typeof Company.Type | null): ReadonlyArray<string> => {
  const domain = domainOf(company?.domainName?.primaryLinkUrl ?? null)
  return domain === null ? [] : [domain]
}

/** Deleted records come only if the filter names when they were. */
const changedSince = (sinceMillis: number): string => {
  const time = quoted(new Date(sinceMillis).toISOString())
  return `or(updatedAt[gte]:${time},deletedAt[gte]:${time})`
}

/** A deal says how its contact and its company stand; a company says who owns it and its people. */
export const makePages = (http: VendorHttp): Crm["page"] => {
  /** People of companies that tell no domain, by company: nothing else ties them to it. */
  const peopleOf = (deals: ReadonlyArray<typeof Opportunity.Type>) =>
    Effect.gen(function* () {
      const ids = deals.flatMap(({ company }) =>
        company === null || company.deletedAt !== null || domainsIn(company).length > 0 ? [] : [company.id]
      )
      const people = yield* Effect.forEach(chunksOf([...new Set(ids)], COMPANIES_MAX), (chunk) =>
        allListed(
          http,
          "people",
          Person,
          { filter: `companyId[in]:[${chunk.map(quoted).join(",")}]` },
          PEOPLE_PAGES_MAX
        )
      )
      return Array.groupBy(people.flat(), ({ companyId }) => companyId ?? "")
    })

  const opportunities = (options: ListOptions) =>
    Effect.gen(function* () {
      const { next, records } = yield* listed(http, "opportunities", Opportunity, { ...options, depth: 1 })
      const matters = records.filter(({ deletedAt, stage }) => deletedAt === null && !LOST.has(stage ?? ""))
      const people = yield* peopleOf(matters)
      const found = records.map((deal): CrmRecord => {
        if (!matters.includes(deal)) return { ...NOTHING, ref: `deal:${deal.id}` }
        const { company, id, pointOfContact, stage } = deal
        const isWon = WON.has(stage ?? "")
        const named = [...(pointOfContact === null ? [] : [pointOfContact]), ...(people[company?.id ?? ""] ?? [])]
        const emails = named.flatMap((one) => (one.deletedAt === null ? emailsIn(one.emails) : []))
        const standing = { domains: domainsIn(company), isCustomer: isWon, hasOpenDeal: !isWon }
        return { ...NOTHING, ref: `deal:${id}`, emails: [...new Set(emails)], ...standing }
      })
      return { records: found, next }
    })

  const companies = (options: ListOptions) =>
    Effect.map(listed(http, "companies", Company, options), ({ next, records }) => ({
      records: records.map((company): CrmRecord => {
        const said = { domains: domainsIn(company), ownerRef: company.accountOwnerId || null }
        return { ...NOTHING, ref: `company:${company.id}`, ...(company.deletedAt === null ? said : {}) }
      }),
      next
    }))

  const people = (options: ListOptions) =>
    Effect.map(listed(http, "people", Person, { ...options, depth: 1 }), ({ next, records }) => ({
      records: records.map((person): CrmRecord => {
        const { company, deletedAt, emails, id } = person
        const said = {
          emails: emailsIn(emails),
          ownerRef: company?.accountOwnerId || null,
          fields: filledFields(person)
        }
        return { ...NOTHING, ref: `person:${id}`, ...(deletedAt === null ? said : {}) }
      }),
      next
    }))

  const read =
    (kind: (options: ListOptions) => ReturnType<typeof companies>) =>
    (after: string | null, sinceMillis: number | null) =>
      kind({ after, ...(sinceMillis === null ? {} : { filter: changedSince(sinceMillis) }) })

  return pagesOf(http, { opportunities: read(opportunities), companies: read(companies), people: read(people) })
}

export const makeOwners = (http: VendorHttp): Crm["owners"] =>
  Effect.map(allListed(http, "workspaceMembers", Member, {}, OWNER_PAGES_MAX), (members) =>
    members.map(({ id, name, userEmail }) => ({
      ref: id,
      name: [name?.firstName, name?.lastName].filter(Boolean).join(" ") || (userEmail ?? id),
      email: userEmail
    }))
  )

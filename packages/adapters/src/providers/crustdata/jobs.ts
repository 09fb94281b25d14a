import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { HEADCOUNT_MIN_DEFAULT } from "@outbound/domain/data/companies/findCompanies.js"
import type {
  CompanyCriteria,
  CompanyPage,
  CompanyQuery,
  FoundCompany,
  HiringSearch
} from "@outbound/domain/sources/ports/CompanySource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Schema } from "effect"
import { companyPage, hiringEvidence, united } from "../companies.js"
import { gather } from "../pages.js"
import { maybe } from "../shape.js"
import { Company, foundCompany } from "./companies.js"
import { pageBody, readCharged } from "./endpoints.js"
import { allOf, anyOf, type Filter, leaf, within } from "./filters.js"
import { ROW_CREDITS } from "./people.js"
import type { VendorParts } from "../Vendor.js"

const PAGES_MAX = 2

/** Postings read per wanted company: companies that hire have several. */
const POSTINGS_PER_COMPANY = 4

const Posting = Schema.Struct({
  job_details: Schema.Struct({ title: maybe(Schema.String), url: maybe(Schema.String) }),
  company: maybe(Company),
  content: maybe(Schema.Struct({ description: maybe(Schema.String) })),
  metadata: maybe(Schema.Struct({ date_added: maybe(Schema.String) }))
})

const JobsPage = Schema.Struct({ job_listings: Schema.Array(Posting), next_cursor: maybe(Schema.String) })

/** A posting's company can be filtered by size, not by industry or headquarters. */
export const servesHiring = ({ countryCodes, industries, search }: CompanyCriteria): boolean =>
  search.kind === "signals" &&
  search.hiring !== null &&
  search.technologies.length === 0 &&
  countryCodes.length + industries.length === 0

/** Null if no size is requested, because the filter drops companies of unknown size. */
const sizeFilter = ({ headcountMax, headcountMin }: CompanyQuery): Filter | null =>
  headcountMin <= HEADCOUNT_MIN_DEFAULT && headcountMax === null
    ? null
    : within("company.headcount.total", headcountMin, headcountMax)

const companyOf = ({ company, content, job_details, metadata }: typeof Posting.Type): FoundCompany | null => {
  const found = company === null ? null : foundCompany(company)
  const addedAt = metadata?.date_added ?? null
  if (found === null || addedAt === null || job_details.title === null) return null
  const posting = { text: content?.description ?? null, url: job_details.url }
  return { ...found, evidence: [hiringEvidence(job_details.title, addedAt, posting)] }
}

export const makeHiring =
  (parts: Pick<VendorParts, "http" | "spend">) =>
  (query: CompanyQuery, hiring: HiringSearch): Effect.Effect<CompanyPage, ProviderFailure> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const since = new Date(now - hiring.postedWithinDays * DAY_MILLIS).toISOString().slice(0, 10)
      const filters = allOf([
        leaf("metadata.date_added", "=>", since),
        sizeFilter(query),
        anyOf(hiring.titles.map((title) => leaf("job_details.title", "[.]", title))),
        anyOf(hiring.descriptionContains.map((text) => leaf("content.description", "[.]", text)))
      ])
      const { isMore, items } = yield* gather({
        first: "",
        pagesMax: PAGES_MAX,
        itemsMax: query.limit * POSTINGS_PER_COMPANY,
        ask: (cursor: string, missing) =>
          Effect.map(
            readCharged(
              parts,
              JobsPage,
              "/job/search",
              { ...pageBody(filters, cursor, missing), sorts: [{ field: "metadata.date_added", order: "desc" }] },
              ({ job_listings }) => job_listings.length * ROW_CREDITS
            ),
            ({ job_listings, next_cursor }) => ({ items: job_listings, next: next_cursor })
          )
      })
      const companies = united(items.flatMap((posting) => companyOf(posting) ?? []))
      return companyPage(query, companies, isMore || companies.length > query.limit)
    })

import { type FoundSignal, NOWHERE } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect, Option, Schema } from "effect"
import { membersOf } from "../../platform/membersOf.js"
import { setting } from "../../platform/setting.js"
import type { Classified } from "../classify.js"
import { makeOpenHttp, type OpenAnswer } from "../open/OpenHttp.js"
import { declaredOf, defineVendor, type VendorFacts } from "../Vendor.js"
import { type Filing, makeFilings } from "./filings.js"

const FACTS = {
  name: "edgar",
  title: "SEC EDGAR",
  baseUrl: "https://data.sec.gov",
  callsPerMinute: 300,
  unit: "search",
  unitMicros: 0,
  serves: ["intent_source", "company_dataset_source"],
  isOpen: true,
  terms: "public domain; at most 10 requests a second, with a contact in the User-Agent",
  limits: [
    "Needs no account, but the setting `contact`: the SEC refuses readers that name none.",
    "Signals: funding (Form D) and job changes (8-K, item 5.02). Dataset: funding, the amounts sold by Form D.",
    "It knows filers, not domains: filings count only if one filer has the company's name, and its website, town, telephone or ticker, or a link to it, is on the company's own pages; or if it is the only one of its name, and the state agrees."
  ],
  known: "documentation"
} as const satisfies VendorFacts

const HOSTS = {
  data: "https://data.sec.gov",
  search: "https://efts.sec.gov/LATEST",
  archives: "https://www.sec.gov/Archives"
} as const

const BaseUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s?#]+[^\s?#/]$/, {
    message: "must be an http(s) address without query, fragment and slash at its end"
  })
)

const Contact = Schema.String.check(
  Schema.isPattern(/^[\x20-\x7e]{3,200}$/, { message: "must be a name and an address, in printable ASCII" })
)

const Settings = Schema.Struct({
  base_urls: setting(Schema.Struct(membersOf(Schema.optional(BaseUrl), ["data", "search", "archives"])), {}),
  /** Whom the SEC may write to, such as `Acme Inc ops@acme.example`. */
  contact: setting(Schema.NullOr(Contact), null)
})

/** Without a contact, and above its limit, it answers with a page and 403. */
const classify = ({ status, text }: OpenAnswer): Classified | null => {
  if (status !== 403 && status !== 429) return null
  if (/rate threshold|request rate/i.test(text.slice(0, 20_000)))
    return { reason: "rate_limited", retryAfterSeconds: 600 }
  return status === 429 ? null : { reason: "account", cause: "it refuses the contact in the User-Agent" }
}

/** The most Form Ds whose amounts are read. */
const ROUNDS_MAX = 5

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 })

/** What companies file with the SEC. */
export const edgar = defineVendor({
  ...FACTS,
  settings: Settings,
  unserved: ({ contact }) =>
    contact === null ? { intent_source: "settings.contact", company_dataset_source: "settings.contact" } : {},
  make: (config, { base_urls, contact }, { web }) =>
    Effect.gen(function* () {
      if (contact === null)
        return { sources: {}, account: Effect.succeed({ left: null, missing: ["settings.contact is not set"] }) }
      const { callsPerMinute } = config
      const http = yield* makeOpenHttp({ name: FACTS.name, contact, callsPerMinute, keepSeconds: 3_600, classify })
      const own = Object.fromEntries(Object.entries(base_urls).filter(([, url]) => url !== undefined))
      const edgarAt = makeFilings(http, web, { ...HOSTS, ...own })

      const sold = (filing: Filing) => Effect.map(edgarAt.soldBy(filing), (amountUsd) => ({ filing, amountUsd }))

      const fundingOf = (companyDomain: string) =>
        Effect.flatMap(edgarAt.filings(companyDomain, "D"), (filings) =>
          filings === null ? Effect.succeed(null) : Effect.forEach(filings.slice(0, ROUNDS_MAX), sold)
        )

      const signal = (companyDomain: string, filing: Filing, title: string, summary: string): FoundSignal => ({
        companyDomain,
        title,
        summary,
        observedAt: filing.filedAt,
        evidenceUrl: edgarAt.pageOf(filing),
        newsType: null
      })

      return {
        sources: {
          intent_source: {
            ...declaredOf(config, FACTS.name, "intent_source", { costMicros: 0, missRate: 0.9, latencyMillis: 3_000 }),
            signals: ["funding" as const, "job_change" as const],
            check: ({ companyDomain, limit, signal: kind }) =>
              Effect.gen(function* () {
                if (kind === "funding") {
                  const rounds = yield* fundingOf(companyDomain)
                  if (rounds === null) return NOWHERE
                  return rounds.slice(0, limit).map(({ amountUsd, filing }) => {
                    const amount =
                      amountUsd === null || amountUsd === 0
                        ? "securities"
                        : `${dollars.format(amountUsd)} of securities`
                    return signal(
                      companyDomain,
                      filing,
                      `Form ${filing.form}`,
                      `Sold ${amount} in an exempt offering (Form ${filing.form})`
                    )
                  })
                }
                const filings = yield* edgarAt.filings(companyDomain, "8-K")
                if (filings === null) return NOWHERE
                return filings
                  .filter(({ items }) => items.includes("5.02"))
                  .slice(0, limit)
                  .map((filing) =>
                    signal(
                      companyDomain,
                      filing,
                      "8-K, item 5.02",
                      "Reported that directors or officers left, or were elected or appointed"
                    )
                  )
              })
          },
          company_dataset_source: {
            ...declaredOf(config, FACTS.name, "company_dataset_source", {
              costMicros: 0,
              missRate: 0.9,
              latencyMillis: 3_000
            }),
            lookups: {
              profile: null,
              technologies: null,
              relationships: null,
              funding: (companyDomain: string) =>
                Effect.map(fundingOf(companyDomain), (rounds) =>
                  rounds === null || rounds.length === 0
                    ? Option.none()
                    : Option.some({
                        totalUsd: null,
                        rounds: rounds.map(({ amountUsd, filing }) => ({
                          date: filing.filedAt,
                          type: `Form ${filing.form}`,
                          amountUsd,
                          investors: []
                        }))
                      })
                )
            }
          }
        },
        account: Effect.succeed({ left: null, missing: [] })
      }
    })
})

import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { Clock, Effect, Option, Result } from "effect"
import { rankLinks } from "../../site/choosePages.js"
import { markupOf } from "../../site/markup.js"
import { siteReaderOf } from "../../site/WebSiteReader.js"
import type { Beside } from "../Beside.js"
import { unreadableSite } from "../open/OpenHttp.js"
import { declaredOf, defineVendor, type VendorConfig, type VendorFacts } from "../Vendor.js"
import { writeBrief } from "./brief.js"
import { OWN_FINGERPRINTS } from "./fingerprints.js"
import { profileOf } from "./profile.js"
import { readFingerprints } from "./readFingerprints.js"
import { WebSettings } from "../open/webSettings.js"
import { compiled, technologiesIn } from "./technologies.js"

const FACTS = {
  name: "web",
  title: "Companies' own websites",
  baseUrl: "",
  callsPerMinute: null,
  unit: "page",
  unitMicros: 0,
  serves: ["site_reader", "brief_writer", "company_dataset_source"],
  isOpen: true,
  terms: "each site's robots.txt (RFC 9309), which is obeyed",
  limits: [
    "Needs no account. Reads a few pages a question, at most 12 seconds of one site.",
    "Briefs hold only what the company's own pages say, each sentence with its page. With a `judge` its model shortens them, and what its page does not say is left out; without one, they are the pages' own words.",
    "Datasets: profile and technologies. A profile has what the pages state; technologies are those that a page, its headers or the mail hosts show.",
    "The setting `fingerprints` names a file in the schema that `enthec/webappanalyzer` publishes: `scriptSrc`, `headers`, `meta`, `cookies`, `dns.MX` and `implies` are used."
  ],
  known: "specification"
} as const satisfies VendorFacts

const PAGES_MAX = 4

const datasets = (
  config: VendorConfig,
  { mailHosts, web }: Beside,
  sets: Effect.Effect<ReadonlyArray<ReturnType<typeof compiled>>>
): CompanyDatasetSource => {
  const visited = (companyDomain: string, pagesMax: number) =>
    Effect.flatMap(
      web.visit({
        companyDomain,
        pagesMax,
        choose: (at, links) => rankLinks(at, links, "about company imprint contact")
      }),
      (visit) => {
        if (visit._tag === "Visited")
          return Effect.succeed(visit.pages.map((page) => ({ page, markup: markupOf(page.html) })))
        const failure = unreadableSite(FACTS.name, visit.reason)
        return failure === null ? Effect.succeed([]) : Effect.fail(failure)
      }
    )
  return {
    ...declaredOf(config, FACTS.name, "company_dataset_source", { costMicros: 0, missRate: 0.3, latencyMillis: 3_000 }),
    lookups: {
      funding: null,
      relationships: null,
      profile: (companyDomain) =>
        Effect.map(visited(companyDomain, PAGES_MAX), (pages) => Option.fromNullishOr(profileOf(companyDomain, pages))),
      technologies: (companyDomain) =>
        Effect.gen(function* () {
          const [read, hosts] = yield* Effect.all(
            [Effect.result(visited(companyDomain, 1)), mailHosts(companyDomain)],
            {
              concurrency: 2
            }
          )
          // The mail hosts tell something also where the website can't be read.
          if (Result.isFailure(read) && hosts.length === 0) return yield* Effect.fail(read.failure)
          const pages = Result.getOrElse(read, () => [])
          if (pages.length === 0 && hosts.length === 0) return Option.none()
          const day = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
          const found = technologiesIn(yield* sets, { pages, mailHosts: hosts }, day)
          return found.length === 0 ? Option.none() : Option.some(found)
        })
    }
  }
}

/** Companies' own websites: their pages, what they state, and what they are made with. */
export const web = defineVendor({
  ...FACTS,
  settings: WebSettings,
  make: (config, { fingerprints }, beside) =>
    Effect.gen(function* () {
      const own = compiled(OWN_FINGERPRINTS)
      const read =
        fingerprints === null
          ? Option.none()
          : yield* Effect.option(Effect.tryPromise(async () => compiled(await readFingerprints(fingerprints))))
      const isMissing = fingerprints !== null && Option.isNone(read)
      if (isMissing) yield* Effect.logWarning("the file of fingerprints can't be read")
      const sets = Effect.succeed(Option.isSome(read) ? [own, read.value] : [own])
      return {
        sources: {
          site_reader: {
            ...siteReaderOf(beside.web),
            ...declaredOf(config, FACTS.name, "site_reader", { costMicros: 0, missRate: 0.1, latencyMillis: 2_000 })
          },
          brief_writer: {
            ...declaredOf(config, FACTS.name, "brief_writer", { costMicros: 0, missRate: 0.3, latencyMillis: 8_000 }),
            depths: ["fast", "deep"],
            write: writeBrief({ web: beside.web, model: beside.model, judge: beside.judge })
          },
          company_dataset_source: datasets(config, beside, sets)
        },
        account: Effect.succeed({
          left: null,
          missing: isMissing ? ["the file of fingerprints can't be read; our own are used"] : []
        })
      }
    })
})

import { parseRepaired } from "@outbound/domain/kernel/text.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Schema } from "effect"
import { type Markup, markupOf, ofType, textIn } from "../../site/markup.js"
import type { WebVisitor } from "../../site/WebVisitor.js"
import { isNamed, namesOf, ORGANIZATIONS } from "../boards/theirs.js"
import type { OpenHttp } from "../open/OpenHttp.js"
import { listOf, maybe } from "../shape.js"
import { rankLinks } from "../../site/choosePages.js"

export interface EdgarHosts {
  readonly data: string
  readonly search: string
  readonly archives: string
}

/** One filing of a company. */
export interface Filing {
  readonly form: string
  /** YYYY-MM-DD. */
  readonly filedAt: string
  readonly cik: string
  /** The accession number, with its dashes. */
  readonly accession: string
  readonly items: ReadonlyArray<string>
}

const Hits = Schema.Struct({
  hits: Schema.Struct({
    hits: Schema.Array(
      Schema.Struct({
        _source: Schema.Struct({
          adsh: Schema.String,
          ciks: Schema.Array(Schema.String),
          display_names: Schema.Array(Schema.String),
          file_date: Schema.String,
          form: maybe(Schema.String),
          items: listOf(Schema.String),
          biz_locations: listOf(Schema.String)
        })
      })
    )
  })
})

type Hit = (typeof Hits.Type)["hits"]["hits"][number]["_source"]

const DAY = /^\d{4}-\d{2}-\d{2}$/
const ACCESSION = /^\d{10}-\d{2}-\d{6}$/
const CIK = /^\d{1,10}$/

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "")

/** Where a company says that it is: cities and states, as its pages state them. */
const placesIn = (
  companyDomain: string,
  pages: ReadonlyArray<Markup>,
  names: ReadonlyArray<string>
): ReadonlyArray<string> =>
  pages
    .flatMap(({ data }) => ofType(data, ORGANIZATIONS))
    .filter((one) => {
      const name = textIn(one, "name")
      return name !== null && (isNamed(name, names) || name.toLowerCase().includes(companyDomain))
    })
    .flatMap((one) => [one["address"]].flat())
    .flatMap((address) => {
      if (typeof address !== "object" || address === null) return []
      const city = textIn(address as Readonly<Record<string, unknown>>, "addressLocality")
      return city === null ? [] : [plain(city)]
    })
    .filter((city) => city !== "")

const PAGES_MAX = 3

/** Finds the filings of one company: its exact name, at the city that its own pages state. */
export const makeFilings = (http: OpenHttp, web: WebVisitor, hosts: EdgarHosts) => {
  const read = <A, I>(schema: Schema.Codec<A, I>, text: string): Effect.Effect<A, ProviderFailure> =>
    Effect.flatMap(
      Effect.try({
        try: () => Schema.decodeUnknownOption(schema)(parseRepaired(text)),
        catch: () => http.failed("transient", "its answer is not JSON")
      }),
      (found) =>
        Option.isSome(found)
          ? Effect.succeed(found.value)
          : Effect.fail(http.failed("transient", "its answer is not as documented"))
    )

  /** `ACME INC  (ACM)  (CIK 0001234567)`. */
  const isTheirs = (
    { biz_locations, display_names }: Hit,
    names: ReadonlyArray<string>,
    cities: ReadonlyArray<string>
  ) =>
    display_names.some((shown, at) => {
      const city = plain((biz_locations[at] ?? biz_locations[0] ?? "").split(",")[0] ?? "")
      return isNamed(shown.replace(/\s*\(.*$/, ""), names) && cities.includes(city)
    })

  return {
    /** Null: nothing proves which filer is the company. */
    filings: (companyDomain: string, forms: string): Effect.Effect<ReadonlyArray<Filing> | null, ProviderFailure> =>
      Effect.gen(function* () {
        const choose = (at: URL, links: Parameters<typeof rankLinks>[1]) =>
          rankLinks(at, links, "about contact imprint")
        const visit = yield* web.visit({ companyDomain, pagesMax: PAGES_MAX, choose })
        if (visit._tag === "Unreadable") return null
        const pages = visit.pages.map(({ html }) => markupOf(html))
        const names = namesOf(companyDomain, pages).filter((name) => name !== companyDomain)
        const cities = placesIn(companyDomain, pages, names)
        const name = names.at(-1)
        if (cities.length === 0 || name === undefined) return null
        const query = new URLSearchParams({ q: `"${name.replaceAll('"', "")}"`, forms })
        const answer = yield* http.get(`${hosts.search}/search-index?${query.toString()}`)
        if (answer.status >= 400) return yield* Effect.fail(http.failed("transient", `status ${answer.status}`))
        const { hits } = yield* read(Hits, answer.text)
        const theirs = hits.hits.map(({ _source }) => _source).filter((hit) => isTheirs(hit, names, cities))
        // Two filers of one name at one place: neither is beyond doubt.
        const ciks = new Set(theirs.map(({ ciks: [cik] }) => cik))
        if (ciks.size !== 1) return null
        const each = theirs.flatMap(({ adsh, ciks: [cik = ""], file_date, form, items }): ReadonlyArray<Filing> =>
          DAY.test(file_date) && ACCESSION.test(adsh) && CIK.test(cik)
            ? [{ form: form ?? forms, filedAt: file_date, cik: String(Number(cik)), accession: adsh, items }]
            : []
        )
        return [...new Map(each.map((one) => [one.accession, one])).values()].sort((a, b) =>
          b.filedAt.localeCompare(a.filedAt)
        )
      }),
    /** The filing's own page. */
    pageOf: ({ accession, cik }: Filing): string =>
      `${hosts.archives}/edgar/data/${cik}/${accession.replaceAll("-", "")}/${accession}-index.htm`,
    /** What was sold by a Form D, in US dollars; null: it doesn't say. */
    soldBy: ({ accession, cik }: Filing): Effect.Effect<number | null, ProviderFailure> =>
      Effect.map(
        http.get(
          `${hosts.archives}/edgar/data/${cik}/${accession.replaceAll("-", "")}/primary_doc.xml`,
          "application/xml"
        ),
        ({ status, text }) => {
          const amount =
            status >= 400 ? undefined : /<totalAmountSold>\s*(\d{1,15})\s*<\/totalAmountSold>/.exec(text)?.[1]
          return amount === undefined ? null : Number(amount)
        }
      )
  }
}

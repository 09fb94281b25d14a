import { parseRepaired } from "@outbound/domain/kernel/text.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Schema } from "effect"
import { rankLinks } from "../../site/choosePages.js"
import type { WebVisitor } from "../../site/WebVisitor.js"
import { readPages } from "../open/names.js"
import type { OpenHttp } from "../open/OpenHttp.js"
import { listOf, maybe, maybeTexts } from "../shape.js"
import { type Filer, isCalled, type Stated, statedBy, theFiler } from "./identity.js"

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
  /** What it and its amendments are about, such as one offering. */
  readonly fileNumber: string
  /** Its latest amendment, if there is one. */
  readonly amendedBy: string | null
}

const Hits = Schema.Struct({
  hits: Schema.Struct({
    total: maybe(Schema.Struct({ value: Schema.Number })),
    hits: Schema.Array(
      Schema.Struct({
        _source: Schema.Struct({ ciks: Schema.Array(Schema.String), display_names: Schema.Array(Schema.String) })
      })
    )
  })
})

const Address = maybe(Schema.Struct(maybeTexts("city", "stateOrCountry", "zipCode")))

const Submissions = Schema.Struct({
  name: Schema.String,
  ...maybeTexts("website", "investorWebsite", "phone"),
  tickers: listOf(maybe(Schema.String)),
  formerNames: listOf(Schema.Struct(maybeTexts("name"))),
  addresses: maybe(Schema.Struct({ mailing: Address, business: Address })),
  filings: Schema.Struct({
    recent: Schema.Struct({
      accessionNumber: Schema.Array(Schema.String),
      filingDate: Schema.Array(Schema.String),
      form: Schema.Array(Schema.String),
      items: listOf(maybe(Schema.String)),
      fileNumber: listOf(maybe(Schema.String))
    })
  })
})

const DAY = /^\d{4}-\d{2}-\d{2}$/
const ACCESSION = /^\d{10}-\d{2}-\d{6}$/
const CIK = /^\d{1,10}$/

const PAGES_MAX = 4
/** The most names that are searched for, and filers that are looked at. */
const NAMES_MAX = 2
const FILERS_MAX = 6

/** A filer, and what it filed. */
interface Filed {
  readonly filer: Filer
  readonly filings: ReadonlyArray<Filing>
}

const filedOf = (cik: string, { addresses, filings: { recent }, ...read }: typeof Submissions.Type): Filed => ({
  filer: {
    cik,
    name: read.name,
    formerNames: read.formerNames.flatMap(({ name }) => name ?? []),
    websites: [read.website, read.investorWebsite].flatMap((at) => (at === null || at.trim() === "" ? [] : [at])),
    phone: read.phone,
    tickers: read.tickers.flatMap((ticker) => ticker ?? []),
    addresses: [addresses?.business, addresses?.mailing].flatMap((one) =>
      one === null || one === undefined ? [] : [{ city: one.city, state: one.stateOrCountry, zip: one.zipCode }]
    )
  },
  filings: recent.accessionNumber.flatMap((accession, at): ReadonlyArray<Filing> => {
    const [filedAt = "", form = ""] = [recent.filingDate[at], recent.form[at]]
    const items = (recent.items[at] ?? "").split(",").filter((item) => item !== "")
    if (!DAY.test(filedAt) || !ACCESSION.test(accession)) return []
    return [{ form, filedAt, cik, accession, items, fileNumber: recent.fileNumber[at] ?? "", amendedBy: null }]
  })
})

/** Filings of a form, newest first. Amendments of one offering are no offerings of their own. */
const ofForm = (filings: ReadonlyArray<Filing>, form: string): ReadonlyArray<Filing> => {
  const all = filings
    .filter((one) => one.form === form || one.form === `${form}/A`)
    .sort((a, b) => a.filedAt.localeCompare(b.filedAt))
  const known = new Map<string, Filing>()
  for (const one of all) {
    const key = form === "D" && one.fileNumber !== "" ? one.fileNumber : one.accession
    const before = known.get(key)
    known.set(key, before === undefined ? one : { ...before, amendedBy: one.accession })
  }
  return [...known.values()].reverse()
}

/** A name as it is searched for: without its legal form, and without what the search reads as an operator. */
const phraseOf = (name: string): string =>
  name
    .replace(/["()]/g, " ")
    .replace(/[\s,]+(?:inc|incorporated|corp|corporation|llc|ltd|limited|co|company|lp|plc)\.?\s*$/i, "")
    .replace(/\s+/g, " ")
    .trim()

/** Finds the filings of one company: those of the filer that is the company beyond doubt. */
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

  /** The filers of a name among those who filed these forms. */
  const filersCalled = (name: string, forms: string, stated: Stated) =>
    Effect.gen(function* () {
      const query = new URLSearchParams({ q: `"${name}"`, forms })
      const answer = yield* http.get(`${hosts.search}/search-index?${query.toString()}`)
      if (answer.status >= 400) return yield* Effect.fail(http.failed("transient", `status ${answer.status}`))
      const { hits } = yield* read(Hits, answer.text)
      // `ACME INC  (ACM)  (CIK 0001234567)`, each beside its CIK.
      const filers = hits.hits.flatMap(({ _source: { ciks: given, display_names } }) =>
        display_names.flatMap((shown, at) => {
          const cik = given[at] ?? ""
          return CIK.test(cik)
            ? [{ cik: String(Number(cik)), isCalled: isCalled(stated, shown.replace(/\s*\(.*$/, "")) }]
            : []
        })
      )
      return { filers, areAll: (hits.total?.value ?? hits.hits.length) <= hits.hits.length }
    })

  const filedBy = (cik: string): Effect.Effect<ReadonlyArray<Filed>, ProviderFailure> =>
    Effect.gen(function* () {
      const answer = yield* http.get(`${hosts.data}/submissions/CIK${cik.padStart(10, "0")}.json`)
      return answer.status >= 400 ? [] : [filedOf(cik, yield* read(Submissions, answer.text))]
    })

  return {
    /** Newest first. Null: nothing proves which filer is the company. */
    filings: (companyDomain: string, form: string): Effect.Effect<ReadonlyArray<Filing> | null, ProviderFailure> =>
      Effect.gen(function* () {
        const choose = (at: URL, links: Parameters<typeof rankLinks>[1]) =>
          rankLinks(at, links, "about contact imprint legal investors")
        const visit = yield* web.visit({ companyDomain, pagesMax: PAGES_MAX, choose })
        if (visit._tag === "Unreadable") return null
        const stated = statedBy(companyDomain, readPages(visit.pages))
        const found = yield* Effect.forEach(stated.written.slice(0, NAMES_MAX), (name) =>
          filersCalled(phraseOf(name), form, stated)
        )
        const filers = found.flatMap((one) => one.filers)
        const called = new Set([...stated.ciks, ...filers.flatMap(({ cik, isCalled }) => (isCalled ? [cik] : []))])
        // The others may have had the name before.
        const looked = new Set([...called, ...filers.map(({ cik }) => cik)])
        const filed = yield* Effect.forEach([...looked].slice(0, FILERS_MAX), filedBy)
        const areAll = found.every((one) => one.areAll) && called.size <= FILERS_MAX
        const all = filed.flat()
        const chosen = theFiler(
          stated,
          all.map(({ filer }) => filer),
          areAll
        )
        const theirs = all.find(({ filer }) => filer === chosen)
        return theirs === undefined ? null : ofForm(theirs.filings, form)
      }),
    /** The filing's own page. */
    pageOf: ({ accession, cik }: Filing): string =>
      `${hosts.archives}/edgar/data/${cik}/${accession.replaceAll("-", "")}/${accession}-index.htm`,
    /** What was sold by a Form D, in US dollars; null: it doesn't say. */
    soldBy: ({ accession, amendedBy, cik }: Filing): Effect.Effect<number | null, ProviderFailure> =>
      Effect.map(
        http.get(
          `${hosts.archives}/edgar/data/${cik}/${(amendedBy ?? accession).replaceAll("-", "")}/primary_doc.xml`,
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

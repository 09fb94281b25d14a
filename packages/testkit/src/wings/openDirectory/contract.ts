import { assert, it } from "@effect/vitest"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { CompanyQuery, CompanySearch } from "@outbound/domain/sources/ports/CompanySource.js"
import { companyCheck } from "@outbound/domain/data/companies/companyCheck.js"
import { crediblePage } from "@outbound/domain/data/companies/credibleCompany.js"
import { OpenDirectoryLoader, layer as loader } from "@outbound/domain/wings/openDirectory/OpenDirectoryLoader.js"
import { type FileRecord, OpenFiles } from "@outbound/domain/wings/openDirectory/OpenFiles.js"
import { type OpenLoad, OpenDirectoryStore } from "@outbound/domain/wings/openDirectory/OpenDirectoryStore.js"
import { openDirectorySource } from "@outbound/domain/wings/openDirectory/openDirectorySource.js"
import type { OpenPublisher } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { Clock, Effect, Fiber, Layer, Stream } from "effect"
import { SUITE } from "../../contracts/fixtures.js"
import { british, finnish, place, unit } from "./openRecords.js"

type Needs = OpenDirectoryStore | UnitOfWork | Ids

const CRITERIA = { audience: "", industries: [], countryCodes: [], headcountMin: 10, headcountMax: null }

const local = (locations: ReadonlyArray<string>, categories: ReadonlyArray<string> = []): CompanySearch => ({
  kind: "local",
  locations,
  categories
})

const firmographic = (
  locations: ReadonlyArray<string>,
  keywords: ReadonlyArray<string> = [],
  excludeKeywords: ReadonlyArray<string> = []
): CompanySearch => ({ kind: "firmographic", locations, keywords, excludeKeywords })

/** What `find_companies` would show of it: what the source says, checked as every source's answer is. */
const found = (search: CompanySearch, over: Partial<CompanyQuery> = {}) =>
  Effect.gen(function* () {
    const source = yield* openDirectorySource
    const query: CompanyQuery = { ...CRITERIA, search, limit: 25, lowConfidenceLimit: 0, ...over }
    const page = crediblePage(yield* source.search(query))
    assert.isNotNull(page)
    const { companies, unsure } = companyCheck(query, page, yield* Clock.currentTimeMillis)
    return [...companies, ...unsure]
  })

const domainsOf = (companies: Effect.Success<ReturnType<typeof found>>): ReadonlyArray<string> =>
  companies.map(({ company }) => company.domain).toSorted()

/** The records of these tests stand in no files. */
const NO_FILES = Layer.succeed(OpenFiles, { open: (path) => Effect.die(new Error(`${path} was opened`)) })

let files = 0

interface Given {
  readonly publisher?: OpenPublisher
  readonly part?: string
  readonly fileKey?: string
  readonly mayShrink?: boolean
  /** How many records a piece has. */
  readonly piece?: number
  readonly progress?: (load: OpenLoad) => Effect.Effect<void>
}

const load = (records: ReadonlyArray<FileRecord>, given: Given = {}) =>
  Effect.gen(function* () {
    const { load } = yield* OpenDirectoryLoader
    const { fileKey = `file ${(files += 1)}`, part = "all", piece = 5_000, publisher = "overture" } = given
    return yield* load({
      publisher,
      part,
      fileKey,
      mayShrink: given.mayShrink ?? false,
      progress: given.progress ?? (() => Effect.void),
      records: (skipped) =>
        Stream.fromIterable(
          Array.from({ length: Math.ceil((records.length - skipped) / piece) }, (_, at) =>
            records.slice(skipped + at * piece, skipped + (at + 1) * piece)
          )
        )
    })
  })

/** What the open directory guarantees, on every store. The tests of a suite share its rows, so each has its own places. */
export const openDirectoryContract = <E>(name: string, stores: Layer.Layer<Needs, E>): void => {
  it.layer(loader.pipe(Layer.provide(NO_FILES), Layer.provideMerge(stores)), SUITE)(
    `the open directory (${name})`,
    (it) => {
      it.effect("a country's code is no word of another meaning: NA is Namibia", () =>
        Effect.gen(function* () {
          const places = [
            place("n1", { city: "Windhoek", region: "NA-KH", country: "NA", category: "bakery", site: "windhoek.na" }),
            place("n2", { city: "Windhoek", region: "FO-ST", country: "FO", category: "bakery", site: "windhoek.fo" })
          ]
          assert.deepInclude(yield* load(places, { part: "namibia" }), { added: 2, refused: {} })
          const [{ company } = { company: null }] = yield* found(local(["Windhoek, Namibia"], ["bakery"]))
          assert.deepInclude(company, { domain: "windhoek.na", countryCode: "NA", country: "Namibia" })
          assert.deepStrictEqual(domainsOf(yield* found(firmographic(["Windhoek"]), { countryCodes: ["NA"] })), [
            "windhoek.na"
          ])
        })
      )

      it.effect(
        "local businesses are found by place and line of business, with source and licence in the evidence",
        () =>
          Effect.gen(function* () {
            const done = yield* load(
              [
                place("l1", {
                  name: "Backhaus",
                  city: "München",
                  category: "bakery",
                  site: "https://backhaus.de/laden"
                }),
                place("l2", { city: "München", category: "hair_salon", site: "schnitt.de", dataset: "Foursquare" }),
                place("l3", { city: "München", country: "AT", category: "bakery", site: "elsewhere.at" }),
                place("l4", { city: "Augsburg", category: "bakery", site: "augsburg-brot.de" }),
                place("l5", { city: "München", category: "bakery", site: "https://facebook.com/brot" }),
                place("l6", { city: "München", category: "bakery", site: null }),
                place("l7", { city: "München", category: "bakery", site: "zu.de", status: "permanently_closed" }),
                place("l8", { city: "München", category: "bakery", site: "wer.de", dataset: "Somebody" }),
                { id: "l9", names: null },
                null
              ],
              { part: "munich" }
            )
            assert.deepInclude(done, { state: "ended", position: 10, added: 4, updated: 0, known: 0, retired: 0 })
            assert.deepStrictEqual(done.refused, {
              others_website: { count: 1, first: 5 },
              no_website: { count: 1, first: 6 },
              closed: { count: 1, first: 7 },
              unknown_licence: { count: 1, first: 8 },
              no_name: { count: 1, first: 9 },
              unreadable: { count: 1, first: 10 }
            })
            // Whether the city is named in English or in its own language.
            for (const city of ["Munich, Germany", "München, Germany"]) {
              const bakeries = yield* found(local([city], ["bakery"]))
              assert.deepStrictEqual(domainsOf(bakeries), ["backhaus.de"])
              const [{ company, evidence } = { company: null, evidence: [] }] = bakeries
              assert.deepInclude(company, { name: "Backhaus", city: "München", countryCode: "DE" })
              assert.deepInclude(evidence[0], {
                signal: "local",
                subject: "bakery",
                evidenceUrl: "https://backhaus.de/"
              })
              assert.include(evidence[0]?.summary, "Overture Maps Foundation (meta), CDLA-Permissive-2.0")
              assert.strictEqual(evidence[0]?.observedAt, "2026-10-14T00:00:00.000Z")
            }
            const salons = yield* found(local(["Munich, Germany"], ["hair salon"]))
            assert.deepStrictEqual(domainsOf(salons), ["schnitt.de"])
            assert.include(salons[0]?.evidence[0]?.summary, "Foursquare), Apache-2.0")
            assert.deepStrictEqual(domainsOf(yield* found(local(["Munich, Germany"]))), ["backhaus.de", "schnitt.de"])
            assert.deepStrictEqual(domainsOf(yield* found(local(["Munich, Germany"], ["florist"]))), [])
          })
      )

      it.effect("companies are found by country, size, industry and keyword; one per domain", () =>
        Effect.gen(function* () {
          yield* load(
            [
              unit("900000001", { name: "STOR AS", site: "stor.no", employees: 120 }),
              unit("900000002", { site: "www.liten.no", employees: 3 }),
              unit("900000003", { site: "https://ukjent.no" }),
              unit("900000004", { site: "fisk.no", employees: 60, code: "03.110", line: "Hav- og kystfiske" }),
              unit("900000005", { site: "stor.no", employees: 40, name: "STOR DATTER AS" }),
              unit("900000006", { form: "ENK", name: "KARI NORDMANN" }),
              unit("900000007", { isBankrupt: true })
            ],
            { publisher: "brreg" }
          )
          const norway = { countryCodes: ["NO"] }
          // The default minimum of employees leaves out those that are known to be smaller.
          const all = yield* found(firmographic([]), norway)
          assert.deepStrictEqual(domainsOf(all), ["fisk.no", "stor.no", "ukjent.no"])
          assert.deepInclude(all.find(({ company }) => company.domain === "stor.no")?.company, {
            name: "STOR AS",
            headcount: 120,
            foundedYear: 1999,
            city: "Oslo"
          })
          const sized = yield* found(firmographic([]), { ...norway, headcountMin: 50, headcountMax: 100 })
          assert.deepStrictEqual(domainsOf(sized), ["fisk.no"])
          // In the register's words, and in English.
          for (const keyword of ["kystfiske", "fishing"]) {
            assert.deepStrictEqual(domainsOf(yield* found(firmographic(["Oslo, Norway"], [keyword]))), ["fisk.no"])
          }
          const [fish] = yield* found(firmographic(["Norway"], ["fishing"]))
          assert.include(fish?.evidence[0]?.summary, "Brønnøysundregistrene, NLOD-2.0")
          const industry = fish?.company.industry ?? ""
          assert.include(domainsOf(yield* found(firmographic(["Norway"]), { industries: [industry] })), "fisk.no")
          assert.notInclude(domainsOf(yield* found(firmographic(["Norway"]), { industries: [industry] })), "stor.no")
        })
      )

      it.effect("a later file of a part updates its rows, retires those it lacks, and leaves other parts alone", () =>
        Effect.gen(function* () {
          const city = { city: "Bremen" }
          const first = ["b1", "b2", "b3", "b4"].map((ref) => place(ref, { ...city, site: `${ref}.de` }))
          yield* load(first, { part: "bremen" })
          yield* load([place("x1", { ...city, site: "x1.de" })], { part: "bremerhaven" })
          const later = [
            place("b1", { ...city, site: "b1.de" }),
            place("b2", { ...city, site: "b2-new.de" }),
            place("b3", { ...city, site: "b3.de" }),
            place("b3", { ...city, site: "b3.de" })
          ]
          const done = yield* load(later, { part: "bremen" })
          assert.deepInclude(done, { added: 0, updated: 1, known: 3, retired: 1, generation: 2 })
          assert.deepStrictEqual(domainsOf(yield* found(local(["Bremen, Germany"]))), [
            "b1.de",
            "b2-new.de",
            "b3.de",
            "x1.de"
          ])
        })
      )

      it.effect("a file with less than half of what it replaces retires nothing unless somebody says it is whole", () =>
        Effect.gen(function* () {
          const records = ["c1", "c2", "c3"].map((ref) => place(ref, { city: "Celle", site: `${ref}.de` }))
          yield* load(records, { part: "celle" })
          const cut = { part: "celle", fileKey: "cut off" }
          const failure = yield* Effect.flip(load(records.slice(0, 1), cut))
          assert.strictEqual(failure._tag, "FileShrunk")
          assert.lengthOf(yield* found(local(["Celle, Germany"])), 3)
          const done = yield* load(records.slice(0, 1), { ...cut, mayShrink: true })
          assert.deepInclude(done, { retired: 2, position: 1 })
          assert.lengthOf(yield* found(local(["Celle, Germany"])), 1)
        })
      )

      it.effect("a load that dies goes on after its last batch, and counts as one run", () =>
        Effect.gen(function* () {
          const records = Array.from({ length: 20 }, (_, at) =>
            at % 5 === 4 ? null : place(`d${at}`, { city: "Demmin", site: `d${at}.de` })
          )
          const given = { part: "demmin", fileKey: "the same file", piece: 4 }
          const dying = yield* Effect.forkChild(
            load(records, {
              ...given,
              progress: ({ position }) => (position === 12 ? Effect.interrupt : Effect.void)
            })
          )
          yield* Fiber.await(dying)
          let firstSeen = -1
          const done = yield* load(records, {
            ...given,
            progress: ({ position }) => Effect.sync(() => (firstSeen = firstSeen === -1 ? position : firstSeen))
          })
          assert.strictEqual(firstSeen, 12)
          assert.deepInclude(done, {
            state: "ended",
            position: 20,
            added: 16,
            updated: 0,
            known: 0,
            retired: 0,
            generation: 1
          })
          assert.deepStrictEqual(done.refused, { unreadable: { count: 4, first: 5 } })
          // The same file again begins anew, and finds nothing new.
          assert.deepInclude(yield* load(records, given), { added: 0, known: 16, generation: 2 })
        })
      )

      it.effect("of two processes that load one part, the older one stops before it writes again", () =>
        Effect.gen(function* () {
          const records = Array.from({ length: 8 }, (_, at) => place(`e${at}`, { city: "Emden", site: `e${at}.de` }))
          const context = yield* Effect.context<OpenDirectoryLoader>()
          const other = Effect.provide(load(records.slice(4), { part: "emden" }), context)
          const failure = yield* Effect.flip(
            load(records, {
              part: "emden",
              piece: 2,
              progress: ({ position }) => (position === 4 ? Effect.asVoid(Effect.orDie(other)) : Effect.void)
            })
          )
          assert.strictEqual(failure._tag, "LoadTakenOver")
          assert.deepStrictEqual(domainsOf(yield* found(local(["Emden, Germany"]))), [
            "e4.de",
            "e5.de",
            "e6.de",
            "e7.de"
          ])
        })
      )

      it.effect(
        "a register's company without a website gets the one of the place with its name in its town, as uncertain",
        () =>
          Effect.gen(function* () {
            const leeds = { city: "Leeds", region: "GB-ENG", country: "GB", category: "software_development" }
            yield* load(
              [
                place("g1", { ...leeds, name: "Brightbox", site: "brightbox.co.uk" }),
                place("g2", { ...leeds, name: "Twice", site: "twice-one.co.uk" }),
                place("g3", { ...leeds, name: "Twice Ltd", site: "twice-two.co.uk" }),
                place("g4", { ...leeds, name: "Faraway", city: "York", site: "faraway.co.uk" }),
                place("g5", { ...leeds, name: "Double", site: "double.co.uk" })
              ],
              { part: "leeds" }
            )
            yield* load(
              [
                british("00000001", { name: "BRIGHTBOX LIMITED" }),
                british("00000002", { name: "TWICE LIMITED" }),
                british("00000003", { name: "FARAWAY LTD" }),
                british("00000004", { name: "DOUBLE LTD" }),
                british("00000005", { name: "DOUBLE PLC" }),
                british("00000006", { status: "Liquidation" }),
                british("00000007", { line: "99999 - Dormant Company" })
              ],
              { publisher: "companies_house" }
            )
            const store = yield* OpenDirectoryStore
            const everything = { places: null, countryCodes: ["GB"], categories: null, limit: 50 }
            const sizes = { headcountMin: null, headcountMax: null, unknownSizePasses: true }
            const of = (name: string) =>
              Effect.map(store.search({ ...everything, ...sizes }), ({ companies }) =>
                companies.filter((company) => company.name === name)
              )
            // The place states the domain itself, so the search shows the place; the register's row is behind it.
            assert.lengthOf(yield* of("Brightbox"), 1)
            // Once the place is gone from its file, the register's company has no website either.
            yield* load([place("g9", { ...leeds, name: "Other", site: "other.co.uk" })], {
              part: "leeds",
              mayShrink: true
            })
            assert.lengthOf(yield* of("BRIGHTBOX LIMITED"), 0)
            assert.lengthOf(yield* of("TWICE LIMITED"), 0)
            assert.lengthOf(yield* of("DOUBLE LTD"), 0)
          })
      )

      it.effect("each result names its publisher and the licence of its row", () =>
        Effect.gen(function* () {
          yield* load([place("l1", { city: "Visby", region: "SE-I", country: "SE", site: "visby-shop.se" })], {
            part: "visby"
          })
          yield* load([unit("900000201", { site: "lisens.no", town: "LISENSBY" })], {
            publisher: "brreg",
            part: "lisens"
          })
          yield* load([finnish("7654321-0", { site: "www.lupa-yhtio.fi" })], { publisher: "prh", part: "lupa" })
          const every = yield* Effect.map(
            Effect.all([
              found(local(["Visby, Sweden"])),
              found(firmographic(["Lisensby, Norway"])),
              found(firmographic(["Helsinki, Finland"]))
            ]),
            (each) => each.flat()
          )
          const saying = (domain: string) =>
            every.find(({ company }) => company.domain === domain)?.company.evidence.map(({ summary }) => summary) ?? []
          assert.match(saying("visby-shop.se").join(), /Source: Overture Maps Foundation \(.+\), \S+\.$/)
          assert.match(saying("lisens.no").join(), /Source: Enhetsregisteret, Brønnøysundregistrene, NLOD-2\.0\.$/)
          assert.match(saying("lupa-yhtio.fi").join(), /Source: PRH, YTJ, CC-BY-4\.0\.$/)
        })
      )

      it.effect("a file of another publisher is refused at its beginning, and nothing changes", () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(load([unit("900000099")], { publisher: "prh" }))
          assert.strictEqual(failure._tag, "FileOfAnother")
          const { loads } = yield* OpenDirectoryLoader
          assert.deepInclude(
            (yield* loads).find(({ publisher }) => publisher === "prh"),
            { added: 0, position: 0 }
          )
        })
      )
    }
  )
}

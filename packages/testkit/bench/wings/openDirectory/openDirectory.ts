/**
 * The import of a million places as Overture publishes them, beside COPY of the very rows that it wrote; and searches
 * among them, as `find_companies` asks the open directory.
 */
import * as NodeIds from "@outbound/adapters/platform/NodeIds.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import { openFile } from "@outbound/adapters/wings/openDirectory/files/openFile.js"
import * as PgOpenDirectoryStore from "@outbound/adapters/wings/openDirectory/PgOpenDirectoryStore.js"
import type { CompanyQuery } from "@outbound/domain/sources/ports/CompanySource.js"
import * as Loader from "@outbound/domain/wings/openDirectory/OpenDirectoryLoader.js"
import { OpenFiles } from "@outbound/domain/wings/openDirectory/OpenFiles.js"
import { openDirectorySource } from "@outbound/domain/wings/openDirectory/openDirectorySource.js"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createWriteStream } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import pg from "pg"
import { onBed } from "../../Bed.js"
import { copy } from "../../Copy.js"
import { machine, n, row, tell } from "../../Report.js"
import { CITIES, overtureLines, PIECE, TYPES } from "./overtureLines.js"

const PLACES = Number(process.env["BENCH_PLACES"] ?? 1_000_000)
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 40)
const LIMIT = 25
/** The places come in so many files, and COPY has its turn after each: what else the machine does slows both. */
const SLICES = 10

const at = <A>(list: ReadonlyArray<A>, index: number): A => list[index % list.length] as A

const ANY: CompanyQuery = {
  search: { kind: "firmographic", locations: [], keywords: [], excludeKeywords: [] },
  audience: "",
  industries: [],
  countryCodes: [],
  headcountMin: 10,
  headcountMax: null,
  limit: LIMIT,
  lowConfidenceLimit: 0
}

const local = (locations: ReadonlyArray<string>, categories: ReadonlyArray<string>): Partial<CompanyQuery> => ({
  search: { kind: "local", locations, categories }
})

/** What is asked, another time each. */
const SEARCHES: Readonly<Record<string, (round: number) => Partial<CompanyQuery>>> = {
  "a type of business in a city": (i) => local([`${at(CITIES, i * 7)}, Germany`], [at(TYPES, i).replaceAll("_", " ")]),
  "everything in the largest city": () => local([`${at(CITIES, 0)}, Germany`], []),
  "a type in five cities": (i) =>
    local(
      [0, 1, 2, 3, 4].map((k) => `${at(CITIES, i + k)}, Germany`),
      [at(TYPES, i).replaceAll("_", " ")]
    ),
  "a type in a region": (i) => local(["BY, Germany"], [at(TYPES, i).replaceAll("_", " ")]),
  "a country": () => ({ countryCodes: ["DE"] }),
  "an industry in a country": () => ({ countryCodes: ["DE"], industries: ["Restaurants"] }),
  "a keyword in two countries": (i) => ({
    countryCodes: ["DE", "AT"],
    search: {
      kind: "firmographic",
      locations: [],
      keywords: [at(["repair", "shop", "school", "law"], i)],
      excludeKeywords: []
    }
  }),
  "a type that nobody has": () => local([`${at(CITIES, 0)}, Germany`], ["lighthouse keeper"])
}

interface Times {
  readonly name: string
  readonly millis: ReadonlyArray<number>
  readonly found: number
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([duration, value]) => [Duration.toMillis(duration), value] as const)

const ascending = (values: ReadonlyArray<number>): ReadonlyArray<number> => values.toSorted((a, b) => a - b)
const share = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const partOf = (slice: number): string => `bench-${slice}`

/** The files, each with a tenth of the places. */
const writePlaces = async (folder: string): Promise<ReadonlyArray<string>> => {
  const paths: Array<string> = []
  const pieces = overtureLines(PLACES)
  const perSlice = Math.ceil(PLACES / PIECE / SLICES)
  for (let slice = 0; slice < SLICES; slice++) {
    const path = join(folder, `${partOf(slice)}.jsonl`)
    const file = createWriteStream(path, { highWaterMark: 1024 * 1024 })
    for (let piece = 0; piece < perSlice; piece++) {
      const { done, value } = pieces.next()
      if (done !== true && !file.write(value)) await once(file, "drain")
    }
    file.end()
    await once(file, "close")
    paths.push(path)
  }
  return paths
}

/** What a slice took, in milliseconds. */
interface Slice {
  readonly first: number
  readonly copied: number
  readonly bare: number
}

interface Import {
  readonly slices: ReadonlyArray<Slice>
  readonly again: number
}

const importPlaces = (paths: ReadonlyArray<string>, bare: pg.Client) =>
  Effect.gen(function* () {
    const { loadFile } = yield* Loader.OpenDirectoryLoader
    const run = (slice: number) =>
      timed(
        loadFile(at(paths, slice), {
          publisher: "overture",
          part: partOf(slice),
          mayShrink: false,
          progress: () => Effect.void
        })
      )
    const copying = async (table: string, data: Buffer): Promise<number> => {
      const since = performance.now()
      await copy(bare, `COPY ${table} FROM STDIN`, data)
      return performance.now() - since
    }
    yield* Effect.promise(() => bare.query("CREATE TABLE copied (LIKE open_companies INCLUDING ALL)"))
    yield* Effect.promise(() => bare.query("CREATE TABLE copied_bare (LIKE open_companies)"))
    const slices: Array<Slice> = []
    let added = 0
    for (let slice = 0; slice < SLICES; slice++) {
      const [first, loaded] = yield* run(slice)
      added += loaded.added
      const data = yield* Effect.promise(() =>
        copy(bare, `COPY (SELECT * FROM open_companies WHERE part = '${partOf(slice)}') TO STDOUT`)
      )
      const copied = yield* Effect.promise(() => copying("copied", data))
      slices.push({ first, copied, bare: yield* Effect.promise(() => copying("copied_bare", data)) })
    }
    if (added !== PLACES) return yield* Effect.die(new Error(`${added} of ${PLACES} were added`))
    yield* Effect.promise(() => bare.query("DROP TABLE copied, copied_bare"))
    let [again, known] = [0, 0]
    for (let slice = 0; slice < SLICES; slice++) {
      const [took, repeated] = yield* run(slice)
      again += took
      known += repeated.known
    }
    if (known !== PLACES) return yield* Effect.die(new Error(`${known} of ${PLACES} were known`))
    return { slices, again } satisfies Import
  })

const searches = Effect.gen(function* () {
  const { search } = yield* openDirectorySource
  return yield* Effect.forEach(Object.entries(SEARCHES), ([name, queryOf]) =>
    Effect.gen(function* () {
      const millis: Array<number> = []
      let found = 0
      for (let round = 0; round < ROUNDS; round++) {
        const [took, page] = yield* timed(search({ ...ANY, ...queryOf(round) }))
        millis.push(took)
        found = page.companies.length
      }
      return { name, millis, found } satisfies Times
    })
  )
})

const bench = (url: string, paths: ReadonlyArray<string>, bare: pg.Client) =>
  Effect.gen(function* () {
    const pool = PgPool.layer({
      url: Redacted.make(url),
      applicationName: "bench",
      connectionsMax: 2,
      statementMillisMax: 1_200_000
    })
    yield* migrate().pipe(Effect.provide(pool))
    // The tables stand in a schema of ours.
    yield* Effect.promise(() =>
      bare.query(`
        SELECT set_config('search_path', c.relnamespace::regnamespace::text, false)
        FROM pg_class c WHERE c.relname = 'open_companies'
      `)
    )
    const layer = Loader.layer.pipe(
      Layer.provide(Layer.succeed(OpenFiles, { open: openFile })),
      Layer.provideMerge(Layer.mergeAll(PgOpenDirectoryStore.layer, PgUnitOfWork.layer, NodeIds.layer)),
      Layer.provideMerge(pool)
    )
    return yield* Effect.all({ imported: importPlaces(paths, bare), searched: searches }).pipe(Effect.provide(layer))
  })

const tables = ({
  imported,
  searched
}: {
  readonly imported: Import
  readonly searched: ReadonlyArray<Times>
}): string => {
  const line = (name: string, found: string, millis: ReadonlyArray<number>) => {
    const sorted = ascending(millis)
    return row([name, found, n(share(sorted, 0.5), 1), n(share(sorted, 0.99), 1), n(sorted.at(-1) ?? 0, 1)])
  }
  const rate = (millis: number) => n((PLACES / millis) * 1_000)
  const { again, slices } = imported
  const total = (of: keyof Slice): number => slices.reduce((sum, slice) => sum + slice[of], 0)
  const ratios = ascending(slices.map(({ copied, first }) => copied / first))
  return [
    row([`files of ${PLACES} places together`, "places/s", "of COPY's"]),
    row(["---", "---:", "---:"]),
    row(["imported", rate(total("first")), `**${n(total("copied") / total("first"), 2)}**`]),
    row([
      `the slowest and the fastest of its ${SLICES} parts`,
      "",
      `${n(share(ratios, 0), 2)} to ${n(share(ratios, 1), 2)}`
    ]),
    row(["the same again, with nothing new", rate(again), n(total("copied") / again, 2)]),
    row(["COPY of its rows, into the same table with its indexes", rate(total("copied")), ""]),
    row(["COPY of its rows, into a table without any", rate(total("bare")), ""]),
    "",
    row(["a search for", "returned", "p50 ms", "p99 ms", "slowest"]),
    row(["---", "---:", "---:", "---:", "---:"]),
    ...searched.map(({ found, millis, name }) => line(name, n(found), millis)),
    line(
      "**all of them**",
      "",
      searched.flatMap(({ millis }) => millis)
    )
  ].join("\n")
}

const report = (text: string): string => `## An open directory of ${PLACES} places

${machine}, one PostgreSQL with default settings. The files are lines of JSON with the members of Overture's places:
${CITIES.length} cities of three countries, a tenth of the places in the largest, ${TYPES.length} types of business. ${ROUNDS} searches
of each kind, each with other values, for ${LIMIT} companies.

${text}

- **imported**: \`outbound directory import --from overture\`. It reads, checks and identifies each place, writes them in
  transactions of 5,000 that also keep how far it is, and then looks for what it retires and names.
- **COPY** writes the resulting rows of each part in one transaction, right after the part was imported: what else the machine does
  slows both.
- **a search**: the source of \`find_companies\`. It interprets places and lines of business, and returns one company per domain.
`

await onBed(async ({ dataDir, finally: atEnd, url }) => {
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  atEnd(() => bare.end())
  const paths = await writePlaces(dataDir)
  const text = tables(await Effect.runPromise(bench(url, paths, bare)))
  tell("published", text, report(text))
})

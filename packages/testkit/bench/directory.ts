/**
 * Searches among 10 million people of one workspace, narrow and broad, as `find_leads` asks its directory; and the import
 * of a list, beside COPY of the very rows that it wrote.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgDirectoryStore from "@outbound/adapters/postgres/PgDirectoryStore.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import * as PgWorkspaceStore from "@outbound/adapters/postgres/PgWorkspaceStore.js"
import { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import * as DirectoryImportLive from "@outbound/domain/data/directory/DirectoryImport.js"
import { directorySources } from "@outbound/domain/data/directory/directorySources.js"
import type { LeadQuery } from "@outbound/domain/sources/ports/LeadSource.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { openList } from "@outbound/host-http/commands/openList.js"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { onBed } from "./Bed.js"
import { copy } from "./Copy.js"
import { AREAS, CITIES, COUNTRIES, GRADES, INDUSTRIES, peopleSql, ROLES, WORDS } from "./directoryPeople.js"
import { machine, n, row, tell } from "./Report.js"

const PEOPLE = Number(process.env["BENCH_PEOPLE"] ?? 10_000_000)
const IMPORTED = Number(process.env["BENCH_IMPORTED"] ?? 200_000)
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 40)
const LIMIT = 25

const ANYBODY: LeadQuery = {
  audience: "heads of sales at software companies",
  titles: [],
  locations: [],
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  limit: LIMIT
}

const at = <A>(list: ReadonlyArray<A>, index: number): A => list[index % list.length] as A

/** What is asked, another time each; from what almost everybody is to what nobody is. */
const SEARCHES: Readonly<Record<string, (round: number) => Partial<LeadQuery>>> = {
  everybody: () => ({}),
  "one word of titles (a tenth of all)": (i) => ({ titles: [at(ROLES, i)] }),
  "a part of a word": (i) => ({ titles: [at(["anage", "irect", "special", "nsult", "market"], i)] }),
  "a country": (i) => ({ locations: [at(COUNTRIES, i)] }),
  "a title in a country": (i) => ({ titles: [`${at(AREAS, i)} ${at(ROLES, i + 3)}`], locations: [at(COUNTRIES, i)] }),
  "three titles, DACH, two industries, 51 to 1,000 employees": (i) => ({
    titles: [at(AREAS, i), at(AREAS, i + 1), at(AREAS, i + 2)],
    locations: ["DACH"],
    industries: [at(INDUSTRIES, i), at(INDUSTRIES, i + 1)],
    headcountMin: 51,
    headcountMax: 1_000
  }),
  "an exact title in a city": (i) => ({
    titles: [`${at(GRADES, i)} ${at(AREAS, i)} ${at(ROLES, i)}`],
    locations: [`City ${(i * 7) % CITIES}`]
  }),
  "a rare word of titles": (i) => ({ titles: [`(w${(i * 977) % WORDS})`] }),
  "ten titles": (i) => ({ titles: Array.from({ length: 10 }, (_, k) => `${at(GRADES, i + k)} ${at(AREAS, i * k)}`) }),
  "200 companies": (i) => ({
    companyDomains: Array.from({ length: 200 }, (_, k) => `company-${(i * 200 + k) % 400_000}.com`),
    titles: [at(ROLES, i)]
  }),
  "two common words that no title has together": (i) => ({ titles: [`${at(ROLES, i)} ${at(ROLES, i + 1)}`] })
}

interface Times {
  readonly name: string
  readonly millis: ReadonlyArray<number>
  readonly found: number
}

const share = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const ascending = (values: ReadonlyArray<number>): ReadonlyArray<number> => values.toSorted((a, b) => a - b)

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([duration, value]) => [Duration.toMillis(duration), value] as const)

/** Indexes are made afterwards, and nothing of the seed is logged: it is not what is measured. */
const seed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SET statement_timeout = 0`
    yield* sql`SET maintenance_work_mem = '512MB'`
    yield* sql`TRUNCATE directory_people, directory_words`
    yield* sql`ALTER TABLE directory_people SET UNLOGGED`
    yield* sql`ALTER TABLE directory_people SET (autovacuum_enabled = false)`
    const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
      SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'directory_people' AND indexname <> 'directory_people_pkey'
    `
    for (const { name } of indexes) yield* sql`DROP INDEX ${sql(name)}`
    yield* sql`ALTER TABLE directory_people DROP CONSTRAINT directory_people_pkey`
    yield* sql.unsafe(peopleSql(workspaceId, PEOPLE))
    yield* sql`ALTER TABLE directory_people ADD PRIMARY KEY (workspace_id, fingerprint)`
    for (const { definition } of indexes) yield* sql.unsafe(definition)
    yield* sql`
      INSERT INTO directory_words (workspace_id, kind, word)
      SELECT ${workspaceId}::uuid, 't', word FROM (
        SELECT DISTINCT lower(w) AS word
        FROM unnest(${[...GRADES, ...AREAS, ...ROLES]}::text[]) name, unnest(string_to_array(name, ' ')) w
        UNION ALL SELECT '(w' || n || ')' FROM generate_series(0, ${WORDS - 1}::integer) n
      ) words
    `
    yield* sql`ANALYZE directory_people`
    yield* sql`VACUUM ANALYZE directory_words`
  })

const csvOf = (): string => {
  const rows = Array.from({ length: IMPORTED }, (_, i) =>
    [
      `ann-${i}@company-${i % 20_000}.com`,
      `Ann-${i} Doe`,
      `${at(GRADES, i)} ${at(AREAS, i >> 3)} ${at(ROLES, i >> 6)}`,
      `Company ${i % 20_000}`,
      String(10 + (i % 5_000)),
      at(INDUSTRIES, i),
      `City ${i % CITIES}`,
      at(COUNTRIES, i),
      `https://www.linkedin.com/in/ann-${i}`
    ].join(",")
  )
  return `email,name,title,company,employees,industry,city,country,linkedin\n${rows.join("\n")}\n`
}

interface Import {
  readonly first: number
  readonly again: number
  readonly copied: number
  readonly bare: number
}

/** A list, as the command takes it over; the same again; and the rows that it wrote, by COPY. */
const importList = (workspaceId: string, file: string, bare: pg.Client) =>
  Effect.gen(function* () {
    const { takeFor } = yield* DirectoryImport
    const run = Effect.gen(function* () {
      const { kind, rows } = yield* openList(file, { kind: null, ignoreUnknown: false })
      return yield* takeFor(workspaceId, { kind, rows, dryRun: false })
    })
    const [first, report] = yield* timed(run)
    if (report.added !== IMPORTED) return yield* Effect.die(new Error(`${report.added} of ${IMPORTED} were added`))
    const [again, repeated] = yield* timed(run)
    if (repeated.known !== IMPORTED) return yield* Effect.die(new Error(`${repeated.known} of ${IMPORTED} were known`))
    const copying = async (like: string): Promise<number> => {
      await bare.query(`CREATE TABLE copied (LIKE directory_people ${like})`)
      const data = await copy(bare, "COPY directory_people TO STDOUT")
      const since = performance.now()
      await copy(bare, "COPY copied FROM STDIN", data)
      const millis = performance.now() - since
      await bare.query("DROP TABLE copied")
      return millis
    }
    const copied = yield* Effect.promise(() => copying("INCLUDING ALL"))
    const alone = yield* Effect.promise(() => copying(""))
    return { first, again, copied, bare: alone } satisfies Import
  })

const search = (workspaceId: string) =>
  Effect.gen(function* () {
    const { leadSource } = yield* directorySources
    return yield* Effect.forEach(Object.entries(SEARCHES), ([name, queryOf]) =>
      Effect.gen(function* () {
        const millis: Array<number> = []
        let found = 0
        for (let round = 0; round < ROUNDS; round++) {
          const [took, page] = yield* timed(leadSource.search({ ...ANYBODY, ...queryOf(round) }))
          millis.push(took)
          found = page.totalFound
        }
        return { name, millis, found } satisfies Times
      })
    )
  }).pipe(Effect.provideService(CurrentSourceAccess, { ...noAccess, workspaceId }))

const bench = (url: string, dataDir: string, bare: pg.Client) =>
  Effect.gen(function* () {
    const pool = (connectionsMax: number) =>
      PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax, statementMillisMax: 1_200_000 })
    const workspaceId = randomUUID()
    const file = join(dataDir, "people.csv")
    writeFileSync(file, csvOf())
    yield* migrate().pipe(Effect.provide(pool(1)))
    yield* Effect.promise(() =>
      bare.query("INSERT INTO workspaces VALUES ($1, 'bench', 'sandbox', NULL, 500, 100, 20, 25, now())", [workspaceId])
    )
    const layer = DirectoryImportLive.layer.pipe(
      Layer.provideMerge(Layer.merge(PgDirectoryStore.layer, PgWorkspaceStore.layer)),
      Layer.provideMerge(Layer.merge(PgUnitOfWork.layer, NodeCrypto.layer(Redacted.make("a secret of the bench")))),
      Layer.provideMerge(pool(2))
    )
    const imported = yield* importList(workspaceId, file, bare).pipe(Effect.provide(layer))
    yield* seed(workspaceId).pipe(Effect.provide(pool(1)))
    const searched = yield* search(workspaceId).pipe(Effect.provide(layer))
    return { imported, searched }
  })

interface Measured {
  readonly imported: Import
  readonly searched: ReadonlyArray<Times>
}

const tables = ({ imported, searched }: Measured): string => {
  const all = ascending(searched.flatMap(({ millis }) => millis))
  const line = (name: string, found: string, millis: ReadonlyArray<number>) => {
    const sorted = ascending(millis)
    return row([name, found, n(share(sorted, 0.5), 1), n(share(sorted, 0.99), 1), n(sorted.at(-1) ?? 0, 1)])
  }
  const rate = (millis: number) => n((IMPORTED / millis) * 1_000)
  return [
    row(["a search for", "counted", "p50 ms", "p99 ms", "slowest"]),
    row(["---", "---:", "---:", "---:", "---:"]),
    ...searched.map(({ found, millis, name }) => line(name, n(found), millis)),
    line("**all of them**", "", all),
    "",
    row([`a list of ${IMPORTED} people`, "rows/s", "of COPY's"]),
    row(["---", "---:", "---:"]),
    row(["imported", rate(imported.first), `**${n(imported.copied / imported.first, 2)}**`]),
    row(["the same again, with nothing new", rate(imported.again), n(imported.copied / imported.again, 2)]),
    row(["COPY of its rows, into the same table with its indexes", rate(imported.copied), ""]),
    row(["COPY of its rows, into a table without any", rate(imported.bare), ""])
  ].join("\n")
}

const report = (text: string): string => `## A directory of ${PEOPLE} people

${machine}, one PostgreSQL with default settings, ${PEOPLE} people of one workspace with
${WORDS + 40} words in their titles, ${CITIES} cities and 400000 companies; ${ROUNDS} searches of each kind, each with
other values, for ${LIMIT} people.

${text}

- **a search**: the directory as the source of \`find_leads\`. It interprets places and titles, counts the first 1,000
  matches, orders them by the audience, and returns the first ${LIMIT}.
- **imported**: \`outbound directory import\` of a CSV file. It reads, validates, identifies and merges rows, and writes them in
  transactions of 2,000. **COPY** writes the resulting rows in one transaction.
`

await onBed(async ({ dataDir, finally: atEnd, url }) => {
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  atEnd(() => bare.end())
  const text = tables(await Effect.runPromise(bench(url, dataDir, bare)))
  tell("directory", text, report(text))
})

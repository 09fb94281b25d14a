import { isAt } from "@outbound/domain/data/directory/Places.js"
import { iso } from "@outbound/domain/kernel/text.js"
import {
  type KeptOpenCompany,
  OPEN_MATCHES_MAX,
  OpenDirectoryStore,
  type OpenFilter,
  type OpenLoad,
  type OpenStep
} from "@outbound/domain/wings/openDirectory/OpenDirectoryStore.js"
import { type OpenCompany, openKeysOf } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { Effect } from "effect"
import { memoryStore } from "../../memory/MemoryStore.js"
import { ascending, keyOf, Table, type UndoLog } from "../../memory/Table.js"
import type { Tables } from "../../memory/Tables.js"

interface CompanyRow extends KeptOpenCompany {
  readonly part: string
  readonly generation: number
}

/** What is kept of published files. */
const openTables = (log: UndoLog) => ({
  /** By publisher and part. */
  openLoads: new Table<OpenLoad>(log),
  /** By publisher and id. */
  openCompanies: new Table<CompanyRow>(log),
  /** Ids, by both of its names. */
  openCategories: new Table<{ readonly id: number; readonly name: string; readonly inEnglish: string | null }>(log)
})

const categoryKey = ({ category, categoryInEnglish }: Pick<OpenCompany, "category" | "categoryInEnglish">): string =>
  keyOf(category ?? "", categoryInEnglish ?? "")

const pathOf = ({ publisher, ref }: Pick<CompanyRow, "publisher" | "ref">): string => `${publisher} ${ref}`

/** All that makes an update if it changes. What was found for a company doesn't, and neither does a later day. */
const comparedOf = ({
  domain,
  generation: _generation,
  isDomainStated,
  observedOn: _day,
  part: _part,
  ...row
}: CompanyRow) => JSON.stringify([row, isDomainStated, isDomainStated ? domain : null])

const sizeFits = (
  { headcountMax, headcountMin, unknownSizePasses }: OpenFilter,
  { headcount }: Pick<OpenCompany, "headcount">
): boolean =>
  (headcountMax === null && headcountMin === null) ||
  (headcount === null
    ? unknownSizePasses
    : headcount >= (headcountMin ?? 0) && headcount <= (headcountMax ?? Number.POSITIVE_INFINITY))

const isNotStated = ({ isDomainStated }: CompanyRow): number => Number(!isDomainStated)

const byRank = ascending<CompanyRow>(
  isNotStated,
  ({ score }) => -score,
  ({ domain }) => domain ?? ""
)

/** Of several rows of a domain. */
const byMerit = ascending<CompanyRow>(
  isNotStated,
  ({ headcount }) => Number(headcount === null),
  ({ score }) => -score,
  pathOf
)

const searched = (
  { openCategories, openCompanies }: ReturnType<typeof openTables>,
  filter: OpenFilter
): { readonly companies: ReadonlyArray<KeptOpenCompany>; readonly total: number } => {
  const matching = openCompanies.filter((row) => {
    const { cityKey, regionKey } = openKeysOf(row)
    const category = openCategories.get(categoryKey(row))?.id
    return (
      row.domain !== null &&
      (filter.places === null || isAt(filter.places, { cityKey, regionKey, countryKey: row.countryCode })) &&
      (filter.countryCodes.length === 0 || filter.countryCodes.includes(row.countryCode)) &&
      (filter.categories === null || (category !== undefined && filter.categories.includes(category))) &&
      sizeFits(filter, row)
    )
  })
  const one = new Map<string | null, CompanyRow>()
  for (const row of matching.sort(byMerit)) if (!one.has(row.domain)) one.set(row.domain, row)
  const ranked = [...one.values()].sort(byRank)
  return {
    companies: ranked.slice(0, filter.limit).map(({ generation: _generation, part: _part, ...company }) => company),
    total: Math.min(ranked.length, OPEN_MATCHES_MAX)
  }
}

/** The next rows of a walk, and where it goes on. */
const window = (
  rows: ReadonlyArray<CompanyRow>,
  keyed: (row: CompanyRow) => string,
  after: string,
  rowsMax: number
): { readonly here: ReadonlyArray<CompanyRow>; readonly next: OpenStep["next"] } => {
  const here = rows
    .filter((row) => keyed(row) > after)
    .toSorted(ascending(keyed))
    .slice(0, rowsMax)
  const last = here.at(-1)
  return { here, next: here.length < rowsMax || last === undefined ? null : keyed(last) }
}

/** The domain of the places with a company's name in its town; null: there is none, or it is not beyond doubt. */
const domainFor = (rows: ReadonlyArray<CompanyRow>, row: CompanyRow): string | null => {
  const { cityKey, nameKey } = openKeysOf(row)
  if (nameKey === "" || cityKey === null) return null
  const alike = rows.filter((other) => {
    const keys = openKeysOf(other)
    return keys.nameKey === nameKey && keys.cityKey === cityKey && other.countryCode === row.countryCode
  })
  const domains = [...new Set(alike.flatMap((one) => (one.isDomainStated && one.domain !== null ? [one.domain] : [])))]
  const others = alike.filter((one) => !one.isDomainStated && pathOf(one) !== pathOf(row))
  return domains.length === 1 && others.length === 0 ? (domains[0] ?? null) : null
}

export const layer = memoryStore(OpenDirectoryStore, "OpenDirectoryStore", (memory) => {
  const onRows =
    <A>(work: (rows: ReturnType<typeof openTables>) => A) =>
    (tables: Tables): A =>
      work(tables.wings.of(openTables))
  const read = <A>(work: (rows: ReturnType<typeof openTables>) => A) => memory.read(onRows(work))
  const write = <A>(work: (rows: ReturnType<typeof openTables>) => A) => memory.write(onRows(work))
  return {
    lockLoad: ({ part, publisher }) => read(({ openLoads }) => openLoads.find(keyOf(publisher, part))),
    putLoad: (load) => write(({ openLoads }) => openLoads.set(keyOf(load.publisher, load.part), load)),
    loads: read(({ openLoads }) =>
      openLoads
        .filter(() => true)
        .sort(
          ascending(
            ({ publisher }) => publisher,
            ({ part }) => part
          )
        )
    ),
    put: ({ part, publisher }, { beganAtMillis, generation }, companies) =>
      write(({ openCategories, openCompanies }) => {
        let [added, updated] = [0, 0]
        for (const company of companies) {
          const key = keyOf(publisher, company.ref)
          const before = openCompanies.get(key)
          const isDomainStated = company.domain !== null
          const found = before !== undefined && !before.isDomainStated ? before.domain : null
          const row: CompanyRow = {
            ...company,
            // Without words there is nothing to have in English.
            categoryInEnglish: company.category === null ? null : company.categoryInEnglish,
            domain: company.domain ?? found,
            isDomainStated,
            observedOn: company.observedOn ?? iso(beganAtMillis).slice(0, 10),
            publisher,
            part,
            generation
          }
          if (before === undefined) added += 1
          else if (comparedOf(before) !== comparedOf(row)) updated += 1
          openCompanies.set(key, row)
          if (row.category !== null && !openCategories.has(categoryKey(row))) {
            const id = openCategories.filter(() => true).length + 1
            openCategories.set(categoryKey(row), { id, name: row.category, inEnglish: row.categoryInEnglish })
          }
        }
        return { added, updated }
      }),
    sweep: ({ part, publisher }, generation, after, rowsMax) =>
      write(({ openCompanies }) => {
        const rows = openCompanies.filter((row) => row.publisher === publisher)
        const { here, next } = window(rows, ({ ref }) => ref, after, rowsMax)
        const gone = here.filter((row) => row.part === part && row.generation < generation)
        for (const { ref } of gone) openCompanies.delete(keyOf(publisher, ref))
        return { changed: gone.length, next }
      }),
    name: (after, rowsMax) =>
      write(({ openCompanies }) => {
        const rows = openCompanies.filter(() => true)
        const { here, next } = window(
          rows.filter(({ isDomainStated }) => !isDomainStated),
          pathOf,
          after,
          rowsMax
        )
        let changed = 0
        for (const row of here) {
          const domain = domainFor(rows, row)
          if (domain === row.domain) continue
          changed += 1
          openCompanies.set(keyOf(row.publisher, row.ref), { ...row, domain })
        }
        return { changed, next }
      }),
    settle: Effect.void,
    categories: read(({ openCategories }) => openCategories.filter(() => true)),
    search: (filter) => read((rows) => searched(rows, filter))
  }
})

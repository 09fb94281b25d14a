import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type Cells, readCompany, readPerson, type ReadRow } from "./readRow.js"
import {
  type DirectoryCompany,
  type DirectoryKind,
  type DirectoryPerson,
  mergeCompanies,
  mergePeople,
  withCompany
} from "./Records.js"
import { orFail } from "../../kernel/orFail.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { DirectoryStore } from "./DirectoryStore.js"
import { fingerprintOf } from "./matched.js"

/** A row of a list by recognised column, or why it can't be read. */
export type ListedRow = (
  | { readonly cells: Cells; /** What it lacks, though it can be read. */ readonly lacks?: string }
  | { readonly what: string; readonly mend: string }
  /** Nothing is in it, or it is the heading again. */
  | { readonly isEmpty: true }
) & {
  readonly line: number
  /** As written. */
  readonly written?: ReadonlyArray<string>
}

/** A row or cell that was not imported. */
export interface RowMistake {
  /** Counted from 1. */
  readonly line: number
  /** Null: the whole row. */
  readonly column: string | null
  readonly what: string
  readonly mend: string
  readonly left_out: "row" | "cell"
}

/** The most mistakes listed in a report; the rest are counted. */
const MISTAKES_LISTED_MAX = 10_000

/** The most rows in one transaction. */
export const DIRECTORY_BATCH_MAX = 2_000

/** How much JSON a dry run keeps to recognise repeated rows. Repetitions beyond that count as new. */
const REHEARSED_CHARS_MAX = 64_000_000

/** A row that was not imported, with all its mistakes. */
export interface LeftOutRow {
  readonly line: number
  readonly written: ReadonlyArray<string>
  readonly mistakes: ReadonlyArray<RowMistake>
}

/** The result of an import so far, or of a dry run. Each row is in one of the last five counts. */
export interface DirectoryReport {
  readonly kind: DirectoryKind
  readonly dryRun: boolean
  /** A dry run of a list too long to recognise all repetitions: the import may add fewer. */
  readonly isEstimate: boolean
  readonly rows: number
  readonly added: number
  /** Known rows that changed. */
  readonly updated: number
  /** Known rows without a change, and repetitions. */
  readonly known: number
  /** Rows without anything in them, and the heading again. */
  readonly empty: number
  /** Rows left out. */
  readonly unusable: number
  readonly mistakes: number
  /** The first mistakes. */
  readonly mistakesListed: ReadonlyArray<RowMistake>
}

interface DirectoryList<E> {
  readonly kind: DirectoryKind
  readonly rows: Stream.Stream<ListedRow, E>
  /** What its file is called. Absent: it has no name. */
  readonly file?: string | null
  /** Checks without writing. */
  readonly dryRun: boolean
  /** Called after each batch. */
  readonly progress?: (report: DirectoryReport) => Effect.Effect<void>
  /** Gets every row left out, batch by batch. */
  readonly leftOut?: (rows: ReadonlyArray<LeftOutRow>) => Effect.Effect<void>
}

/**
 * Imports lists of a workspace's own people and companies, of any length, in bounded memory. Each batch is a
 * transaction: an interrupted import has kept its first rows, and repeating it gives the result of one run.
 */
export class DirectoryImport extends Context.Service<
  DirectoryImport,
  {
    /** For the operator. `not_found`: no such workspace. */
    readonly takeFor: <E>(workspaceId: string, list: DirectoryList<E>) => FromStore<DirectoryReport, E | AnyWireError>
  }
>()("@outbound/domain/data/directory/DirectoryImport") {}

interface StoredRow<Row> {
  readonly row: Row
  readonly importedAtMillis: number
}

/** How rows of one kind are read, identified and stored. */
interface Taking<Row> {
  readonly read: (cells: Cells) => ReadRow<Row>
  /** Null: the row can't be identified. */
  readonly keyOf: (workspaceId: string, row: Row) => string | null
  readonly merge: (before: Row, given: Row) => Row
  /** The keys of erased people, who are not imported again. */
  readonly erased: (workspaceId: string, keys: ReadonlyArray<string>) => FromStore<ReadonlyArray<string>>
  /** The stored rows with these keys. */
  readonly kept: (workspaceId: string, keys: ReadonlyArray<string>) => FromStore<ReadonlyMap<string, StoredRow<Row>>>
  /** Completes the rows from the rest of the directory. */
  readonly complete: (workspaceId: string, rows: Map<string, Row>) => FromStore<Map<string, Row>>
  readonly put: (workspaceId: string, rows: ReadonlyMap<string, Row>, by: Listing) => InTx<void>
}

/** The list that names rows, when, and on which line. */
interface Listing {
  readonly file: string | null
  readonly lineOf: (key: string) => number | null
  readonly nowMillis: number
}

/** How precisely we store when a list last named a row. More would rewrite every row on each import. */
const FRESH_MILLIS = 30 * DAY_MILLIS

interface Changes<Row> {
  readonly added: number
  readonly updated: number
  /** Keys left out. */
  readonly erased: ReadonlyArray<string>
  /** The rows written, or simulated. */
  readonly written: ReadonlyMap<string, Row>
}

const ERASED = {
  what: "this person was erased",
  mend: "Remove this row: erased people can't be imported again."
} as const

/** A dry run's simulated writes by key, so that later rows find them. */
class Rehearsed<Row> {
  readonly #rows = new Map<string, string>()
  #chars = 0
  isFull = false

  get(key: string): Row | null {
    const text = this.#rows.get(key)
    return text === undefined ? null : (JSON.parse(text) as Row)
  }

  add(written: ReadonlyMap<string, Row>): void {
    for (const [key, row] of written) {
      const text = JSON.stringify(row)
      const chars = this.#chars + text.length - (this.#rows.get(key)?.length ?? 0)
      if (chars > REHEARSED_CHARS_MAX) this.isFull = true
      else {
        this.#chars = chars
        this.#rows.set(key, text)
      }
    }
  }
}

const none = (kind: DirectoryKind, dryRun: boolean): DirectoryReport => ({
  kind,
  dryRun,
  isEstimate: false,
  rows: 0,
  added: 0,
  updated: 0,
  known: 0,
  empty: 0,
  unusable: 0,
  mistakes: 0,
  mistakesListed: []
})

const isSame = (a: object, b: object): boolean =>
  Object.entries(a).every(([name, value]) => JSON.stringify(value) === JSON.stringify(b[name as keyof typeof b]))

export const layer = Layer.effect(
  DirectoryImport,
  Effect.gen(function* () {
    const store = yield* DirectoryStore
    const workspaces = yield* WorkspaceStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork

    const people: Taking<DirectoryPerson> = {
      read: readPerson,
      keyOf: (workspaceId, person) => fingerprintOf(crypto, workspaceId, person),
      merge: mergePeople,
      erased: store.erased,
      kept: (workspaceId, keys) =>
        Effect.map(
          store.people(workspaceId, keys),
          (found) =>
            new Map(
              found.map(
                ({ fingerprint, importedAtMillis, listFile: _file, listLine: _line, ...row }) =>
                  [fingerprint, { row, importedAtMillis }] as const
              )
            )
        ),
      complete: (workspaceId, rows) => {
        const domains = new Set([...rows.values()].flatMap(({ companyDomain }) => companyDomain ?? []))
        return Effect.map(store.companies(workspaceId, [...domains]), (found) => {
          const companies = new Map<string | null, DirectoryCompany>(found.map((company) => [company.domain, company]))
          return new Map(
            Array.from(rows, ([key, person]) => [key, withCompany(person, companies.get(person.companyDomain))])
          )
        })
      },
      put: (workspaceId, rows, { file, lineOf, nowMillis }) =>
        store.putPeople(
          workspaceId,
          Array.from(rows, ([fingerprint, person]) => ({
            ...person,
            fingerprint,
            importedAtMillis: nowMillis,
            listFile: file,
            listLine: lineOf(fingerprint)
          }))
        )
    }

    const companies: Taking<DirectoryCompany> = {
      read: readCompany,
      keyOf: (_workspaceId, { domain }) => domain,
      merge: mergeCompanies,
      erased: () => Effect.succeed([]),
      kept: (workspaceId, keys) =>
        Effect.map(
          store.companies(workspaceId, keys),
          (found) =>
            new Map(found.map(({ importedAtMillis, ...row }) => [row.domain, { row, importedAtMillis }] as const))
        ),
      complete: (_workspaceId, rows) => Effect.succeed(rows),
      put: (workspaceId, rows, { nowMillis }) =>
        store.putCompanies(
          workspaceId,
          Array.from(rows.values(), (company) => ({ ...company, importedAtMillis: nowMillis }))
        )
    }

    /** Computes and writes the changes of a batch. A dry run only computes. */
    const change = <Row extends object>(
      taking: Taking<Row>,
      workspaceId: string,
      listed: ReadonlyMap<string, Row>,
      by: Omit<Listing, "nowMillis">,
      rehearsed: Rehearsed<Row> | null
    ): FromStore<Changes<Row>> =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* store.lock(workspaceId)
        // Within the lock: a later erasure runs after this batch.
        const erased = yield* taking.erased(workspaceId, [...listed.keys()])
        const given = new Map([...listed].filter(([key]) => !erased.includes(key)))
        const before = new Map(yield* taking.kept(workspaceId, [...given.keys()]))
        for (const key of rehearsed === null ? [] : given.keys()) {
          const row = rehearsed?.get(key) ?? null
          if (row !== null) before.set(key, { row, importedAtMillis: nowMillis })
        }
        const merged = Array.from(given, ([key, row]) => {
          const known = before.get(key)
          return [key, known === undefined ? row : taking.merge(known.row, row)] as const
        })
        const after = yield* taking.complete(workspaceId, new Map(merged))
        const isNew = (key: string, row: Row) => !isSame(row, before.get(key)?.row ?? {})
        // A list that names a row again keeps it, even without a change.
        const isStale = (key: string) => (before.get(key)?.importedAtMillis ?? nowMillis) < nowMillis - FRESH_MILLIS
        const written = new Map([...after].filter(([key, row]) => isNew(key, row) || isStale(key)))
        if (written.size > 0 && rehearsed === null) yield* taking.put(workspaceId, written, { ...by, nowMillis })
        const changed = [...written].filter(([key, row]) => isNew(key, row))
        const added = changed.filter(([key]) => !before.has(key)).length
        return { added, updated: changed.length - added, erased, written }
      }).pipe(atomically)

    const batch = <Row extends object>(
      taking: Taking<Row>,
      workspaceId: string,
      before: DirectoryReport,
      list: ReadonlyArray<ListedRow>,
      rehearsed: Rehearsed<Row> | null,
      { file = null, leftOut }: Pick<DirectoryList<never>, "file" | "leftOut">
    ): FromStore<DirectoryReport> =>
      Effect.gen(function* () {
        const mistakes: Array<RowMistake> = []
        const given = new Map<string, Row>()
        const linesOf = new Map<string, Array<number>>()
        let [empty, unusable] = [0, 0]
        for (const listed of list) {
          const { line } = listed
          if ("isEmpty" in listed) {
            empty += 1
            continue
          }
          if (!("cells" in listed)) {
            unusable += 1
            mistakes.push({ line, column: null, what: listed.what, mend: listed.mend, left_out: "row" })
            continue
          }
          const read = taking.read(listed.cells)
          if (listed.lacks !== undefined) {
            const mend = "If the cells that it lacks are empty, nothing is to be mended."
            mistakes.push({ line, column: null, what: listed.lacks, mend, left_out: "cell" })
          }
          for (const { column, isFatal, mend, what } of read.mistakes) {
            mistakes.push({ line, column, what, mend, left_out: isFatal ? "row" : "cell" })
          }
          const key = read.row === null ? null : taking.keyOf(workspaceId, read.row)
          if (read.row === null || key === null) {
            unusable += 1
            continue
          }
          linesOf.set(key, [...(linesOf.get(key) ?? []), line])
          const same = given.get(key)
          given.set(key, same === undefined ? read.row : taking.merge(same, read.row))
        }
        const { added, erased, updated, written } = yield* change(
          taking,
          workspaceId,
          given,
          { file, lineOf: (key) => linesOf.get(key)?.[0] ?? null },
          rehearsed
        )
        rehearsed?.add(written)
        for (const line of erased.flatMap((key) => linesOf.get(key) ?? [])) {
          unusable += 1
          mistakes.push({ line, column: null, ...ERASED, left_out: "row" })
        }
        if (erased.length > 0) mistakes.sort((a, b) => a.line - b.line)
        const lines = new Set(mistakes.flatMap(({ left_out, line }) => (left_out === "row" ? [line] : [])))
        if (leftOut !== undefined && lines.size > 0) {
          const byLine = new Map<number, Array<RowMistake>>()
          for (const one of mistakes) byLine.set(one.line, [...(byLine.get(one.line) ?? []), one])
          const left = list.flatMap(({ line, written = [] }) =>
            lines.has(line) ? [{ line, written, mistakes: byLine.get(line) ?? [] }] : []
          )
          yield* leftOut(left)
        }
        const room = MISTAKES_LISTED_MAX - before.mistakesListed.length
        return {
          ...before,
          isEstimate: rehearsed?.isFull ?? false,
          rows: before.rows + list.length,
          added: before.added + added,
          updated: before.updated + updated,
          known: before.known + list.length - empty - unusable - added - updated,
          empty: before.empty + empty,
          unusable: before.unusable + unusable,
          mistakes: before.mistakes + mistakes.length,
          mistakesListed:
            room === 0 || mistakes.length === 0
              ? before.mistakesListed
              : [...before.mistakesListed, ...mistakes.slice(0, room)]
        }
      })

    const all = <Row extends object, E>(taking: Taking<Row>, workspaceId: string, list: DirectoryList<E>) => {
      const rehearsed = list.dryRun ? new Rehearsed<Row>() : null
      return list.rows.pipe(
        Stream.grouped(DIRECTORY_BATCH_MAX),
        // Reads the next rows while these are written.
        Stream.buffer({ capacity: 1 }),
        Stream.runFoldEffect(
          () => none(list.kind, list.dryRun),
          (before, rows) =>
            batch(taking, workspaceId, before, rows, rehearsed, list).pipe(
              Effect.tap((report) => list.progress?.(report) ?? Effect.void)
            )
        ),
        Effect.tap(list.dryRun ? Effect.void : store.settle)
      )
    }

    return DirectoryImport.of({
      takeFor: (workspaceId, list) =>
        Effect.gen(function* () {
          yield* workspaces.get(workspaceId).pipe(orFail(refuse("not_found", {}, "Workspace not found.")))
          return yield* list.kind === "people" ? all(people, workspaceId, list) : all(companies, workspaceId, list)
        })
    })
  })
)

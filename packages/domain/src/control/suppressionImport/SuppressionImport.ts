import { Clock, Context, Effect, Layer, Stream } from "effect"
import type { ControlRefused } from "../Control.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { LEAVING, makeLeave } from "../../outreach/campaigns/leave.js"
import { owner } from "../access.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { orFail } from "../../kernel/orFail.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { VendorStore } from "../../outreach/sending/vendor/VendorStore.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import type { ListedRow, RowMistake } from "./listedRows.js"
import { suppressionReason, SuppressionStore } from "../../outreach/suppression/SuppressionStore.js"

/** Most mistakes and notes that a report lists; all rows are counted, and `leftOut` gets each. */
export const MISTAKES_LISTED_MAX = 1_000

/** The result of an import or its dry run. Each row is in exactly one of `added`, `known`, `empty` and `unusable`. */
export interface ImportReport {
  readonly dryRun: boolean
  readonly rows: number
  /** Rows that name somebody, or a domain, that was not on the owner's list before. */
  readonly added: number
  /** Rows whose people and domains all were, and duplicates. */
  readonly known: number
  /** Rows without anything in them, and the heading again. */
  readonly empty: number
  /** Rows that could not be taken, or only in part: what could be taken was. */
  readonly unusable: number
  /** Addresses and domains that were new. */
  readonly people: number
  readonly domains: number
  /** The first mistakes. */
  readonly mistakes: ReadonlyArray<RowMistake>
  /** The first changes that were made so that a row could be taken. */
  readonly notes: ReadonlyArray<RowMistake>
  /** Leads that were removed from their campaigns. */
  readonly leadsRemoved: number
}

/** A row that was not taken, or only in part, with all its mistakes. */
export interface LeftOutRow {
  readonly row: ListedRow
  readonly mistakes: ReadonlyArray<RowMistake>
}

interface ImportOptions {
  /** Reports without importing. */
  readonly dryRun: boolean
  /** Gets every row that was not taken, or only in part, batch by batch. */
  readonly leftOut?: (rows: ReadonlyArray<LeftOutRow>) => Effect.Effect<void>
}

type Rows<E> = Stream.Stream<ListedRow, E>

/**
 * Imports an owner's list of people who must never be emailed, of any length, in bounded memory. Like every
 * suppression, it is permanent. An interrupted import keeps its first rows; repeating it adds the rest.
 */
export class SuppressionImport extends Context.Service<
  SuppressionImport,
  {
    /** For owners. */
    readonly take: <E>(
      by: SignedIn,
      list: Rows<E>,
      options: ImportOptions
    ) => FromStore<ImportReport, E | ControlRefused>
    /** For the operator. `not_found`: no such workspace. */
    readonly takeFor: <E>(
      workspaceId: string,
      list: Rows<E>,
      options: ImportOptions
    ) => FromStore<ImportReport, E | AnyWireError>
  }
>()("@outbound/domain/control/suppressionImport/SuppressionImport") {}

/** Rows per transaction. */
export const IMPORT_BATCH_MAX = 2_000

const SOURCE = "owner_import"

/** Most people, domains and leads whose repetition a dry run recognises across batches. */
const SEEN_MAX = 1_000_000

interface Options extends ImportOptions {
  readonly workspaceId: string
  readonly source: TrailSource
}

const none = (dryRun: boolean): ImportReport => ({
  dryRun,
  rows: 0,
  added: 0,
  known: 0,
  empty: 0,
  unusable: 0,
  people: 0,
  domains: 0,
  mistakes: [],
  notes: [],
  leadsRemoved: 0
})

const upTo = <A>(before: ReadonlyArray<A>, more: ReadonlyArray<A>): ReadonlyArray<A> =>
  more.length === 0 || before.length >= MISTAKES_LISTED_MAX
    ? before
    : [...before, ...more.slice(0, MISTAKES_LISTED_MAX - before.length)]

/** Whom the rows name: each hash and domain, and which of them each row names. */
interface Named {
  readonly addressHashes: ReadonlyArray<string>
  readonly domains: ReadonlyArray<string>
}

interface Written {
  readonly people: ReadonlySet<string>
  readonly domains: ReadonlySet<string>
  readonly leadsRemoved: number
}

export const layer = Layer.effect(
  SuppressionImport,
  Effect.gen(function* () {
    const suppressions = yield* SuppressionStore
    const campaigns = yield* CampaignStore
    const workspaces = yield* WorkspaceStore
    const leave = yield* makeLeave
    const crypto = yield* Crypto
    const vendors = yield* VendorStore
    const { atomically } = yield* UnitOfWork

    const write = (options: Options, { addressHashes, domains }: Named) =>
      Effect.gen(function* () {
        const { workspaceId } = options
        const atMillis = yield* Clock.currentTimeMillis
        const people = yield* suppressions.addAll({ workspaceId, addressHashes, source: SOURCE, atMillis })
        const hosts = yield* suppressions.addDomains({ workspaceId, domains, atMillis })
        yield* vendors.wakeAll(workspaceId, atMillis)
        const present = yield* campaigns.lockLeadsCovered(workspaceId, { addressHashes, domains }, LEAVING)
        const told = { source: options.source, detail: { reason: suppressionReason([SOURCE]) } }
        const leadsRemoved = yield* leave(workspaceId, present, told, atMillis)
        return { people: new Set(people), domains: new Set(hosts), leadsRemoved }
      }).pipe(atomically)

    /** `seen`: whom and which leads the batches before foresaw. */
    const foresee = ({ workspaceId }: Options, { addressHashes, domains }: Named, seen: Set<string>) =>
      Effect.gen(function* () {
        const known = new Set(yield* suppressions.among(workspaceId, SOURCE, addressHashes))
        const barred = new Set(yield* suppressions.domainsAmong(workspaceId, domains))
        const present = yield* campaigns.lockLeadsCovered(workspaceId, { addressHashes, domains }, LEAVING)
        const people = new Set(addressHashes.filter((hash) => !known.has(hash) && !seen.has(hash)))
        const hosts = new Set(domains.filter((host) => !barred.has(host) && !seen.has(host)))
        const leads = present.map(({ campaignLeadId }) => campaignLeadId).filter((lead) => !seen.has(lead))
        return { people, domains: hosts, leads, leadsRemoved: leads.length }
      }).pipe(
        atomically,
        Effect.tap(({ leads }) =>
          Effect.sync(() => {
            for (const one of [...addressHashes, ...domains, ...leads]) if (seen.size < SEEN_MAX) seen.add(one)
          })
        )
      )

    const batch = (
      options: Options,
      before: ImportReport,
      list: ReadonlyArray<ListedRow>,
      seen: Set<string>
    ): FromStore<ImportReport> =>
      Effect.gen(function* () {
        const hashesOf = list.map(({ emails }) =>
          emails.map((email) => addressHashOf(crypto, options.workspaceId, email))
        )
        const named = {
          addressHashes: [...new Set(hashesOf.flat())],
          domains: [...new Set(list.flatMap(({ domains }) => domains))]
        }
        const written: Written = yield* options.dryRun ? foresee(options, named, seen) : write(options, named)
        const isNew = new Set([...written.people, ...written.domains])
        const counts = { added: 0, known: 0, empty: 0, unusable: 0 }
        for (const [index, row] of list.entries()) {
          const fresh = [...(hashesOf[index] ?? []), ...row.domains].filter((one) => isNew.delete(one))
          const kind = row.isEmpty
            ? "empty"
            : row.mistakes.length > 0
              ? "unusable"
              : fresh.length > 0
                ? "added"
                : "known"
          counts[kind] += 1
        }
        const left = list.flatMap((row) => (row.mistakes.length > 0 ? [{ row, mistakes: row.mistakes }] : []))
        if (left.length > 0) yield* options.leftOut?.(left) ?? Effect.void
        return {
          dryRun: options.dryRun,
          rows: before.rows + list.length,
          added: before.added + counts.added,
          known: before.known + counts.known,
          empty: before.empty + counts.empty,
          unusable: before.unusable + counts.unusable,
          people: before.people + written.people.size,
          domains: before.domains + written.domains.size,
          mistakes: upTo(
            before.mistakes,
            left.flatMap(({ mistakes }) => mistakes)
          ),
          notes: upTo(
            before.notes,
            list.flatMap(({ notes }) => notes)
          ),
          leadsRemoved: before.leadsRemoved + written.leadsRemoved
        }
      })

    const all = <E>(options: Options, list: Stream.Stream<ListedRow, E>) =>
      Effect.suspend(() => {
        const seen = new Set<string>()
        return list.pipe(
          Stream.grouped(IMPORT_BATCH_MAX),
          Stream.runFoldEffect(
            () => none(options.dryRun),
            (before, rows) => batch(options, before, rows, seen)
          )
        )
      })

    return SuppressionImport.of({
      take: (by, list, options) =>
        Effect.andThen(owner(by), all({ ...options, workspaceId: by.session.workspaceId, source: "console" }, list)),
      takeFor: (workspaceId, list, options) =>
        Effect.gen(function* () {
          yield* workspaces.get(workspaceId).pipe(orFail(refuse("not_found", {}, "Workspace not found.")))
          return yield* all({ ...options, workspaceId, source: "system" }, list)
        })
    })
  })
)

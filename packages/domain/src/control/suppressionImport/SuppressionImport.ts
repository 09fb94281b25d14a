import { Chunk, Clock, Context, Effect, Either, Layer, Stream } from "effect"
import type { ControlRefused } from "../Control.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { LEAVING, makeLeave } from "../../outreach/campaigns/leave.js"
import { owner } from "../access.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { orFail } from "../../kernel/orFail.js"
import { readEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { VendorStore } from "../../outreach/sending/vendor/VendorStore.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { suppressionReason, SuppressionStore } from "../../outreach/suppression/SuppressionStore.js"

/** One row of the imported list. */
export interface ListedAddress {
  /** Line number, from 1. */
  readonly line: number
  /** As written in the list. */
  readonly address: string
}

/** Splits a text into rows, one address per line. */
export const listedAddresses = (text: string): ReadonlyArray<ListedAddress> =>
  text.split(/\r\n|\r|\n/).flatMap((line, index) => (line.trim() === "" ? [] : [{ line: index + 1, address: line }]))

/** A row without a usable address. */
interface UnusableRow {
  readonly line: number
  readonly reason: string
}

/** Most unusable rows that a report lists; the rest are only counted. */
export const UNUSABLE_LISTED_MAX = 1_000

/** The result of an import or its dry run. Each row is in exactly one count. */
export interface ImportReport {
  readonly dryRun: boolean
  readonly rows: number
  /** People who were not on the owner's list before. */
  readonly added: number
  /** People who already were, and duplicates. */
  readonly known: number
  readonly unusable: number
  /** The first of them. */
  readonly unusableRows: ReadonlyArray<UnusableRow>
  /** Leads that were removed from their campaigns. */
  readonly leadsRemoved: number
}

type Rows<E> = Stream.Stream<ListedAddress, E>

/**
 * Imports an owner's list of people who must never be emailed, of any length, in bounded memory. Like every
 * suppression, it is permanent. An interrupted import keeps its first rows; repeating it adds the rest.
 */
export class SuppressionImport extends Context.Tag("@outbound/domain/control/suppressionImport/SuppressionImport")<
  SuppressionImport,
  {
    /** For owners. `dryRun`: reports without importing. */
    readonly take: <E>(
      by: SignedIn,
      list: Rows<E>,
      options: { readonly dryRun: boolean }
    ) => FromStore<ImportReport, E | ControlRefused>
    /** For the operator. `not_found`: no such workspace. */
    readonly takeFor: <E>(
      workspaceId: string,
      list: Rows<E>,
      options: { readonly dryRun: boolean }
    ) => FromStore<ImportReport, E | AnyWireError>
  }
>() {}

/** Rows per transaction. */
export const IMPORT_BATCH_MAX = 2_000

const SOURCE = "owner_import"

/** Longest excerpt of an unusable row, in characters. */
const SHOWN_CHARS_MAX = 80

interface Options {
  readonly workspaceId: string
  readonly source: TrailSource
  readonly dryRun: boolean
}

const none = (dryRun: boolean): ImportReport => ({
  dryRun,
  rows: 0,
  added: 0,
  known: 0,
  unusable: 0,
  unusableRows: [],
  leadsRemoved: 0
})

const reasonOf = (address: string, flaw: string): string => {
  const shown = address.trim()
  if (shown === "") return "no address"
  const cut = shown.length > SHOWN_CHARS_MAX ? `${shown.slice(0, SHOWN_CHARS_MAX)}…` : shown
  return `"${cut}" is not an email address: it ${flaw}`
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

    const write = (options: Options, addressHashes: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const { workspaceId } = options
        const atMillis = yield* Clock.currentTimeMillis
        const added = yield* suppressions.addAll({ workspaceId, addressHashes, source: SOURCE, atMillis })
        yield* vendors.wakeAll(workspaceId, atMillis)
        const present = yield* campaigns.lockLeadsCovered(workspaceId, { addressHashes, domains: [] }, LEAVING)
        const told = { source: options.source, detail: { reason: suppressionReason([SOURCE]) } }
        return { added: added.length, leadsRemoved: yield* leave(workspaceId, present, told, atMillis) }
      }).pipe(atomically)

    const foresee = ({ workspaceId }: Options, addressHashes: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const known = yield* suppressions.countOf(workspaceId, SOURCE, addressHashes)
        const present = yield* campaigns.lockLeadsCovered(workspaceId, { addressHashes, domains: [] }, LEAVING)
        return { added: addressHashes.length - known, leadsRemoved: present.length }
      }).pipe(atomically)

    const batch = (
      options: Options,
      before: ImportReport,
      list: ReadonlyArray<ListedAddress>
    ): FromStore<ImportReport> =>
      Effect.gen(function* () {
        const unusable: Array<UnusableRow> = []
        const hashes = new Set<string>()
        for (const { address, line } of list) {
          const read = readEmail(address)
          if (Either.isLeft(read)) unusable.push({ line, reason: reasonOf(address, read.left) })
          else hashes.add(addressHashOf(crypto, options.workspaceId, read.right))
        }
        const { added, leadsRemoved } = yield* (options.dryRun ? foresee : write)(options, [...hashes])
        return {
          dryRun: options.dryRun,
          rows: before.rows + list.length,
          added: before.added + added,
          known: before.known + list.length - unusable.length - added,
          unusable: before.unusable + unusable.length,
          unusableRows: [
            ...before.unusableRows,
            ...unusable.slice(0, UNUSABLE_LISTED_MAX - before.unusableRows.length)
          ],
          leadsRemoved: before.leadsRemoved + leadsRemoved
        }
      })

    const all = <E>(options: Options, list: Stream.Stream<ListedAddress, E>) =>
      list.pipe(
        Stream.grouped(IMPORT_BATCH_MAX),
        Stream.runFoldEffect(none(options.dryRun), (before, rows) =>
          batch(options, before, Chunk.toReadonlyArray(rows))
        )
      )

    return SuppressionImport.of({
      take: (by, list, { dryRun }) =>
        Effect.zipRight(owner(by), all({ workspaceId: by.session.workspaceId, source: "console", dryRun }, list)),
      takeFor: (workspaceId, list, { dryRun }) =>
        Effect.gen(function* () {
          yield* workspaces.get(workspaceId).pipe(orFail(refuse("not_found", {}, "Workspace not found.")))
          return yield* all({ workspaceId, source: "system", dryRun }, list)
        })
    })
  })
)

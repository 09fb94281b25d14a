import { Chunk, Clock, Effect, Layer, Stream } from "effect"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { LEAVING, makeLeave } from "../../outreach/campaigns/leave.js"
import { owner } from "../access.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { VendorStore } from "../../outreach/sending/vendor/VendorStore.js"
import type { TrailSource } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import {
  type ImportReport,
  type ListedAddress,
  SuppressionImport,
  UNUSABLE_LISTED_MAX,
  type UnusableRow
} from "./SuppressionImport.js"
import { SuppressionStore, suppressionReason } from "../../outreach/suppression/SuppressionStore.js"

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

const reasonOf = (address: string): string => {
  const shown = address.trim()
  if (shown === "") return "no address"
  const cut = shown.length > SHOWN_CHARS_MAX ? `${shown.slice(0, SHOWN_CHARS_MAX)}…` : shown
  return `"${cut}" is not an email address`
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
          const email = usableEmail(address)
          if (email === null) unusable.push({ line, reason: reasonOf(address) })
          else hashes.add(addressHashOf(crypto, options.workspaceId, email))
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

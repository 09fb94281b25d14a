import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { step } from "../../kernel/machine.js"
import { makeOwnKeyReader } from "../../sources/ownKeys/reading.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { ExistingMailbox } from "../../sources/ports/VendorScheduled.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { CurrentSourceAccess, noAccess } from "../../sources/SourceAccess.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { askProvider } from "./askProvider.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { UNDECLARED } from "./ramp.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../campaigns/CampaignStore.js"
import { makeTellPause } from "./vendor/tellPause.js"
import { VendorStore } from "./vendor/VendorStore.js"

/** Why a mailbox can't be given back: purchased, the workspace's own, or unknown in this workspace. */
export type ReleaseRefusal = "bought" | "own" | "unknown"

export interface ReleaseReport {
  readonly released: ReadonlyArray<{ readonly mailboxId: string; readonly address: string }>
  readonly refused: ReadonlyArray<{ readonly address: string; readonly why: ReleaseRefusal }>
  /**
   * Paused campaigns that the vendor has not verifiably stopped yet. Nothing is given back before that; repeat the call
   * after some seconds.
   */
  readonly stopping: ReadonlyArray<string>
}

/**
 * Gives adopted mailboxes back: the workspace stops sending from them, and any workspace may adopt them. A vendor sends
 * a campaign from all mailboxes of its workspace, so none is given back while one of its campaigns may be sending. The
 * trail keeps the mailbox's history.
 */
export const makeReleaseMailboxes = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const sendings = yield* SendingStore
  const campaigns = yield* CampaignStore
  const vendors = yield* VendorStore
  const tell = yield* makeTell
  const tellPause = yield* makeTellPause
  const { atomically } = yield* UnitOfWork

  /** Locks the active campaigns that send from these mailboxes. */
  const sentFrom = (workspaceId: string, mailboxes: ReadonlyArray<Mailbox>) =>
    Effect.gen(function* () {
      const active = yield* campaigns.lockActive(workspaceId)
      const atVendor = yield* vendors.among(
        workspaceId,
        active.map(({ campaignId }) => campaignId)
      )
      const uses = (campaign: Campaign) =>
        atVendor.has(campaign.campaignId)
          ? Effect.succeed(true)
          : Effect.map(sendings.mailboxesOfCampaign(workspaceId, campaign.campaignId), (writing) =>
              writing.some(({ mailboxId }) => mailboxes.some((one) => one.mailboxId === mailboxId))
            )
      return yield* Effect.filter(active, uses)
    })

  /** Campaigns with open leads that the vendor may be sending. */
  const stillSending = (workspaceId: string) =>
    Effect.flatMap(vendors.mayBeSending(workspaceId), (found) =>
      Effect.filter(found, (campaignId) =>
        Effect.map(
          campaigns.get(workspaceId, campaignId),
          Option.exists(({ state }) => !CampaignMachine.is.over(state))
        )
      )
    )

  const pause = (campaign: Campaign) =>
    Effect.gen(function* () {
      const stopped = step(CampaignMachine, campaign.state, "stop")
      if (Result.isFailure(stopped)) return
      yield* campaigns.update({ ...campaign, state: stopped.success, pauseReason: "capacity" })
      yield* tellPause(campaign, "capacity", { source: "system" })
    })

  const givenBack = (mailbox: Mailbox, nowMillis: number) =>
    Effect.gen(function* () {
      const released = step(MailboxMachine, mailbox.state, "release")
      if (Result.isFailure(released)) return []
      yield* sendings.updateMailboxes([{ ...mailbox, state: released.success, pauseReason: null }])
      yield* tell(nowMillis, {
        workspaceId: mailbox.workspaceId,
        source: "system",
        kind: "mailbox_paused",
        detail: { mailbox: mailbox.address, reason: "released" }
      })
      return [{ mailboxId: mailbox.mailboxId, address: mailbox.address }]
    })

  return (workspaceId: string, addresses: ReadonlyArray<string>, options: { readonly pauseCampaigns: boolean }) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (Option.isNone(yield* workspaces.get(workspaceId))) {
        return yield* Effect.fail(refuse("not_found", {}, "Workspace not found."))
      }
      const wanted = [...new Set(addresses.map((address) => address.trim().toLowerCase()))]
      const ours = (yield* sendings.lockAddresses(wanted)).filter((one) => one.workspaceId === workspaceId)
      const adopted = ours.filter(({ kind, operationId }) => kind === "purchased" && operationId === null)
      const refused = wanted.flatMap((address) => {
        if (adopted.some((one) => one.address === address)) return []
        const other = ours.find((one) => one.address === address)
        return [{ address, why: other === undefined ? "unknown" : other.kind === "own" ? "own" : "bought" } as const]
      })
      const locked = yield* Effect.forEach(adopted, ({ mailboxId }) => sendings.lockMailbox(workspaceId, mailboxId))
      const mailboxes = locked.flatMap((mailbox) => Option.toArray(mailbox))
      if (mailboxes.length === 0) return { released: [], refused, stopping: [] } satisfies ReleaseReport
      const using = yield* sentFrom(workspaceId, mailboxes)
      if (using.length > 0 && !options.pauseCampaigns) {
        const message = `is used by ${using.length} active campaigns: ${using.map(({ name }) => name).join(", ")}`
        return yield* Effect.fail(invalid([{ path: "address", message }]))
      }
      yield* Effect.forEach(using, pause, { discard: true })
      const stopping = yield* stillSending(workspaceId)
      if (stopping.length > 0) return { released: [], refused, stopping } satisfies ReleaseReport
      const released = yield* Effect.forEach(mailboxes, (mailbox) => givenBack(mailbox, nowMillis))
      return { released: released.flat(), refused, stopping } satisfies ReleaseReport
    }).pipe(atomically)
})

/** Most mailboxes that one adoption takes over. */
export const ADOPTED_MAX = 500

/** Reading a large account takes many requests. */
const ASK_SECONDS = 60

/**
 * The relation of a vendor's mailbox to a workspace. `free`: can be adopted; `ours`: already the workspace's; `taken`:
 * another workspace has it, or had it as an own mailbox; `inactive`: the vendor can't send from it now.
 */
export type AdoptionStanding = "free" | "ours" | "taken" | "inactive"

export interface AdoptionCandidate extends ExistingMailbox {
  readonly standing: AdoptionStanding
}

export interface AdoptionReport {
  readonly adopted: ReadonlyArray<{ readonly mailboxId: string; readonly address: string }>
  /** Those that the workspace already had. */
  readonly kept: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly address: string; readonly why: "taken" | "inactive" | "unknown" }>
}

type Answer<A> = FromStore<A, AnyWireError | ProviderFailure>

/**
 * Adopts mailboxes that already exist at the sending vendor, and gives them back. They become mailboxes of a live
 * workspace like purchased ones, but were not ordered and cost no upkeep. A mailbox is never in two workspaces.
 */
export class MailboxAdoption extends Context.Service<
  MailboxAdoption,
  {
    /** All mailboxes of the vendor's account that the workspace's credential can see, by address. */
    readonly candidates: (workspaceId: string) => Answer<ReadonlyArray<AdoptionCandidate>>
    /** Adopts these; null: all free ones. Idempotent. */
    readonly adopt: (workspaceId: string, addresses: ReadonlyArray<string> | null) => Answer<AdoptionReport>
    /**
     * Gives adopted mailboxes back. `invalid_request`: active campaigns send from them and may not be paused; then
     * nothing is given back.
     */
    readonly release: (
      workspaceId: string,
      addresses: ReadonlyArray<string>,
      options: { readonly pauseCampaigns: boolean }
    ) => FromStore<ReleaseReport, AnyWireError>
  }
>()("@outbound/domain/outreach/sending/MailboxAdoption") {}

const standingOf = (workspaceId: string, one: ExistingMailbox, holders: ReadonlyArray<Mailbox>): AdoptionStanding => {
  const theirs = holders.filter(({ address }) => address === one.address)
  if (theirs.some((holder) => holder.workspaceId === workspaceId && holder.kind === "purchased")) return "ours"
  if (theirs.length > 0) return "taken"
  return one.isActive ? "free" : "inactive"
}

export const layer = Layer.effect(
  MailboxAdoption,
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const providers = yield* Providers
    const sendings = yield* SendingStore
    const tell = yield* makeTell
    const ids = yield* Ids
    const ownKeysOf = yield* makeOwnKeyReader
    const release = yield* makeReleaseMailboxes
    const { atomically } = yield* UnitOfWork

    /** The vendor's mailboxes, each address once. */
    const existing = (workspaceId: string) =>
      Effect.gen(function* () {
        const { kind } = yield* workspaces
          .get(workspaceId)
          .pipe(orFail(refuse("not_found", {}, "Workspace not found.")))
        const vendor = providers[kind].sending
        const list = vendor?.schedules === "vendor" ? vendor.existing : undefined
        if (kind !== "live" || vendor === null || list === undefined) {
          const message = "has no sending vendor with mailboxes to adopt"
          return yield* Effect.fail(invalid([{ path: "workspace", message }]))
        }
        const access = { ...noAccess, workspaceId, ...ownKeysOf(workspaceId) }
        const found = yield* askProvider(
          vendor.name,
          { seconds: ASK_SECONDS, otherwise: "transient" },
          () => list
        ).pipe(Effect.provideService(CurrentSourceAccess, access))
        const byAddress = new Map(
          found.map((one) => {
            const address = one.address.trim().toLowerCase()
            return [address, { ...one, address }] as const
          })
        )
        return [...byAddress.values()].sort((a, b) => (a.address < b.address ? -1 : 1))
      })

    const made = (workspaceId: string, { address, displayName }: ExistingMailbox, nowMillis: number): Mailbox => ({
      workspaceId,
      mailboxId: ids.next(nowMillis),
      kind: "purchased",
      operationId: null,
      domain: address.slice(address.lastIndexOf("@") + 1),
      address,
      displayName: displayName.trim() === "" ? address.slice(0, address.lastIndexOf("@")) : displayName.trim(),
      state: Result.getOrThrow(step(MailboxMachine, MailboxMachine.initial, "activate")),
      pauseReason: null,
      activeAtMillis: nowMillis,
      upkeepPaidUntilMillis: null,
      ...UNDECLARED,
      restsUntilMillis: null,
      createdAtMillis: nowMillis
    })

    const judged = (workspaceId: string, found: ReadonlyArray<ExistingMailbox>) =>
      Effect.map(sendings.lockAddresses(found.map(({ address }) => address)), (holders) =>
        found.map((one): AdoptionCandidate => ({ ...one, standing: standingOf(workspaceId, one, holders) }))
      )

    return MailboxAdoption.of({
      candidates: (workspaceId) =>
        Effect.flatMap(existing(workspaceId), (found) => atomically(judged(workspaceId, found))),
      release,
      adopt: (workspaceId, addresses) =>
        Effect.gen(function* () {
          const found = yield* existing(workspaceId)
          const wanted = addresses === null ? null : new Set(addresses.map((one) => one.trim().toLowerCase()))
          return yield* Effect.gen(function* () {
            const nowMillis = yield* Clock.currentTimeMillis
            const all = yield* judged(
              workspaceId,
              found.filter(({ address }) => wanted === null || wanted.has(address))
            )
            const free = all.filter(({ standing }) => standing === "free")
            if (free.length > ADOPTED_MAX) {
              const message = `has ${free.length} mailboxes to adopt; at most ${ADOPTED_MAX} can be adopted at once`
              return yield* Effect.fail(invalid([{ path: "address", message }]))
            }
            const adopted = free.map((one) => made(workspaceId, one, nowMillis))
            if (adopted.length > 0) yield* sendings.insertMailboxes(adopted)
            yield* tell(
              nowMillis,
              adopted.map(({ address }) => ({
                workspaceId,
                source: "system",
                kind: "mailbox_active",
                detail: { mailbox: address, reason: "adopted" }
              }))
            )
            const known = new Set(all.map(({ address }) => address))
            const unknown = [...(wanted ?? [])].filter((address) => !known.has(address))
            return {
              adopted: adopted.map(({ address, mailboxId }) => ({ mailboxId, address })),
              kept: all.filter(({ standing }) => standing === "ours").map(({ address }) => address),
              refused: [
                ...all.flatMap(({ address, standing }) =>
                  standing === "taken" || standing === "inactive" ? [{ address, why: standing }] : []
                ),
                ...unknown.map((address) => ({ address, why: "unknown" as const }))
              ]
            } satisfies AdoptionReport
          }).pipe(atomically)
        })
    })
  })
)

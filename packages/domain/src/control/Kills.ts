import { Clock, Effect, Option } from "effect"
import { type Approval, ApprovalStore, campaignOf } from "../calls/approvals/ApprovalStore.js"
import { CampaignMachine } from "../outreach/campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { after } from "../kernel/machine.js"
import { Ids } from "../kernel/ports/Ids.js"
import { DONE, type JobHandler, LongWork, waitFor } from "../kernel/ports/LongWork.js"
import { Providers } from "../sources/ports/Providers.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { askProvider } from "../outreach/sending/askProvider.js"
import { makeVendorPause } from "../outreach/sending/vendor/VendorPause.js"
import { VendorStore } from "../outreach/sending/vendor/VendorStore.js"
import { makeTell, type TrailSource } from "../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import { type Actor, nameOf } from "./ControlLog.js"
import { type Kill, killJob, KillStore, type UnverifiedPause } from "./KillStore.js"
import { makeLog } from "./access.js"
import { ApprovalMachine } from "../calls/approvals/ApprovalMachine.js"
import { refOf } from "../outreach/operations/OperationStore.js"

const replyOf = (target: string): string | null => (target.startsWith("reply:") ? target.slice("reply:".length) : null)

/** Cancels locked open approvals and records it in the trail. Returns how many there were. */
export const makeCancelApprovals = Effect.gen(function* () {
  const approvals = yield* ApprovalStore
  const tell = yield* makeTell
  return (
    open: ReadonlyArray<Approval>,
    why: {
      readonly nowMillis: number
      readonly source: TrailSource
      readonly by: string
      readonly requestId?: string | null
    }
  ) =>
    Effect.gen(function* () {
      for (const approval of open) {
        yield* approvals.update({ ...approval, state: after(ApprovalMachine, approval.state, "cancel") })
      }
      yield* tell(
        why.nowMillis,
        open.map((approval) => ({
          workspaceId: approval.workspaceId,
          kind: "approval_cancelled",
          source: why.source,
          requestId: why.requestId ?? null,
          campaignId: campaignOf(approval.target),
          replyId: replyOf(approval.target),
          detail: { verb: approval.verb, approval_id: approval.approvalId, by: why.by }
        }))
      )
      return open.length
    })
})

/** How long a kill waits for messages in flight and for the provider. */
const KILL_WAIT_MILLIS = 10_000
const IN_FLIGHT_POLL_MILLIS = 100

/** The call itself verifies first. The job takes over after this. */
const OWN_TRY_MILLIS = 1_000

/** Timeout of one provider call, and how many campaigns we ask about at once. */
const PAUSE_TIMEOUT_SECONDS = 5
const PAUSES_AT_ONCE = 8

/** Who stops sending, and in which call. */
export interface Stop {
  readonly workspaceId: string
  readonly actor: Actor
  readonly source: TrailSource
  readonly reason: string
  readonly requestId: string | null
}

/**
 * Stops all sending of a workspace. The suspension commits first, with everything that outbound itself decides: from
 * then on no host claims a message. The rest only verifies and reports. If this host dies, the engine continues.
 */
export const makeKills = Effect.gen(function* () {
  const kills = yield* KillStore
  const vendors = yield* VendorStore
  const pauseAtVendor = yield* makeVendorPause
  const workspaces = yield* WorkspaceStore
  const campaigns = yield* CampaignStore
  const approvals = yield* ApprovalStore
  const tell = yield* makeTell
  const providers = yield* Providers
  const ids = yield* Ids
  const log = yield* makeLog
  const cancelApprovals = yield* makeCancelApprovals
  const work = yield* LongWork
  const { atomically } = yield* UnitOfWork

  const pauseAll = (active: ReadonlyArray<Campaign>) =>
    Effect.gen(function* () {
      for (const campaign of active) {
        const state = after(CampaignMachine, campaign.state, "stop")
        yield* campaigns.update({ ...campaign, state, pauseReason: "killed" })
      }
      return active.map(({ campaignId }) => campaignId)
    })

  /** Suspends sending unless it is suspended. Locks sending, campaigns, approvals in that order, as a launch does. */
  const suspend = ({ actor, reason, requestId, source, workspaceId }: Stop) =>
    Effect.gen(function* () {
      const sending = yield* workspaces.lockSending(workspaceId)
      const standing = yield* kills.standing(workspaceId)
      if (sending.suspendedAtMillis !== null && Option.isSome(standing)) return standing.value
      const nowMillis = yield* Clock.currentTimeMillis
      yield* workspaces.setSending(workspaceId, { suspendedAtMillis: nowMillis, suspendedReason: reason })
      const paused = yield* pauseAll(yield* campaigns.lockActive(workspaceId))
      const by = nameOf(actor)
      const common = { workspaceId, source, requestId }
      yield* tell(nowMillis, [
        { ...common, kind: "killed", detail: { reason, by } },
        ...paused.map((campaignId) => {
          const kind = "pause_requested" as const
          return { ...common, kind, campaignId, detail: { reason: "killed" } }
        })
      ])
      // A vendor may still send from a campaign that was paused earlier, so verify that pause too.
      const stillSending = (yield* vendors.mayBeSending(workspaceId)).filter((id) => !paused.includes(id))
      const open = yield* approvals.lockOpen(workspaceId, null)
      const approvalsCancelled = yield* cancelApprovals(open, { nowMillis, source, by, requestId })
      const kill: Kill = {
        workspaceId,
        killId: ids.next(nowMillis),
        reason,
        actor,
        suspendedAtMillis: nowMillis,
        campaignsPaused: paused.length,
        approvalsCancelled,
        unconfirmed: null,
        clearedAtMillis: null
      }
      yield* kills.insert(kill, [...paused, ...stillSending])
      yield* work.announce([{ ...killJob(kill), afterMillis: OWN_TRY_MILLIS }])
      yield* log(workspaceId, actor, "kill", "tighten", {
        after: { reason, campaigns_paused: paused.length, approvals_cancelled: approvalsCancelled }
      })
      return kill
    }).pipe(atomically)

  const verified = (kill: Kill, campaignId: string) =>
    Effect.gen(function* () {
      const { killId, workspaceId } = kill
      const nowMillis = yield* Clock.currentTimeMillis
      if (!(yield* kills.verify(workspaceId, killId, campaignId, nowMillis))) return
      yield* tell(nowMillis, {
        workspaceId,
        kind: "paused",
        source: "system",
        campaignId,
        detail: { reason: "killed", provider_verified: true }
      })
    }).pipe(atomically)

  /**
   * Asks the provider to pause what it may still hold, and trusts only an explicit yes. Campaigns that use only the
   * workspace's own mailboxes need no such check. A campaign with a message in flight is not paused yet. Returns the
   * unverified campaigns by id.
   */
  const verifyPauses = (kill: Kill, untilMillis: number) =>
    Effect.gen(function* () {
      const { killId, workspaceId } = kill
      const unverified = yield* kills.unverified(workspaceId, killId)
      if (unverified.length === 0) return []
      const workspace = Option.getOrThrow(yield* workspaces.get(workspaceId))
      const provider = providers[workspace.kind].sending
      const leaving = new Set(yield* kills.inFlight(workspaceId))
      const held = yield* vendors.among(
        workspaceId,
        unverified.map(({ campaignId }) => campaignId)
      )
      const isPaused = ({ atProvider, campaignId }: UnverifiedPause): Effect.Effect<boolean> => {
        if (held.has(campaignId)) return Effect.isSuccess(pauseAtVendor(workspaceId, campaignId))
        if (!atProvider) return Effect.succeed(true)
        // The provider is no longer configured, so we can't ask it.
        if (provider?.schedules !== "outbound") return Effect.succeed(false)
        return Effect.isSuccess(
          askProvider(provider.name, { seconds: PAUSE_TIMEOUT_SECONDS, otherwise: "transient" }, () =>
            provider.pauseCampaign({ workspaceId, campaignId })
          )
        )
      }
      yield* Effect.forEach(
        unverified.filter(({ campaignId }) => !leaving.has(campaignId)),
        (one) =>
          Effect.gen(function* () {
            if ((yield* Clock.currentTimeMillis) > untilMillis) return
            if (yield* isPaused(one)) yield* verified(kill, one.campaignId)
          }),
        { concurrency: PAUSES_AT_ONCE, discard: true }
      )
      return (yield* kills.unverified(workspaceId, killId)).map(({ campaignId }) => campaignId)
    })

  const awaitInFlight = (workspaceId: string, untilMillis: number): FromStore<void> =>
    Effect.gen(function* () {
      const leaving = yield* kills.inFlight(workspaceId)
      if (leaving.length === 0 || (yield* Clock.currentTimeMillis) >= untilMillis) return
      yield* Effect.sleep(IN_FLIGHT_POLL_MILLIS)
      yield* awaitInFlight(workspaceId, untilMillis)
    })

  /** Suspends, waits for messages in flight, and answers. A repeat returns the first answer. */
  const stop = (asked: Stop) =>
    Effect.gen(function* () {
      const kill = yield* suspend(asked)
      if (kill.unconfirmed !== null) return kill
      const untilMillis = (yield* Clock.currentTimeMillis) + KILL_WAIT_MILLIS
      yield* awaitInFlight(kill.workspaceId, untilMillis)
      const unverified = yield* verifyPauses(kill, untilMillis)
      const leaving = yield* kills.inFlight(kill.workspaceId)
      const unconfirmed = [...new Set([...unverified, ...leaving])].sort()
      return yield* atomically(kills.answer(kill.workspaceId, kill.killId, unconfirmed))
    })

  /** Ends the suspension. False: there is none. Campaigns that the kill paused stay paused. */
  const clear = (workspaceId: string, actor: Actor) =>
    Effect.gen(function* () {
      const sending = yield* workspaces.lockSending(workspaceId)
      if (sending.suspendedAtMillis === null) return false
      const nowMillis = yield* Clock.currentTimeMillis
      yield* workspaces.setSending(workspaceId, { suspendedAtMillis: null, suspendedReason: null })
      const standing = yield* kills.standing(workspaceId)
      if (Option.isSome(standing)) yield* kills.clear(workspaceId, standing.value.killId, nowMillis)
      yield* tell(nowMillis, {
        workspaceId,
        kind: "suspension_cleared",
        source: "console",
        detail: { by: nameOf(actor) }
      })
      yield* log(workspaceId, actor, "clear_suspension", "loosen", { before: { reason: sending.suspendedReason } })
      return true
    }).pipe(atomically)

  return { stop, clear, verifyPauses }
})

/** Bounds of the interval between two requests to the provider. */
const ASK_AGAIN_MIN_MILLIS = 1_000
const ASK_AGAIN_MAX_MILLIS = 60_000

/** A tenth of the kill's age, within the bounds. */
export const askAgainAfter = (ageMillis: number): number =>
  Math.min(ASK_AGAIN_MAX_MILLIS, Math.max(ASK_AGAIN_MIN_MILLIS, Math.floor(ageMillis / 10)))

/**
 * The handler of a kill's job. It continues until the provider has confirmed every pause, even after the suspension is
 * cleared.
 */
export const makeKillHandler = Effect.gen(function* () {
  const kills = yield* KillStore
  const { verifyPauses } = yield* makeKills
  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const { operationId: killId, workspaceId } = refOf(key)
      const kill = yield* kills.get(workspaceId, killId)
      if (Option.isNone(kill)) return DONE
      const nowMillis = yield* Clock.currentTimeMillis
      const unverified = yield* verifyPauses(kill.value, nowMillis + KILL_WAIT_MILLIS)
      return unverified.length === 0 ? DONE : waitFor(askAgainAfter(nowMillis - kill.value.suspendedAtMillis))
    })
  return handler
})

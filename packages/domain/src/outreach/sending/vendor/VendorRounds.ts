import { Clock, Context, Effect, Layer, Option } from "effect"
import { backoff } from "../../../kernel/backoff.js"
import { CampaignMachine } from "../../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../../campaigns/CampaignStore.js"
import { ProviderFailure } from "../../../sources/ports/Source.js"
import { type FromStore, UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { about, inSpan } from "../../../kernel/telemetry.js"
import { WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import { makeActivating } from "./Activating.js"
import { askedUntil, BEGIN_IN_CALL_MILLIS, BEGIN_MILLIS, HOLD_MILLIS, isTurnOver, makeVendorOf } from "./asVendor.js"
import { makePushing } from "./Pushing.js"
import { makeReading } from "./Reading.js"
import { VendorCampaignMachine, MAY_SEND } from "./VendorCampaignMachine.js"
import { UNSETTLED } from "./VendorLeadMachine.js"
import { makeVendorPause } from "./VendorPause.js"
import { makeVendorRecord, type Turn, TurnLost } from "./VendorRecord.js"
import { type VendorCampaign, VendorStore } from "./VendorStore.js"
import { makeWithdrawing } from "./Withdrawing.js"

/** Most campaigns per round, and most at once. */
const ROUND_MAX = 8
const AT_ONCE = 8

/** Most pushes and look-ups that one turn begins. */
const BRINGS_MAX = 20

/** When to look at a sending campaign again, and the pause after trouble: doubles up to a maximum. */
const WATCH_MILLIS = 30_000
const TROUBLE_MILLIS = 2_000
const TROUBLE_MILLIS_MAX = 5 * 60_000
/** Shorter pause while something may be sent that must not. */
const URGENT_MILLIS_MAX = 10_000
/** After this many consecutive failures, we ask at the normal interval again; the log tells the operator. */
const URGENT_FAILURES_MAX = 60

/** How often an idle campaign is checked: a person in it may have been erased. */
const RESTING_MILLIS = 15 * 60_000

/** Brings campaigns at vendors to their target state. */
export class VendorRounds extends Context.Service<
  VendorRounds,
  {
    /** Advances the campaigns that are due. Returns how many. */
    readonly round: FromStore<number>
    /** The same for one campaign now, unless another host has it. */
    readonly advance: (workspaceId: string, campaignId: string) => FromStore<void>
  }
>()("@outbound/domain/outreach/sending/vendor/VendorRounds") {}

/** The progress of a turn. */
interface RoundProgress {
  readonly failures: Array<ProviderFailure>
  isUrgent: boolean
  hasMore: boolean
}

export const layer = Layer.effect(
  VendorRounds,
  Effect.gen(function* () {
    const vendors = yield* VendorStore
    const campaigns = yield* CampaignStore
    const workspaces = yield* WorkspaceStore
    const vendorOf = yield* makeVendorOf
    const pause = yield* makeVendorPause
    const withdrawing = yield* makeWithdrawing
    const pushing = yield* makePushing
    const activating = yield* makeActivating
    const read = yield* makeReading
    const record = yield* makeVendorRecord
    const { atomically } = yield* UnitOfWork

    const afresh = (turn: Turn) =>
      Effect.map(vendors.get(turn.campaign.workspaceId, turn.campaign.campaignId), (found) =>
        Option.match(found, {
          onNone: () => turn,
          // Keeps the original turn number, so that another host's turn is noticed.
          onSome: (campaign): Turn => ({ ...turn, campaign: { ...campaign, turn: turn.campaign.turn } })
        })
      )

    /** Pushes people and looks them up while some are due. */
    const bring = (turn: Turn, campaign: Campaign, progress: RoundProgress) =>
      Effect.gen(function* () {
        const { campaignId, workspaceId } = turn.campaign
        const counts = yield* vendors.counts(workspaceId, campaignId)
        if (!UNSETTLED.some((state) => counts[state] > 0)) return yield* pushing.settle(turn)
        const present = yield* activating.present(turn, campaign)
        const { ref } = present
        if (ref === null) return
        for (let brings = 0; brings < BRINGS_MAX; brings += 1) {
          progress.hasMore = yield* pushing.bring({ ...turn, campaign: present }, ref, campaign)
          if (!progress.hasMore || (yield* Clock.currentTimeMillis) > turn.untilMillis) break
        }
        yield* pushing.settle(turn)
      })

    const isSettled = (turn: Turn) =>
      Effect.map(
        vendors.counts(turn.campaign.workspaceId, turn.campaign.campaignId),
        // People who were looked up and not found don't hold the others up.
        (counts) => counts.waiting + counts.asked === 0
      )

    const steps = (turn: Turn, campaign: Campaign, progress: RoundProgress) =>
      Effect.gen(function* () {
        const { campaignId, workspaceId } = turn.campaign
        /** A vendor failure or the turn's end stops this part of the turn. True: no trouble. */
        const attempt = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          effect.pipe(
            Effect.as(true),
            Effect.catchIf(
              (error): error is E & ProviderFailure => error instanceof ProviderFailure,
              (failure) => {
                if (isTurnOver(failure)) progress.hasMore = true
                else progress.failures.push(failure)
                return Effect.succeed(false)
              }
            )
          )
        const launched = campaign.launchedAtMillis !== null
        if (launched && !CampaignMachine.is.over(campaign.state)) yield* withdrawing.takeOut(turn)
        const leaving = yield* withdrawing.note(turn)
        yield* withdrawing.pauseOverdue(turn, leaving)
        const now = Option.getOrElse(yield* campaigns.get(workspaceId, campaignId), () => campaign)
        const sending = yield* workspaces.sending(workspaceId)
        const mayGoOn = CampaignMachine.is.running(now.state) && sending.suspendedAtMillis === null
        const here = yield* afresh(turn)
        const isToStop = !mayGoOn && (MAY_SEND.includes(here.campaign.state) || here.campaign.owesPause)
        const stopped =
          !isToStop ||
          VendorCampaignMachine.is.absent(here.campaign.state) ||
          (yield* attempt(pause(workspaceId, campaignId)))
        const withdrawn = yield* attempt(withdrawing.withdraw(here, leaving))
        progress.isUrgent = !stopped || !withdrawn
        const isOver = CampaignMachine.is.over(now.state) || now.pauseReason === "killed"
        if (sending.suspendedAtMillis === null && !isOver) {
          const brought = stopped && (yield* attempt(bring(yield* afresh(turn), now, progress)))
          const ready = yield* afresh(turn)
          const { ref } = ready.campaign
          if (mayGoOn && withdrawn && brought && ref !== null && (yield* isSettled(turn))) {
            yield* attempt(
              Effect.map(activating.activate(ready, ref, now), (isSent) => {
                progress.hasMore ||= !isSent
              })
            )
          }
        }
        const after = yield* afresh(turn)
        const { readAtMillis, ref } = after.campaign
        if (ref !== null && launched && readAtMillis !== null && readAtMillis <= (yield* Clock.currentTimeMillis)) {
          yield* attempt(read(after, ref, now))
        }
      })

    /** When to look at the campaign next; null: when it is woken. */
    const dueAfter = (held: VendorCampaign, progress: RoundProgress, nowMillis: number) =>
      Effect.gen(function* () {
        const { campaignId, workspaceId } = held
        const found = yield* vendors.get(workspaceId, campaignId)
        const campaign = yield* campaigns.get(workspaceId, campaignId)
        if (Option.isNone(found) || Option.isNone(campaign)) return null
        const wishes = progress.failures.map(({ retryAfterSeconds }) => (retryAfterSeconds ?? 0) * 1000)
        if (progress.failures.length > 0) {
          const longest =
            progress.isUrgent && found.value.failures < URGENT_FAILURES_MAX ? URGENT_MILLIS_MAX : TROUBLE_MILLIS_MAX
          return (
            nowMillis + Math.max(backoff(found.value.failures + 1, { first: TROUBLE_MILLIS, max: longest }), ...wishes)
          )
        }
        const people = yield* vendors.nextDue(workspaceId, campaignId, UNSETTLED)
        const times = [
          ...(progress.hasMore ? [nowMillis + TROUBLE_MILLIS] : []),
          ...(people === null || CampaignMachine.is.over(campaign.value.state) ? [] : [people]),
          ...(found.value.readAtMillis === null ? [] : [found.value.readAtMillis]),
          ...(CampaignMachine.is.running(campaign.value.state) || MAY_SEND.includes(found.value.state)
            ? [nowMillis + WATCH_MILLIS]
            : [])
        ]
        if (found.value.ref !== null && !CampaignMachine.is.over(campaign.value.state))
          times.push(nowMillis + RESTING_MILLIS)
        return times.length === 0 ? null : Math.max(nowMillis, Math.min(...times))
      })

    const take = (held: VendorCampaign, nowMillis: number, beginMillis = BEGIN_MILLIS) =>
      Effect.gen(function* () {
        const progress: RoundProgress = { failures: [], isUrgent: false, hasMore: false }
        const campaign = yield* campaigns.get(held.workspaceId, held.campaignId)
        if (Option.isNone(campaign)) return
        yield* Effect.gen(function* () {
          const untilMillis = nowMillis + beginMillis
          const asked = askedUntil(yield* vendorOf(held), untilMillis)
          yield* steps({ ...asked, campaign: held, untilMillis }, campaign.value, progress)
        }).pipe(
          Effect.catchIf(
            (error): error is ProviderFailure => error instanceof ProviderFailure,
            (failure) => Effect.sync(() => progress.failures.push(failure))
          )
        )
        const [failure] = progress.failures
        if (failure !== undefined) {
          yield* Effect.logWarning("a campaign at its vendor is not in the wanted state yet").pipe(
            Effect.annotateLogs({
              reason: failure.reason,
              cause: String(failure.cause ?? "")
            })
          )
        }
        const failures = (before: VendorCampaign) => (failure === undefined ? 0 : before.failures + 1)
        yield* record.change(held, (now) => ({ ...now, failures: failures(now) }))
        const due = yield* dueAfter(held, progress, yield* Clock.currentTimeMillis)
        yield* atomically(vendors.endTurn(held, due))
      }).pipe(
        Effect.catchIf(
          (error): error is TurnLost => error instanceof TurnLost,
          () => Effect.logInfo("another host took over a campaign at its vendor")
        ),
        // Its hold ends by itself, and it is due then.
        Effect.catchCause((cause) => Effect.logWarning("a round for a campaign at its vendor failed", cause)),
        inSpan("vendor.turn", { attributes: () => ({ "peer.service": held.vendor }) }),
        about({ workspace_id: held.workspaceId, campaign_id: held.campaignId, provider: held.vendor })
      )

    const held = (nowMillis: number) => ({ nowMillis, heldUntilMillis: nowMillis + HOLD_MILLIS })

    return VendorRounds.of({
      round: Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const taken = yield* atomically(vendors.takeTurns({ ...held(nowMillis), limit: ROUND_MAX }))
        yield* Effect.forEach(taken, (one) => take(one, nowMillis), { concurrency: AT_ONCE, discard: true })
        return taken.length
      }),
      advance: (workspaceId, campaignId) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const taken = yield* atomically(vendors.takeTurn(workspaceId, campaignId, held(nowMillis)))
          if (Option.isSome(taken)) yield* take(taken.value, nowMillis, BEGIN_IN_CALL_MILLIS)
        })
    })
  })
)

import { Clock, Effect, Option } from "effect"
import { HOUR_MILLIS } from "../../kernel/durations.js"
import { jitter } from "../../kernel/jitter.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { CampaignStore } from "../../outreach/campaigns/CampaignStore.js"
import { makeReceivers } from "../../outreach/sending/Breaker.js"
import { MailboxMachine } from "../../outreach/sending/MailboxMachine.js"
import { OwnMailboxStore } from "../../outreach/sending/OwnMailboxes.js"
import { APART_MILLIS, type Candidate, type Canary, choosePairs, COUNTED_MILLIS, dayOf, endedBy } from "./Canary.js"
import { CanaryMachine } from "./CanaryMachine.js"
import { canaryJob, CanaryStore } from "./CanaryStore.js"
import { variantsOf } from "./letter.js"
import { makeLookForCanary } from "./lookForCanary.js"
import { makeSendCanary } from "./sendCanary.js"
import { NO_VERDICTS } from "./verdicts.js"

/** How often new ones are planned, and most that one wake-up sends or looks for. */
const PLAN_MILLIS = HOUR_MILLIS
const DUE_MAX = 10

/** Most own mailboxes and running campaigns that one plan looks at. */
const MAILBOXES_MAX = 500
const CAMPAIGNS_MAX = 50

/** How long canaries are kept after they ended, and most that one round forgets. */
export const KEPT_MILLIS = 90 * 24 * HOUR_MILLIS
const FORGET_MAX = 500

/** Plans the canaries of the moment. The store refuses what a pair has had on the day, also if two hosts plan. */
const makePlan = Effect.gen(function* () {
  const store = yield* CanaryStore
  const campaigns = yield* CampaignStore
  const ids = yield* Ids
  const owns = yield* OwnMailboxStore
  const receiverOf = yield* makeReceivers
  const { atomically } = yield* UnitOfWork

  return (workspaceId: string) =>
    Effect.gen(function* () {
      const connected = (yield* owns.list(workspaceId))
        .map(({ mailbox }) => mailbox)
        .filter(({ state }) => MailboxMachine.is.sending(state))
        .slice(0, MAILBOXES_MAX)
      const candidates: Array<Candidate> = []
      for (const { address, domain, mailboxId } of connected) {
        candidates.push({ mailboxId, domain, organisation: yield* receiverOf(workspaceId, address) })
      }
      if (new Set(candidates.map(({ organisation }) => organisation)).size < 2) return
      yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const running = (yield* campaigns.lockActive(workspaceId)).slice(0, CAMPAIGNS_MAX)
        const writing = new Map<string, (typeof running)[number]>()
        for (const campaign of running) {
          const bound = yield* campaigns.mailboxIds(workspaceId, campaign.campaignId)
          for (const mailboxId of bound) if (!writing.has(mailboxId)) writing.set(mailboxId, campaign)
        }
        const recent = yield* store.since(workspaceId, nowMillis - COUNTED_MILLIS)
        const senders = candidates.filter(({ mailboxId }) => writing.has(mailboxId))
        for (const [index, { from, nth, to }] of choosePairs(senders, candidates, recent, nowMillis).entries()) {
          const campaign = writing.get(from.mailboxId)
          if (campaign === undefined) continue
          const canaryId = ids.next(nowMillis)
          const variants = variantsOf(campaign)
          yield* store.plan({
            ...NO_VERDICTS,
            workspaceId,
            canaryId,
            fromMailboxId: from.mailboxId,
            toMailboxId: to.mailboxId,
            domain: from.domain,
            organisation: to.organisation,
            day: dayOf(nowMillis),
            nth,
            campaignId: campaign.campaignId,
            variant:
              variants === null ? null : (campaign.chosenVariants?.[0] ?? Math.floor(jitter(canaryId) * variants)),
            state: CanaryMachine.initial,
            plannedAtMillis: nowMillis,
            claimedAtMillis: null,
            sentAtMillis: null,
            arrivedAtMillis: null,
            lookedAtMillis: null,
            nextAtMillis: nowMillis + index * APART_MILLIS,
            isRemoved: false,
            says: ""
          })
        }
      }).pipe(atomically)
    })
})

/**
 * A workspace's canaries: plans them while they are on, sends what is due, and looks for what left, on or off. It may run twice
 * or on two hosts: the rows decide, under their locks.
 */
export const makeCanaryHandler = Effect.gen(function* () {
  const store = yield* CanaryStore
  const { atomically } = yield* UnitOfWork
  const plan = yield* makePlan
  const send = yield* makeSendCanary
  const look = yield* makeLookForCanary

  const dropPlanned = (canary: Canary, nowMillis: number) =>
    Effect.gen(function* () {
      const locked = Option.getOrNull(yield* store.lock(canary))
      if (locked === null || !CanaryMachine.is.planned(locked.state)) return
      yield* store.put(endedBy(locked, "drop", nowMillis, { says: "canaries were turned off" }))
    }).pipe(atomically)

  const handler: JobHandler = (workspaceId) =>
    Effect.gen(function* () {
      const setting = Option.getOrNull(yield* store.setting(workspaceId))
      if (setting === null) return DONE
      if (setting.isOn) yield* plan(workspaceId)
      const beganAtMillis = yield* Clock.currentTimeMillis
      const due = (yield* store.open(workspaceId))
        .filter(({ nextAtMillis, state }) => {
          const isDropped = !setting.isOn && CanaryMachine.is.planned(state)
          return isDropped || (nextAtMillis ?? 0) <= beganAtMillis
        })
        .slice(0, DUE_MAX)
      for (const canary of due) {
        if (CanaryMachine.is.away(canary.state)) yield* look(canary)
        else if (setting.isOn) yield* send(canary)
        else yield* dropPlanned(canary, beganAtMillis)
      }
      const open = yield* store.open(workspaceId)
      return yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const locked = Option.getOrNull(yield* store.lockSetting(workspaceId))
        if (locked === null || (!locked.isOn && open.length === 0)) return DONE
        const planAgain = locked.isOn ? [nowMillis + PLAN_MILLIS] : []
        const nextAtMillis = Math.min(...planAgain, ...open.map((one) => Math.max(nowMillis, one.nextAtMillis ?? 0)))
        yield* store.putSetting({ ...locked, nextAtMillis })
        return waitFor(Math.max(1_000, nextAtMillis - nowMillis))
      }).pipe(atomically)
    })
  return handler
})

/** How late a workspace's job may be before it counts as lost. */
const LATE_MILLIS = 2 * PLAN_MILLIS

export const makeLostCanaries = Effect.map(
  CanaryStore,
  ({ overdue }) =>
    (limit: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        Effect.map(overdue(nowMillis - LATE_MILLIS, limit), (found) => found.map(canaryJob))
      )
)

export const makeForgetCanaries = Effect.gen(function* () {
  const store = yield* CanaryStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(store.forget(nowMillis - KEPT_MILLIS, FORGET_MAX))
  )
})

import { Clock, Context, Effect, Either, Layer } from "effect"
import type { Campaign } from "../campaigns/Campaign.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { LeadMachine } from "../campaigns/LeadMachine.js"
import { CreditStore } from "../credits/CreditStore.js"
import { statesAllowing, step } from "../machine.js"
import { Ids } from "../ports/Ids.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "../ports/UnitOfWork.js"
import { eventOf } from "../trail/events.js"
import { TrailStore } from "../trail/TrailStore.js"
import { MAILBOX_UPKEEP_PRICE } from "./capacity.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"

const DAY_MILLIS = 86_400_000

/** How long a mailbox whose upkeep can't be paid goes on sending (completions.md §3). */
export const UPKEEP_GRACE_MILLIS = 3 * DAY_MILLIS

const SENDING_LEAD_STATES = statesAllowing(LeadMachine, "send")

/** How many mailboxes one transaction of a sweep sees. */
const PAGE_MAX = 100

/** Every lead of a campaign: it holds no more. */
const LEADS_MAX = 5_000

/** That day of the next month, or its last one where it has no such day. */
export const monthAfter = (millis: number, day: number): number => {
  const target = new Date(millis)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + 1)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(day, lastDay))
  return target.getTime()
}

/** Up to when a mailbox is paid that pays another month: always to the day on which it came alive. */
const paidUntil = (mailbox: Mailbox, fromMillis: number): number =>
  monthAfter(fromMillis, new Date(mailbox.activeAtMillis ?? fromMillis).getUTCDate())

/** Upkeep: 750 credits for each mailbox when it comes alive, and every month after (interface.md §8.2). */
export class Upkeep extends Context.Tag("@outbound/domain/sending/Upkeep")<
  Upkeep,
  {
    /** The first month of mailboxes that came alive now. One that can't be paid begins its grace. */
    readonly begin: (mailboxes: ReadonlyArray<Mailbox>, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Charges what is due, and pauses what stayed unpaid beyond its grace. How many mailboxes it saw. */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>() {}

export const layer = Layer.effect(
  Upkeep,
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const campaigns = yield* CampaignStore
    const ledger = yield* CreditStore
    const trail = yield* TrailStore
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork

    const charge = (mailbox: Mailbox, nowMillis: number) =>
      ledger.take({
        entryId: ids.next(nowMillis),
        workspaceId: mailbox.workspaceId,
        kind: "upkeep",
        amount: MAILBOX_UPKEEP_PRICE,
        atMillis: nowMillis
      })

    /** Whether the campaign still has somebody whom this mailbox writes to. */
    const sendsFrom = (campaign: Campaign, mailbox: Mailbox) =>
      Effect.map(
        campaigns.firstLeads(campaign.workspaceId, campaign.campaignId, SENDING_LEAD_STATES, LEADS_MAX),
        (leads) => leads.some((lead) => lead.mailboxId === mailbox.mailboxId)
      )

    /** Nothing is sent from an unpaid mailbox, and the campaigns that it writes for are paused, for all to see. */
    const pause = (mailbox: Mailbox, nowMillis: number) =>
      Effect.gen(function* () {
        const { workspaceId, operationId } = mailbox
        const paused = step(MailboxMachine, mailbox.state, "pause")
        if (Either.isLeft(paused)) return
        yield* sendings.updateMailboxes([{ ...mailbox, state: paused.right, pauseReason: "upkeep" }])
        const common = { workspaceId, source: "system" as const, operationId }
        yield* trail.append([
          eventOf(ids, nowMillis, {
            ...common,
            kind: "mailbox_paused",
            detail: { mailbox: mailbox.address, reason: "upkeep_unpaid" }
          })
        ])
        for (const campaign of yield* campaigns.lockActive(workspaceId)) {
          const stopped = step(CampaignMachine, campaign.state, "stop")
          if (Either.isLeft(stopped) || !(yield* sendsFrom(campaign, mailbox))) continue
          yield* campaigns.update({ ...campaign, state: stopped.right, pauseReason: "capacity" })
          yield* trail.append([
            eventOf(ids, nowMillis, {
              workspaceId,
              kind: "paused",
              source: "system",
              campaignId: campaign.campaignId,
              detail: { reason: "capacity", provider_verified: true }
            })
          ])
        }
      })

    const settleOne = (mailbox: Mailbox, nowMillis: number) =>
      Effect.gen(function* () {
        const dueAt = mailbox.upkeepPaidUntilMillis ?? nowMillis
        if (yield* charge(mailbox, nowMillis)) {
          return yield* sendings.updateMailboxes([{ ...mailbox, upkeepPaidUntilMillis: paidUntil(mailbox, dueAt) }])
        }
        if (nowMillis - dueAt >= UPKEEP_GRACE_MILLIS) yield* pause(mailbox, nowMillis)
      })

    const sweepPage = (after: string | null, nowMillis: number) =>
      atomically(
        Effect.gen(function* () {
          const due = yield* sendings.lockUpkeepDue(nowMillis, PAGE_MAX, after)
          yield* Effect.forEach(due, (mailbox) => settleOne(mailbox, nowMillis), { discard: true })
          return due
        })
      )

    /** Page by page, so that those that can't be paid keep nobody waiting. */
    const sweepAfter = (after: string | null, nowMillis: number): Effect.Effect<number, StoreUnavailable> =>
      Effect.gen(function* () {
        const due = yield* sweepPage(after, nowMillis)
        const last = due.at(-1)
        if (last === undefined || due.length < PAGE_MAX) return due.length
        return due.length + (yield* sweepAfter(last.mailboxId, nowMillis))
      })

    return Upkeep.of({
      begin: (mailboxes, nowMillis) =>
        Effect.forEach(
          mailboxes,
          (mailbox) =>
            Effect.flatMap(charge(mailbox, nowMillis), (paid) =>
              sendings.updateMailboxes([
                { ...mailbox, upkeepPaidUntilMillis: paid ? paidUntil(mailbox, nowMillis) : nowMillis }
              ])
            ),
          { discard: true }
        ),
      sweep: Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => sweepAfter(null, nowMillis))
    })
  })
)

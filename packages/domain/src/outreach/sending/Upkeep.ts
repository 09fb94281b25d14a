import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import { step } from "../../kernel/machine.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { MAILBOX_UPKEEP_PRICE } from "../../verbs/prices.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { makePauseMailbox } from "./Breaker.js"
import { type Mailbox, type MailboxRef, SendingStore } from "./SendingStore.js"

/** How long a mailbox keeps sending after its upkeep could not be charged (contract: campaigns, capacity). */
export const UPKEEP_GRACE_MILLIS = 3 * DAY_MILLIS

/** Most mailboxes per transaction of a sweep. */
const PAGE_MAX = 100

/** That day of the next month, or its last day if the month is shorter. */
export const monthAfter = (millis: number, day: number): number => {
  const target = new Date(millis)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + 1)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(day, lastDay))
  return target.getTime()
}

/** The end of another paid month, always on the day of the month on which the mailbox became active. */
const paidUntil = (mailbox: Mailbox, fromMillis: number): number =>
  monthAfter(fromMillis, new Date(mailbox.activeAtMillis ?? fromMillis).getUTCDate())

/** Upkeep: 750 credits per mailbox when it becomes active and every month after (contract: credits, prices). */
export class Upkeep extends Context.Service<
  Upkeep,
  {
    /** Charges the first month of newly active mailboxes. If it can't be paid, the grace period begins. */
    readonly begin: (mailboxes: ReadonlyArray<Mailbox>, nowMillis: number) => InTx<void>
    /**
     * Charges what is due, pauses mailboxes unpaid beyond their grace, and resumes those that can be paid again, so
     * within one round of a top-up. Returns how many mailboxes it saw.
     */
    readonly sweep: FromStore<number>
  }
>()("@outbound/domain/outreach/sending/Upkeep") {}

export const layer = Layer.effect(
  Upkeep,
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const ledger = yield* CreditStore
    const tell = yield* makeTell
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const pauseMailbox = yield* makePauseMailbox

    const charge = (mailbox: Mailbox, nowMillis: number) =>
      ledger.take({
        entryId: ids.next(nowMillis),
        workspaceId: mailbox.workspaceId,
        kind: "upkeep",
        amount: MAILBOX_UPKEEP_PRICE,
        atMillis: nowMillis
      })

    /** An unpaid mailbox sends nothing; the campaigns that it writes for are visibly paused. */
    const pause = (mailbox: Mailbox, nowMillis: number) =>
      pauseMailbox(mailbox, { reason: "upkeep", detail: { reason: "upkeep_unpaid" }, campaigns: "each" }, nowMillis)

    /**
     * A mailbox whose upkeep can be paid again is active for a month from now. Campaigns paused with it stay paused
     * until a person approves their launch.
     */
    const resume = (mailbox: Mailbox, nowMillis: number) =>
      Effect.gen(function* () {
        const resumed = step(MailboxMachine, mailbox.state, "resume")
        if (Result.isFailure(resumed) || !(yield* charge(mailbox, nowMillis))) return
        const alive: Mailbox = { ...mailbox, state: resumed.success, pauseReason: null, activeAtMillis: nowMillis }
        yield* sendings.updateMailboxes([{ ...alive, upkeepPaidUntilMillis: paidUntil(alive, nowMillis) }])
        yield* tell(nowMillis, {
          workspaceId: mailbox.workspaceId,
          source: "system",
          operationId: mailbox.operationId,
          kind: "mailbox_active",
          detail: { mailbox: mailbox.address }
        })
      })

    const settleOne = (mailbox: Mailbox, nowMillis: number) =>
      Effect.gen(function* () {
        const dueAt = mailbox.upkeepPaidUntilMillis ?? nowMillis
        if (yield* charge(mailbox, nowMillis)) {
          return yield* sendings.updateMailboxes([{ ...mailbox, upkeepPaidUntilMillis: paidUntil(mailbox, dueAt) }])
        }
        if (nowMillis - dueAt >= UPKEEP_GRACE_MILLIS) yield* pause(mailbox, nowMillis)
      })

    type Page = (after: MailboxRef | null) => InTx<ReadonlyArray<Mailbox>>

    /** Page by page, so that unpaid mailboxes don't block others. */
    const sweepAfter = (
      page: Page,
      each: (mailbox: Mailbox) => InTx<unknown>,
      after: MailboxRef | null
    ): FromStore<number> =>
      Effect.gen(function* () {
        const found = yield* atomically(Effect.tap(page(after), Effect.forEach(each, { discard: true })))
        const last = found.at(-1)
        if (last === undefined || found.length < PAGE_MAX) return found.length
        return found.length + (yield* sweepAfter(page, each, last))
      })

    const sweep = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const due = yield* sweepAfter(
        (after) => sendings.lockUpkeepDue(nowMillis, PAGE_MAX, after),
        (mailbox) => settleOne(mailbox, nowMillis),
        null
      )
      // Mailboxes paused just now can't be paid yet; checking them again costs little.
      const paused = yield* sweepAfter(
        (after) => sendings.lockUpkeepPaused(PAGE_MAX, after),
        (mailbox) => resume(mailbox, nowMillis),
        null
      )
      return due + paused
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
      sweep
    })
  })
)

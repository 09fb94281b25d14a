import { Clock, Context, Effect, Either, Layer } from "effect"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import { step } from "../../kernel/machine.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/events.js"
import { MAILBOX_UPKEEP_PRICE } from "../../verbs/prices.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { makePauseMailbox } from "./pauseMailbox.js"
import { type Mailbox, type MailboxRef, SendingStore } from "./SendingStore.js"

const DAY_MILLIS = 86_400_000

/** How long a mailbox whose upkeep can't be paid goes on sending (contract: campaigns, capacity). */
export const UPKEEP_GRACE_MILLIS = 3 * DAY_MILLIS

/** How many mailboxes one transaction of a sweep sees. */
const PAGE_MAX = 100

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

/** Upkeep: 750 credits for each mailbox when it comes alive, and every month after (contract: credits, prices). */
export class Upkeep extends Context.Tag("@outbound/domain/outreach/sending/Upkeep")<
  Upkeep,
  {
    /** The first month of mailboxes that came alive now. One that can't be paid begins its grace. */
    readonly begin: (mailboxes: ReadonlyArray<Mailbox>, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /**
     * Charges what is due, pauses what stayed unpaid beyond its grace, and brings back what can be paid again: within a
     * round of a top-up. How many mailboxes it saw.
     */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>() {}

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

    /** Nothing is sent from an unpaid mailbox, and the campaigns that it writes for are paused, for all to see. */
    const pause = (mailbox: Mailbox, nowMillis: number) =>
      pauseMailbox(mailbox, { reason: "upkeep", detail: { reason: "upkeep_unpaid" }, campaigns: "each" }, nowMillis)

    /**
     * A mailbox whose upkeep can be paid again is alive again, for a month from now. Campaigns that were paused with it
     * stay paused until a human approves their launch.
     */
    const resume = (mailbox: Mailbox, nowMillis: number) =>
      Effect.gen(function* () {
        const resumed = step(MailboxMachine, mailbox.state, "resume")
        if (Either.isLeft(resumed) || !(yield* charge(mailbox, nowMillis))) return
        const alive: Mailbox = { ...mailbox, state: resumed.right, pauseReason: null, activeAtMillis: nowMillis }
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

    type Page = (after: MailboxRef | null) => Effect.Effect<ReadonlyArray<Mailbox>, StoreUnavailable, Tx>

    /** Page by page, so that those that can't be paid keep nobody waiting. */
    const sweepAfter = (
      page: Page,
      each: (mailbox: Mailbox) => Effect.Effect<unknown, StoreUnavailable, Tx>,
      after: MailboxRef | null
    ): Effect.Effect<number, StoreUnavailable> =>
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
      // Those paused just now can't be paid: the look at them costs little, and there is a top-up to come.
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

import { Effect, Layer } from "effect"
import { AlertRounds } from "../control/alerts/AlertRounds.js"
import { makeExpirySweep } from "../calls/approvals/Expiry.js"
import { CallJournal } from "../calls/CallJournal.js"
import { makeCompletionSweep } from "../outreach/campaigns/Completion.js"
import { InterestMirror } from "../outreach/interest/InterestMirror.js"
import { LongWork } from "../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import type { RoundName } from "../kernel/ports/WorkSignals.js"
import { signalled, turns } from "../kernel/rounds.js"
import { Inbox } from "../outreach/replies/Inbox.js"
import { Judging } from "../outreach/replies/Judging.js"
import { MailReading } from "../outreach/replies/MailReading.js"
import { Dispatcher } from "../outreach/sending/Dispatcher.js"
import { OwnDispatch } from "../outreach/sending/OwnDispatch.js"
import { Upkeep } from "../outreach/sending/Upkeep.js"
import { VendorRounds } from "../outreach/sending/vendor/VendorRounds.js"
import { makeWindowSweep } from "../outreach/sending/SendingCalendar.js"
import { CLOCK_MILLIS, makeClockRound } from "./ClockRound.js"
import { SWEEPS_JOB, SWEEPS_MILLIS } from "./Sweeps.js"
import { NoticeRounds } from "../control/notices/NoticeRounds.js"
import { makeSealing } from "../control/trail/Sealing.js"
import * as Wings from "../wings/wings.js"

/** Alerts come from conditions that no single row shows, so they are looked for. */
const ALERTS_MILLIS = 60_000

/** A round of every host, for as long as it lives. */
const worker = (name: RoundName, restMillis: number, round: FromStore<number>) =>
  Effect.forkScoped(signalled(name, restMillis, round))

/** What each host looks for by its own clock, because no row tells. */
const every = (name: string, millis: number, look: FromStore<unknown>) =>
  Effect.forkScoped(turns(name, Effect.as(look, 0), Effect.sleep(millis)))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const dispatcher = yield* Dispatcher
    const inbox = yield* Inbox
    const interest = yield* InterestMirror
    const judging = yield* Judging
    const mailReading = yield* MailReading
    const ownDispatch = yield* OwnDispatch
    const upkeep = yield* Upkeep
    const vendorRounds = yield* VendorRounds
    const alerts = yield* AlertRounds
    const ofWings = yield* Wings.makeRounds
    const notices = yield* NoticeRounds
    const work = yield* LongWork
    const { atomically } = yield* UnitOfWork
    const expiry = yield* makeExpirySweep
    const completion = yield* makeCompletionSweep
    const windows = yield* makeWindowSweep
    const sealing = yield* makeSealing
    const clock = yield* makeClockRound

    /** Changes nothing unless the job was lost: it waits for its next turn already. */
    const announceSweeps = (afterMillis: number) => atomically(work.announce([{ ...SWEEPS_JOB, afterMillis }]))

    // What has come in is applied before anything more goes out: an answer stops its sequence. Where that can't be done,
    // what goes out does not wait for it: no claim is granted for whom something waits in the inbox.
    const mail = Effect.gen(function* () {
      const read = yield* Effect.exit(inbox.round)
      const sent = yield* dispatcher.round
      return sent + (yield* read)
    })
    // Nobody signals that a clock was set back.
    yield* every("clock", CLOCK_MILLIS, clock)
    yield* worker("mail", 250, mail)
    yield* worker("vendors", 1_000, vendorRounds.round)
    yield* Effect.ignore(announceSweeps(0), { log: true })
    yield* every("sweeps", SWEEPS_MILLIS, announceSweeps(SWEEPS_MILLIS))
    yield* worker("sequences", 1_000, dispatcher.end)
    // Claims look for themselves: nobody is written to meanwhile.
    yield* worker("forbidden", 5_000, dispatcher.takeOut)
    yield* worker("windows", 1_000, windows)
    // A mailbox is held before it is read: nothing is sent from one with unread replies.
    yield* Effect.forkScoped(mailReading.run)
    yield* Effect.forkScoped(ownDispatch.run)
    for (const run of ofWings) yield* Effect.forkScoped(run)
    yield* Effect.forkScoped(notices.run)
    // What it can mail no further stays raised, and would be found each time: it always rests.
    yield* every("alerts", ALERTS_MILLIS, alerts.round)
    // Mailboxes in their grace are found each time: it always rests.
    yield* worker("upkeep", 60_000, Effect.as(upkeep.sweep, 0))
    yield* worker("judging", 30_000, judging.round)
    yield* worker("completion", 1_000, completion)
    yield* worker("interest", 1_000, interest.round)
    yield* worker("approvals", 1_000, expiry)
    yield* worker("calls", 5_000, journal.sweep)
    yield* worker("seals", 30_000, sealing)
  })
)

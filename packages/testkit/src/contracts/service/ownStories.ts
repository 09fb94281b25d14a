import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import type { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import type { ReputationStore } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import type { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { Context, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { resting } from "../../service/Rests.js"
import { taken, type Team } from "../../service/Team.js"
import { launched, type ServiceOnStores, trailOf } from "./stories.js"

export { taken, team, type Team } from "../../service/Team.js"

export type OwnService =
  | ServiceOnStores
  | OwnMailboxStore
  | ReadingStore
  | Inbound
  | ReputationStore
  | SendingDomainStore

/** A Thursday. The clocks of Europe go forward on the Sunday after it. */
export const THURSDAY = Date.UTC(2027, 2, 25)

export const ALWAYS = {
  timezone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  start_hour: 0,
  end_hour: 24
}

export const people = (count: number, tag = "p") =>
  Array.from({ length: count }, (_, index) => ({ email: `${tag}${index}@recipients.test` }))

export const ONE_STEP = [{ subject: "Hello", body: "Hi" }]

/** A campaign of one step that may send at any time, launched; what is said otherwise counts. */
export const campaign = ({ client }: Team, body: JsonObject) =>
  launched(client, { sequence: ONE_STEP, schedule: ALWAYS, ...body })

/** What a host does for own mailboxes, once. */
export const ownTurn = Effect.gen(function* () {
  const held = yield* HeldMailboxes
  const own = yield* OwnDispatch
  const inbox = yield* Inbox
  const dispatcher = yield* Dispatcher
  const completion = yield* makeCompletionSweep
  const windows = yield* makeWindowSweep
  yield* resting("windows", windows)
  yield* held.renew
  while ((yield* resting("mail", inbox.round)) > 0) yield* Effect.yieldNow
  const sent = yield* own.round
  yield* resting("forbidden", dispatcher.takeOut)
  yield* resting("sequences", dispatcher.end)
  yield* resting("completion", completion)
  return sent
}).pipe(Effect.orDie)

/** Lets time pass, a host at its work in every step of it. */
export const ownPass = (duration: Duration.Input, step: Duration.Input = "10 minutes") =>
  Effect.gen(function* () {
    const steps = Math.ceil(Duration.toMillis(duration) / Duration.toMillis(step))
    yield* ownTurn
    for (let index = 0; index < steps; index += 1) {
      yield* TestClock.adjust(step)
      yield* ownTurn
    }
  })

/** To whom, each as often as it was taken. */
export const recipients = (of: Team) => Effect.map(taken(of), (mails) => mails.map(({ mail }) => mail.to.address))

export const assertOnce = (addresses: ReadonlyArray<string>, count: number): void => {
  assert.lengthOf(addresses, count)
  assert.lengthOf(new Set(addresses), count)
}

export const behave = (behaviour: MailBehaviour) => Effect.flatMap(MemoryMail, (mail) => mail.behave(behaviour))

/** While it runs, every server behaves so; afterwards well again. */
export const whileServers = <A, E, R>(behaviour: MailBehaviour, effect: Effect.Effect<A, E, R>) =>
  Effect.ensuring(
    Effect.andThen(behave(behaviour), effect),
    Effect.flatMap(MemoryMail, (mail) => mail.behave(MailBehaviour.Take()))
  )

export const stops = ({ client }: Team, campaign_id: string) =>
  Effect.map(trailOf(client, { campaign_id, kind: "stop" }), (events) => events.map(({ detail }) => detail.reason))

export const sentIn = ({ client }: Team, campaign_id: string) => trailOf(client, { campaign_id, kind: "sent" })

/** A host of its own over the same stores. */
export const anotherHost = Effect.map(Layer.build(Layer.fresh(Outbound.ownRounds)), (context) => ({
  held: Context.get(context, HeldMailboxes),
  own: Context.get(context, OwnDispatch)
}))

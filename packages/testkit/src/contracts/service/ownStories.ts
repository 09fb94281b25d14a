import { assert } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { makeCompletionSweep } from "@outbound/domain/outreach/campaigns/Completion.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { sealAccount } from "@outbound/domain/outreach/sending/mailAccount.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/Windows.js"
import { Clock, Context, Duration, Effect, Layer, Redacted, TestClock } from "effect"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { type Client, makeKey } from "../../service/Client.js"
import { launched, type ServiceOnStores, SCOPES, trailOf } from "./stories.js"

export type OwnService = ServiceOnStores | OwnMailboxStore | ReadingStore | Inbound

const DAY = 86_400_000

/** A Thursday. The clocks of Europe go forward on the Sunday after it. */
export const THURSDAY = Date.UTC(2027, 2, 25)

let workspaces = 0

const account = (mailbox: Mailbox, sentFolder: string | null) => ({
  workspaceId: mailbox.workspaceId,
  mailboxId: mailbox.mailboxId,
  address: mailbox.address,
  displayName: mailbox.displayName,
  smtp: { host: "mail.acme.test", port: 465, security: "tls" as const },
  imap: { host: "mail.acme.test", port: 993, security: "tls" as const },
  username: mailbox.address,
  auth: "password" as const,
  secret: Redacted.make("secret"),
  sentFolder,
  keepsSent: true,
  keepsMessageIds: true
})

export interface Team {
  readonly client: Client
  readonly mailboxes: ReadonlyArray<Mailbox>
  readonly addresses: ReadonlyArray<string>
}

/** A live workspace with mailboxes of its own, grown up unless said otherwise. */
export const team = (
  count: number,
  given: { readonly ageDays?: number; readonly sentFolder?: string | null; readonly kind?: "live" | "sandbox" } = {}
) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const sendings = yield* SendingStore
    const owns = yield* OwnMailboxStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    workspaces += 1
    const ownerEmail = `team-${workspaces}-${process.pid}@example.test`
    const { workspaceId } = yield* admin.createWorkspace({
      name: "Team",
      ownerEmail,
      kind: given.kind ?? "live",
      credits: credits("300"),
      postalAddress: "1 Main Street, Springfield"
    })
    const client = yield* makeKey(workspaceId, ownerEmail, { scopes: SCOPES })
    const nowMillis = yield* Clock.currentTimeMillis
    const mailboxes = Array.from({ length: count }, (_, index): Mailbox => {
      const mailboxId = ids.next(nowMillis)
      return {
        workspaceId,
        mailboxId,
        kind: "own",
        operationId: null,
        domain: "acme.test",
        address: `own-${index}-${mailboxId}@acme.test`,
        displayName: "Jo Doe",
        state: "active",
        pauseReason: null,
        activeAtMillis: nowMillis,
        upkeepPaidUntilMillis: null,
        restsUntilMillis: null,
        createdAtMillis: nowMillis - (given.ageDays ?? 60) * DAY
      }
    })
    const sentFolder = given.sentFolder === undefined ? "Sent" : given.sentFolder
    yield* atomically(
      Effect.zipRight(
        sendings.insertMailboxes(mailboxes),
        Effect.forEach(mailboxes, (mailbox) => owns.put(sealAccount(crypto, account(mailbox, sentFolder))))
      )
    )
    return { client, mailboxes, addresses: mailboxes.map(({ address }) => address) } satisfies Team
  }).pipe(Effect.orDie)

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
  yield* windows
  yield* held.renew
  while ((yield* inbox.round) > 0) yield* Effect.yieldNow()
  const sent = yield* own.round
  yield* dispatcher.sweep
  yield* completion
  return sent
}).pipe(Effect.orDie)

/** Lets time pass, a host at its work in every step of it. */
export const ownPass = (duration: Duration.DurationInput, step: Duration.DurationInput = "10 minutes") =>
  Effect.gen(function* () {
    const steps = Math.ceil(Duration.toMillis(duration) / Duration.toMillis(step))
    yield* ownTurn
    for (let index = 0; index < steps; index += 1) {
      yield* TestClock.adjust(step)
      yield* ownTurn
    }
  })

/** What the team's servers took, oldest first. */
export const taken = ({ addresses }: Team) => Effect.flatMap(MemoryMail, (mail) => mail.taken(addresses))

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
    Effect.zipRight(behave(behaviour), effect),
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

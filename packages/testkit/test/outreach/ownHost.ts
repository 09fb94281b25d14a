import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { LinkBases } from "@outbound/domain/outreach/suppression/linkBases.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import * as Holding from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import * as OwnRounds from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { OwnMailboxStore, sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, type Message, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenWorkspace, NOON } from "../../src/contracts/fixtures.js"
import { givenLaunched, givenMailboxes } from "../../src/contracts/outboundFixtures.js"
import * as MemoryMail from "../../src/mail/MemoryMail.js"
import { MailBehaviour } from "../../src/mail/MemoryMail.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestHolidays from "../../src/memory/TestHolidays.js"
import * as TestIds from "../../src/memory/TestIds.js"
import { Memory } from "../../src/memory/Memory.js"
import { layer as memory } from "../../src/memory/layer.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { keyOf } from "../../src/memory/Table.js"
import { eventLoopTurn } from "../../src/service/patience.js"
import { sendsElsewhere } from "../../src/service/sendsElsewhere.js"

/** So many people, each of a domain of their own. */
export const people = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, each) => `p@d${String(each).padStart(2, "0")}.example`)

/** What is under way goes on as far as it can without the clock. */
export const turns = Effect.replicateEffect(eventLoopTurn, 30, { discard: true })

const rounds = OwnRounds.layer.pipe(Layer.provideMerge(Holding.layer))

const ground = Layer.mergeAll(
  memory,
  TestIds.layer,
  TestCrypto.layer,
  TestHolidays.layer,
  MemoryMail.layer,
  Layer.succeed(Settings, { baseUrl: "https://outbound.test" }),
  Layer.succeed(LinkBases, () => Effect.succeed("https://outbound.test"))
)

const service = Layer.provideMerge(rounds, ground)

/** Everything in memory, each story in a world of its own. */
export const story = <E>(name: string, body: Effect.Effect<void, E, Layer.Success<typeof service>>) =>
  it.effect(name, () => Effect.provide(body, service))

const ALWAYS = {
  timezone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const,
  startHour: 0,
  endHour: 24
}

/** What an own mailbox's server says. */
export const SAYS = {
  closing: MailBehaviour.Refuse({ phase: "connection", code: 421, status: "4.3.2", reason: "transient" }),
  later: MailBehaviour.Refuse({ phase: "recipient", code: 450, status: "4.2.0", reason: "transient" }),
  invalid: MailBehaviour.Refuse({ phase: "recipient", code: 550, status: "5.1.1", reason: "invalid" }),
  sent: MailBehaviour.Take(),
  lost: MailBehaviour.Lose({ kept: false }),
  kept: MailBehaviour.Lose({ kept: true })
}

/** Another host over the same stores. */
export const anotherHost = Effect.map(Layer.build(Layer.fresh(rounds)), (context) => ({
  held: Context.get(context, HeldMailboxes),
  own: Context.get(context, OwnDispatch)
}))

/**
 * Own mailboxes that this host holds, and a campaign to these people, who are due: the first one from the first mailbox, and so on.
 * `secret` is stored as it is: nobody can open it.
 */
export const given = (
  emails: ReadonlyArray<string>,
  of: { readonly mailboxes?: number; readonly mailbox?: Partial<Mailbox>; readonly secret?: string } = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const [crypto, owns, held, own] = [yield* Crypto, yield* OwnMailboxStore, yield* HeldMailboxes, yield* OwnDispatch]
    const { atomically, read, write } = yield* Memory
    const { watch } = yield* MemoryFaults
    const { workspaceId } = yield* givenWorkspace({ kind: "live" })
    const mailboxes = yield* givenMailboxes(workspaceId, of.mailboxes ?? 1, {
      kind: "own",
      operationId: null,
      upkeepPaidUntilMillis: null,
      ...sendsElsewhere(NOON),
      ...of.mailbox
    })
    const server = { host: "mail.acme.test", port: 465, security: "tls" as const }
    const accountOf = ({ address, displayName, mailboxId }: Mailbox) => ({
      workspaceId,
      mailboxId,
      address,
      displayName,
      smtp: server,
      imap: server,
      username: address,
      auth: "password" as const,
      secret: Redacted.make("secret"),
      sentFolder: "Sent",
      keepsSent: true,
      keepsMessageIds: true
    })
    yield* atomically(
      Effect.forEach(mailboxes, (mailbox) => {
        const sealed = sealAccount(crypto, accountOf(mailbox))
        return owns.put({ ...sealed, sealedSecret: of.secret ?? sealed.sealedSecret })
      })
    )
    const launched = yield* givenLaunched(workspaceId, mailboxes, emails, { campaign: { schedule: ALWAYS } })
    const round = Effect.andThen(held.renew, own.round)
    const [{ mailboxId }] = mailboxes as [Mailbox, ...Array<Mailbox>]
    const key = keyOf(workspaceId, mailboxId)
    const first = Effect.map(
      read((tables) => tables.mailboxes.find(key)),
      Option.getOrThrow
    )
    const change = (mailbox: Partial<Mailbox>) =>
      atomically(write((tables) => tables.mailboxes.update(key, (before) => ({ ...before, ...mailbox }))))
    const states = Effect.map(
      read((tables) => tables.messages.where("workspace", workspaceId)),
      (all) => all.map(({ state }) => state)
    )
    /** A claim of this age that its host did not end. */
    const abandoned = (lead: number, ageMillis: number, message: Partial<Message> = {}) =>
      Effect.gen(function* () {
        const { campaignId, campaignLeadId } = { ...launched.leads[lead]!, ...launched.campaign }
        const made: Message = {
          workspaceId,
          messageId: freshId(),
          campaignId,
          campaignLeadId,
          mailboxId,
          stepIndex: 0,
          variant: null,
          state: "claimed",
          claimedAtMillis: NOON - ageMillis,
          sentAtMillis: null,
          ...message
        }
        yield* atomically(write(({ messages }) => messages.set(keyOf(workspaceId, made.messageId), made)))
        return made
      })
    /** How often this operation of the store of messages was used meanwhile. */
    const uses = <A, E, R>(operation: string, during: Effect.Effect<A, E, R>) =>
      Effect.map(watch(during), (used) => used.filter((one) => one === `SendingStore.${operation}`).length)
    return { ...launched, workspaceId, mailboxes, mailboxId, held, own, round, first, change, states, abandoned, uses }
  })

/** What the host asks the store of messages, and its transactions, done otherwise. */
export const hostWith = (
  sending: (store: SendingStore["Service"]) => Partial<SendingStore["Service"]>,
  work: (unit: UnitOfWork["Service"]) => UnitOfWork["Service"] = (unit) => unit
) =>
  Effect.gen(function* () {
    const [store, unit] = [yield* SendingStore, yield* UnitOfWork]
    return yield* anotherHost.pipe(
      Effect.provideService(SendingStore, { ...store, ...sending(store) }),
      Effect.provideService(UnitOfWork, work(unit))
    )
  })

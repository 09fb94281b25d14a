import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour } from "../../mail/MemoryMail.js"
import { Behaviour } from "../../providers/Faulty.js"
import type { Client } from "../../service/Client.js"
import { TestRows } from "../../memory/Hooks.js"
import type { ErasureOnStores } from "./erasure.js"
import { ALWAYS, type OwnService, ownPass, taken, team, type Team, THURSDAY, whileServers } from "./ownStories.js"
import { eventLoopTurn } from "../../service/patience.js"
import {
  deliveries,
  draft,
  drive,
  kindsOf,
  launched,
  ok,
  pass,
  sender,
  SUITE,
  trailOf,
  whileSending,
  work
} from "./stories.js"

type Services = ErasureOnStores | OwnService

const SEQUENCE = [
  { subject: "Hello", body: "Hi" },
  { body: "Again", wait_days: 1 }
]

const SAYS = "Call me on 555-0199-7."

let persons = 0

/** A person whom nobody else is called like. */
const stranger = (host: string) => {
  persons += 1
  const name = `Wilhelmina${persons}Q`
  const email = host === "magic.test" ? `interested+${name.toLowerCase()}@${host}` : `${name.toLowerCase()}@${host}`
  const recipient: JsonObject = { email, first_name: name, last_name: `${name}-Zyx`, company_name: `${name} Ware` }
  return { email, name, recipient }
}

const erase = ({ workspaceId }: Client, email: string) =>
  Effect.asVoid(Effect.orDie(Effect.flatMap(Erasure, (erasure) => erasure.eraseFor(workspaceId, email))))

/** Nothing that is stored names them. */
const assertGone = (...texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text) =>
    Effect.flatMap(TestRows, (rows) =>
      Effect.map(rows.standing(text), (standing) => assert.deepStrictEqual(standing, [], text))
    )
  )

/** A host of its own sends; `after` happens when it has its claim, before anything of the message has gone. */
const hostSends = (after: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const store = yield* SendingStore
    const watched = SendingStore.of({ ...store, claimOne: (options) => Effect.tap(store.claimOne(options), after) })
    const rounds = Layer.fresh(Outbound.ownRounds).pipe(Layer.provide(Layer.succeed(SendingStore, watched)))
    const context = yield* Layer.build(rounds)
    yield* Context.get(context, HeldMailboxes).renew
    yield* Context.get(context, OwnDispatch).round
  }).pipe(Effect.scoped, Effect.orDie)

/** They answer what they got. */
const answers = ({ client }: Team, messageId: string, { email, name }: ReturnType<typeof stranger>) =>
  Effect.gen(function* () {
    const inbound = yield* Inbound
    yield* inbound.receive([
      {
        workspaceId: client.workspaceId,
        provider: "test",
        providerEventId: messageId,
        kind: "reply",
        source: "provider_poll",
        inReplyTo: messageId,
        messageId: `from-${email}`,
        fromEmail: email,
        toEmail: null,
        subject: `Re: ${name}`,
        bodyText: `${SAYS} ${name}`,
        bodyHtml: `<p>${SAYS} ${name}</p>`,
        classification: null,
        bounce: null,
        receivedAtMillis: yield* Clock.currentTimeMillis
      }
    ])
  }).pipe(Effect.orDie)

/** Who is erased while a message to them is on its way. */
export const erasureSendingContract = <E>(name: string, service: Layer.Layer<Services, E>) => {
  describeLayer(service, SUITE)(`an erasure in the middle of a send (${name})`, (it) => {
    /** How a send goes in whose middle they are erased, and how many messages have left by then. */
    const moments: Readonly<
      Record<
        string,
        { readonly send: (erased: Effect.Effect<void>) => Effect.Effect<void, never, Services>; readonly left: number }
      >
    > = {
      "whose recipient was accepted": {
        send: (erased) => whileServers(MailBehaviour.Before({ happens: erased }), hostSends(Effect.void)),
        left: 0
      },
      "which was claimed": { send: hostSends, left: 1 },
      "which was accepted, and is not recorded": {
        send: (erased) =>
          Effect.andThen(whileServers(MailBehaviour.Lose({ kept: true }), hostSends(Effect.void)), erased),
        left: 1
      }
    }
    for (const [moment, { left, send }] of Object.entries(moments)) {
      it.effect(`of a message from an own mailbox ${moment}: nothing of them comes back, and nothing more leaves`, () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(THURSDAY + 10 * 3_600_000)
          const context = yield* Effect.context<Services>()
          const owner = yield* team(1)
          const { client } = owner
          const person = stranger("recipients.test")
          const { email, name, recipient } = person
          const campaign_id = yield* launched(client, {
            recipients: [recipient],
            sequence: SEQUENCE,
            schedule: ALWAYS
          })
          yield* send(Effect.provide(erase(client, email), context))
          yield* assertGone(name)
          yield* ownPass("50 hours", "10 hours")
          const mails = yield* taken(owner)
          assert.lengthOf(mails, left)
          yield* assertGone(name)
          const facts = [...kindsOf(yield* trailOf(client, { campaign_id, kind: "sent,erased,stop,removed" }))].sort()
          assert.deepStrictEqual(facts, left === 0 ? ["erased"] : ["erased", "sent"])

          if (left === 0) return
          yield* answers(owner, mails[0]?.mail.messageId ?? "", person)
          yield* ownPass("10 minutes")
          yield* assertGone(name, SAYS)
          const [reply] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
          const read = ok(yield* client.call("get_reply", { reply_id: reply.reply_id })).result
          assert.deepInclude(read, { from_email: "", subject: "", body_text: "", body_status: "unavailable" })
          const told = yield* trailOf(client, { campaign_id, kind: "reply,suppressed" })
          assert.sameMembers([...kindsOf(told)], ["reply", "suppressed"])
          assert.isTrue(told.every((event) => !("email" in event)))
          const again = yield* draft(client, { recipients: [recipient] })
          assert.deepInclude(again.result, { leads_accepted: 0, leads_suppressed: 1 })
        }).pipe(Effect.orDie)
      )
    }

    it.effect("of a message of the sandbox which is being handed over: also what they write back has no words", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { email, name, recipient } = stranger("magic.test")
        const campaign_id = yield* launched(client, { recipients: [recipient], sequence: SEQUENCE })
        yield* Effect.gen(function* () {
          const sending = yield* Effect.forkChild(work)
          while ((yield* deliveries(campaign_id)).length === 0) yield* eventLoopTurn
          yield* erase(client, email)
          yield* drive(client, Fiber.join(sending))
        }).pipe(whileSending(Behaviour.Late({ after: "10 seconds" })))
        yield* pass("5 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        yield* assertGone(name)
        const told = yield* trailOf(client, { campaign_id, kind: "sent,erased,reply,suppressed" })
        assert.sameMembers([...kindsOf(told)], ["erased", "sent", "reply", "suppressed"])
        const [reply] = ok(yield* client.call("get_replies", { campaign_id })).result.replies
        assert.deepInclude(reply, { from_email: "", snippet: "" })
      })
    )
  })
}

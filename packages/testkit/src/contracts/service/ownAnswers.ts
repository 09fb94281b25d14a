import { assert } from "@effect/vitest"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { type Client, makeKey } from "../../service/Client.js"
import { TestSuspension } from "../../memory/Hooks.js"
import { describeStories } from "./describeStories.js"
import { campaign, type OwnService, ownTurn, taken, team, type Team, whileServers } from "./ownStories.js"
import { answer, approved, BODY, ourReplies, suppressAs } from "./replyStories.js"
import { drive, ended, freshKey, leadOf, ok, refused, SCOPES, trailOf } from "./stories.js"

type Needs = OwnService | TestSuspension

let answers = 0

interface Answered {
  readonly owner: Team
  /** May answer. */
  readonly client: Client
  readonly person: string
  readonly campaign_id: string
  readonly reply_id: string
}

/** A person who was written to from an own mailbox has answered. */
export const answeredTo = (given: Parameters<typeof team>[1] = {}) =>
  Effect.gen(function* () {
    const owner = yield* team(1, given)
    const { ownerEmail, workspaceId } = owner.client
    const client = yield* makeKey(workspaceId, ownerEmail, { scopes: [...SCOPES, "reply:send"] })
    answers += 1
    const person = `answers-${answers}@recipients.test`
    const campaign_id = yield* campaign(owner, { recipients: [{ email: person }] })
    yield* ownTurn
    const [first] = yield* taken(owner)
    yield* (yield* Inbound).receive([
      {
        workspaceId,
        provider: "test",
        providerEventId: `own-answer-${answers}`,
        kind: "reply",
        source: "provider_poll",
        inReplyTo: first?.mail.messageId ?? "",
        messageId: `theirs-${answers}@recipients.test`,
        fromEmail: person,
        toEmail: first?.from ?? null,
        subject: "Re: Hello",
        bodyText: "When could we talk?",
        bodyHtml: null,
        classification: "interested",
        bounce: null,
        receivedAtMillis: yield* Clock.currentTimeMillis
      }
    ])
    yield* ownTurn
    const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
    assert.lengthOf(replies, 1)
    return { owner, client, person, campaign_id, reply_id: replies[0].reply_id as string } satisfies Answered
  }).pipe(Effect.orDie)

/** What left after the campaign's own message. */
const answersOf = (owner: Team) => Effect.map(taken(owner), (mails) => mails.slice(1))

const comesBetween = <R>(happens: Effect.Effect<void, never, R>) =>
  Effect.map(Effect.context<R>(), (context) => MailBehaviour.Before({ happens: Effect.provide(happens, context) }))

/** Answers in threads whose mailbox is the workspace's own. */
export const ownAnswersContract = <E>(name: string, service: Layer.Layer<Needs, E>) => {
  describeStories(service)(`answers from own mailboxes (${name})`, (it) => {
    it.effect("an approved answer goes once, from the mailbox that was written to, in its thread, on no list", () =>
      Effect.gen(function* () {
        const { client, owner, person, reply_id } = yield* answeredTo()
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        const sent = ok(yield* confirmed.send(key))
        assert.isTrue(ok(yield* confirmed.send(key)).svc.replayed)
        const [first] = yield* taken(owner)
        const [mail, ...more] = yield* answersOf(owner)
        assert.isEmpty(more)
        assert.strictEqual(mail?.from, owner.addresses[0])
        assert.deepInclude(mail?.mail, { subject: "Re: Hello", text: BODY, html: null, unsubscribeUrl: null })
        assert.deepStrictEqual(mail?.mail.to, { address: person, name: null })
        assert.strictEqual(mail?.mail.messageId, `${sent.result.sent_reply_id}@acme.test`)
        assert.deepStrictEqual(mail?.mail.references, [`${first?.mail.messageId}`, `theirs-${answers}@recipients.test`])
        assert.lengthOf(yield* trailOf(client, { kind: "reply_sent" }), 1)
      })
    )

    it.effect("what forbids it while the server waits for the content stops it, and says so", () =>
      Effect.gen(function* () {
        const suspension = yield* TestSuspension
        const nowMillis = yield* Clock.currentTimeMillis
        const comings: ReadonlyArray<readonly [string, (of: Answered) => Effect.Effect<void, never, Needs>]> = [
          ["suppressed_recipient", ({ client, person }) => suppressAs(client, person, "unsubscribe")],
          ["agent_suspended", ({ client }) => suspension.suspend(client.workspaceId, nowMillis, "enough")]
        ]
        for (const [code, comes] of comings) {
          const given = yield* answeredTo()
          const confirmed = yield* approved(given.client, given.reply_id)
          const stopped = yield* confirmed.send().pipe(whileServersAre(yield* comesBetween(comes(given))))
          assert.strictEqual(stopped.error?.code, code, stopped.text)
          assert.isEmpty(yield* answersOf(given.owner))
          assert.isEmpty(yield* ourReplies(given.client, given.reply_id))
        }
      })
    )

    it.effect("a server that refuses, or is silent before it has the content, proves that nothing left", () =>
      Effect.gen(function* () {
        const { client, owner, reply_id } = yield* answeredTo()
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        for (const behaviour of [
          MailBehaviour.Refuse({ phase: "login", code: 535, status: "5.7.8", reason: "account" }),
          MailBehaviour.Refuse({ phase: "recipient", code: 550, status: "5.1.1", reason: "invalid" }),
          MailBehaviour.Refuse({ phase: "content", code: 451, status: "4.3.0", reason: "transient" }),
          MailBehaviour.Stall({ at: "recipient" })
        ]) {
          const failed = yield* drive(client, confirmed.send(key)).pipe(whileServersAre(behaviour))
          assert.strictEqual(failed.error?.code, "provider_unavailable", failed.text)
          assert.strictEqual((yield* ended(client, failed.requestId)).status, "failed")
        }
        assert.isEmpty(yield* answersOf(owner))
        ok(yield* confirmed.send(key))
        assert.lengthOf(yield* answersOf(owner), 1)
      })
    )

    it.effect("lost on its way, it is found in the folder of sent mail, and then answers as sent", () =>
      Effect.gen(function* () {
        const { client, owner, reply_id } = yield* answeredTo()
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        const lost = yield* confirmed.send(key).pipe(whileServersAre(MailBehaviour.Lose({ kept: true })))
        refused(lost, 502, "operation_unknown_state", { operation_id: lost.requestId })
        assert.strictEqual((yield* ended(client, lost.requestId)).status, "succeeded")
        ok(yield* confirmed.send(key))
        assert.lengthOf(yield* answersOf(owner), 1)
      })
    )

    it.effect("what is not found proves nothing: it is never sent again, and left to a human", () =>
      Effect.gen(function* () {
        for (const sentFolder of ["Sent", null]) {
          const { client, owner, reply_id } = yield* answeredTo({ sentFolder })
          const confirmed = yield* approved(client, reply_id)
          const key = freshKey()
          const lost = yield* confirmed.send(key).pipe(whileServersAre(MailBehaviour.Lose({ kept: false })))
          refused(lost, 502, "operation_unknown_state", { operation_id: lost.requestId })
          for (let round = 0; round < 20; round += 1) {
            yield* TestClock.adjust("5 seconds")
            yield* client.call("get_usage")
          }
          const operation = yield* ended(client, lost.requestId)
          assert.strictEqual(operation.status, "failed")
          assert.include(operation.error.message, "won't send it again")
          refused(yield* confirmed.send(key), 502, "operation_unknown_state", { operation_id: lost.requestId })
          refused(yield* answer(client, reply_id), 409, "reply_intent_pending")
          assert.isEmpty(yield* answersOf(owner))
        }
      })
    )

    it.effect("a copy that comes late into the folder of sent mail is still found", () =>
      Effect.gen(function* () {
        const mail = yield* MemoryMail
        const { client, reply_id } = yield* answeredTo()
        const confirmed = yield* approved(client, reply_id)
        yield* mail.unreadable(true)
        const lost = yield* confirmed.send().pipe(whileServersAre(MailBehaviour.Lose({ kept: true })))
        for (let round = 0; round < 4; round += 1) {
          yield* TestClock.adjust("5 seconds")
          yield* client.call("get_usage")
        }
        yield* mail.unreadable(false)
        assert.strictEqual((yield* ended(client, lost.requestId)).status, "succeeded")
      })
    )

    it.effect("what is said of a person is synced at once: nobody else is to be told", () =>
      Effect.gen(function* () {
        const { campaign_id, client, person } = yield* answeredTo()
        const campaign_lead_id = yield* leadOf(client, campaign_id, person)
        const set = yield* client.call("set_lead_status", { campaign_lead_id, status: "won" }, { key: freshKey() })
        assert.deepInclude(ok(set).result, { status: "won", provider_sync_status: "synced" })
      })
    )
  })
}

const whileServersAre =
  (behaviour: MailBehaviour) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    whileServers(behaviour, effect)

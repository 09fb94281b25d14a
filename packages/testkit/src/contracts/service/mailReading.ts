import { assert } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { LOGIN_TRIES_MAX, MailReading } from "@outbound/domain/outreach/replies/MailReading.js"
import { CONTENT_TRIES_MAX } from "@outbound/domain/outreach/replies/readMailbox.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { UNREAD_REST_MILLIS } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { Clock, Context, type Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { PostOffice } from "../../mail/PostOffice.js"
import { describeStories } from "./describeStories.js"
import { ALWAYS, campaign, type OwnService, people, taken, team, type Team, THURSDAY } from "./ownStories.js"
import { eventLoopTurn, patience } from "../../service/patience.js"
import { kindsOf, leadOf, ok, trailOf } from "./stories.js"

export const SEQUENCE = [
  { subject: "Hello", body: "Hi" },
  { body: "Again", wait_days: 2 }
]

/** A host of its own over the same stores. Its mailboxes are another's when its scope closes. */
export const host = Effect.map(Layer.build(Layer.fresh(Outbound.ownRounds)), (context) => ({
  held: Context.get(context, HeldMailboxes),
  dispatch: Context.get(context, OwnDispatch),
  reading: Context.get(context, MailReading)
}))

/** Reads with a host of its own, once, and applies what came in. */
export const read = Effect.scoped(Effect.flatMap(host, ({ reading }) => reading.round)).pipe(Effect.orDie)

export const apply = Effect.gen(function* () {
  const inbox = yield* Inbox
  while ((yield* inbox.round) > 0) yield* Effect.yieldNow
}).pipe(Effect.orDie)

export const readAndApply = Effect.andThen(read, apply)

/** Sends what is due with a host of its own, which does not read. */
export const send = (hours = 1, passesAnHour = 6) =>
  Effect.gen(function* () {
    const windows = yield* makeWindowSweep
    for (let passes = 0; passes < hours * passesAnHour; passes++) {
      yield* TestClock.adjust(`${60 / passesAnHour} minutes`)
      yield* windows
      yield* Effect.scoped(Effect.flatMap(host, ({ dispatch, held }) => Effect.andThen(held.renew, dispatch.round)))
    }
  }).pipe(Effect.orDie)

/** A team of one mailbox that has written to so many people once; the next step follows after two days. */
export const written = (count: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(THURSDAY + 9 * 3_600_000)
    const of = yield* team(1)
    const campaign_id = yield* campaign(of, { recipients: people(count), sequence: SEQUENCE, schedule: ALWAYS })
    yield* send(count + 1)
    const mails = yield* taken(of)
    assert.lengthOf(mails, count)
    return { of, campaign_id, mails: mails.map(({ mail }) => mail), address: of.addresses[0] as string }
  })

export const repliesOf = ({ client }: Team) =>
  Effect.map(client.call("get_replies", { limit: 200 }), (answer) => ok(answer).result.replies)

export const stateOf = (of: Team, campaign_id: string, email: string) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const { atomically } = yield* UnitOfWork
    const leadId = yield* leadOf(of.client, campaign_id, email)
    const found = yield* atomically(campaigns.lockLead(of.client.workspaceId, leadId))
    return Option.getOrThrow(found).state
  })

/** Whether nothing leaves the team's mailbox for now. */
export const restsOf = (of: Team) => Effect.map(restMillisOf(of), (millis) => millis > 0)

/** For how long nothing leaves from it; negative where it may. */
const restMillisOf = (of: Team) =>
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const found = yield* sendings.mailbox(of.client.workspaceId, of.mailboxes[0]!.mailboxId)
    return (Option.getOrThrow(found).restsUntilMillis ?? 0) - (yield* Clock.currentTimeMillis)
  })

/** Lets time pass until it rests, or rests no more. */
const untilRests = (of: Team, rests: boolean, step: Duration.Input = "5 seconds") =>
  Effect.gen(function* () {
    for (const isPatient = patience(); isPatient();) {
      if ((yield* restsOf(of)) === rests) return
      yield* TestClock.adjust(step)
    }
    assert.fail(`it should ${rests ? "" : "not "}rest`)
  })

/** What reading of own mailboxes guarantees, wherever the mail lies. */
export const mailReadingContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeStories(Layer.provideMerge(post, service))(`reading of mail (${name})`, (it) => {
    it.effect("an answer that was read stops the next step on every host, before anybody has applied it", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(2)
        const [first, second] = mails
        yield* office.deliver(address, { from: first!.to.address, text: "Hm.", inReplyTo: first!.messageId })
        assert.strictEqual(yield* read, 1)
        yield* send(60, 1)
        const after = (yield* taken(of)).slice(2).map(({ mail }) => mail.to.address)
        assert.deepStrictEqual(after, [second!.to.address])
        yield* apply
        assert.strictEqual(yield* stateOf(of, campaign_id, first!.to.address), "replied")
        const [reply] = yield* repliesOf(of)
        assert.deepStrictEqual([reply.from_email, reply.classification], [first!.to.address, null])
      }).pipe(Effect.orDie)
    )

    it.effect("a colleague's no stops the sequence where a server replaced our ids, by the link that it quotes", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(2)
        const [asked, other] = mails
        const letter = { from: "Rita Boss <rita@elsewhere.test>", inReplyTo: "0102018f-aaaa-000000@relay.example" }
        yield* office.deliver(address, { ...letter, text: "Please stop, we are not interested." })
        assert.strictEqual(yield* read, 0)
        const quoted = asked!.text.replaceAll("\n", "\n> ")
        yield* office.deliver(address, { ...letter, text: `Please stop, we are not interested.\n\n> ${quoted}` })
        assert.strictEqual(yield* read, 1)
        yield* apply
        assert.notStrictEqual(yield* stateOf(of, campaign_id, asked!.to.address), "active")
        assert.strictEqual(yield* stateOf(of, campaign_id, other!.to.address), "active")
        yield* send(60, 1)
        const after = (yield* taken(of)).slice(2).map(({ mail }) => mail.to.address)
        assert.deepStrictEqual(after, [other!.to.address])
      }).pipe(Effect.orDie)
    )

    it.effect("each message does what it is: answers, absences, bounces, complaints, and what concerns nobody", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(6)
        const [yes, away, gone, angry, late, tired] = mails
        const returned = (mail: typeof yes) => ({
          type: "text/rfc822-headers",
          text: `From: jo@acme.test\nMessage-ID: <${mail!.messageId}>\n${mail!.mark?.header}: ${mail!.mark?.value}\nSubject: Hello`
        })
        const daemon = { from: "Mail Delivery System <mailer-daemon@b.test>", text: "This is a report." }
        const status = (action: string, code: string) => ({
          type: "message/delivery-status",
          text: `Reporting-MTA: dns; b.test\n\nFinal-Recipient: rfc822; x@b.test\nAction: ${action}\nStatus: ${code}`
        })
        yield* office.deliver(address, {
          from: `Pat <${yes!.to.address.toUpperCase()}>`,
          text: "Sounds good, let's talk.\n\nOn 1 March 2027 Jo <jo@acme.test> wrote:\n\n> Please unsubscribe me."
        })
        yield* office.deliver(address, {
          from: away!.to.address,
          text: "I am away. Not interested in anything.",
          inReplyTo: away!.messageId,
          head: [["Auto-Submitted", "auto-replied"]]
        })
        yield* office.deliver(address, {
          ...daemon,
          report: { type: "delivery-status", parts: [status("failed", "5.1.1"), returned(gone)] }
        })
        yield* office.deliver(address, {
          ...daemon,
          report: {
            type: "feedback-report",
            parts: [{ type: "message/feedback-report", text: "Feedback-Type: abuse\nVersion: 1" }, returned(angry)]
          }
        })
        yield* office.deliver(address, {
          ...daemon,
          report: { type: "delivery-status", parts: [status("delayed", "4.4.1"), returned(late)] }
        })
        yield* office.deliver(address, { from: tired!.to.address, text: "STOP" }, "junk")
        yield* office.deliver(address, { from: "stranger@elsewhere.test", text: "I'm interested in your soul." })
        yield* office.deliver(address, { from: address, text: "To myself.", inReplyTo: yes!.messageId })
        yield* office.deliver(address, {
          from: late!.to.address,
          text: "Our news: not interested?",
          head: [["List-Id", "<news.b.test>"]]
        })
        yield* readAndApply
        const states = yield* Effect.forEach(mails, (mail) => stateOf(of, campaign_id, mail.to.address))
        assert.deepStrictEqual(states, ["replied", "active", "bounced", "unsubscribed", "active", "unsubscribed"])
        const replies: ReadonlyArray<{ from_email: string; classification: string }> = yield* repliesOf(of)
        assert.sameDeepMembers(
          replies.map(({ classification, from_email }) => [from_email, classification]),
          [
            [yes!.to.address, "interested"],
            [away!.to.address, "out_of_office"],
            ["mailer-daemon@b.test", "bounce"],
            [tired!.to.address, "unsubscribe"]
          ]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("who writes to another mailbox of the workspace, naming nothing, has answered all the same", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        yield* TestClock.setTime(THURSDAY + 9 * 3_600_000)
        const of = yield* team(2)
        const campaign_id = yield* campaign(of, { recipients: people(1), sequence: SEQUENCE, schedule: ALWAYS })
        yield* send(2)
        const [first] = yield* taken(of)
        const other = of.addresses.find((address) => address !== first!.mail.from.address)
        const to = first!.mail.to.address
        yield* office.deliver(other as string, { from: to, subject: "Your mails", text: "Please stop." })
        yield* readAndApply
        assert.strictEqual(yield* stateOf(of, campaign_id, to), "unsubscribed")
      }).pipe(Effect.orDie)
    )

    it.effect("nothing is read twice: not again, not under another UIDVALIDITY, not from another folder", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(2)
        for (const [index, mail] of mails.entries()) {
          const letter = { from: mail.to.address, text: "No.", messageId: `twice-${index}@${address}` }
          yield* office.deliver(address, letter)
        }
        assert.strictEqual(yield* read, 2)
        assert.strictEqual(yield* read, 0)
        yield* apply
        const told = kindsOf(yield* trailOf(of.client, { campaign_id }))
        yield* office.changeUidValidity(address)
        yield* office.deliver(
          address,
          { from: mails[0]!.to.address, text: "No.", messageId: `twice-0@${address}` },
          "junk"
        )
        yield* readAndApply
        assert.lengthOf(yield* repliesOf(of), 2)
        assert.deepStrictEqual(kindsOf(yield* trailOf(of.client, { campaign_id })), told)
        yield* office.deliver(address, { from: mails[1]!.to.address, text: "And another thing." })
        yield* readAndApply
        assert.lengthOf(yield* repliesOf(of), 3)
      }).pipe(Effect.orDie)
    )

    it.effect("a server that fails loses nothing, and nothing leaves while it can't be read", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, mails, of } = yield* written(2)
        const [first] = mails
        const rests = restsOf(of)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { reading } = yield* host
            yield* reading.round
            assert.isTrue(yield* rests, "what was just taken is read before it sends")
            yield* TestClock.adjust("16 seconds")
            assert.isFalse(yield* rests)
            yield* office.deliver(address, { from: first!.to.address, text: "No.", inReplyTo: first!.messageId })
            yield* office.failNext(address, "transient", 1)
            assert.strictEqual(yield* reading.round, 0)
            assert.isTrue(yield* rests, "what can't be read does not send")
          })
        )
        assert.strictEqual(yield* read, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("an answer whose text can't be fetched stops its sequence all the same", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(1)
        const [mail] = mails
        yield* office.deliver(address, { from: mail!.to.address, text: "No.", inReplyTo: mail!.messageId })
        yield* office.loseContents(true)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { reading } = yield* host
            for (let tries = 0; tries < CONTENT_TRIES_MAX; tries++) assert.strictEqual(yield* reading.round, 0)
            assert.strictEqual(yield* reading.round, 1)
          })
        ).pipe(Effect.ensuring(office.loseContents(false)))
        yield* apply
        assert.strictEqual(yield* stateOf(of, campaign_id, mail!.to.address), "replied")
      }).pipe(Effect.orDie)
    )

    it.effect("a mailbox that its server for sending lets in no more is read on: who said no must not be missed", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const sendings = yield* SendingStore
        const { atomically } = yield* UnitOfWork
        const { address, campaign_id, mails, of } = yield* written(1)
        const [mail] = mails
        const [mailbox] = yield* sendings.activeMailboxes(of.client.workspaceId)
        yield* atomically(sendings.updateMailboxes([{ ...mailbox!, state: "paused", pauseReason: "login" }]))
        yield* office.deliver(address, { from: mail!.to.address, text: "No.", inReplyTo: mail!.messageId })
        yield* readAndApply
        assert.strictEqual(yield* stateOf(of, campaign_id, mail!.to.address), "replied")
      }).pipe(Effect.orDie)
    )
  })
}

/** What a host that follows its mailboxes guarantees. */
export const mailFollowingContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeStories(Layer.provideMerge(post, service))(`following of mailboxes (${name})`, (it) => {
    it.effect("a host follows its mailboxes by itself, and tells the owner where nobody is let in", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, mails, of } = yield* written(2)
        const [first, second] = mails
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { reading } = yield* host
            yield* Effect.forkScoped(reading.run)
            const answered = (count: number) =>
              Effect.gen(function* () {
                for (const isPatient = patience(); isPatient();) {
                  yield* TestClock.adjust("5 seconds")
                  yield* apply
                  if ((yield* repliesOf(of)).length === count) return
                }
                assert.fail(`${count} answers were not read`)
              })
            yield* office.deliver(address, { from: first!.to.address, text: "No.", inReplyTo: first!.messageId })
            yield* answered(1)
            yield* office.failNext(address, "transient", 3)
            yield* office.deliver(address, { from: second!.to.address, text: "No.", inReplyTo: second!.messageId })
            yield* answered(2)
            yield* office.failNext(address, "account", LOGIN_TRIES_MAX)
            for (const isPatient = patience(); isPatient();) {
              yield* TestClock.adjust("5 seconds")
              if (kindsOf(yield* trailOf(of.client, { kind: "mailbox_paused" })).length > 0) return
            }
            assert.fail("the owner was told nothing")
          })
        )
        const sendings = yield* SendingStore
        const mailbox = yield* sendings.mailbox(of.client.workspaceId, of.mailboxes[0]!.mailboxId)
        assert.strictEqual(Option.getOrThrow(mailbox).pauseReason, "login")
      }).pipe(Effect.orDie)
    )

    it.effect("nothing leaves a mailbox that this host has not read yet, however long its server takes", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, of } = yield* written(1)
        yield* office.stall(address, true)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { reading } = yield* host
            yield* Effect.forkScoped(reading.run)
            // Until it is taken, nobody sends from it at all.
            yield* untilRests(of, true, "1 millis")
            for (let second = 1; second <= 60; second++) {
              yield* TestClock.adjust("1 second")
              assert.isTrue(yield* restsOf(of), `after ${second} s`)
              // The host renews it every third of its time; a real store takes a moment of the machine's time for that.
              for (const isPatient = patience(); isPatient() && (yield* restMillisOf(of)) < UNREAD_REST_MILLIS / 2;) {
                yield* eventLoopTurn
              }
            }
          })
        ).pipe(Effect.ensuring(office.stall(address, false)))
      }).pipe(Effect.orDie)
    )

    it.effect("nothing leaves a mailbox whose server keeps us waiting", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, of } = yield* written(1)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { reading } = yield* host
            yield* Effect.forkScoped(reading.run)
            yield* untilRests(of, true, "1 millis")
            yield* untilRests(of, false)
            yield* office.stall(address, true)
            yield* untilRests(of, true)
          })
        ).pipe(Effect.ensuring(office.stall(address, false)))
      }).pipe(Effect.orDie)
    )
  })
}

import { assert } from "@effect/vitest"
import { type MailMark, proofOf } from "@outbound/domain/outreach/mail/mailMark.js"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { HEAD_TRIES_MAX, PAGE_MAX } from "@outbound/domain/outreach/replies/narrowing.js"
import { messageIdOf } from "@outbound/domain/outreach/sending/compose.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { PAGES_MAX } from "@outbound/domain/outreach/replies/readMailbox.js"
import { MailReading } from "@outbound/domain/outreach/replies/MailReading.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { unsubscribeMailto } from "@outbound/domain/outreach/suppression/links.js"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { PostOffice } from "../../mail/PostOffice.js"
import { describeStories } from "./describeStories.js"
import { apply, host, read, readAndApply, repliesOf, restsOf, stateOf, written } from "./mailReading.js"
import { type OwnService, taken } from "./ownStories.js"
import { kindsOf, trailOf } from "./stories.js"

const HOUR = 3_600_000

/** One host, which remembers what it could not read. */
const reader = Effect.map(Layer.build(Layer.fresh(Outbound.ownRounds)), (context) => Context.get(context, MailReading))

/** What comes into a mailbox and is odd: what can't be had, what is old, what a program wrote, and too much at once. */
export const mailTroubleContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeStories(Layer.provideMerge(post, service))(`mail that is odd (${name})`, (it) => {
    it.effect("a message of which nothing can be had is passed over and told of; what lies around it is read", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const owns = yield* OwnMailboxStore
        const { address, mails, of } = yield* written(4)
        for (const [index, mail] of mails.entries()) {
          if (index === 2) yield* office.deliver(address, { from: "list@b.test", subject: "Broken", text: "?" })
          yield* office.deliver(address, { from: mail.to.address, text: "No.", inReplyTo: mail.messageId })
        }
        yield* office.loseWith("Broken")
        yield* Effect.scoped(
          Effect.gen(function* () {
            const reading = yield* reader
            const found = Effect.map(Effect.andThen(apply, repliesOf(of)), (replies) => replies.length)
            // Each failure halves the page at least, down to the message, which is tried for some times.
            for (let rounds = 0; rounds < 3 + 3 + HEAD_TRIES_MAX && (yield* found) < 4; rounds++) {
              assert.isTrue(rounds === 0 || (yield* restsOf(of)), "it does not send before it is read")
              yield* reading.round
            }
            assert.strictEqual(yield* found, 4)
          })
        ).pipe(Effect.ensuring(office.loseWith(null)))
        const connected = yield* owns.get(of.client.workspaceId, of.mailboxes[0]!.mailboxId)
        assert.strictEqual(Option.getOrThrow(connected).skipped, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("old mail that comes into a folder again answers nothing that was sent after it", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(2)
        const [first, second] = mails
        const nowMillis = yield* Clock.currentTimeMillis
        yield* office.deliver(address, {
          from: first!.to.address,
          subject: "Lunch",
          text: "Where shall we go?",
          arrivedAtMillis: nowMillis - 40 * HOUR
        })
        // A server whose clock is hours behind still brings an answer.
        yield* office.deliver(address, {
          from: second!.to.address,
          text: "No.",
          arrivedAtMillis: nowMillis - 12 * HOUR
        })
        assert.strictEqual(yield* read, 1)
        yield* readAndApply
        assert.strictEqual(yield* stateOf(of, campaign_id, first!.to.address), "active")
        assert.strictEqual(yield* stateOf(of, campaign_id, second!.to.address), "replied")
      }).pipe(Effect.orDie)
    )

    it.effect("an answer that was read counts at once, also where the clock was set back since", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(1)
        const [mail] = mails
        yield* TestClock.adjust("49 hours")
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { dispatch, held, reading } = yield* host
            yield* yield* makeWindowSweep
            yield* reading.round
            // It rested when it was taken, and need not any more, whatever the clock is set to.
            for (let seconds = 0; seconds < 120; seconds += 15) {
              yield* TestClock.adjust("15 seconds")
              yield* held.renew
            }
            yield* office.deliver(address, { from: mail!.to.address, text: "No.", inReplyTo: mail!.messageId })
            assert.strictEqual(yield* reading.round, 1)
            yield* TestClock.setTime((yield* Clock.currentTimeMillis) - 60_000)
            assert.isFalse(yield* restsOf(of))
            yield* dispatch.round
            assert.lengthOf(yield* taken(of), 1)
          })
        )
        yield* apply
        assert.strictEqual(yield* stateOf(of, campaign_id, mail!.to.address), "replied")
      }).pipe(Effect.orDie)
    )

    it.effect("a report ends a lead only if it quotes its message, and suppresses only if it quotes the mark", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const sendings = yield* SendingStore
        const { address, campaign_id, mails, of } = yield* written(5)
        const [refused, gone, angry, known, marked] = mails
        /** What is returned of a message: its id, which others may know, and a mark. */
        const returned = (mail: typeof known, { header, value }: MailMark) => ({
          type: "text/rfc822-headers",
          text: `Message-ID: <${mail!.messageId}>\n${header}: ${value}`
        })
        const mark = marked!.mark!
        const moved = { ...mark, value: mark.value.replace(/^[^.]*/, known!.messageId.replace(/@.*$/, "")) }
        const failedWith = (email: string, status: string) => ({
          from: "mailer-daemon@anybody.test",
          text: "It could not be delivered.",
          report: {
            type: "delivery-status" as const,
            parts: [
              {
                type: "message/delivery-status",
                text: `Reporting-MTA: dns; b.test\n\nFinal-Recipient: rfc822; ${email}\nAction: failed\nStatus: ${status}\n`
              }
            ]
          }
        })
        yield* office.deliver(address, failedWith(refused!.to.address, "5.7.1"))
        yield* office.deliver(address, failedWith(gone!.to.address, "5.1.1"))
        for (const [mail, mark] of [
          // Somebody who was written to knows the proof of their own message alone.
          [known, moved],
          [marked, marked!.mark!]
        ] as const) {
          const { report, ...letter } = failedWith("x@b.test", "5.1.1")
          yield* office.deliver(address, {
            ...letter,
            report: { ...report, parts: [...report.parts, returned(mail, mark)] }
          })
        }
        yield* office.deliver(address, {
          from: "complaints@anybody.test",
          text: "Somebody complained.",
          report: {
            type: "feedback-report",
            parts: [
              {
                type: "message/feedback-report",
                text: `Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: <${angry!.to.address}>\n`
              }
            ]
          }
        })
        yield* readAndApply
        const states = yield* Effect.forEach(mails, (mail) => stateOf(of, campaign_id, mail.to.address))
        assert.deepStrictEqual(states, ["active", "active", "active", "failed", "bounced"])
        assert.isEmpty(yield* trailOf(of.client, { kind: "mailbox_paused" }))
        const suppressed = yield* trailOf(of.client, { kind: "suppressed" })
        assert.deepStrictEqual(
          suppressed.map(({ email }) => email),
          [marked!.to.address]
        )
        const health = yield* sendings.health(of.client.workspaceId, of.mailboxes[0]!.mailboxId, 100)
        assert.deepStrictEqual(health, { sent: 5, hardBounces: 1, complaints: 0 })
      }).pipe(Effect.orDie)
    )

    it.effect("a report is understood by the mark alone, as mail bears it now and as it did formerly", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const crypto = yield* Crypto
        const { address, campaign_id, mails, of } = yield* written(3)
        const [marked, former, other] = mails
        const { workspaceId } = of.client
        const formerId = messageIdOf(former!.messageId) ?? ""
        for (const lines of [
          [`${marked!.mark!.header}: ${marked!.mark!.value}`],
          [
            `X-Outbound-Message-Id: <${former!.messageId}>`,
            `X-Outbound-Mark: ${proofOf(crypto, workspaceId, formerId)}`
          ],
          // Another workspace's mail has another header, so this one says nothing here.
          [`X-Babebibobu: ${other!.mark!.value}`]
        ]) {
          yield* office.deliver(address, {
            from: "mailer-daemon@anybody.test",
            text: "It could not be delivered.",
            report: {
              type: "delivery-status",
              parts: [
                {
                  type: "message/delivery-status",
                  text: "Reporting-MTA: dns; b.test\n\nFinal-Recipient: rfc822; x@b.test\nAction: failed\nStatus: 5.1.1\n"
                },
                {
                  type: "text/rfc822-headers",
                  text: ["Message-ID: <0102018f-000000@relay.example>", ...lines].join("\n")
                }
              ]
            }
          })
        }
        yield* readAndApply
        const states = yield* Effect.forEach(mails, (mail) => stateOf(of, campaign_id, mail.to.address))
        assert.deepStrictEqual(states, ["bounced", "bounced", "active"])
        const suppressed = yield* trailOf(of.client, { kind: "suppressed" })
        assert.sameMembers(
          suppressed.map(({ email }) => email),
          [marked!.to.address, former!.to.address]
        )
      }).pipe(Effect.orDie)
    )

    it.effect(
      "mail without a reference whose sender the receiving server denies ends its lead, and suppresses nobody",
      () =>
        Effect.gen(function* () {
          const office = yield* PostOffice
          const { address, campaign_id, mails, of } = yield* written(3)
          const [denied, quoting, unknown] = mails
          const denial = [
            ["Authentication-Results", "mx.acme.test; spf=fail smtp.mailfrom=x.test; dmarc=fail"]
          ] as const
          yield* office.deliver(address, { from: denied!.to.address, text: "Never write again.", head: denial })
          yield* office.deliver(address, {
            from: quoting!.to.address,
            text: "Never write again.",
            inReplyTo: quoting!.messageId,
            head: denial
          })
          yield* office.deliver(address, { from: unknown!.to.address, text: "Never write again." })
          yield* readAndApply
          const states = yield* Effect.forEach(mails, (mail) => stateOf(of, campaign_id, mail.to.address))
          assert.notInclude(states, "active")
          const suppressed = yield* trailOf(of.client, { kind: "suppressed" })
          assert.sameMembers(
            suppressed.map(({ email }) => email),
            [quoting!.to.address, unknown!.to.address]
          )
        }).pipe(Effect.orDie)
    )

    it.effect("a message to the way out by mail unsubscribes its person as the link does, whoever wrote it", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(2)
        const [tired, other] = mails
        const wayOut = (mail: typeof tired) => new URL(unsubscribeMailto(address, mail!.unsubscribeUrl ?? ""))
        assert.strictEqual(wayOut(tired).pathname, address)
        const subject = wayOut(tired).searchParams.get("subject") ?? ""
        const from = "another-address@elsewhere.test"
        yield* office.deliver(address, { from, subject: `${subject}x`.replace(".", ".x"), text: "" })
        yield* office.deliver(address, { from, subject: `About ${subject}`, text: "" })
        assert.strictEqual(yield* read, 0, "it is forged, or no request")
        const head = [["Auto-Submitted", "auto-generated"]] as const
        yield* office.deliver(address, { from, subject, text: "See you at the conference in May.", head })
        yield* readAndApply
        const people = [tired, other].map((mail) => mail!.to.address)
        const states = yield* Effect.forEach(people, (email) => stateOf(of, campaign_id, email))
        assert.deepStrictEqual(states, ["unsubscribed", "active"])
        const told = yield* trailOf(of.client, { campaign_id, kind: "unsubscribe" })
        assert.lengthOf(told, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a program's mail is no answer, and a no in it counts; an offer to opt out of it is none", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(6)
        const [helpdesk, unnamed, left, ticket, newsletter, away] = mails
        const generated = [["Auto-Submitted", "auto-generated"] as const]
        yield* office.deliver(address, {
          from: "support@recipients.test",
          text: "Hello,\n\nplease remove us from your mailing list.\n\nTicket 17",
          inReplyTo: helpdesk!.messageId,
          head: [...generated, ["X-Auto-Response-Suppress", "All"]]
        })
        yield* office.deliver(address, { from: unnamed!.to.address, text: "Please unsubscribe us.", head: generated })
        yield* office.deliver(address, {
          from: left!.to.address,
          text: "I have left the company. Please remove me from your list.",
          inReplyTo: left!.messageId,
          head: [["Auto-Submitted", "auto-replied"]]
        })
        yield* office.deliver(address, {
          from: ticket!.to.address,
          text: "We have your request.\n\nTo get no more e-mails of this kind please unsubscribe here: https://b.test/u",
          inReplyTo: ticket!.messageId,
          head: generated
        })
        yield* office.deliver(address, {
          from: newsletter!.to.address,
          text: "Unsubscribe me",
          head: [["List-Id", "<news.b.test>"], ...generated]
        })
        yield* office.deliver(address, {
          from: away!.to.address,
          text: "I am away until Monday, and not interested in anything.",
          inReplyTo: away!.messageId,
          head: [["Auto-Submitted", "auto-replied"]]
        })
        yield* readAndApply
        const states = yield* Effect.forEach(mails, (mail) => stateOf(of, campaign_id, mail.to.address))
        assert.deepStrictEqual(states, ["unsubscribed", "unsubscribed", "unsubscribed", "active", "active", "active"])
        const replies: ReadonlyArray<{ classification: string }> = yield* repliesOf(of)
        assert.deepStrictEqual(
          replies.map(({ classification }) => classification),
          ["out_of_office"]
        )
        assert.notInclude(kindsOf(yield* trailOf(of.client, { campaign_id, kind: "stop" })), "reply")
      }).pipe(Effect.orDie)
    )
  })
}

/** A mailbox with more in it than is read in one go. */
export const mailBacklogContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeStories(Layer.provideMerge(post, service))(`a backlog of mail (${name})`, (it) => {
    it.effect("a mailbox in which more lies than is read in one go does not send before it is read whole", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, mails, of } = yield* written(1)
        const many = PAGE_MAX * PAGES_MAX
        yield* Effect.scoped(
          Effect.gen(function* () {
            const reading = yield* reader
            const owns = yield* OwnMailboxStore
            const { mailboxId } = of.mailboxes[0]!
            const inbox = Effect.map(owns.cursors(of.client.workspaceId, mailboxId), (all) => all[0]?.lastUid)
            yield* reading.round
            yield* TestClock.adjust("16 seconds")
            assert.isFalse(yield* restsOf(of), "it was read")
            yield* Effect.forEach(Array.from({ length: many }), () =>
              office.deliver(address, { from: "list@b.test", text: "News" })
            )
            const [mail] = mails
            yield* office.deliver(address, { from: mail!.to.address, text: "No.", inReplyTo: mail!.messageId })
            assert.strictEqual(yield* reading.round, 0)
            assert.strictEqual(yield* inbox, many)
            assert.isTrue(yield* restsOf(of), "it was not read whole")
            assert.strictEqual(yield* reading.round, 1)
          })
        )
      }).pipe(Effect.orDie)
    )
  })
}

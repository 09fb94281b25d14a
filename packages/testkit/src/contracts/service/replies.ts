import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { addressHashInput } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Client } from "../../service/Client.js"
import {
  deliveries,
  draft,
  kindsOf,
  launched,
  ok,
  pass,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf,
  work
} from "./stories.js"

const sourcesOf = (client: Client, email: string) =>
  Effect.gen(function* () {
    const suppressions = yield* SuppressionStore
    const crypto = yield* Crypto
    const { workspaceId } = client
    return yield* suppressions.sourcesOf(workspaceId, crypto.mac("suppression", addressHashInput(workspaceId, email)))
  })

const DAY_WORDS = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })

/** Who answers how: their classification, what the trail tells, their lead's end, why they are left alone. */
const PERSONAS = [
  ["interested", "interested", ["reply", "suppressed", "stop"], "replied", ["reply"]],
  ["not_interested", "not_interested", ["reply", "suppressed", "stop"], "replied", ["reply"]],
  ["other", "other", ["reply", "suppressed", "stop"], "replied", ["reply"]],
  ["out_of_office", "out_of_office", ["reply"], "active", []],
  [
    "unsubscribe",
    "unsubscribe",
    ["reply", "unsubscribe", "suppressed", "stop"],
    "unsubscribed",
    ["reply", "unsubscribe"]
  ],
  ["bounce", "bounce", ["bounce", "suppressed", "stop"], "bounced", ["hard_bounce"]]
] as const

/** What comes back, and what it does. */
export const repliesContract = <E>(name: string, service: Layer.Layer<ServiceOnStores | Inbound, E>) => {
  describeLayer(service, SUITE)(`replies (${name})`, (it) => {
    it.effect("each answer is told, classified, stops what it stops and suppresses whom it suppresses", () =>
      Effect.gen(function* () {
        for (const [persona, classification, kinds, state, sources] of PERSONAS) {
          const client = yield* sender()
          const email = `${persona}@magic.test`
          const campaign_id = yield* launched(client, { recipients: [{ email, first_name: "Pat" }] })
          const start = yield* Clock.currentTimeMillis
          yield* pass("1900 millis", "100 millis")
          const listed = ok(yield* client.call("get_replies", { campaign_id })).result.replies
          assert.lengthOf(listed, 1, persona)
          const [summary] = listed
          assert.deepStrictEqual([summary.classification, summary.campaign_id], [classification, campaign_id])
          assert.isTrue(Date.parse(summary.received_at) - start < 5_000)
          const full = ok(yield* client.call("get_reply", { reply_id: summary.reply_id })).result
          assert.deepInclude(full, summary)
          const [message] = yield* deliveries(campaign_id)
          assert.strictEqual(full.to_email, message?.from.address)
          assert.strictEqual(full.body_status, "available")
          assert.strictEqual(full.content_trust, "external_untrusted")
          assert.strictEqual(full.body_truncated, false)
          assert.deepStrictEqual(full.our_replies, [])
          assert.isString(full.thread_id)
          assert.isAbove(full.snippet.length, 0)
          assert.isAtMost(full.snippet.length, 200)
          assert.deepInclude(full.lead, { state, interest_status: null })
          if (persona !== "bounce") assert.strictEqual(full.from_email, email)

          const events = yield* trailOf(client, { campaign_id })
          const after = events.slice(events.findIndex((event) => event.kind === "sent") + 1)
          assert.deepStrictEqual(
            kindsOf(after).filter((kind) => kind !== "completed"),
            [...kinds],
            persona
          )
          for (const event of after.slice(0, kinds.length)) {
            assert.deepStrictEqual(
              [event.source, event.email, event.campaign_lead_id, event.reply_id],
              ["provider_webhook", email, full.lead.campaign_lead_id, summary.reply_id]
            )
          }
          const detailOf = (kind: string) => after.find((event) => event.kind === kind)?.detail
          if (persona === "bounce") {
            assert.deepInclude(detailOf("bounce"), { type: "hard", status: "5.1.1" })
          } else assert.deepStrictEqual(detailOf("reply"), { classification })
          if (kinds.length > 1) {
            assert.deepStrictEqual(detailOf("stop"), {
              reason: persona === "unsubscribe" || persona === "bounce" ? persona : "reply"
            })
          }
          assert.sameMembers([...(yield* sourcesOf(client, email))], [...sources])
          yield* pass("15 seconds")
          assert.lengthOf(yield* deliveries(campaign_id), persona === "out_of_office" ? 2 : 1, persona)
          const again = yield* draft(client, { recipients: to(email) })
          const reason = persona === "out_of_office" ? { capped: 1 } : { opted_out: 1 }
          assert.deepStrictEqual(again.result.suppressed_reasons, reason)
        }
      }).pipe(Effect.orDie)
    )

    it.effect("an answer that has arrived stops the next step, also where nobody has read it yet", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, {
          recipients: to("interested@magic.test", "silent@magic.test"),
          sequence: [
            { subject: "Hello", body: "Hi" },
            { body: "Again", wait_days: 2 }
          ]
        })
        const dispatcher = yield* Dispatcher
        yield* dispatcher.round
        yield* TestClock.adjust("2 seconds")
        yield* dispatcher.round
        const sent = yield* deliveries(campaign_id)
        assert.deepStrictEqual(
          sent.filter(({ stepIndex }) => stepIndex === 1).map((message) => message.to.address),
          ["silent@magic.test"]
        )
        yield* work
        assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("who said no is taken out of the other campaigns that run", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const other = yield* launched(client, {
          recipients: to("silent@magic.test"),
          sequence: [
            { subject: "a", body: "b" },
            { body: "c", wait_days: 30 }
          ]
        })
        yield* work
        // Both hold a lead of the same person: the second is told apart by who wrote last.
        const inbound = yield* Inbound
        const [message] = yield* deliveries(other)
        const nowMillis = yield* Clock.currentTimeMillis
        const event = {
          workspaceId: client.workspaceId,
          provider: "test",
          kind: "unsubscribe" as const,
          source: "provider_poll" as const,
          inReplyTo: message?.messageId ?? "",
          messageId: null,
          fromEmail: "silent@magic.test",
          toEmail: null,
          subject: "",
          bodyText: "",
          bodyHtml: null,
          classification: null,
          bounce: null,
          receivedAtMillis: nowMillis
        }
        yield* inbound.receive([
          { ...event, providerEventId: "1" },
          { ...event, providerEventId: "1" }
        ])
        yield* work
        yield* inbound.receive([{ ...event, providerEventId: "1" }])
        yield* work
        const events = yield* trailOf(client, { campaign_id: other })
        assert.deepStrictEqual(kindsOf(events).slice(-4), ["unsubscribe", "suppressed", "stop", "completed"])
        assert.deepStrictEqual(events.at(-4)?.source, "provider_poll")
        assert.isEmpty(ok(yield* client.call("get_replies", {})).result.replies, "a click is no reply")
        // The same no by another way adds what it adds, once.
        yield* inbound.receive([{ ...event, kind: "complaint", providerEventId: "2" }])
        yield* work
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id: other })).slice(-3), [
          "complaint",
          "suppressed",
          "stop"
        ])
        assert.sameMembers([...(yield* sourcesOf(client, "silent@magic.test"))], ["unsubscribe", "complaint"])
        yield* pass("40 seconds", "10 seconds")
        assert.lengthOf(yield* deliveries(other), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a no from another address ends the mail to both, the person written to and the one who wrote", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const writers = ["silent+private@magic.test", "silent+assistant@magic.test", "silent+away@magic.test"] as const
        const running = yield* launched(client, { name: "Theirs", recipients: to(...writers) })
        const campaign_id = yield* launched(client, { recipients: to(...writers.map((one) => `silent+of${one}`)) })
        yield* work
        const inbound = yield* Inbound
        const nowMillis = yield* Clock.currentTimeMillis
        const messages = yield* deliveries(campaign_id)
        const said = ["unsubscribe", "not_interested", "out_of_office"] as const
        yield* inbound.receive(
          writers.map((writer, at) => ({
            workspaceId: client.workspaceId,
            provider: "own_mailbox",
            providerEventId: `from ${writer}`,
            kind: "reply" as const,
            source: "provider_poll" as const,
            inReplyTo: messages.find(({ to: { address } }) => address === `silent+of${writer}`)?.messageId ?? "",
            messageId: null,
            fromEmail: `"${writer.replace("@", '"@')}`,
            toEmail: null,
            subject: "Re: Hello",
            bodyText: "No.",
            bodyHtml: null,
            classification: said[at] ?? null,
            bounce: null,
            receivedAtMillis: nowMillis
          }))
        )
        yield* work
        const [private_, assistant, away] = writers
        for (const [writer, sources] of [
          [private_, ["reply", "unsubscribe"]],
          [assistant, ["reply"]]
        ] as const) {
          for (const email of [writer, `silent+of${writer}`]) {
            assert.sameMembers([...(yield* sourcesOf(client, email))], [...sources], email)
          }
        }
        for (const email of [away, `silent+of${away}`]) assert.isEmpty(yield* sourcesOf(client, email), email)
        const removed = yield* trailOf(client, { campaign_id: running, kind: "removed" })
        assert.sameMembers(
          removed.map(({ email }) => email),
          [private_, assistant]
        )
        const again = yield* draft(client, { recipients: to(...writers) })
        assert.deepStrictEqual(again.result.suppressed_reasons, { opted_out: 2, capped: 1 })
      }).pipe(Effect.orDie)
    )

    it.effect("who is out of office is written to again after the day that they name, and not before", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const sequence = [
          { subject: "a", body: "b" },
          { body: "c", wait_days: 2 }
        ]
        const campaign_id = yield* launched(client, { recipients: to("silent@magic.test"), sequence })
        yield* work
        const inbound = yield* Inbound
        const [message] = yield* deliveries(campaign_id)
        const nowMillis = yield* Clock.currentTimeMillis
        const dayAt = (days: number) => new Date(nowMillis + days * DAY_MILLIS)
        const named = (days: number) => DAY_WORDS.format(dayAt(days))
        const away = {
          workspaceId: client.workspaceId,
          provider: "test",
          kind: "reply" as const,
          source: "provider_poll" as const,
          inReplyTo: message?.messageId ?? "",
          messageId: null,
          fromEmail: "silent@magic.test",
          toEmail: null,
          subject: "Out of office",
          bodyHtml: null,
          classification: "out_of_office" as const,
          bounce: null,
          receivedAtMillis: nowMillis
        }
        yield* inbound.receive([
          { ...away, providerEventId: "later", bodyText: `I am out of the office until ${named(10)}.` },
          { ...away, providerEventId: "sooner", bodyText: `I am out of the office until ${named(1)}.` },
          { ...away, providerEventId: "unnamed", bodyText: "I am out of the office." }
        ])
        yield* work
        const [lead] = ok(yield* client.call("list_leads", { campaign_id })).result.leads
        assert.strictEqual(lead.next_due_at, `${dayAt(11).toISOString().slice(0, 10)}T00:00:00.000Z`)
        yield* TestClock.adjust("9 days")
        yield* pass("5 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        yield* TestClock.adjust("2 days")
        yield* pass("5 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("a soft bounce is told, and stops nothing; what answers nothing of ours changes nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("silent@magic.test") })
        yield* work
        const inbound = yield* Inbound
        const [message] = yield* deliveries(campaign_id)
        const nowMillis = yield* Clock.currentTimeMillis
        const soft = {
          workspaceId: client.workspaceId,
          provider: "test",
          providerEventId: "soft",
          kind: "bounce" as const,
          source: "provider_poll" as const,
          inReplyTo: message?.messageId ?? "",
          messageId: null,
          fromEmail: "mailer-daemon@magic.test",
          toEmail: null,
          subject: "Delayed",
          bodyText: "x".repeat(300_000),
          bodyHtml: null,
          classification: null,
          bounce: { type: "soft" as const, status: "4.2.2" },
          receivedAtMillis: nowMillis
        }
        const stray = { ...soft, providerEventId: "stray", kind: "reply" as const, bounce: null, inReplyTo: "nothing" }
        yield* inbound.receive([soft, stray])
        yield* pass("3 seconds")
        const { replies } = ok(yield* client.call("get_replies", {})).result
        assert.lengthOf(replies, 1)
        assert.strictEqual(replies[0].classification, "bounce")
        const full = ok(yield* client.call("get_reply", { reply_id: replies[0].reply_id })).result
        assert.deepStrictEqual([full.body_text.length, full.body_truncated, full.lead.state], [200_000, true, "active"])
        const bounces = yield* trailOf(client, { campaign_id, kind: "bounce,stop,suppressed" })
        assert.deepStrictEqual(
          bounces.map(({ detail }) => detail),
          [{ type: "soft", status: "4.2.2" }]
        )
        assert.lengthOf(yield* deliveries(campaign_id), 2)
      }).pipe(Effect.orDie)
    )
  })
}

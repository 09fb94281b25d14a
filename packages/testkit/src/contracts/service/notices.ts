import { assert, layer as describeLayer } from "@effect/vitest"
import * as NoticeRounds from "@outbound/domain/control/notices/NoticeRounds.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { Control } from "@outbound/domain/control/Control.js"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { decide } from "../../service/Client.js"
import { chatAnswering } from "../../webhooks/ScriptedChat.js"
import { growStale, office, refusedBy, signIn } from "./controlSupport.js"
import { asking, freshAddress, idOf, type NoticeNeeds, round, states, telling } from "./noticeSupport.js"
import { ok, PURCHASE, sender, SUITE } from "./stories.js"

/** What approvers are told of, how often, and what they choose. */
export const noticesContract = <E>(name: string, service: Layer.Layer<NoticeNeeds, E>): void => {
  describeLayer(telling(service), SUITE)(`notices of approvals (${name})`, (it) => {
    it.effect("each approver and each channel is told once, by however many hosts, of all that is asked", () =>
      Effect.gen(function* () {
        const of = yield* asking(3)
        const { approvalUrl, token } = yield* of.ask
        yield* Effect.all([round, round, round], { concurrency: "unbounded" })
        yield* round
        const [letter] = of.letters(approvalUrl, of.owner.user.email)
        assert.lengthOf(of.letters(approvalUrl), 2)
        assert.lengthOf(of.letters(approvalUrl, of.member.user.email), 1)
        assert.lengthOf(of.posts(approvalUrl), 1)
        for (const text of [letter!.text, JSON.parse(of.posts(approvalUrl)[0]!.body).text]) {
          assert.include(text, "Asks: Launch the campaign “Spring”")
          assert.include(text, "Costs: nothing")
          assert.include(text, "Reaches: 3 people, at most 2 messages each")
          assert.match(text, /Decide until: \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
          assert.include(text, approvalUrl)
          assert.notInclude(text, token)
          assert.notInclude(text, "@magic.test")
        }
        assert.deepStrictEqual(states(yield* of.listed(approvalUrl)), ["mail sent", "mail sent", "slack sent"])
      }).pipe(Effect.orDie)
    )

    it.effect("a purchase says what it costs now and each month", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const asked = ok(yield* of.client.call("setup_sending", { ...PURCHASE, daily_sends: 50 }))
        yield* round
        const [letter] = of.letters(asked.result.approval_url, of.owner.user.email)
        assert.match(
          letter!.text,
          /Costs: [\d.]+ credits, [\d.]+ credits with the first month, then [\d.]+ credits a month/
        )
        assert.include(letter!.subject, "Buy")
      }).pipe(Effect.orDie)
    )

    it.effect("nobody is told of what was decided, replaced, cancelled or over before the letter left", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const replaced = yield* of.ask
        const decided = yield* of.ask
        yield* decide(of.client, decided.approvalUrl, "decline")
        const expired = yield* of.ask
        yield* TestClock.adjust("25 hours")
        yield* round
        const killed = yield* of.ask
        const control = yield* Control
        yield* control.kill(yield* signIn(of.client.ownerEmail), "A test")
        yield* round
        for (const { approvalUrl } of [replaced, decided, expired, killed]) {
          assert.isEmpty([...of.letters(approvalUrl), ...of.posts(approvalUrl)])
          const listed = yield* of.listed(approvalUrl)
          assert.deepStrictEqual(states(listed), ["mail cancelled", "mail cancelled", "slack cancelled"])
        }
      }).pipe(Effect.orDie)
    )

    it.effect("who has left, and a channel that was removed, are told nothing more", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const { approvalUrl } = yield* of.ask
        const control = yield* Control
        yield* control.removeMember(of.owner, of.member.user.userId)
        yield* of.notices.removeChannel(of.owner, "slack")
        yield* round
        assert.deepStrictEqual(
          of.letters(approvalUrl).map(({ to }) => to),
          [of.owner.user.email]
        )
        assert.isEmpty(of.posts(approvalUrl))
      }).pipe(Effect.orDie)
    )

    it.effect("a member hears of what they have not turned off, also if they do so just before", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        yield* of.notices.setMuted(of.member, ["launch"])
        assert.deepStrictEqual(yield* of.notices.muted(of.member), ["launch"])
        assert.deepStrictEqual(yield* of.notices.muted(of.owner), [])
        const { approvalUrl } = yield* of.ask
        yield* of.notices.setMuted(of.owner, ["launch"])
        yield* round
        assert.isEmpty(of.letters(approvalUrl))
        assert.lengthOf(of.posts(approvalUrl), 1)
        const quote = ok(yield* of.client.call("setup_sending", { ...PURCHASE, daily_sends: 50 })).result
        yield* round
        assert.lengthOf(of.letters(quote.approval_url), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("one reminder comes two hours before the end of what still waits, except to whom it is turned off", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        yield* of.notices.setMuted(of.member, ["reminder"])
        const { approvalUrl } = yield* of.ask
        yield* round
        yield* TestClock.adjust(22 * 60 * 60_000 - 1)
        yield* round
        assert.lengthOf(of.letters(approvalUrl), 2)
        yield* TestClock.adjust(1)
        yield* Effect.all([round, round], { concurrency: "unbounded" })
        yield* TestClock.adjust("1 hour")
        yield* round
        const reminders = of.letters(approvalUrl).slice(2)
        assert.deepStrictEqual(
          reminders.map(({ to }) => to),
          [of.owner.user.email]
        )
        assert.include(reminders[0]!.text, "Reminder: an approval still waits")
        assert.lengthOf(of.posts(approvalUrl), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("nobody is reminded of what is decided", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const { approvalUrl } = yield* of.ask
        yield* round
        yield* decide(of.client, approvalUrl, "approve")
        yield* TestClock.adjust("23 hours")
        yield* round
        assert.lengthOf(of.letters(approvalUrl), 2)
        assert.lengthOf(of.posts(approvalUrl), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("who has approved is not reminded while another person has to", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const approvers = yield* Approvers
        const rules = { recipientsAbove: 0, creditsAbove: null, excludesKeyOwner: false }
        yield* approvers.setRules(yield* signIn(of.client.ownerEmail), rules)
        const { approvalUrl } = yield* of.ask
        yield* round
        assert.include(of.letters(approvalUrl)[0]!.text, "Needs: 2 different people")
        yield* decide(of.client, approvalUrl, "approve")
        yield* TestClock.adjust("23 hours")
        yield* round
        const reminded = of.letters(approvalUrl).slice(2)
        assert.deepStrictEqual(
          reminded.map(({ to }) => to),
          [of.member.user.email]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("a test posts one message that asks for nothing, or says why it may not have arrived", () =>
      Effect.gen(function* () {
        const { chat, member, notices, owner, url } = yield* asking()
        const before = chat.messages(url).length
        assert.isNull(yield* notices.testChannel(owner, "slack"))
        const [posted, ...more] = chat.messages(url).slice(before)
        assert.isEmpty(more)
        assert.include(posted?.body, "Asks: nothing")
        chat.react(url, chatAnswering(404))
        assert.deepStrictEqual(yield* notices.testChannel(owner, "slack"), { failure: "status", status: 404 })
        chat.react(url, null)
        yield* refusedBy("owner_required", notices.testChannel(member, "slack"))
        yield* refusedBy("not_found", notices.testChannel(owner, "teams"))
        yield* growStale
        yield* refusedBy("reauthentication_required", notices.testChannel(owner, "slack"))
        assert.lengthOf(chat.messages(url), before + 2)
      })
    )

    it.effect("only an owner with a fresh sign-in sets or removes a channel, which must be on the internet", () =>
      Effect.gen(function* () {
        const { member, owner } = yield* office()
        const notices = yield* Notices
        const channel = { kind: "teams", url: freshAddress() } as const
        yield* refusedBy("owner_required", notices.setChannel(member, channel))
        for (const url of [
          "http://hooks.example.com/x",
          "https://10.0.0.1/x",
          "https://a:b@hooks.example.com/x",
          "no"
        ]) {
          yield* refusedBy("invalid", notices.setChannel(owner, { kind: "teams", url }))
        }
        yield* refusedBy("not_found", notices.removeChannel(owner, "teams"))
        yield* notices.setChannel(owner, channel)
        const [standing] = yield* notices.channels(member)
        assert.deepInclude(standing!.channel, { kind: "teams", host: new URL(channel.url).host })
        assert.isNull(standing!.last)
        assert.notInclude(JSON.stringify(standing), "secret")
        const control = yield* Control
        const [entry] = yield* control.history(owner, null)
        assert.deepInclude(entry, { action: "set_chat_channel", direction: "loosen" })
        assert.notInclude(JSON.stringify(entry), "secret")
        yield* growStale
        yield* refusedBy("reauthentication_required", notices.setChannel(owner, channel))
        yield* refusedBy("reauthentication_required", notices.removeChannel(owner, "teams"))
        yield* notices.removeChannel(yield* signIn(owner.user.email), "teams")
        assert.isEmpty(yield* notices.channels(owner))
      }).pipe(Effect.orDie)
    )

    it.effect("old notices are deleted", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const { approvalUrl } = yield* of.ask
        const purge = yield* NoticeRounds.makeNoticePurge
        yield* TestClock.adjust(NoticeRounds.NOTICES_KEPT_MILLIS)
        yield* purge
        assert.isNotEmpty(yield* of.listed(approvalUrl))
        yield* TestClock.adjust(1)
        yield* purge
        assert.isEmpty(yield* of.listed(approvalUrl))
      }).pipe(Effect.orDie)
    )
  })

  const withoutMail = NoticeRounds.layer.pipe(Layer.provideMerge(service))

  describeLayer(withoutMail, SUITE)(`notices without a mail server (${name})`, (it) => {
    it.effect("a service that sends no mail says so beside the approval", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const owner = yield* signIn(client.ownerEmail)
        const quote = ok(yield* client.call("setup_sending", { ...PURCHASE, daily_sends: 50 })).result
        yield* round
        const [notice] = yield* (yield* Notices).ofApproval(owner, idOf(quote.approval_url))
        assert.deepInclude(notice, { channel: "mail", state: "failed", failure: "no_mail_server" })
      }).pipe(Effect.orDie)
    )
  })
}

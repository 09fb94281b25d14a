import { assert, layer as describeLayer } from "@effect/vitest"
import {
  type ListedNotice,
  NOTICES_PER_HOUR_MAX,
  NoticeStore
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { ChatFailure } from "@outbound/domain/control/notices/ChatSender.js"
import * as NoticeRounds from "@outbound/domain/control/notices/NoticeRounds.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { ATTEMPTS_MAX } from "@outbound/domain/control/notices/retrying.js"
import { Control } from "@outbound/domain/control/Control.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Clock, Effect, Layer, TestClock } from "effect"
import * as ScriptedMailer from "../../mail/ScriptedMailer.js"
import { decide } from "../../service/Client.js"
import { chatAnswering, ScriptedChat } from "../../webhooks/ScriptedChat.js"
import { colleague, type ControlOnStores, growStale, office, refusedBy, signIn } from "./controlSupport.js"
import { askLaunch, draft, freshKey, ok, PURCHASE, sender, silent, SUITE } from "./stories.js"

type Needs = ControlOnStores | NoticeStore | UnitOfWork

const OTHER_HOST = "0197c3a0-0000-7000-8000-0000000ffffe"

let channels = 0
const freshAddress = (): string => `https://hooks-${(channels += 1)}.example.com/services/T0/B0/secret`

const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

/** What approvers are told of, how often, and what becomes of what fails. */
export const noticesContract = <E>(name: string, service: Layer.Layer<Needs, E>): void => {
  const layer = NoticeRounds.layer.pipe(Layer.provideMerge(Layer.merge(service, ScriptedMailer.layer)))
  const round = Effect.flatMap(NoticeRounds.NoticeRounds, (rounds) => rounds.round)

  /** A workspace with two approvers and a Slack channel, and a key that asks to launch to so many. */
  const asking = (people = 3) =>
    Effect.gen(function* () {
      const client = yield* sender()
      const owner = yield* signIn(client.ownerEmail)
      const member = yield* colleague(owner)
      const notices = yield* Notices
      const chat = yield* ScriptedChat
      const mail = yield* ScriptedMailer.ScriptedMailer
      const url = freshAddress()
      yield* notices.setChannel(owner, { kind: "slack", url })
      const { result } = yield* draft(client, { name: "Spring", recipients: silent(people) })
      const ask = Effect.map(
        Effect.suspend(() => askLaunch(client, result.campaign_id, freshKey())),
        (asked) => ({
          approvalUrl: asked.result.approval_url as string,
          token: asked.result.confirmation_token as string
        })
      )
      // The purchase that it sends from was decided before.
      yield* round
      return {
        client,
        owner,
        member,
        notices,
        url,
        chat,
        mail,
        ask,
        /** The letters about an approval, by whom they went to. */
        letters: (approvalUrl: string, to?: string) =>
          mail.letters.filter((letter) => letter.text.includes(approvalUrl) && (to === undefined || letter.to === to)),
        posts: (approvalUrl: string) => chat.messages(url).filter(({ body }) => body.includes(approvalUrl)),
        listed: (approvalUrl: string) => notices.ofApproval(owner, idOf(approvalUrl))
      }
    }).pipe(Effect.orDie)

  const states = (listed: ReadonlyArray<ListedNotice>, kind: ListedNotice["kind"] = "asked") =>
    listed.filter((one) => one.kind === kind).map(({ channel, state }) => `${channel} ${state}`)

  const failing = (reason: ChatFailure["reason"], mayHaveArrived: boolean) =>
    Effect.fail(new ChatFailure({ reason, status: null, retryAfterMillis: null, mayHaveArrived }))

  describeLayer(layer, SUITE)(`notices of approvals (${name})`, (it) => {
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
        assert.match(letter!.text, /Costs: [\d.]+ credits, then [\d.]+ credits a month/)
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

    it.effect("a channel that is asked too often is left alone as long as it says, then told once", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, chatAnswering(429, 90_000))
        const { approvalUrl } = yield* of.ask
        yield* round
        of.chat.react(of.url, null)
        yield* TestClock.adjust("89 seconds")
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 1)
        yield* TestClock.adjust("1 second")
        yield* round
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 2)
        assert.deepStrictEqual(states(yield* of.listed(approvalUrl))[2], "slack sent")
      }).pipe(Effect.orDie)
    )

    it.effect("a channel that can't be reached is tried a bounded number of times, and the console says so", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, failing("unreachable", false))
        const { approvalUrl } = yield* of.ask
        for (let minutes = 0; minutes < 60; minutes += 5) {
          yield* round
          yield* TestClock.adjust("5 minutes")
        }
        assert.lengthOf(of.posts(approvalUrl), ATTEMPTS_MAX)
        const [standing] = yield* of.notices.channels(of.member)
        assert.deepInclude(standing!.last, { state: "failed", failure: "unreachable" })
        assert.strictEqual((yield* of.listed(approvalUrl)).filter(({ state }) => state === "failed").length, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a channel that is gone is not tried again", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, chatAnswering(404))
        const { approvalUrl } = yield* of.ask
        yield* round
        yield* TestClock.adjust("10 minutes")
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 1)
        const [standing] = yield* of.notices.channels(of.owner)
        assert.deepInclude(standing!.last, { state: "failed", failure: "status", status: 404 })
      }).pipe(Effect.orDie)
    )

    it.effect("what may have arrived is never repeated, by chat or by mail", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, failing("timeout", true))
        of.mail.trouble = Effect.fail(new ProviderFailure({ provider: "mail", reason: "unknown_outcome" }))
        const { approvalUrl } = yield* of.ask
        yield* round
        of.chat.react(of.url, null)
        of.mail.trouble = null
        yield* TestClock.adjust("1 hour")
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 1)
        assert.lengthOf(of.letters(approvalUrl), 2)
        assert.deepStrictEqual(states(yield* of.listed(approvalUrl)), ["mail unknown", "mail unknown", "slack unknown"])
      }).pipe(Effect.orDie)
    )

    it.effect("letters that no server takes are tried again, and arrive once", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.mail.trouble = Effect.fail(new ProviderFailure({ provider: "mail", reason: "transient" }))
        const { approvalUrl } = yield* of.ask
        yield* round
        of.mail.trouble = null
        yield* TestClock.adjust("2 seconds")
        yield* round
        yield* round
        assert.lengthOf(of.letters(approvalUrl), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("what a host had taken when it died is not told twice; its reminder still comes", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* NoticeStore
        const of = yield* asking()
        const { approvalUrl } = yield* of.ask
        const nowMillis = yield* Clock.currentTimeMillis
        const taken = yield* atomically(
          store.claim({ claimId: OTHER_HOST, nowMillis, leaseMillis: 60_000, limit: 1_000 })
        )
        const dead = taken.filter(({ approvalId }) => approvalId === idOf(approvalUrl))
        assert.lengthOf(dead, 3)
        yield* round
        assert.isEmpty(of.letters(approvalUrl))
        yield* TestClock.adjust("60 seconds")
        yield* round
        assert.isEmpty([...of.letters(approvalUrl), ...of.posts(approvalUrl)])
        const listed = yield* of.listed(approvalUrl)
        assert.deepStrictEqual(states(listed), ["mail unknown", "mail unknown", "slack unknown"])
        // It was only frozen: what it says now comes too late.
        const atMillis = nowMillis + 61_000
        const late = { state: "sent", failure: null, status: null, atMillis, dueAtMillis: atMillis } as const
        assert.isFalse(yield* atomically(store.record(dead[0]!, late)))
        yield* TestClock.adjust("22 hours")
        yield* round
        assert.lengthOf(of.letters(approvalUrl), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("a flood of requests costs each recipient a bounded number of messages an hour", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        yield* Effect.replicateEffect(of.ask, NOTICES_PER_HOUR_MAX)
        const last = yield* of.ask
        yield* round
        assert.isEmpty([...of.letters(last.approvalUrl), ...of.posts(last.approvalUrl)])
        const listed = yield* of.listed(last.approvalUrl)
        assert.isTrue(listed.every(({ failure, state }) => state === "failed" && failure === "too_many"))
        yield* TestClock.adjust("1 hour")
        const next = yield* of.ask
        yield* round
        assert.lengthOf(of.letters(next.approvalUrl), 2)
      }).pipe(Effect.orDie)
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

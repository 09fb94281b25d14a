import { assert, layer as describeLayer } from "@effect/vitest"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import type { Judge, Judgement, JudgeQuestion } from "@outbound/domain/sources/ports/Judge.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { Judging, TRIES_AFTER_MILLIS } from "@outbound/domain/outreach/replies/Judging.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { addressHashInput } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { campaign, type OwnService, people, taken, team, type Team, THURSDAY } from "./ownStories.js"
import { kindsOf, ok, SUITE, trailOf } from "./stories.js"

/** What the judge was asked, and how it answers: as scripted, not at all, or wrongly. */
const asked: Array<JudgeQuestion> = []
type Manner =
  | "scripted"
  | "away"
  | "hangs"
  | "refuses"
  | "invents"
  | "quotes nothing"
  | "contradicts"
  | "quotes another"
let manner: Manner = "scripted"

const behaving =
  (as: Manner) =>
  <A, E, R>(story: Effect.Effect<A, E, R>) =>
    Effect.ensuring(
      Effect.suspend(() => {
        manner = as
        return story
      }),
      Effect.sync(() => (manner = "scripted"))
    )

/** What the wrong manners answer to any question. */
const WRONG: Partial<Record<Manner, { readonly excerpt: string | null }>> = {
  invents: { excerpt: "never write to me again" },
  "quotes nothing": { excerpt: null },
  contradicts: { excerpt: "word 2" },
  "quotes another": { excerpt: "so: unsubscribe everybody" }
}

/** Says yes to a question whose number stands in the text: the first asks for a no to all mail, the third for a yes. */
const QUESTIONS = [/not to be written to/, /do not want what was offered/, /want to go on/]

const judge: Judge = {
  name: "scripted_judge",
  costMicros: 1,
  missRate: 0,
  latencyMillis: 1,
  judge: (question) =>
    Effect.suspend((): Effect.Effect<Judgement, ProviderFailure> => {
      asked.push(question)
      if (manner === "hangs") return Effect.never
      if (manner === "away" || manner === "refuses") {
        const reason = manner === "away" ? "transient" : "invalid"
        return Effect.fail(new ProviderFailure({ provider: "scripted_judge", reason }))
      }
      const [page] = question.pages
      const wrong = WRONG[manner]
      if (wrong !== undefined) {
        return Effect.succeed({
          answer: "yes" as const,
          excerpt: wrong.excerpt,
          sourceUrl: page?.url ?? null
        })
      }
      const number = QUESTIONS.findIndex((pattern) => pattern.test(question.question))
      const isYes = page?.text.includes(`word ${number}`) === true
      return Effect.succeed(
        isYes
          ? { answer: "yes" as const, excerpt: `word ${number}`, sourceUrl: page?.url ?? null }
          : { answer: "not_found" as const, excerpt: null, sourceUrl: null }
      )
    })
}

/** The providers of live workspaces for these suites. */
export const judgingProviders: ProviderSet = { ...noProviders, judges: [judge] }

const apply = Effect.gen(function* () {
  const inbox = yield* Inbox
  while ((yield* inbox.round) > 0) yield* Effect.yieldNow
}).pipe(Effect.orDie)

const judged = Effect.flatMap(Judging, ({ round }) => round).pipe(Effect.orDie)

/** From another address than the one that was written to, and whether the receiving server denies that it wrote. */
type Elsewhere = Pick<InboundEvent, "fromEmail" | "writerDenied">

/** A team whose people have answered so, in words that no rule knows. */
const answered = (texts: ReadonlyArray<string>, elsewhere: ReadonlyArray<Elsewhere> = []) =>
  Effect.gen(function* () {
    const inbound = yield* Inbound
    const held = yield* HeldMailboxes
    const dispatch = yield* OwnDispatch
    yield* TestClock.setTime(Math.max(yield* Clock.currentTimeMillis, THURSDAY + 9 * 3_600_000))
    const of = yield* team(1)
    const campaign_id = yield* campaign(of, { recipients: people(texts.length) })
    for (let passes = 0; (yield* taken(of)).length < texts.length && passes < 200; passes++) {
      yield* TestClock.adjust("10 minutes")
      yield* held.renew
      yield* dispatch.round
    }
    const mails = (yield* taken(of)).map(({ mail }) => mail)
    assert.lengthOf(mails, texts.length)
    const receivedAtMillis = yield* Clock.currentTimeMillis
    yield* inbound.receive(
      mails.map((mail, index) => ({
        workspaceId: of.client.workspaceId,
        provider: "own_mailbox",
        providerEventId: mail.messageId,
        kind: "reply",
        source: "provider_poll",
        inReplyTo: mail.messageId,
        messageId: null,
        fromEmail: mail.to.address,
        toEmail: mail.from.address,
        subject: "Re: Hello",
        bodyText: texts[index] ?? "",
        bodyHtml: null,
        classification: null,
        bounce: null,
        receivedAtMillis,
        ...elsewhere[index]
      }))
    )
    yield* apply
    asked.length = 0
    return { of, campaign_id, addresses: mails.map(({ to }) => to.address) }
  }).pipe(Effect.orDie)

const classifications = (of: Team, addresses: ReadonlyArray<string>) =>
  Effect.map(of.client.call("get_replies", { limit: 200 }), (answer) => {
    const replies: ReadonlyArray<{ from_email: string; classification: string | null }> = ok(answer).result.replies
    return addresses.map((address) => replies.find((reply) => reply.from_email === address)?.classification)
  })

/** What a judge does for answers that the rules leave open. */
export const judgingContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeLayer(service, SUITE)(`judging of answers (${name})`, (it) => {
    it.effect("a judge names what the rules left open, once, and who wants to be left alone is unsubscribed", () =>
      Effect.gen(function* () {
        const { addresses, campaign_id, of } = yield* answered(["Hm: word 0.", "Hm: word 1.", "Hm: word 2.", "Hm."])
        assert.deepStrictEqual(yield* classifications(of, addresses), [null, null, null, null])
        assert.strictEqual(yield* judged, 4)
        const names = ["unsubscribe", "not_interested", "interested", "other"]
        assert.deepStrictEqual(yield* classifications(of, addresses), names)
        const calls = asked.length
        assert.strictEqual(yield* judged, 0)
        assert.strictEqual(asked.length, calls)
        const suppressions = yield* SuppressionStore
        const crypto = yield* Crypto
        const sources = yield* Effect.forEach(addresses, (address) => {
          const { workspaceId } = of.client
          return suppressions.sourcesOf(workspaceId, crypto.mac("suppression", addressHashInput(workspaceId, address)))
        })
        assert.sameMembers([...(sources[0] ?? [])], ["reply", "unsubscribe"])
        assert.deepStrictEqual(sources.slice(1), [["reply"], ["reply"], ["reply"]])
        const told = yield* trailOf(of.client, { campaign_id, kind: "unsubscribe" })
        assert.deepStrictEqual(
          told.map(({ email, source }) => [email, source]),
          [[addresses[0], "system"]]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("who wrote from another address is left alone there too, unless nothing proves that they wrote", () =>
      Effect.gen(function* () {
        const ofTheirs = { fromEmail: "jo@private.test" }
        const denied = { fromEmail: "somebody@victim.test", writerDenied: true } as const
        const { addresses, of } = yield* answered(["Hm: word 0.", "Hm: word 0."], [ofTheirs, denied])
        yield* judged
        const suppressions = yield* SuppressionStore
        const crypto = yield* Crypto
        const { workspaceId } = of.client
        const sources = yield* Effect.forEach([...addresses, ofTheirs.fromEmail, denied.fromEmail], (address) =>
          suppressions.sourcesOf(workspaceId, crypto.mac("suppression", addressHashInput(workspaceId, address)))
        )
        const no = ["reply", "unsubscribe"]
        assert.deepStrictEqual(
          sources.map((all) => all.toSorted()),
          [no, no, no, []]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("it is given the writer's own words alone, and of these so many", () =>
      Effect.gen(function* () {
        const quotation = "On 1 March 2027 Jo <jo@acme.test> wrote:\n\n> word 0, word 1, word 2"
        const { addresses, of } = yield* answered([`Hm.\n\n${quotation}`, quotation, `Hm. ${"so ".repeat(9_000)}`])
        assert.strictEqual(yield* judged, 3)
        assert.deepStrictEqual(yield* classifications(of, addresses), ["other", "other", "other"])
        const texts = asked.flatMap(({ pages }) => pages.map(({ text }) => text))
        assert.isTrue(texts.every((text) => !text.includes("word") && text.length <= 4_000))
        assert.lengthOf(texts, 6)
      }).pipe(Effect.orDie)
    )

    it.effect("one that does not answer is asked again, so many times, and the reply stays unclassified", () =>
      Effect.gen(function* () {
        const { addresses, campaign_id, of } = yield* answered(["Hm: word 2."])
        const ticks = 300
        yield* Effect.gen(function* () {
          for (let tick = 0; tick < ticks; tick++) {
            yield* judged
            yield* TestClock.adjust("1 minute")
          }
        }).pipe(behaving("away"))
        assert.strictEqual(asked.length, TRIES_AFTER_MILLIS.length)
        yield* judged
        assert.deepStrictEqual(yield* classifications(of, addresses), [null])
        assert.include(kindsOf(yield* trailOf(of.client, { campaign_id })), "stop")
      }).pipe(Effect.orDie)
    )

    it.effect("one that quotes what the writer did not say, or nothing, unsubscribes nobody", () =>
      Effect.gen(function* () {
        for (const as of ["invents", "quotes nothing", "quotes another"] as const) {
          const { addresses, campaign_id, of } = yield* answered(["Hm: what is it?"])
          yield* judged.pipe(behaving(as))
          assert.deepStrictEqual(yield* classifications(of, addresses), ["other"], as)
          assert.notInclude(kindsOf(yield* trailOf(of.client, { campaign_id })), "unsubscribe", as)
        }
      }).pipe(Effect.orDie)
    )

    it.effect("one that refuses leaves the reply open, and what it says later counts", () =>
      Effect.gen(function* () {
        const { addresses, of } = yield* answered(["Hm: word 0."])
        assert.strictEqual(yield* judged.pipe(behaving("refuses")), 0)
        assert.deepStrictEqual(yield* classifications(of, addresses), [null])
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* judged, 1)
        assert.deepStrictEqual(yield* classifications(of, addresses), ["unsubscribe"])
      }).pipe(Effect.orDie)
    )

    it.effect("one that says yes to everything is believed in the most serious question, and asked no further", () =>
      Effect.gen(function* () {
        const { addresses, of } = yield* answered(["Hm: word 2, please."])
        yield* judged.pipe(behaving("contradicts"))
        assert.deepStrictEqual(yield* classifications(of, addresses), ["unsubscribe"])
        assert.lengthOf(asked, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("one that hangs holds up no round, and two hosts that ask at once unsubscribe a writer once", () =>
      Effect.gen(function* () {
        const { addresses, campaign_id, of } = yield* answered(["Hm: word 0."])
        const round = yield* Effect.forkChild(judged.pipe(behaving("hangs")))
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* Fiber.join(round), 0)
        assert.deepStrictEqual(yield* classifications(of, addresses), [null])
        yield* TestClock.adjust("1 hour")
        const rounds = yield* Effect.all([judged, judged, judged], { concurrency: "unbounded" })
        assert.strictEqual(
          rounds.reduce((sum, one) => sum + one, 0),
          1
        )
        assert.deepStrictEqual(yield* classifications(of, addresses), ["unsubscribe"])
        assert.lengthOf(yield* trailOf(of.client, { campaign_id, kind: "unsubscribe" }), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a reply costs at most three questions, once", () =>
      Effect.gen(function* () {
        const { addresses, of } = yield* answered(["Hm.", "So."])
        assert.strictEqual(yield* judged, 2)
        assert.lengthOf(asked, 6)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* judged, 0)
        assert.lengthOf(asked, 6)
        assert.deepStrictEqual(yield* classifications(of, addresses), ["other", "other"])
      }).pipe(Effect.orDie)
    )
  })
}

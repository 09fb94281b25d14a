import { assert } from "@effect/vitest"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { dayOf } from "@outbound/domain/outreach/sending/ramp.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour, MemoryMail } from "../../mail/MemoryMail.js"
import { DAY } from "../fixtures.js"
import { describeStories } from "./describeStories.js"
import { campaign, type OwnService, ownPass, taken, team, type Team, THURSDAY } from "./ownStories.js"
import { ok } from "./stories.js"

/** An owner stated that the team's mailboxes send so much elsewhere. */
export const declare = (owner: Team, sends: number) =>
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const nowMillis = yield* Clock.currentTimeMillis
    for (const { mailboxId } of owner.mailboxes) {
      yield* atomically(
        Effect.gen(function* () {
          const mailbox = Option.getOrThrow(yield* sendings.lockMailbox(owner.client.workspaceId, mailboxId))
          yield* sendings.updateMailboxes([
            {
              ...mailbox,
              declaredSends: sends,
              declaredSinceMillis: nowMillis - 60 * DAY,
              declaredAtMillis: nowMillis
            }
          ])
        })
      )
    }
  }).pipe(Effect.orDie)

const at = (count: number, domain: string, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ email: `p${from + index}@${domain}` }))

const domainsOf = (owner: Team, day: number) =>
  Effect.map(taken(owner), (all) => {
    const sent = all.filter(({ atMillis }) => dayOf(atMillis) === day)
    const of = (domain: string) => sent.filter(({ mail }) => mail.to.address.endsWith(`@${domain}`)).length
    return { all: sent.length, of }
  })

const REFUSES = MailBehaviour.Refuse({ phase: "recipient", code: 554, status: "5.7.1", reason: "account" })

/** What own mailboxes may send by what was delivered of their mail, all the way from the launch to the day's last message. */
export const rampStories = <E>(name: string, service: Layer.Layer<OwnService | ConsoleReads, E>) => {
  describeStories(service)(`the ramp of own mailboxes (${name})`, (it) => {
    it.effect("an organisation takes its share of a day, everybody else goes on, and the forecast says the same", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY)
        const owner = yield* team(1, { ageDays: 0 })
        yield* declare(owner, 12)
        const recipients = [...at(14, "crowded.test"), ...at(3, "one.test"), ...at(3, "two.test")]
        const campaign_id = yield* campaign(owner, { recipients })
        const foreseen = ok(yield* owner.client.call("forecast_campaign", { campaign_id })).result
        const perDay = foreseen.days.map(({ messages }: { readonly messages: number }) => messages)
        const today = dayOf(THURSDAY)
        yield* ownPass("23 hours", "30 minutes")
        const first = yield* domainsOf(owner, today)
        assert.deepStrictEqual([first.all, first.of("crowded.test")], [12, 6])
        yield* ownPass("24 hours", "30 minutes")
        const second = yield* domainsOf(owner, today + 1)
        assert.strictEqual(second.of("crowded.test"), 7)
        yield* ownPass("48 hours", "30 minutes")
        assert.lengthOf(yield* taken(owner), 20)
        assert.deepStrictEqual(perDay.slice(0, 2), [first.all, second.all])
      })
    )

    it.effect("mailboxes of one domain share the domain's day", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY)
        const owner = yield* team(6, { ageDays: 0 })
        const recipients = Array.from({ length: 40 }, (_, index) => ({ email: `p@corp${index}.test` }))
        yield* campaign(owner, { recipients })
        yield* ownPass("23 hours", "30 minutes")
        assert.strictEqual((yield* domainsOf(owner, dayOf(THURSDAY))).all, 20)
        const { mailboxes } = ok(yield* owner.client.call("list_mailboxes", {})).result
        for (const { cap_today, sent_today } of mailboxes) assert.strictEqual(cap_today, sent_today)
        const reads = yield* ConsoleReads
        const nowMillis = yield* Clock.currentTimeMillis
        const { mailboxesWithRoom } = yield* reads.sending(owner.client.workspaceId, THURSDAY, nowMillis)
        assert.strictEqual(mailboxesWithRoom, 0)
      })
    )

    it.effect("people who are refused halve what may be sent, and health says so", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY)
        const mail = yield* MemoryMail
        const owner = yield* team(1, { ageDays: 0 })
        yield* declare(owner, 12)
        for (const { email } of at(3, "refuses.test")) yield* mail.refuseTo(email, REFUSES)
        yield* campaign(owner, { recipients: [...at(3, "refuses.test"), ...at(30, "takes.test")] })
        const capToday = Effect.map(
          owner.client.call("list_mailboxes", {}),
          (answer) => ok(answer).result.mailboxes[0].cap_today as number
        )
        assert.strictEqual(yield* capToday, 12)
        yield* ownPass("6 hours", "10 minutes")
        assert.strictEqual(yield* capToday, 6)
        const { done } = ok(yield* owner.client.call("get_sending_health", {})).result
        const told = done.map(({ what, why }: { readonly what: string; readonly why: string }) => [what, why])
        const why = told[0]?.[1] ?? ""
        assert.include(why, "refused: 3 of ")
        assert.deepInclude(told, [`Halved what ${owner.addresses[0] ?? ""} may send a day, to 6.`, why])
        assert.isTrue(
          told.some(([what]: ReadonlyArray<string>) =>
            what?.startsWith("Halved what acme.test may send to refuses.test")
          )
        )
      })
    )
  })
}

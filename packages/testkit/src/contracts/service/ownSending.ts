import { assert } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { nextWindow } from "@outbound/domain/outreach/sending/planner.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeWindowSweep } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { MailBehaviour } from "../../mail/MemoryMail.js"
import { TestSuspension } from "../../memory/Hooks.js"
import { describeStories } from "./describeStories.js"
import {
  anotherHost,
  assertOnce,
  campaign,
  type OwnService,
  ownPass,
  ownTurn,
  people,
  recipients,
  sentIn,
  stops,
  taken,
  team,
  type Team,
  THURSDAY,
  whileServers
} from "./ownStories.js"
import { draft, freshKey, kindsOf, leadOf, ok, trailOf } from "./stories.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** For a story of days on a slow machine. */
const LONG = 300_000

/** Campaigns from own mailboxes: when, how much and how often they send, and what they never do. */
export const ownSendingContract = <E>(
  name: string,
  service: Layer.Layer<OwnService | TestSuspension | ConsoleReads, E>
) => {
  describeStories(service)(`own mailboxes under the clock (${name})`, (it) => {
    it.effect(
      "a campaign of 200 over three mailboxes reaches each once, within windows and caps, over a change of clocks",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(THURSDAY)
          const owner = yield* team(3)
          const schedule = {
            timezone: "Europe/Berlin",
            days: ["mon", "tue", "wed", "thu", "fri"],
            start_hour: 9,
            end_hour: 17
          }
          const campaign_id = yield* campaign(owner, { recipients: people(200), schedule })
          for (let day = 0; day < 5; day += 1) {
            // From an hour before the earliest window to an hour after the latest.
            yield* TestClock.setTime(THURSDAY + day * 24 * HOUR + 6 * HOUR)
            yield* ownPass("11 hours", day === 2 || day === 3 ? "2 hours" : "10 minutes")
          }
          assertOnce(yield* recipients(owner), 200)
          const window = {
            timezone: "Europe/Berlin",
            days: ["mon", "tue", "wed", "thu", "fri"] as const,
            startHour: 9,
            endHour: 17
          }
          const perDay = new Map<string, number>()
          const last = new Map<string, number>()
          for (const { atMillis, from } of yield* taken(owner)) {
            const open = nextWindow(window, atMillis)
            assert.isTrue(open !== null && open.opensAtMillis <= atMillis, new Date(atMillis).toISOString())
            const day = `${from} ${Math.floor(atMillis / (24 * HOUR))}`
            perDay.set(day, (perDay.get(day) ?? 0) + 1)
            assert.isTrue(atMillis - (last.get(from) ?? 0) >= 2 * MINUTE)
            last.set(from, atMillis)
          }
          assert.isTrue([...perDay.values()].every((count) => count <= 25))
          assert.strictEqual(perDay.size, 9)
          const sent = yield* sentIn(owner, campaign_id)
          assert.lengthOf(sent, 200)
          assert.isTrue(
            sent.every(({ detail, source }) => source === "system" && owner.addresses.includes(String(detail.mailbox)))
          )
          const headers = (yield* taken(owner))[0]?.mail
          assert.include(headers?.unsubscribeUrl ?? "", `/u/${owner.client.workspaceId}/`)
          assert.include(headers?.text ?? "", "1 Main Street, Springfield")
        }),
      LONG
    )

    it.effect("a new mailbox starts with few messages, whatever is due, and the launch approval says so", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY)
        const owner = yield* team(1, { ageDays: 0 })
        yield* campaign(owner, { recipients: people(40, "ramp") })
        yield* ownPass("23 hours", "1 hour")
        assertOnce(yield* recipients(owner), 5)
        const reads = yield* ConsoleReads
        const { workspaceId } = owner.client
        const nowMillis = yield* Clock.currentTimeMillis
        const { mailboxesWithRoom } = yield* reads.sending(workspaceId, THURSDAY, nowMillis)
        assert.strictEqual(mailboxesWithRoom, 0)
        yield* ownPass("24 hours", "1 hour")
        assertOnce(yield* recipients(owner), 11)
        const more = ok(yield* draft(owner.client, { recipients: people(2, "more") })).result.campaign_id
        const dry = ok(yield* owner.client.call("launch_campaign", { campaign_id: more, dry_run: true }))
        assert.strictEqual(dry.result.plan.would.daily_send_limit, 6)
      })
    )

    it.effect(
      "a campaign in a zone that nobody knows sends nothing, stands in nobody's way, and goes on once it is known",
      () =>
        Effect.gen(function* () {
          const campaigns = yield* CampaignStore
          const sendings = yield* SendingStore
          const { atomically } = yield* UnitOfWork
          const windows = yield* makeWindowSweep
          const owner = yield* team(1)
          const { workspaceId } = owner.client
          const campaign_id = yield* campaign(owner, { recipients: people(1, "zone") })
          const moveTo = (timezone: string) =>
            atomically(
              Effect.gen(function* () {
                const found = Option.getOrThrow(yield* campaigns.lock(workspaceId, campaign_id))
                yield* campaigns.update({ ...found, schedule: { ...found.schedule, timezone } })
              })
            )
          const nowMillis = yield* Clock.currentTimeMillis
          const past = { opensAtMillis: nowMillis - 2, closesAtMillis: nowMillis - 1 }
          yield* moveTo("Mars/Phobos")
          yield* atomically(sendings.setWindows([{ workspaceId, campaignId: campaign_id, hours: null, ...past }]))
          const closed = (atMillis: number) =>
            Effect.map(atomically(sendings.lockClosedWindows(atMillis, 1_000)), (found) =>
              found.some(({ campaignId }) => campaignId === campaign_id)
            )
          assert.isTrue(yield* closed(nowMillis))
          yield* windows
          assert.isFalse(yield* closed(nowMillis + MINUTE))
          assert.isTrue(yield* closed(nowMillis + HOUR))
          yield* ownPass("2 hours", "1 minute")
          assert.isEmpty(yield* taken(owner))
          yield* moveTo("UTC")
          yield* ownPass("2 hours", "30 minutes")
          assertOnce(yield* recipients(owner), 1)
        })
    )

    it.effect("a follow-up comes from the same mailbox, in the same thread, days later at the same local hour", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(THURSDAY + 10 * HOUR)
        const owner = yield* team(2)
        const sequence = [
          { subject: "Hello", body: "Hi" },
          { body: "Again", wait_days: 3 }
        ]
        const schedule = { timezone: "Europe/Berlin", days: ["thu", "sun", "mon"], start_hour: 0, end_hour: 24 }
        yield* campaign(owner, { recipients: people(2, "thread"), sequence, schedule })
        yield* ownPass("72 hours", "30 minutes")
        const mails = yield* taken(owner)
        assert.lengthOf(mails, 4)
        for (const first of mails.slice(0, 2)) {
          const second = mails.slice(2).find(({ mail }) => mail.to.address === first.mail.to.address)
          assert.strictEqual(second?.from, first.from)
          assert.deepStrictEqual(second?.mail.references, [first.mail.messageId])
          assert.strictEqual(second?.mail.subject, "Re: Hello")
          // An hour less than three days, by the clock: it went forward in between.
          const later = (second?.atMillis ?? 0) - first.atMillis
          assert.isTrue(later >= 71 * HOUR && later <= 72 * HOUR, String(later / HOUR))
        }
      })
    )
  })

  describeStories(service)(`own mailboxes and what comes in between (${name})`, (it) => {
    /** Lets that happen when the server has accepted the recipient, and asserts that nothing leaves. */
    const withdrawn = (
      happens: (owner: Team, campaign_id: string, email: string) => Effect.Effect<void, unknown, never>
    ) =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const [person] = people(1, `w${owner.client.workspaceId}-`)
        const campaign_id = yield* campaign(owner, { recipients: [person ?? {}] })
        let times = 0
        const before = MailBehaviour.Before({
          happens: Effect.suspend(() => {
            times += 1
            return Effect.orDie(happens(owner, campaign_id, person?.email ?? ""))
          })
        })
        yield* whileServers(before, ownTurn)
        assert.strictEqual(times, 1, "the recipient was not accepted")
        assert.isEmpty(yield* taken(owner))
        yield* ownPass("10 minutes", "1 minute")
        assert.isEmpty(yield* taken(owner))
        return { owner, campaign_id }
      })

    it.effect("a no by the team, or an answer that has come in, withdraws the message", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<OwnService>()
        yield* withdrawn((owner, campaign_id, email) =>
          Effect.gen(function* () {
            const campaign_lead_id = yield* leadOf(owner.client, campaign_id, email)
            const no = { campaign_lead_id, status: "not_interested" }
            ok(yield* owner.client.call("set_lead_status", no, { key: freshKey() }))
          }).pipe(Effect.provide(context))
        )
        const owner = yield* team(1)
        const sequence = [
          { subject: "Hello", body: "Hi" },
          { body: "Again", wait_days: 1 }
        ]
        const campaign_id = yield* campaign(owner, { recipients: people(1, "answers"), sequence })
        yield* ownTurn
        const [first] = yield* taken(owner)
        const answer = Effect.gen(function* () {
          const inbound = yield* Inbound
          yield* inbound.receive([
            {
              workspaceId: owner.client.workspaceId,
              provider: "test",
              providerEventId: campaign_id,
              kind: "reply",
              source: "provider_poll",
              inReplyTo: first?.mail.messageId ?? "",
              messageId: null,
              fromEmail: first?.mail.to.address ?? "",
              toEmail: null,
              subject: "Re: Hello",
              bodyText: "Tell me more",
              bodyHtml: null,
              classification: "interested",
              bounce: null,
              receivedAtMillis: yield* Clock.currentTimeMillis
            }
          ])
        })
        yield* TestClock.adjust("24 hours")
        const before = MailBehaviour.Before({ happens: answer.pipe(Effect.provide(context), Effect.orDie) })
        yield* whileServers(before, ownTurn)
        yield* ownPass("24 hours", "1 hour")
        assert.lengthOf(yield* taken(owner), 1)
        assert.deepStrictEqual(yield* stops(owner, campaign_id), ["reply"])
      }).pipe(Effect.orDie)
    )

    it.effect("a kill, a paused campaign, a paused mailbox, or a lost hold withdraws it", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<OwnService | TestSuspension>()
        const here = <A, E2>(effect: Effect.Effect<A, E2, OwnService | TestSuspension>) =>
          Effect.provide(effect, context)
        yield* withdrawn((owner) =>
          here(
            Effect.flatMap(TestSuspension, (suspension) =>
              suspension.suspend(owner.client.workspaceId, THURSDAY, "stop")
            )
          )
        )
        yield* withdrawn((owner, campaign_id) =>
          here(
            Effect.gen(function* () {
              const campaigns = yield* CampaignStore
              const { atomically } = yield* UnitOfWork
              yield* atomically(
                Effect.gen(function* () {
                  const found = Option.getOrThrow(yield* campaigns.lock(owner.client.workspaceId, campaign_id))
                  yield* campaigns.update({ ...found, state: "paused", pauseReason: "owner" })
                })
              )
            })
          )
        )
        yield* withdrawn((owner) =>
          here(
            Effect.gen(function* () {
              const sendings = yield* SendingStore
              const { atomically } = yield* UnitOfWork
              yield* atomically(
                sendings.updateMailboxes(
                  owner.mailboxes.map((one) => ({ ...one, state: "paused", pauseReason: "owner" }))
                )
              )
            })
          )
        )
        const other = yield* anotherHost
        const lost = yield* team(1)
        yield* campaign(lost, { recipients: people(1, "held") })
        const owns = yield* OwnMailboxStore
        const { hostId } = yield* HeldMailboxes
        const takesOver = Effect.andThen(
          owns.release(
            hostId,
            lost.mailboxes.map(({ mailboxId }) => mailboxId)
          ),
          other.held.renew
        )
        yield* whileServers(MailBehaviour.Before({ happens: Effect.orDie(Effect.asVoid(takesOver)) }), ownTurn)
        assert.isEmpty(yield* taken(lost))
        yield* TestClock.adjust("1 minute")
        yield* Effect.andThen(other.held.renew, other.own.round)
        assertOnce(yield* recipients(lost), 1)
      }).pipe(Effect.scoped)
    )

    it.effect("who unsubscribes by the link of their message hears no more, and the trail tells it once", () =>
      Effect.gen(function* () {
        const owner = yield* team(1)
        const sequence = [
          { subject: "Hello", body: "Hi" },
          { body: "Again", wait_days: 1 }
        ]
        const campaign_id = yield* campaign(owner, { recipients: people(1, "link"), sequence })
        yield* ownTurn
        const url = new URL((yield* taken(owner))[0]?.mail.unsubscribeUrl ?? "")
        const [, , workspaceId = "", token = ""] = url.pathname.split("/")
        const service = yield* Unsubscribe
        yield* (yield* TestSuspension).suspend(owner.client.workspaceId, THURSDAY, "stop")
        assert.isFalse(yield* service.unsubscribe({ workspaceId, token: `${token}x` }))
        assert.isFalse(yield* service.unsubscribe({ workspaceId: owner.client.keyId, token }))
        assert.isFalse(service.isGenuine({ workspaceId, token: "" }))
        assert.isEmpty(yield* trailOf(owner.client, { campaign_id, kind: "unsubscribe,suppressed,stop" }))
        for (let times = 0; times < 3; times += 1) assert.isTrue(yield* service.unsubscribe({ workspaceId, token }))
        const told = yield* trailOf(owner.client, { campaign_id, kind: "unsubscribe,suppressed,stop" })
        assert.sameMembers([...kindsOf(told)], ["unsubscribe", "suppressed", "stop"])
        yield* ownPass("48 hours", "2 hours")
        assert.lengthOf(yield* taken(owner), 1)
      }).pipe(Effect.orDie)
    )
  })
}

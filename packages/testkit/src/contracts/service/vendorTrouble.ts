import { assert } from "@effect/vitest"
import {
  ASK_SECONDS,
  BEGIN_IN_CALL_MILLIS,
  BEGIN_MILLIS,
  CLOCKS_APART_MILLIS,
  HOLD_MILLIS,
  UNDER_WAY_MILLIS
} from "@outbound/domain/outreach/sending/vendor/asVendor.js"
import { VendorRounds } from "@outbound/domain/outreach/sending/vendor/VendorRounds.js"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { DOWN, type FakeVendor, LOST_BEFORE, SILENT_AFTER, SILENT_BEFORE } from "../../vendors/FakeVendor.js"
import { describeStories } from "./describeStories.js"
import { guardOf, kill, machineTurn, ticking } from "./killSupport.js"
import { patience } from "../../service/patience.js"
import { draft, kindsOf, launch, ok, trailOf } from "./stories.js"
import {
  assertOnce,
  atWork,
  campaignAt,
  confirmed,
  hostTurn,
  inState,
  MONDAY,
  retire,
  sentIn,
  strangers,
  TWO_STEPS,
  vendorPass,
  type VendorService,
  vendorTeam
} from "./vendorStories.js"

const LONG = 300_000

/** Stops, requests that go wrong, and hosts that die, where a vendor holds the campaign. */
export const vendorTroubleContract = <E>(
  name: string,
  service: Layer.Layer<VendorService, E>,
  fake: FakeVendor,
  options: {
    readonly deaths: number
    readonly methods: ReadonlyArray<
      "find" | "create" | "push" | "locate" | "configure" | "differences" | "activate" | "standing" | "events"
    >
  } = {
    deaths: 16,
    methods: ["find", "create", "push", "locate", "configure", "differences", "activate", "standing", "events"]
  }
) => {
  const { world } = fake

  describeStories(service)(`a vendor that schedules by itself, in trouble (${name})`, (it) => {
    it.effect("a turn asks nothing new after its first part, and nobody else is there before it has its answers", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const rounds = yield* VendorRounds
        const { client } = yield* vendorTeam(1)
        const people = strangers(40)
        // After each push somebody is looked for as well.
        for (const { email } of people) world.hides.set(email, 1)
        const { result } = yield* draft(client, { sequence: TWO_STEPS, recipients: people })
        const answerSeconds = ASK_SECONDS - 1
        fake.slowness = `${answerSeconds} seconds`
        const clock = yield* Clock.Clock
        const startMillis = clock.currentTimeMillisUnsafe()
        const asked: Array<number> = []
        fake.onAsked = () => {
          asked.push((clock.currentTimeMillisUnsafe() - startMillis) / 1000)
          return "goes on"
        }
        const hosts: Array<Fiber.Fiber<number, unknown>> = []
        for (let second = 0; second < 200; second += 4) {
          // Another host comes by, whether or not one is at the campaign.
          hosts.push(yield* Effect.forkChild(rounds.round))
          for (let turns = 0; turns < 20; turns += 1) yield* machineTurn
          yield* TestClock.adjust("4 seconds")
        }
        fake.slowness = 0
        fake.onAsked = () => "goes on"
        yield* TestClock.adjust("1 minute")
        yield* Effect.forEach(hosts, Fiber.join, { discard: true })
        assert.isAbove(asked.length, 8)
        for (const [index, at] of asked.entries()) {
          assert.isAtLeast(at - (asked[index - 1] ?? -answerSeconds), answerSeconds, `two at once, ${asked.join(" ")}`)
        }
        // Within a turn it asks again as soon as it is answered.
        const begun = asked.filter((at, index) => at - (asked[index - 1] ?? -LONG) > answerSeconds)
        for (const at of asked) {
          const since = at - Math.max(...begun.filter((turn) => turn <= at))
          assert.isAtMost(since, BEGIN_MILLIS / 1000, asked.join(" "))
        }
        assert.isAbove(begun.length, 1)
        // Also where who began the last of it died, and by clocks that differ.
        assert.isAtLeast(HOLD_MILLIS, BEGIN_MILLIS + UNDER_WAY_MILLIS + CLOCKS_APART_MILLIS)
        assert.isAbove(UNDER_WAY_MILLIS, ASK_SECONDS * 1000)
        assert.isBelow(BEGIN_IN_CALL_MILLIS, BEGIN_MILLIS)
        yield* vendorPass(fake, "5 minutes", "50 seconds")
        assert.lengthOf(campaignAt(fake, String(result.campaign_id)).people, 40)
      })
    )

    it.effect("a kill believes what it sees at the vendor alone", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const guard = yield* guardOf(client)
        const campaign_id = yield* atWork(client, fake, { recipients: strangers(3) })
        const resting = yield* confirmed(client, fake, { recipients: strangers(1) })
        fake.ignorePauses(3)
        const killed = ok(yield* ticking(kill(guard))).result
        assert.deepStrictEqual(killed.campaigns_unconfirmed, [campaign_id])
        assert.strictEqual(campaignAt(fake, campaign_id).status, "active")
        for (let times = 0; times < 40; times += 1) {
          yield* TestClock.adjust("1 second")
          yield* machineTurn
        }
        yield* vendorPass(fake, "1 minute")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "paused")
        const told = yield* trailOf(client, { campaign_id, kind: "pause_requested,paused" })
        assert.deepStrictEqual(kindsOf(told), ["pause_requested", "paused"])
        assert.deepStrictEqual(told[1]?.detail, { reason: "killed", provider_verified: true })
        const before = sentIn(fake, campaign_id).length
        yield* vendorPass(fake, "3 days", "1 day")
        assert.lengthOf(sentIn(fake, campaign_id), before)
        assert.strictEqual(campaignAt(fake, resting).status, "draft")
      })
    )

    it.effect("a start that may be under way leaves a kill without proof until it can't be any more", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const guard = yield* guardOf(client)
        const campaign_id = yield* confirmed(client, fake, { recipients: strangers(2) })
        yield* launch(client, campaign_id)
        fake.trouble("activate", SILENT_BEFORE)
        const starting = yield* Effect.forkChild(hostTurn)
        while (!fake.asked.slice(-1).includes("activate")) yield* machineTurn
        const killed = ok(yield* ticking(kill(guard))).result
        assert.deepStrictEqual(killed.campaigns_unconfirmed, [campaign_id])
        // The request arrives late.
        campaignAt(fake, campaign_id).status = "active"
        yield* TestClock.adjust("20 seconds")
        yield* Fiber.join(starting)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "paused")
        for (let times = 0; times < 40; times += 1) {
          yield* TestClock.adjust("1 second")
          yield* machineTurn
        }
        const told = yield* trailOf(client, { campaign_id, kind: "paused" })
        assert.lengthOf(told, 1)
      })
    )

    it.effect("somebody who stops a campaign at the vendor is not overruled", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const campaign_id = yield* atWork(client, fake, { recipients: strangers(2) })
        campaignAt(fake, campaign_id).status = "paused"
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "paused")
      })
    )

    it.effect("a campaign that is not at the vendor any more is paused, and nothing says that it has stopped", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const guard = yield* guardOf(client)
        const campaign_id = yield* atWork(client, fake, { recipients: strangers(2) })
        world.campaigns.splice(world.campaigns.indexOf(campaignAt(fake, campaign_id)), 1)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        const told = yield* trailOf(client, { campaign_id, kind: "pause_requested,paused" })
        assert.deepStrictEqual(kindsOf(told), ["pause_requested"])
        assert.deepStrictEqual(told[0]?.detail, { reason: "capacity", cause: "not_found_at_provider" })
        const killed = ok(yield* ticking(kill(guard))).result
        assert.deepStrictEqual(killed.campaigns_unconfirmed, [campaign_id])
      })
    )

    it.effect("a campaign held otherwise than approved is not started, and the trail says how", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        // Somebody changed it there: it is told its terms again, and starts.
        const changed = yield* atWork(client, fake, { recipients: strangers(2) })
        const there = campaignAt(fake, changed)
        const asSet = there.terms
        there.terms = { ...asSet, mailboxes: [...asSet.mailboxes, "another@their-account.test"] }
        there.status = "paused"
        yield* vendorPass(fake, "2 minutes")
        yield* launch(client, changed)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(there.status, "active")
        assert.deepStrictEqual(there.terms.mailboxes, asSet.mailboxes)
        // It keeps other hours than it was told.
        const campaign_id = yield* confirmed(client, fake, { recipients: strangers(2) })
        fake.insists = { schedule: { timezone: "Etc/UTC", days: ["sun"], startHour: 0, endHour: 24 } }
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "draft")
        assert.isEmpty(sentIn(fake, campaign_id))
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        const [told] = yield* trailOf(client, { campaign_id, kind: "pause_requested" })
        assert.deepInclude(told?.detail, { reason: "capacity", cause: "differs_at_provider" })
        const differs = { member: "days", found: '["sun"]' }
        assert.include(JSON.stringify(told?.detail["differences"]), JSON.stringify(differs))
        fake.insists = {}
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "active")
      })
    )

    it.effect("a campaign to which others added people at the vendor is not started until they are gone", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const campaign_id = yield* confirmed(client, fake, { recipients: strangers(2) })
        const there = campaignAt(fake, campaign_id)
        there.people.push({ ...there.people[0]!, ref: "added by hand", email: "stranger@their-list.test" })
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(there.status, "draft")
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        const [told] = yield* trailOf(client, { campaign_id, kind: "pause_requested" })
        const differences = [{ member: "people", found: "1 whom nobody approved" }]
        assert.deepStrictEqual(told?.detail, { reason: "capacity", cause: "differs_at_provider", differences })
        assert.notInclude(JSON.stringify(told), "stranger")
        there.people.pop()
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "2 minutes")
        assert.strictEqual(there.status, "active")
        assert.lengthOf(sentIn(fake, campaign_id), 2)
      })
    )

    it.effect(
      "whatever request goes wrong, however, everybody is written to once and by one campaign",
      () =>
        Effect.gen(function* () {
          for (const method of options.methods) {
            for (const trouble of [DOWN, LOST_BEFORE, SILENT_AFTER]) {
              yield* TestClock.setTime(MONDAY)
              const { client } = yield* vendorTeam(1)
              const people = strangers(4)
              // Some request of the kind is made for everybody who does not show at once.
              world.hides.set(people[0]?.email ?? "", 1)
              fake.trouble(method, trouble)
              const { result } = yield* draft(client, { sequence: TWO_STEPS, recipients: people })
              const { campaign_id } = result
              yield* vendorPass(fake, "5 minutes", "50 seconds")
              assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "draft", method)
              yield* launch(client, campaign_id)
              yield* vendorPass(fake, "4 minutes", "40 seconds")
              assertOnce(fake, campaign_id)
              assert.lengthOf(sentIn(fake, campaign_id), 4, `${method} ${JSON.stringify(trouble)}`)
              assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "sent" }), 4)
              campaignAt(fake, campaign_id)
              yield* retire(client.workspaceId, campaign_id)
            }
          }
        }),
      LONG
    )

    it.effect(
      "a host may die between any two steps",
      () =>
        Effect.gen(function* () {
          const rounds = yield* VendorRounds
          for (let death = 1; death <= options.deaths; death += 1) {
            yield* TestClock.setTime(MONDAY)
            const { client } = yield* vendorTeam(1)
            const { result } = yield* draft(client, { sequence: TWO_STEPS, recipients: strangers(4) })
            const { campaign_id } = result
            /** Dies with the request of that number, before the vendor acts on it, or after. */
            const dying = Effect.gen(function* () {
              let dead = false
              let count = 0
              fake.onAsked = () => {
                count += 1
                if (count !== Math.ceil(death / 2)) return "goes on"
                dead = true
                return death % 2 === 0 ? "dies before" : "dies after"
              }
              const fiber = yield* Effect.forkChild(rounds.round)
              for (const isPatient = patience(); isPatient();) {
                if (dead || fiber.pollUnsafe() !== undefined) break
                yield* machineTurn
              }
              yield* Fiber.interrupt(fiber)
              fake.onAsked = () => "goes on"
            })
            yield* dying
            yield* TestClock.adjust("3 minutes")
            yield* vendorPass(fake, "3 minutes", "40 seconds")
            assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "draft", String(death))
            yield* launch(client, campaign_id)
            yield* dying
            yield* TestClock.adjust("3 minutes")
            yield* vendorPass(fake, "3 minutes", "40 seconds")
            assertOnce(fake, campaign_id)
            assert.lengthOf(sentIn(fake, campaign_id), 4, String(death))
            assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "sent" }), 4)
            campaignAt(fake, campaign_id)
            yield* retire(client.workspaceId, campaign_id)
          }
        }),
      LONG
    )

    it.effect("who is a lead at the vendor, and of whom a row of a draft says no, is gone there in the next turn", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam(1)
        const people = strangers(2)
        const [first = "", second = ""] = people.map(({ email }) => email)
        const campaign_id = yield* atWork(client, fake, { recipients: people })
        const refusing = { email: first, custom: { "Email Opt Out": "TRUE" } }
        const drafted = yield* draft(client, { sequence: TWO_STEPS, recipients: [refusing] })
        assert.strictEqual(drafted.result.leads_stopped, 1)
        yield* vendorPass(fake, "20 seconds")
        const known = campaignAt(fake, campaign_id).people.map(({ email }) => email)
        assert.deepStrictEqual(known, [second])
        yield* retire(client.workspaceId, campaign_id)
      })
    )
  })
}

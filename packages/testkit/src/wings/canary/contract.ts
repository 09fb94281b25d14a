import { assert } from "@effect/vitest"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { leadOfLink } from "@outbound/domain/outreach/suppression/links.js"
import { makeRestAt } from "@outbound/domain/outreach/sending/Breaker.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { Canary } from "@outbound/domain/wings/canary/Canary.js"
import { canaryJob } from "@outbound/domain/wings/canary/CanaryStore.js"
import { KEPT_MILLIS, makeForgetCanaries, makeLostCanaries } from "@outbound/domain/wings/canary/canaryJob.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { colleague, growStale, refusedBy, signIn } from "../../contracts/service/controlSupport.js"
import { describeStories } from "../../contracts/service/describeStories.js"
import { whileServers } from "../../contracts/service/ownStories.js"
import { freshKey, ok } from "../../contracts/service/stories.js"
import { makeClient } from "../../service/Client.js"
import { MailBehaviour } from "../../mail/MemoryMail.js"
import { type CanaryNeeds, there, twoProviders } from "./support.js"

type Story = Effect.Success<typeof twoProviders>

/** What is known of the pair that a story follows: from the first mailbox to the second. */
const placementOf = ({ client }: Pick<Story, "client">) =>
  Effect.map(client.call("get_sending_health"), (answer) => {
    const { result } = ok(answer)
    const domain = result.domains.find((one: { readonly domain: string }) => one.domain === "acme.test")
    const receiver = domain?.receivers.find(
      (one: { readonly organisation: string }) => one.organisation === "second-host.test"
    )
    return { receiver, domain, done: result.done, advice: result.advice }
  })

/** The first one that was planned comes first. */
const ours = (story: Story) =>
  Effect.map(story.all, (all) => all.filter(({ domain }) => domain === "acme.test").toReversed())

/** The letters that left the first mailbox. */
const letters = (story: Story) => Effect.map(story.left, (all) => all.filter(({ from }) => from === story.from.address))

const on = (story: Story) => Effect.andThen(story.canaries.turnOn(story.by), story.turn)

/** What canaries guarantee (contract: campaigns, sending health). */
export const canaryContract = <E>(name: string, service: Layer.Layer<CanaryNeeds | ControlLog, E>) => {
  describeStories(service)(`canaries (${name})`, (it) => {
    it.effect(
      "off until an owner turns them on; then an approved text goes to the other provider, is found, and is taken away",
      () =>
        Effect.gen(function* () {
          const story = yield* twoProviders
          assert.strictEqual((yield* story.turn)._tag, "Done")
          assert.isEmpty(yield* story.left)
          assert.isNull((yield* story.canaries.standing(story.by)).setting)
          yield* on(story)
          const [letter] = yield* letters(story)
          assert.strictEqual(letter?.mail.to.address, story.to.address)
          assert.strictEqual(letter?.mail.subject, "A question, Kim")
          assert.include(letter?.mail.text ?? "", "Hello Kim, is it tool?")
          assert.include(letter?.mail.text ?? "", "1 Main Street, Springfield")
          // Its way out is of nobody, so that nobody who follows it is unsubscribed.
          const [, , workspace = "", token = ""] = new URL(letter?.mail.unsubscribeUrl ?? "").pathname.split("/")
          const [canary] = yield* ours(story)
          assert.strictEqual(leadOfLink(yield* Crypto, { workspaceId: workspace, token }), canary?.canaryId)
          assert.strictEqual(canary?.state, "sent")

          const sentAtMillis = canary?.sentAtMillis ?? 0
          const results = [
            "mx.second-host.test (7.1); dkim=pass header.d=acme.test; spf=softfail smtp.mailfrom=acme.test; dmarc=pass",
            "mx.evil.test; dkim=fail; spf=fail; dmarc=fail"
          ]
          story.world.arrive(there(letter), "INBOX", sentAtMillis + 90_000, results)
          yield* story.later("2 minutes")
          const [found] = yield* ours(story)
          assert.deepInclude(found, {
            state: "inbox",
            arrivedAtMillis: sentAtMillis + 90_000,
            spf: "softfail",
            dkim: "pass",
            dmarc: "pass",
            isRemoved: true,
            nextAtMillis: null
          })
          assert.isEmpty(story.world.lying(story.to.address))
          const { receiver } = yield* placementOf(story)
          assert.deepInclude(receiver, { sent: 0, replied: 0, state: "unknown" })
          assert.deepInclude(receiver.placement, { inbox: 1, junk: 0, missing: 0 })
          assert.strictEqual(receiver.placement.looked_at, new Date(found?.lookedAtMillis ?? 0).toISOString())
          assert.deepInclude(receiver.evidence[0], { by: "canary" })
          assert.include(receiver.evidence[0].says, "the slowest took 2 minutes")
        }).pipe(Effect.orDie)
    )

    it.effect(
      "in junk again: the domain's mailboxes leave the organisation alone, and the page says why and what to do",
      () =>
        Effect.gen(function* () {
          const story = yield* twoProviders
          yield* on(story)
          story.world.arrive(there((yield* letters(story))[0]), "Junk", yield* Clock.currentTimeMillis, [
            "mx.evil.test; dkim=fail"
          ])
          yield* story.later("2 minutes")
          const first = (yield* ours(story))[0]
          // Of a server that is not the mailbox's own nothing is believed.
          assert.deepInclude(first, { state: "junk", dkim: null })
          assert.deepInclude((yield* placementOf(story)).receiver, { state: "watch", resting_until: null })

          // One may be chance: a second one of the same pair follows, and no third one.
          yield* story.later("3 hours")
          assert.lengthOf(yield* letters(story), 1)
          yield* story.later("61 minutes")
          const two = yield* letters(story)
          assert.lengthOf(two, 2)
          story.world.arrive(there(two[1]), "Junk", yield* Clock.currentTimeMillis)
          yield* story.later("2 minutes")
          // Two may be chance as well, so nothing rests yet; no third one leaves on that day.
          assert.deepInclude((yield* placementOf(story)).receiver, { state: "watch", resting_until: null })
          yield* story.later("5 hours")
          yield* story.later("5 hours")
          assert.lengthOf(
            (yield* ours(story)).filter(({ day }) => day === first?.day),
            2
          )
          yield* story.later("12 hours")
          const three = yield* letters(story)
          assert.lengthOf(three, 3)
          story.world.arrive(there(three[2]), "Junk", yield* Clock.currentTimeMillis)
          yield* story.later("2 minutes")
          const { advice, domain, done, receiver } = yield* placementOf(story)
          assert.deepInclude(receiver, { state: "bad" })
          assert.deepInclude(receiver.placement, { inbox: 0, junk: 3, missing: 0 })
          assert.strictEqual(domain.state, "watch")
          assert.isAbove(Date.parse(receiver.resting_until), yield* Clock.currentTimeMillis)
          assert.strictEqual(
            done[0].why,
            "measured: 3 of the last 3 letters between own mailboxes were not in the inbox"
          )
          const mend = advice.find(({ code }: { readonly code: string }) => code === "mend_what_was_measured")
          assert.deepInclude(mend, { subject: "acme.test second-host.test", by: "owner" })
          assert.include(mend.effect, "nobody has shown")
          const sendings = yield* SendingStore
          const rest = yield* sendings.receiverRest(story.from.workspaceId, story.from.mailboxId, "second-host.test")
          assert.isTrue(Option.isSome(rest))
          // The other mailbox's domain was not measured there: it goes on.
          const other = yield* sendings.receiverRest(story.to.workspaceId, story.to.mailboxId, "second-host.test")
          assert.isTrue(Option.isNone(other))
          // A refusal meanwhile does not shorten it, and for a day no letter of its domain leaves for there.
          const restAt = yield* makeRestAt
          const { atomically } = yield* UnitOfWork
          const nowMillis = yield* Clock.currentTimeMillis
          yield* atomically(restAt(story.from, "second-host.test", { status: "5.7.1", says: "no" }, nowMillis))
          const same = yield* sendings.receiverRest(story.from.workspaceId, story.from.mailboxId, "second-host.test")
          assert.deepStrictEqual(same, rest)
          yield* story.later("23 hours")
          assert.lengthOf(yield* letters(story), 3)
        }).pipe(Effect.orDie)
    )

    it.effect(
      "one that left and never comes is missing after twelve hours, and one that may not have left says nothing",
      () =>
        Effect.gen(function* () {
          const story = yield* twoProviders
          yield* on(story)
          yield* story.later("11 hours")
          assert.strictEqual((yield* ours(story))[0]?.state, "sent")
          yield* story.later("61 minutes")
          assert.strictEqual((yield* ours(story))[0]?.state, "missing")
          assert.deepInclude((yield* placementOf(story)).receiver.placement, { inbox: 0, junk: 0, missing: 1 })

          const unsure = yield* twoProviders
          yield* whileServers(MailBehaviour.Lose({ kept: false }), on(unsure))
          assert.strictEqual((yield* ours(unsure))[0]?.state, "sending")
          yield* unsure.later("13 hours")
          assert.deepInclude((yield* ours(unsure))[0], { state: "unknown" })
          assert.isUndefined((yield* placementOf(unsure)).receiver)
          const [first] = yield* ours(unsure)
          const left = (yield* letters(unsure)).filter(({ mail }) => mail.messageId.startsWith(first?.canaryId ?? "-"))
          assert.isEmpty(left)
        }).pipe(Effect.orDie)
    )

    it.effect("a host that dies after the content leaves it to the next one, which looks and never sends again", () =>
      Effect.gen(function* () {
        const story = yield* twoProviders
        // The server has it, and its answer never came.
        yield* whileServers(MailBehaviour.Lose({ kept: true }), on(story))
        const [letter, ...more] = yield* letters(story)
        assert.isEmpty(more)
        assert.strictEqual((yield* ours(story))[0]?.state, "sending")
        const next = yield* story.handlerWith()
        story.world.arrive(there(letter), "INBOX", yield* Clock.currentTimeMillis)
        yield* TestClock.adjust("2 minutes")
        yield* next(story.client.workspaceId)
        assert.strictEqual((yield* ours(story))[0]?.state, "inbox")
        assert.lengthOf(yield* letters(story), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("two hosts at once send one, and of two that look one writes", () =>
      Effect.gen(function* () {
        const story = yield* twoProviders
        yield* story.canaries.turnOn(story.by)
        const hosts = yield* Effect.all([story.handlerWith(), story.handlerWith(), story.handlerWith()])
        yield* Effect.forEach(hosts, (host) => host(story.client.workspaceId), { concurrency: "unbounded" })
        assert.lengthOf(yield* letters(story), 1)
        assert.lengthOf(yield* ours(story), 1)
        story.world.arrive(there((yield* letters(story))[0]), "INBOX", yield* Clock.currentTimeMillis)
        yield* TestClock.adjust("2 minutes")
        yield* Effect.forEach(hosts, (host) => host(story.client.workspaceId), { concurrency: "unbounded" })
        assert.lengthOf(yield* letters(story), 1)
        assert.strictEqual((yield* ours(story))[0]?.state, "inbox")
      }).pipe(Effect.orDie)
    )

    it.effect("a pair has two places on a day, however many plan", () =>
      Effect.gen(function* () {
        const story = yield* twoProviders
        yield* on(story)
        const { atomically } = yield* UnitOfWork
        const crypto = yield* Crypto
        const [one] = yield* ours(story)
        const id = (index: number) =>
          crypto
            .sha256Hex(`${there(one).canaryId} ${index}`)
            .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5")
        const plan = (index: number, nth: number) =>
          atomically(story.store.plan({ ...there(one), canaryId: id(index), nth }))
        assert.deepStrictEqual([yield* plan(1, 0), yield* plan(2, 1), yield* plan(3, 1)], [false, true, false])
      }).pipe(Effect.orDie)
    )

    it.effect("a mailbox that is removed, cannot be read, or is stopped ends its canary without a verdict", () =>
      Effect.gen(function* () {
        const owns = yield* OwnMailboxStore
        const { atomically } = yield* UnitOfWork
        const removed = yield* twoProviders
        yield* on(removed)
        yield* atomically(owns.remove(removed.to.workspaceId, removed.to.mailboxId))
        yield* removed.later("2 minutes")
        const stateOf = (story: Story) => Effect.map(ours(story), ([first]) => [first?.state, first?.says])
        assert.deepStrictEqual(yield* stateOf(removed), ["unknown", "the mailbox that it was sent to is gone"])

        const unread = yield* twoProviders
        yield* on(unread)
        unread.world.closed.add(unread.to.address)
        yield* unread.later("13 hours")
        assert.strictEqual((yield* ours(unread))[0]?.state, "sent")
        yield* unread.later("36 hours")
        const [open] = yield* ours(unread)
        assert.deepInclude(open, { state: "unknown", says: "the mailbox that it was sent to could not be read" })

        const stopped = yield* twoProviders
        yield* stopped.canaries.turnOn(stopped.by)
        const calls = yield* Effect.context<Calls | Ids>()
        const kill = MailBehaviour.Before({
          happens: stopped.client
            .call("pause_campaign", { campaign_id: stopped.campaignId }, { key: freshKey() })
            .pipe(Effect.map(ok), Effect.provideContext(calls), Effect.asVoid)
        })
        yield* whileServers(kill, stopped.turn)
        assert.isEmpty(yield* letters(stopped))
        yield* stopped.later("1 minute")
        assert.deepStrictEqual(yield* stateOf(stopped), ["dropped", "its campaign is not running any more"])
      }).pipe(Effect.orDie)
    )

    it.effect("a server that refuses it for now is tried again, and one that refuses it for good is not", () =>
      Effect.gen(function* () {
        const story = yield* twoProviders
        const refuse = (reason: "transient" | "invalid", code: number) =>
          MailBehaviour.Refuse({ phase: "recipient", code, status: null, reason })
        yield* whileServers(refuse("transient", 451), on(story))
        assert.strictEqual((yield* ours(story))[0]?.state, "planned")
        yield* whileServers(refuse("invalid", 550), story.later("31 minutes"))
        assert.deepInclude((yield* ours(story))[0], { state: "dropped", says: "refused on request" })
        assert.isUndefined((yield* placementOf(story)).receiver)
      }).pipe(Effect.orDie)
    )

    it.effect("it is no message of a campaign: nobody's reply, nobody's use, and nothing in the counts", () =>
      Effect.gen(function* () {
        const story = yield* twoProviders
        const sendings = yield* SendingStore
        yield* on(story)
        story.world.arrive(there((yield* letters(story))[0]), "INBOX", yield* Clock.currentTimeMillis)
        yield* story.later("2 minutes")
        const nowMillis = yield* Clock.currentTimeMillis
        const used = (yield* sendings.uses(story.from.workspaceId, nowMillis, "day")).of(story.from.mailboxId)
        const sentDays = (used?.mailbox ?? []).filter(({ delivered }: { readonly delivered: number }) => delivered > 0)
        assert.isEmpty(sentDays)
        const campaign = ok(yield* story.client.call("get_campaign", { campaign_id: story.campaignId })).result
        assert.strictEqual(campaign.sent, 0)
        assert.isEmpty(ok(yield* story.client.call("get_replies", {})).result.replies)
      }).pipe(Effect.orDie)
    )

    it.effect(
      "an owner turns them on with a fresh sign-in, anybody else is refused, and both changes are on record",
      () =>
        Effect.gen(function* () {
          const story = yield* twoProviders
          const { canaries } = story
          const member = yield* colleague(story.by)
          yield* refusedBy("owner_required", canaries.turnOn(member))
          yield* refusedBy("owner_required", canaries.turnOff(member))
          yield* growStale
          yield* refusedBy("reauthentication_required", canaries.turnOn(story.by))
          const by = yield* story.again
          yield* canaries.turnOn(by)
          yield* story.turn
          assert.lengthOf(yield* letters(story), 1)
          // What left is looked for although they are off; nothing new leaves.
          yield* canaries.turnOff(by)
          const log = yield* ControlLog
          const page = yield* log.page({ workspaceId: story.client.workspaceId, keyId: null, limit: 10, before: null })
          assert.deepStrictEqual(
            page.filter(({ action }) => action === "set_canaries").map(({ direction }) => direction),
            ["tighten", "loosen"]
          )
          story.world.arrive(there((yield* letters(story))[0]), "INBOX", yield* Clock.currentTimeMillis)
          yield* story.later("2 minutes")
          assert.strictEqual((yield* ours(story))[0]?.state, "inbox")
          yield* story.later("13 hours")
          assert.strictEqual((yield* story.later("2 days"))._tag, "Done")
          assert.lengthOf(yield* letters(story), 1)
          const sandbox = yield* makeClient()
          const theirs = yield* signIn(sandbox.ownerEmail)
          yield* refusedBy("invalid", canaries.turnOn(theirs))
        }).pipe(Effect.orDie)
    )

    it.effect("a job that a restored backup lacks is found again, and what is old is forgotten", () =>
      Effect.gen(function* () {
        const story = yield* twoProviders
        yield* on(story)
        const lost = yield* makeLostCanaries
        const isLost = Effect.map(lost(10_000), (jobs) =>
          jobs.some(({ key }) => key === canaryJob(story.client.workspaceId).key)
        )
        assert.isFalse(yield* isLost)
        yield* TestClock.adjust("5 hours")
        assert.isTrue(yield* isLost)
        yield* story.later("8 hours")
        const { atomically } = yield* UnitOfWork
        const [ended] = yield* ours(story)
        const old: Canary = {
          ...there(ended),
          plannedAtMillis: there(ended).plannedAtMillis - KEPT_MILLIS - DAY_MILLIS
        }
        yield* atomically(story.store.put(old))
        const forget = yield* makeForgetCanaries
        while ((yield* forget) > 0) yield* Effect.yieldNow
        assert.isTrue(Option.isNone(yield* atomically(story.store.lock(old))))
      }).pipe(Effect.orDie)
    )
  })
}

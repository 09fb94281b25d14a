import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { OWN_PACE } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { makeMessageOutcome, retryPause, TRIES_MAX } from "@outbound/domain/outreach/sending/MessageOutcome.js"
import { blameOf, REFUSED_TRIES_MAX } from "@outbound/domain/outreach/sending/refusals.js"
import { type ClaimedMessage, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Layer, Option } from "effect"
import { leadOf } from "../../src/contracts/campaignFixtures.js"
import { DAY, HOUR, MINUTE, NOON } from "../../src/contracts/fixtures.js"
import { claimsOf, givenSending } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

/** A message that a host has claimed, and what becomes of it and of its lead. */
const given = Effect.gen(function* () {
  const { atomically } = yield* UnitOfWork
  const [campaigns, sending, trail] = [yield* CampaignStore, yield* SendingStore, yield* TrailStore]
  const outcome = yield* makeMessageOutcome
  const { workspaceId } = yield* givenSending(1)
  const [claimed] = yield* claimsOf(workspaceId)
  const handed = { ...claimed!, failedTries: 0 }
  const lead = leadOf(workspaceId, handed.lead.campaignLeadId).pipe(Effect.orDie)
  const message = Effect.map(atomically(sending.lockMessage(workspaceId, handed.message.messageId)), (found) => {
    const { sentAtMillis, state } = Option.getOrThrow(found)
    return [state, sentAtMillis]
  })
  const put = (changed: object) =>
    Effect.flatMap(lead, (one) => atomically(campaigns.updateLead({ ...one, ...changed })))
  const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
  const told = Effect.map(trail.page({ ...filter, kinds: ["sent", "stop"], limit: 9 }), (events) =>
    events.map(({ detail, email, kind }) => ({ kind, email, detail }))
  )
  /** What counts against the mailbox, as its breaker reads it, and at this organisation. */
  const refusals = (receiver: string) => sending.refusals(workspaceId, handed.mailbox.mailboxId, receiver, 0)
  return { atomically, handed, lead, message, outcome, put, refusals, told }
})

const story = <E>(name: string, body: Effect.Effect<void, E, Effect.Services<typeof given>>) =>
  it.effect(name, () => Effect.provide(body, Layer.merge(memory, TestIds.layer)))

const failure = (given: Partial<ConstructorParameters<typeof ProviderFailure>[0]> = {}) =>
  new ProviderFailure({ provider: "scripted", reason: "transient", ...given })

const tried = (handed: ClaimedMessage, failedTries: number) => ({ ...handed, failedTries })

story(
  "what was sent counts as a step, is told once, and the next is due by the person's own day",
  Effect.gen(function* () {
    const { atomically, handed, lead, message, outcome, told } = yield* given
    // Clocks in Berlin go forward meanwhile, so that 20 days there are an hour shorter than where the campaign is.
    const [first, second] = handed.campaign.sequence
    const sequence = [first!, { ...second!, waitDays: 20 }]
    const theirs = {
      ...handed,
      campaign: { ...handed.campaign, sequence },
      lead: { ...handed.lead, hours: "Europe/Berlin" }
    }
    yield* atomically(outcome.accepted(theirs, OWN_PACE, NOON))
    const { nextAtMillis, state, stepsSent } = yield* lead
    assert.deepStrictEqual([state, stepsSent, yield* message], ["active", 1, ["sent", NOON]])
    assert.strictEqual(nextAtMillis, NOON + 20 * DAY - HOUR)
    const events = yield* told
    assert.deepStrictEqual(events, [
      { kind: "sent", email: "person-0@example.com", detail: { step: 1, mailbox: handed.mailbox.address } }
    ])
  })
)

story(
  "who answered while it left has got the step, and their sequence stays stopped",
  Effect.gen(function* () {
    const { atomically, handed, lead, outcome, put } = yield* given
    yield* put({ state: "active" })
    yield* put({ state: "replied", nextAtMillis: null })
    yield* atomically(outcome.accepted(handed, OWN_PACE, NOON))
    const { nextAtMillis, state, stepsSent } = yield* lead
    assert.deepStrictEqual([state, stepsSent, nextAtMillis], ["replied", 1, null])
  })
)

story(
  "of a person who was erased meanwhile no address is told",
  Effect.gen(function* () {
    const { atomically, handed, outcome, told } = yield* given
    const gone = { ...handed, message: handed.message, lead: { ...handed.lead, email: "" } }
    yield* atomically(outcome.lost(handed.message, handed.lead.addressHash, NOON))
    assert.deepStrictEqual(
      (yield* told).map(({ detail, kind }) => [kind, detail]),
      [["stop", { reason: "outcome_unknown" }]]
    )
    yield* atomically(outcome.accepted(gone, OWN_PACE, NOON))
    assert.isFalse((yield* told).some(({ email, kind }) => kind === "sent" && email === ""))
  })
)

story(
  "what was refused is tried again after a while, no sooner than the provider wishes",
  Effect.gen(function* () {
    const due = (tries: number, wished?: number) =>
      Effect.gen(function* () {
        const { atomically, handed, lead, message, outcome } = yield* given
        const asked = wished === undefined ? failure() : failure({ retryAfterSeconds: wished })
        yield* atomically(outcome.rejected(tried(handed, tries), asked, NOON))
        assert.deepStrictEqual(yield* message, ["failed", null])
        return ((yield* lead).nextAtMillis ?? 0) - NOON
      })
    assert.deepStrictEqual([yield* due(0), yield* due(1)], [retryPause(1), retryPause(2)])
    assert.isAbove(retryPause(2), retryPause(1))
    assert.strictEqual(yield* due(0, 1), 1_000)
    // A short wish must not use up the tries quickly, and a long one holds.
    assert.strictEqual(yield* due(2, 1), retryPause(2))
    assert.strictEqual(yield* due(2, 9 * 86_400), 9 * DAY)
  })
)

story(
  "after so many tries a person decides, and not one sooner or later",
  Effect.gen(function* () {
    for (const [tries, state, told] of [
      [TRIES_MAX - 2, "ready", []],
      [TRIES_MAX - 1, "failed", ["undeliverable"]]
    ] as const) {
      const { atomically, handed, lead, outcome, told: events } = yield* given
      yield* atomically(outcome.rejected(tried(handed, tries), failure(), NOON))
      assert.strictEqual((yield* lead).state, state)
      assert.deepStrictEqual(
        (yield* events).map(({ detail }) => detail["reason"]),
        [...told]
      )
    }
    const { atomically, handed, lead, outcome } = yield* given
    yield* atomically(outcome.rejected(handed, failure({ reason: "invalid" }), NOON))
    assert.strictEqual((yield* lead).state, "failed", "the recipient is refused for good")
  })
)

story(
  "who has ended meanwhile is not put back into the sequence by a failure, or by what was not tried",
  Effect.gen(function* () {
    for (const how of ["rejected", "returned"] as const) {
      const { atomically, handed, lead, message, outcome, put } = yield* given
      yield* put({ state: "active" })
      yield* put({ state: "unsubscribed", nextAtMillis: null })
      yield* atomically(how === "rejected" ? outcome.rejected(handed, failure(), NOON) : outcome.returned(handed, NOON))
      const { nextAtMillis, state } = yield* lead
      assert.deepStrictEqual([state, nextAtMillis], ["unsubscribed", null], how)
      assert.deepStrictEqual(yield* message, ["failed", null])
    }
  })
)

story(
  "what was not tried is due as before, and what ended otherwise is left as it is",
  Effect.gen(function* () {
    const { atomically, handed, lead, message, outcome } = yield* given
    yield* atomically(outcome.returned(handed, NOON + MINUTE))
    assert.deepStrictEqual([(yield* lead).nextAtMillis, yield* message], [NOON + MINUTE, ["failed", null]])
    yield* atomically(outcome.lost(handed.message, handed.lead.addressHash, NOON + DAY))
    assert.deepStrictEqual([(yield* lead).nextAtMillis, yield* message], [NOON + MINUTE, ["failed", null]])

    const other = yield* given
    yield* other.atomically(other.outcome.accepted(other.handed, OWN_PACE, NOON))
    const after = yield* other.lead
    for (const late of [
      other.outcome.returned(other.handed, NOON + DAY),
      other.outcome.rejected(other.handed, failure({ reason: "invalid" }), NOON + DAY),
      other.outcome.lost(other.handed.message, other.handed.lead.addressHash, NOON + DAY)
    ])
      yield* other.atomically(late)
    assert.deepStrictEqual([yield* other.lead, yield* other.message], [after, ["sent", NOON]])
  })
)

/** What a server says that refuses the sender by policy. */
const byPolicy = (reason: "account" | "rate_limited" = "account") =>
  failure({ reason, cause: { _tag: "SmtpAnswer", phase: "recipient", code: 550, status: "5.7.1", text: "no" } })

story(
  "a refusal by policy counts against the mailbox where the mail is received, and is tried thrice, hours apart",
  Effect.gen(function* () {
    const after = (tries: number, why: ProviderFailure) =>
      Effect.gen(function* () {
        const { atomically, handed, lead, outcome, told } = yield* given
        yield* atomically(outcome.rejected(tried(handed, tries), why, NOON))
        const { nextAtMillis, state } = yield* lead
        return [state, (nextAtMillis ?? NOON) - NOON, (yield* told).map(({ detail }) => detail["reason"])]
      })
    assert.deepStrictEqual(yield* after(0, byPolicy()), ["ready", HOUR, []])
    assert.deepStrictEqual(yield* after(1, byPolicy()), ["ready", 2 * HOUR, []])
    assert.deepStrictEqual(yield* after(REFUSED_TRIES_MAX - 1, byPolicy()), ["failed", 0, ["refused_by_provider"]])
    // A server that says "later" puts its message off like any other, however often it says so.
    const later = byPolicy("rate_limited")
    assert.deepStrictEqual(yield* after(0, later), ["ready", retryPause(1), []])
    assert.deepStrictEqual(yield* after(REFUSED_TRIES_MAX - 1, later), ["ready", retryPause(REFUSED_TRIES_MAX), []])

    for (const [why, refused] of [
      [byPolicy(), 1],
      [failure(), 0]
    ] as const) {
      const { atomically, handed, outcome, refusals } = yield* given
      yield* atomically(outcome.rejected({ ...tried(handed, 0), receiver: "host.test" }, why, NOON))
      const { mailbox, receiver } = yield* refusals("host.test")
      assert.deepStrictEqual([mailbox.refused, receiver.refused], [refused, refused])
    }
  })
)

story(
  "who receives the mail is the address's own organisation unless another is known, and nobody's once it is erased",
  Effect.gen(function* () {
    for (const [receiver, email, found] of [
      [undefined, "jo@customer.test", "customer.test"],
      ["host.test", "jo@customer.test", "host.test"],
      ["host.test", "", null]
    ] as const) {
      const { atomically, handed, outcome } = yield* given
      const sending = yield* SendingStore
      const lead = { ...handed.lead, email }
      const at = receiver === undefined ? {} : { receiver }
      yield* atomically(outcome.accepted({ ...handed, ...at, lead }, OWN_PACE, NOON))
      const { messageId, workspaceId } = handed.message
      assert.strictEqual(Option.getOrNull(yield* sending.receiverOf(workspaceId, messageId)), found)
    }
  })
)

story(
  "a recipient who was refused before any claim counts as a try of their own",
  Effect.gen(function* () {
    for (const [tries, why, state, due] of [
      [0, failure(), "ready", retryPause(1)],
      [TRIES_MAX - 1, failure(), "failed", 0],
      [REFUSED_TRIES_MAX - 1, byPolicy(), "failed", 0]
    ] as const) {
      const { atomically, handed, lead, message, outcome, refusals } = yield* given
      const sending = yield* SendingStore
      const another = { ...handed.message, messageId: `${handed.message.messageId.slice(0, -4)}ffff` }
      const refused = { ...tried(handed, tries), message: another, receiver: "host.test" }
      yield* atomically(outcome.refused(refused, why, NOON))
      const found = yield* lead
      assert.deepStrictEqual([found.state, (found.nextAtMillis ?? NOON) - NOON], [state, due])
      const kept = yield* atomically(sending.lockMessage(another.workspaceId, another.messageId))
      assert.strictEqual(Option.getOrThrow(kept).state, "failed")
      assert.deepStrictEqual(yield* message, ["claimed", null], "the claimed one is not touched")
      assert.strictEqual((yield* refusals("host.test")).receiver.refused, blameOf(why) === "policy" ? 1 : 0)
    }
  })
)

story(
  "what is lost is unknown for good; only proof ends it, and nothing is recorded twice",
  Effect.gen(function* () {
    const { atomically, handed, lead, message, outcome, told } = yield* given
    const lost = outcome.lost(handed.message, handed.lead.addressHash, NOON)
    for (const _ of [1, 2]) {
      yield* atomically(lost)
      assert.deepStrictEqual([yield* message, (yield* lead).state], [["unknown", null], "failed"])
    }
    for (const later of [MINUTE, HOUR]) {
      yield* atomically(outcome.accepted(handed, OWN_PACE, NOON + later))
      assert.deepStrictEqual(yield* message, ["sent", NOON + MINUTE])
    }
    assert.deepStrictEqual(
      (yield* told).map(({ kind }) => kind),
      ["sent", "stop"]
    )
  })
)

story(
  "of a message that nobody knows nothing is recorded, and a lead that is gone is not moved",
  Effect.gen(function* () {
    const { atomically, handed, lead, message, outcome, told } = yield* given
    const before = yield* lead
    const unknown = { ...handed, message: { ...handed.message, messageId: handed.message.campaignId } }
    for (const late of [
      outcome.accepted(unknown, OWN_PACE, NOON),
      outcome.rejected(unknown, failure(), NOON),
      outcome.returned(unknown, NOON),
      outcome.lost(unknown.message, handed.lead.addressHash, NOON)
    ])
      yield* atomically(late)
    assert.deepStrictEqual([yield* lead, yield* message, yield* told], [before, ["claimed", null], []])
    const gone = { ...handed.message, campaignLeadId: handed.message.campaignId }
    for (const how of ["accepted", "returned", "lost"] as const) {
      const of = yield* given
      const its = { ...of.handed, message: { ...of.handed.message, campaignLeadId: gone.campaignLeadId } }
      const made = {
        accepted: of.outcome.accepted(its, OWN_PACE, NOON),
        returned: of.outcome.returned(its, NOON + DAY),
        lost: of.outcome.lost(its.message, its.lead.addressHash, NOON)
      }
      yield* of.atomically(made[how])
      assert.strictEqual((yield* of.lead).state, "ready")
      assert.deepStrictEqual(
        (yield* of.told).map(({ email, kind }) => [kind, email]),
        how === "accepted" ? [["sent", null]] : []
      )
    }
  })
)

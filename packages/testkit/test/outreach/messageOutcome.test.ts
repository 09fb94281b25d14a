import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { OWN_PACE } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { makeMessageOutcome, retryPause, TRIES_MAX } from "@outbound/domain/outreach/sending/MessageOutcome.js"
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
  return { atomically, handed, lead, message, outcome, put, told }
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

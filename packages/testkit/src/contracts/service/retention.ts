import { assert, layer as describeLayer } from "@effect/vitest"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { FORGOTTEN_MAX, makeRetention, OUTCOME_DAYS } from "@outbound/domain/control/erasure/Retention.js"
import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Duration, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { TestRows } from "../../memory/Hooks.js"
import { draft, ended, freshKey, member, ok, type ServiceOnStores, SUITE, to, trailOf } from "./stories.js"
import { uploadedList } from "./uploadedList.js"

export type RetentionOnStores = ServiceOnStores | RetentionStore | TestRows

/** Rounds until one finds nothing, and the walk has come to its end once. */
const untilQuiet = Effect.gen(function* () {
  const round = yield* makeRetention
  while ((yield* round) > 0) yield* Effect.yieldNow
}).pipe(Effect.orDie)

const standing = (text: string) => Effect.flatMap(TestRows, (rows) => rows.standing(text))

/** What is kept for a time goes when it is over (contract: trail, retention). */
export const retentionContract = <E>(name: string, service: Layer.Layer<RetentionOnStores, E>) => {
  describeLayer(service, SUITE)(`retention (${name})`, (it) => {
    it.effect("what calls are remembered by goes after 30 days, but that of the sending verbs; contacts after 90", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const email = "valid+retained@magic.test"
        const [verifyKey, draftKey, enrichKey] = [freshKey(), freshKey(), freshKey()]
        yield* client.call("verify_email", { email }, { key: verifyKey })
        const found = ok(yield* client.call("enrich", { person: { email } }, { key: enrichKey }))
        assert.strictEqual(found.result.contact.work_email, email)
        const recipients = to("silent+retained@magic.test")
        const drafted = yield* draft(client, { recipients }, draftKey)
        yield* TestClock.adjust(Duration.subtract(Duration.days(OUTCOME_DAYS), Duration.seconds(1)))
        yield* untilQuiet
        assert.isTrue(ok(yield* client.call("verify_email", { email }, { key: verifyKey })).svc.replayed)
        yield* TestClock.adjust("2 seconds")
        yield* untilQuiet
        const anew = ok(yield* client.call("verify_email", { email }, { key: verifyKey }))
        assert.isFalse(anew.svc.replayed === true)
        const again = yield* draft(client, { recipients }, draftKey)
        assert.strictEqual(again.result.campaign_id, drafted.result.campaign_id)
        assert.isAbove((yield* standing(email)).length, 0, "the contact is known still")
        // The second call is remembered from then on.
        yield* TestClock.adjust(Duration.days(61))
        yield* untilQuiet
        assert.deepStrictEqual(yield* standing(email), [])
      })
    )

    it.effect("the rows of a list are emptied after 30 days; what they cost stays", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const email = "valid+listed@magic.test"
        const { result, svc } = yield* uploadedList(client, `Email,Note\n${email},Quastenflosser\n`)
        yield* ended(client, result.operation_id)
        const rows = Effect.map(client.call("get_operation_results", { operation_id: result.operation_id }), (answer) =>
          ok(answer).result.rows.map((row: { status: string; result: unknown; credits_charged: string }) => [
            row.status,
            row.result !== null,
            row.credits_charged
          ])
        )
        yield* TestClock.adjust(Duration.days(OUTCOME_DAYS - 1))
        yield* untilQuiet
        assert.deepStrictEqual(yield* rows, [["done", true, "1"]])
        assert.lengthOf(yield* standing("Quastenflosser"), 1)
        yield* TestClock.adjust(Duration.days(2))
        yield* untilQuiet
        assert.deepStrictEqual(yield* rows, [["done", false, "1"]])
        for (const text of [email, "Quastenflosser"]) assert.deepStrictEqual(yield* standing(text), [])
        const record = ok(yield* client.call("get_request", { request_id: svc.request_id })).result
        assert.strictEqual(record.credits_charged, "1")
      })
    )

    it.effect(
      "what was spent on a campaign's people is known for as long as the campaign, and of others for 30 days",
      () =>
        Effect.gen(function* () {
          const client = yield* member()
          const [single, row, other] = [
            "silent+spent1@magic.test",
            "silent+spent2@magic.test",
            "silent+spent3@magic.test"
          ]
          const campaignOf = (...emails: ReadonlyArray<string>) =>
            Effect.map(
              draft(client, { recipients: emails.map((email) => ({ email })) }),
              ({ result }) => result.campaign_id
            )
          const ours = yield* campaignOf(single, row)
          ok(yield* client.call("verify_email", { email: single }, { key: freshKey() }))
          const list = yield* client.call("verify_emails", { emails: [row, other] }, { key: freshKey() })
          yield* ended(client, list.result.operation_id)
          ok(yield* client.call("verify_email", { email: other }, { key: freshKey() }))
          yield* TestClock.adjust(Duration.days(OUTCOME_DAYS + 20))
          yield* untilQuiet
          const spent = yield* Effect.forEach([ours, yield* campaignOf(other)], (campaignId) =>
            Effect.gen(function* () {
              const { ledger } = yield* ConsoleReads
              const entries = yield* ledger(client.workspaceId, { ...EVERY_ENTRY, campaignId }, null, 10)
              const { outcomes } = ok(yield* client.call("get_campaign", { campaign_id: campaignId })).result
              return [outcomes.credits, entries.map(({ micros }) => micros)]
            })
          )
          assert.deepStrictEqual(spent, [
            ["2", [-1_000_000n, -1_000_000n]],
            ["0", []]
          ])
          const { eraseFor } = yield* Erasure
          yield* Effect.orDie(eraseFor(client.workspaceId, single))
          assert.strictEqual(ok(yield* client.call("get_campaign", { campaign_id: ours })).result.outcomes.credits, "1")
        })
    )

    it.effect("a person's address leaves the trail 24 months after they were last seen; what happened stays", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const start = yield* Clock.currentTimeMillis
        yield* TestClock.setTime(Math.max(start, Date.UTC(2027, 0, 10)))
        const seen = "silent+seen@magic.test"
        const forgotten = "silent+forgotten@magic.test"
        const { result } = yield* draft(client, { recipients: to(seen, forgotten) })
        yield* TestClock.adjust(Duration.days(400))
        yield* draft(client, { recipients: to(seen) })
        yield* TestClock.adjust(Duration.days(329))
        yield* untilQuiet
        assert.lengthOf(yield* trailOf(client, { email: forgotten }), 1)
        yield* TestClock.adjust(Duration.days(2))
        yield* untilQuiet
        assert.isEmpty(yield* trailOf(client, { email: forgotten }))
        const places = yield* standing(forgotten)
        assert.isFalse(
          places.some((place) => /trail|subjects|seen/.test(place)),
          places.join(", ")
        )
        const events = yield* trailOf(client, { campaign_id: result.campaign_id, kind: "admitted" })
        assert.sameMembers(
          events.map((event) => ("email" in event ? event.email : null)),
          [seen, null]
        )
      })
    )

    it.effect("the walk over persons is bounded, and comes to its end", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const people = Array.from({ length: 7 }, (_, index) => `silent+walk${index}@magic.test`)
        yield* draft(client, { recipients: to(...people) })
        const store = yield* RetentionStore
        const { atomically } = yield* UnitOfWork
        const nowMillis = yield* Clock.currentTimeMillis
        let after: { readonly workspaceId: string; readonly subjectId: string } | null = null
        let forgotten = 0
        let pages = 0
        do {
          const page: Effect.Success<ReturnType<typeof store.forgetUnseen>> = yield* atomically(
            store.forgetUnseen(nowMillis, after, 3)
          )
          forgotten += page.forgotten
          after = page.next
          pages += 1
        } while (after !== null && pages < FORGOTTEN_MAX)
        assert.isNull(after)
        assert.isAtLeast(forgotten, people.length)
        assert.isAtLeast(pages, 3)
        for (const email of people) assert.isEmpty(yield* trailOf(client, { email }))
      })
    )
  })
}

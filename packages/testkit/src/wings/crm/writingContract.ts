import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { type CrmPolicy } from "@outbound/domain/wings/crm/marks.js"
import { SETTLE_MILLIS, WRITE_LEASE_MILLIS } from "@outbound/domain/wings/crm/crmHandler.js"
import { Effect, Fiber, type Layer } from "effect"
import { type CrmFault, type CrmStep, type FakeCrm, makeFakeCrm } from "./vendors/FakeCrm.js"
import { connected, type CrmNeeds, HOUR, settled, wait } from "./crmSupport.js"
import { freshKey, launched, leadOf, ok, pass, sender, SUITE, to } from "../../contracts/service/stories.js"

/** What is written back to a workspace's CRM: once, whatever dies or is lost. */
export const crmWritingContract = <E>(name: string, service: Layer.Layer<CrmNeeds, E>) => {
  describeLayer(service, SUITE)(`notes for a CRM (${name})`, (it) => {
    /** Somebody replied; the owner's CRM is to learn of it. */
    const replied = (policy: Partial<CrmPolicy> = {}, email = "interested@magic.test") =>
      Effect.gen(function* () {
        const client = yield* sender()
        const told = yield* connected(client, makeFakeCrm(), policy)
        yield* told.turn
        const campaign_id = yield* launched(client, { recipients: to(email), name: "Autumn" })
        yield* pass("2 seconds")
        return { client, campaign_id, ...told }
      })

    it.effect("a reply is written onto the person's record once, and a booked meeting too", () =>
      Effect.gen(function* () {
        const { campaign_id, client, fake, turn } = yield* replied()
        fake.world.person(["interested@magic.test"])
        yield* turn
        yield* turn
        assert.lengthOf(fake.world.notes, 1)
        for (const words of ["Autumn", "interested", "outbound-"]) assert.include(fake.world.notes[0]?.body, words)
        const campaign_lead_id = yield* leadOf(client, campaign_id, "interested@magic.test")
        for (const status of ["meeting_booked", "interested", "meeting_booked"]) {
          ok(yield* client.call("set_lead_status", { campaign_lead_id, status }, { key: freshKey() }))
        }
        yield* turn
        yield* turn
        assert.lengthOf(fake.world.notes, 2)
        assert.include(fake.world.notes[1]?.body, "meeting")
        assert.lengthOf(fake.world.persons, 1)
      })
    )

    it.effect("what programs answer is not written back, nor what the owner does not want", () =>
      Effect.gen(function* () {
        const absent = yield* replied({}, "out_of_office@magic.test")
        const bounced = yield* replied({}, "bounce@magic.test")
        const unwanted = yield* replied({ writesReplies: false })
        for (const { fake, turn } of [absent, bounced, unwanted]) {
          yield* turn
          assert.isEmpty(fake.world.notes)
        }
      })
    )

    it.effect("nobody is added to the CRM unless the owner wants that", () =>
      Effect.gen(function* () {
        const kept = yield* replied({ createsContacts: false })
        yield* settled(kept.turn)
        assert.isEmpty([...kept.fake.world.persons, ...kept.fake.world.notes])
        assert.deepInclude(yield* kept.store.countWrites(kept.workspaceId), { failed: 1 })
      })
    )

    it.effect("the owner of a new record is whom the launch's approver is there", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        fake.world.owners.push({ id: "7", name: "Us", email: client.ownerEmail })
        const { store, turn, workspaceId } = yield* connected(client, fake)
        yield* turn
        assert.isNotNull((yield* store.owners(workspaceId))[0]?.userId)
        yield* launched(client, { recipients: to("interested@magic.test") })
        yield* pass("2 seconds")
        yield* turn
        assert.deepStrictEqual([fake.world.persons[0]?.ownerId, fake.world.notes[0]?.ownerId], ["7", "7"])
      })
    )

    /** The process dies in this step, before or after the CRM acts. */
    const dying = (turn: Effect.Effect<unknown, unknown>, fake: FakeCrm, step: CrmStep, acts: boolean) =>
      Effect.gen(function* () {
        fake.fault(step, { acts, failure: null })
        const before = fake.asked.length
        const fiber = yield* Effect.forkChild(turn)
        while (!fake.asked.slice(before).includes(step)) yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
      })

    for (const step of ["find", "create", "write"] as const) {
      for (const acts of [false, true]) {
        it.effect(
          `a host that dies in ${step}, ${acts ? "after" : "before"} it is done, leaves one record and one note`,
          () =>
            Effect.gen(function* () {
              const { fake, store, turn, workspaceId } = yield* replied()
              yield* dying(turn, fake, step, acts)
              // Another host comes at once: the claim is held.
              yield* turn
              assert.isAtMost(fake.world.notes.length, 1)
              yield* wait(WRITE_LEASE_MILLIS)
              yield* settled(turn)
              assert.deepStrictEqual([fake.world.persons.length, fake.world.notes.length], [1, 1])
              assert.deepStrictEqual(yield* store.countWrites(workspaceId), { open: 0, written: 1, failed: 0 })
            })
        )

        it.effect(`an answer to ${step} that is lost, ${acts ? "after" : "before"} it is done, is looked up`, () =>
          Effect.gen(function* () {
            const { fake, store, turn, workspaceId } = yield* replied()
            fake.fault(step, { acts, failure: step === "find" ? "transient" : "unknown_outcome" })
            yield* turn
            // Not before what is on its way has arrived.
            yield* turn
            assert.isAtMost(fake.asked.filter((one) => one === step).length, 1)
            yield* wait(SETTLE_MILLIS)
            yield* settled(turn)
            assert.deepStrictEqual([fake.world.persons.length, fake.world.notes.length], [1, 1])
            assert.deepStrictEqual(yield* store.countWrites(workspaceId), { open: 0, written: 1, failed: 0 })
          })
        )
      }
    }

    it.effect("a host that dies in the look leaves the outcome unknown, and the next one looks", () =>
      Effect.gen(function* () {
        const { fake, turn } = yield* replied()
        fake.fault("write", { acts: true, failure: "unknown_outcome" })
        yield* turn
        yield* wait(SETTLE_MILLIS)
        yield* dying(turn, fake, "holds", true)
        fake.fault("holds", { acts: false, failure: "transient" })
        yield* settled(turn)
        assert.lengthOf(fake.world.notes, 1)
        assert.lengthOf(
          fake.asked.filter((step) => step === "write"),
          1
        )
      })
    )

    it.effect("what the CRM refuses is not asked again; a key that it doesn't take is tried later", () =>
      Effect.gen(function* () {
        const refused = yield* replied()
        refused.fake.fault("write", { acts: false, failure: "invalid" })
        yield* settled(refused.turn)
        assert.lengthOf(
          refused.fake.asked.filter((step) => step === "write"),
          1
        )
        assert.deepInclude(yield* refused.store.countWrites(refused.workspaceId), { failed: 1 })

        const locked = yield* replied()
        locked.fake.fault("find", ...[1, 2, 3].map((): CrmFault => ({ acts: false, failure: "account" })))
        for (let hours = 0; hours < 5; hours += 1) {
          yield* locked.turn
          yield* wait(HOUR + 1)
        }
        assert.lengthOf(locked.fake.world.notes, 1)
      })
    )

    it.effect("an erased person is written of no more", () =>
      Effect.gen(function* () {
        const { client, fake, store, turn, workspaceId } = yield* replied()
        yield* (yield* Erasure).eraseFor(client.workspaceId, "interested@magic.test")
        yield* settled(turn)
        assert.isEmpty([...fake.world.persons, ...fake.world.notes])
        assert.deepStrictEqual(yield* store.countWrites(workspaceId), { open: 0, written: 0, failed: 0 })
      })
    )
  })
}

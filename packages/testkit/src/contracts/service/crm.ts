import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { DONE } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Crms } from "@outbound/domain/outreach/crm/Crm.js"
import { makeCrmHandler } from "@outbound/domain/outreach/crm/crmHandler.js"
import { sealCrmKey } from "@outbound/domain/outreach/crm/crmKey.js"
import { crmJob, CrmStore, NOT_READ } from "@outbound/domain/outreach/crm/CrmStore.js"
import type { CrmPolicy } from "@outbound/domain/outreach/crm/keepingOut.js"
import { SETTLE_MILLIS, WRITE_LEASE_MILLIS } from "@outbound/domain/outreach/crm/writing.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Clock, Duration, Effect, Fiber, type Layer, Option, TestClock } from "effect"
import type { Client } from "../../service/Client.js"
import { type CrmFault, type CrmStep, type FakeCrm, makeFakeCrm } from "../../vendors/crm/FakeCrm.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  launch,
  launched,
  leadOf,
  ok,
  pass,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const KEEPS: CrmPolicy = {
  keepsCustomers: true,
  keepsOpenDeals: true,
  keepsOwned: true,
  writesReplies: true,
  writesMeetings: true,
  createsContacts: true
}

const SECRET = "a-secret-of-a-crm"
const HOUR = 3_600_000

/** Connected to the workspace, as its owner does it; the job is done by hand. */
const connected = (client: Client, fake: FakeCrm, policy: Partial<CrmPolicy> = {}) =>
  Effect.gen(function* () {
    const store = yield* CrmStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = client
    const nowMillis = yield* Clock.currentTimeMillis
    fake.world.nowMillis = nowMillis
    yield* atomically(
      store.put({
        workspaceId,
        connectionId: ids.next(nowMillis),
        vendor: "fake_crm",
        sealedSecret: sealCrmKey(crypto, { workspaceId, vendor: "fake_crm" }, SECRET),
        last4: "-crm",
        addedBy: client.ownerEmail,
        addedAtMillis: nowMillis,
        policy: { ...KEEPS, ...policy },
        reading: NOT_READ
      })
    )
    const crms = { live: [], sandbox: [], open: () => fake.crm }
    const handler = yield* Effect.provideService(makeCrmHandler, Crms, crms)
    return { fake, turn: handler(crmJob(workspaceId).key), store, workspaceId }
  })

/** Time passes without any worker. */
const wait = (millis: number) => TestClock.adjust(Duration.millis(millis))

/** Turns until nothing is left, time passing between them. */
const settled = (turn: Effect.Effect<unknown, unknown>, turns = 6) =>
  Effect.gen(function* () {
    for (let made = 0; made < turns; made += 1) {
      yield* turn
      yield* wait(WRITE_LEASE_MILLIS)
    }
  })

const because = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (read) =>
    ok(read).result.why_not_sending.map(({ reason }: { readonly reason: string }) => reason)
  )

/** What a workspace's CRM does to its campaigns, and gets from them. */
export const crmContract = <E>(name: string, service: Layer.Layer<ServiceOnStores | CrmStore | VendorStore, E>) => {
  describeLayer(service, SUITE)(`a CRM beside campaigns (${name})`, (it) => {
    it.effect(
      "customers, open deals and others' contacts are left out of drafts and launches, and counted as other",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const fake = makeFakeCrm()
          const { turn } = yield* connected(client, fake)
          const { world } = fake
          world.owners.push({ id: "7", name: "Olga", email: "olga@else.test" })
          world.person(["ann@customer.test"], { isCustomer: true })
          world.deal("open", [world.person(["bob@gmail.com"])], [world.company("deal.test")])
          world.person(["owned@many.test"], { ownerId: "7" })
          yield* turn
          const recipients = to(
            "ann@customer.test",
            "colleague@customer.test",
            "cleo@sub.deal.test",
            "bob@gmail.com",
            "another@gmail.com",
            "owned@many.test",
            "beside@many.test"
          )
          const would = ok(
            yield* client.call("create_campaign", {
              name: "C",
              sequence: [{ subject: "a", body: "b" }],
              recipients,
              dry_run: true
            })
          )
          assert.deepInclude(would.result.plan.would, { leads_accepted: 2, suppressed_reasons: { other: 5 } })
          const { result } = yield* draft(client, { recipients })
          assert.deepInclude(result, { leads_accepted: 2, leads_suppressed: 5, suppressed_reasons: { other: 5 } })
          const removed = yield* trailOf(client, { campaign_id: result.campaign_id, kind: "removed" })
          assert.deepStrictEqual(
            Object.fromEntries(removed.map(({ detail, email }) => [email, detail])),
            Object.fromEntries([
              ["ann@customer.test", { reason: "other", crm: "crm_customer" }],
              ["colleague@customer.test", { reason: "other", crm: "crm_customer" }],
              ["cleo@sub.deal.test", { reason: "other", crm: "crm_open_deal" }],
              ["bob@gmail.com", { reason: "other", crm: "crm_open_deal" }],
              ["owned@many.test", { reason: "other", crm: "crm_owned" }]
            ])
          )
          // A deal that opens before the launch counts there.
          world.nowMillis = yield* Clock.currentTimeMillis
          world.deal("open", [world.person(["beside@many.test"])])
          yield* wait(HOUR)
          yield* turn
          const asked = yield* askLaunch(client, result.campaign_id)
          assert.deepInclude(asked.result.preview.removed, { other: 1, total: 1 })
        })
    )

    it.effect("who becomes a customer after the launch gets nothing more, and leaves the campaign", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        const { turn } = yield* connected(client, fake)
        yield* turn
        const people = ["silent+a@magic.test", "silent+b@other.test"]
        const campaign_id = yield* launched(client, { recipients: to(...people) })
        yield* pass("1 second")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
        fake.world.nowMillis = (yield* Clock.currentTimeMillis) + HOUR
        fake.world.person(["silent+a@magic.test"], { isCustomer: true })
        yield* wait(HOUR)
        yield* turn
        yield* pass("5 seconds")
        const sent = (yield* deliveries(campaign_id)).map((one) => one.to.address)
        assert.deepStrictEqual(sent.filter((one) => one === "silent+a@magic.test").length, 1)
        const removed = yield* trailOf(client, { campaign_id, kind: "removed" })
        assert.deepStrictEqual(
          removed.map(({ detail, email }) => [email, detail]),
          [["silent+a@magic.test", { reason: "other", crm: "crm_customer" }]]
        )
      })
    )

    it.effect("nothing is sent before the CRM was read, nor after it was out of reach for a day", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        const { turn } = yield* connected(client, fake)
        fake.fault("owners", { acts: false, failure: "transient" })
        yield* turn
        const campaign_id = yield* launched(client, {
          recipients: to("silent@magic.test"),
          sequence: [
            { subject: "Hello", body: "Hi" },
            { body: "Again", wait_days: 5 }
          ]
        })
        yield* pass("2 seconds")
        assert.isEmpty(yield* deliveries(campaign_id))
        assert.include(yield* because(client, campaign_id), "crm_unread")
        yield* wait(HOUR)
        yield* turn
        yield* pass("2 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        assert.notInclude(yield* because(client, campaign_id), "crm_unread")
        yield* wait(25 * HOUR)
        yield* pass("6 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 1)
        assert.include(yield* because(client, campaign_id), "crm_unread")
        yield* turn
        yield* pass("2 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
      })
    )

    it.effect("a lost deal lets people be written to again, and a record that is gone is forgotten within a day", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        const { store, turn, workspaceId } = yield* connected(client, fake)
        const { world } = fake
        const deal = world.deal("open", [world.person(["bob@lost.test"])])
        world.person(["ann@gone.test"], { isCustomer: true })
        yield* turn
        assert.strictEqual(yield* store.countMarks(workspaceId, 100), 4)
        yield* wait(HOUR)
        world.nowMillis = yield* Clock.currentTimeMillis
        world.change(deal, { status: "lost" })
        yield* turn
        assert.strictEqual(yield* store.countMarks(workspaceId, 100), 2)
        world.persons.length = 0
        yield* wait(HOUR)
        yield* turn
        assert.strictEqual(yield* store.countMarks(workspaceId, 100), 2)
        yield* wait(24 * HOUR)
        yield* turn
        assert.strictEqual(yield* store.countMarks(workspaceId, 100), 0)
      })
    )

    it.effect("a reading that was cut goes on where it stood, and one that stands still ends nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        const { store, turn, workspaceId } = yield* connected(client, fake)
        for (let one = 0; one < 7; one += 1) fake.world.person([`p${one}@c${one}.test`], { isCustomer: true })
        const reading = Effect.map(store.get(workspaceId), (found) => Option.getOrThrow(found).reading)
        fake.fault("page", ...[true, true].map((acts): CrmFault => ({ acts, failure: "transient" })))
        yield* turn
        assert.deepInclude(yield* reading, { pass: null, failures: 1, trouble: "transient", readAtMillis: null })
        // It is left alone for a while.
        yield* turn
        assert.lengthOf(
          fake.asked.filter((step) => step === "page"),
          1
        )
        yield* wait(HOUR)
        yield* turn
        assert.deepInclude(yield* reading, { failures: 2 })
        yield* wait(HOUR)
        fake.world.isStuck = true
        yield* turn
        assert.deepInclude(yield* reading, { pass: "full", failures: 1, trouble: "transient" })
        assert.isNull((yield* reading).readAtMillis)
        fake.world.isStuck = false
        yield* wait(HOUR)
        fake.fault("page", { acts: false, failure: "rate_limited", retryAfterSeconds: 7_200 })
        yield* turn
        assert.deepInclude(yield* reading, { trouble: "rate_limited", pauseMillis: 7_200_000 })
        yield* wait(HOUR)
        const before = fake.asked.length
        yield* turn
        assert.strictEqual(fake.asked.length, before)
        yield* wait(HOUR)
        yield* turn
        assert.deepInclude(yield* reading, { pass: null, failures: 0, trouble: null })
        assert.strictEqual(yield* store.countMarks(workspaceId, 100), 14)
      })
    )

    it.effect("a job without a connection ends, and a key that can't be opened is said", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { store, turn, workspaceId } = yield* connected(client, makeFakeCrm())
        const { atomically } = yield* UnitOfWork
        const connection = Option.getOrThrow(yield* store.get(workspaceId))
        yield* atomically(store.put({ ...connection, sealedSecret: "of.another.server" }))
        yield* turn
        assert.strictEqual(Option.getOrThrow(yield* store.get(workspaceId)).reading.trouble, "sealed")
        yield* atomically(store.remove(workspaceId))
        assert.deepStrictEqual(yield* turn, DONE)
      })
    )

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
        const fiber = yield* Effect.fork(turn)
        while (!fake.asked.slice(before).includes(step)) yield* Effect.yieldNow()
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

    it.effect("another workspace's CRM keeps nobody out here", () =>
      Effect.gen(function* () {
        const [theirs, ours] = [yield* sender(), yield* sender()]
        const fake = makeFakeCrm()
        fake.world.person(["ann@customer.test"], { isCustomer: true })
        const { turn } = yield* connected(theirs, fake)
        yield* turn
        const { result } = yield* draft(ours, { recipients: to("ann@customer.test") })
        assert.strictEqual(result.leads_accepted, 1)
        yield* launch(ours, result.campaign_id)
        yield* pass("1 second")
        assert.lengthOf(yield* deliveries(result.campaign_id), 1)
      })
    )
  })
}

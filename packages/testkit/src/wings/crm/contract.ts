import { assert, layer as describeLayer } from "@effect/vitest"
import { DONE } from "@outbound/domain/kernel/ports/LongWork.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { freshId } from "../../contracts/fixtures.js"
import type { Client } from "../../service/Client.js"
import { type CrmFault, makeFakeCrm } from "./vendors/FakeCrm.js"
import { connected, type CrmNeeds, HOUR, wait } from "./crmSupport.js"
import {
  askLaunch,
  deliveries,
  draft,
  launch,
  launched,
  ok,
  pass,
  sender,
  SUITE,
  to,
  trailOf
} from "../../contracts/service/stories.js"

const because = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (read) =>
    ok(read).result.why_not_sending.map(({ reason }: { readonly reason: string }) => reason)
  )

/** Whom a workspace's CRM keeps out of its campaigns, and how that is known. */
export const crmContract = <E>(name: string, service: Layer.Layer<CrmNeeds, E>) => {
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
        // What the CRM says since is what the campaign brought (contract: campaigns, what it brought).
        fake.world.nowMillis = (yield* Clock.currentTimeMillis) + HOUR
        fake.world.deal("open", [fake.world.person(["silent+b@other.test"])])
        yield* wait(HOUR)
        yield* turn
        const { outcomes } = ok(yield* client.call("get_campaign", { campaign_id })).result
        const brought = (outcome: string) =>
          outcomes.brought.find((one: { readonly outcome: string }) => one.outcome === outcome)
        assert.deepInclude(brought("crm_customer"), { people: 1 })
        assert.deepInclude(brought("crm_open_deal"), { people: 1 })
        assert.strictEqual(outcomes.people_written, 2)
      })
    )

    it.effect(
      "who said no in the CRM, or got no mail there, is no recipient, whatever else is chosen, for as long as it says so",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const fake = makeFakeCrm()
          const { turn } = yield* connected(client, fake, {
            keepsCustomers: false,
            keepsOpenDeals: false,
            keepsOwned: false
          })
          const { world } = fake
          const refusing = world.person(["refusing@many.test", "refusing@home.test"], { mail: "opted_out" })
          world.person(["gone@many.test"], { mail: "bounced" })
          world.person(["customer@many.test"], { isCustomer: true, mail: "opted_out" })
          yield* turn
          const recipients = to(
            "refusing@many.test",
            "refusing@home.test",
            "gone@many.test",
            "customer@many.test",
            "colleague@many.test"
          )
          const { result } = yield* draft(client, { recipients })
          assert.deepInclude(result, { leads_accepted: 1, leads_suppressed: 4, suppressed_reasons: { opted_out: 4 } })
          const removed = yield* trailOf(client, { campaign_id: result.campaign_id, kind: "removed" })
          assert.deepStrictEqual(
            Object.fromEntries(removed.map(({ detail, email }) => [email, detail])),
            Object.fromEntries([
              ["refusing@many.test", { reason: "opted_out", crm: "crm_opted_out" }],
              ["refusing@home.test", { reason: "opted_out", crm: "crm_opted_out" }],
              ["gone@many.test", { reason: "opted_out", crm: "crm_bounced" }],
              ["customer@many.test", { reason: "opted_out", crm: "crm_opted_out" }]
            ])
          )
          // It is no suppression: who takes it back there may be written to.
          yield* wait(HOUR)
          world.nowMillis = yield* Clock.currentTimeMillis
          world.change(refusing, { mail: null })
          yield* turn
          const again = yield* draft(client, { recipients: to("refusing@many.test") })
          assert.strictEqual(again.result.leads_accepted, 1)
        })
    )

    it.effect("who says no in the CRM after the launch gets nothing more, and leaves the campaign", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        const { turn } = yield* connected(client, fake)
        yield* turn
        const campaign_id = yield* launched(client, { recipients: to("silent+a@magic.test", "silent+b@other.test") })
        yield* pass("1 second")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
        fake.world.nowMillis = (yield* Clock.currentTimeMillis) + HOUR
        fake.world.person(["silent+a@magic.test"], { mail: "opted_out" })
        // Of a customer, what the campaign brought stays known, though they want no mail.
        fake.world.person(["silent+b@other.test"], { isCustomer: true, mail: "opted_out" })
        yield* wait(HOUR)
        yield* turn
        yield* pass("5 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 2)
        const removed = yield* trailOf(client, { campaign_id, kind: "removed" })
        assert.deepStrictEqual(
          removed.map(({ detail }) => detail),
          [
            { reason: "opted_out", crm: "crm_opted_out" },
            { reason: "opted_out", crm: "crm_opted_out" }
          ]
        )
        const { outcomes } = ok(yield* client.call("get_campaign", { campaign_id })).result
        const brought = outcomes.brought.find(({ outcome }: { readonly outcome: string }) => outcome === "crm_customer")
        assert.deepInclude(brought, { people: 1 })
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

    it.effect("a CRM at an address that we may not connect to is said, and asked again", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const fake = makeFakeCrm()
        const { store, turn, workspaceId } = yield* connected(client, fake)
        fake.fault("owners", { acts: false, failure: "transient", concluded: "not_allowed" })
        yield* turn
        assert.strictEqual(Option.getOrThrow(yield* store.get(workspaceId)).reading.trouble, "private_address")
        yield* wait(HOUR)
        yield* turn
        assert.isNull(Option.getOrThrow(yield* store.get(workspaceId)).reading.trouble)
      })
    )

    it.effect(
      "an owner's people are written to while the owner is a member here, as who read or said it last knew",
      () =>
        Effect.gen(function* () {
          const [client, other] = [yield* sender(), yield* sender()]
          const { atomically } = yield* UnitOfWork
          const users = yield* UserStore
          const fake = makeFakeCrm()
          const { world } = fake
          const owner = { id: "7", name: "Olga", email: `olga@${client.workspaceId}.test` }
          world.owners.push(owner)
          world.person(["owned@many.test"], { ownerId: "7" })
          const joins = ({ workspaceId }: Client) =>
            Effect.flatMap(Clock.currentTimeMillis, (atMillis) =>
              atomically(
                users.ensureMember({ userId: freshId(), email: owner.email, workspaceId, role: "member", atMillis })
              )
            )
          const { userId } = yield* joins(other)
          const { store, turn, workspaceId } = yield* connected(client, fake)
          const read = Effect.andThen(wait(HOUR), turn)
          const accepted = Effect.suspend(() => draft(client, { recipients: to("owned@many.test") })).pipe(
            Effect.map(({ result }): number => result.leads_accepted)
          )
          const known = (ofUser: string | null) => [{ ref: "7", name: owner.name, email: owner.email, userId: ofUser }]
          yield* read
          // A member of another workspace is nobody here, whatever was said of them.
          assert.deepStrictEqual(yield* store.owners(workspaceId), known(null))
          assert.isTrue(yield* atomically(store.mapOwner(workspaceId, "7", userId)))
          assert.isFalse(yield* atomically(store.mapOwner(other.workspaceId, "7", userId)))
          assert.strictEqual(yield* accepted, 0)
          yield* joins(client)
          assert.strictEqual(yield* accepted, 1)
          // What was said stays, whatever the CRM says of the owner later.
          Object.assign(owner, { name: "Olga O.", email: "oo@else.test" })
          yield* read
          assert.deepStrictEqual(yield* store.owners(workspaceId), known(userId))
          assert.strictEqual(yield* accepted, 1)
          yield* atomically(store.mapOwner(workspaceId, "7", null))
          yield* read
          assert.deepStrictEqual(yield* store.owners(workspaceId), known(null))
          assert.strictEqual(yield* accepted, 0)
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

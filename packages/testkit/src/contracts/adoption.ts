import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { noProviders, Providers } from "@outbound/domain/sources/ports/Providers.js"
import type { ExistingMailbox } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MailboxAdoption } from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Layer, Option } from "effect"
import { makeFakeVendor } from "../vendors/FakeVendor.js"
import { freshId, givenWorkspace, SUITE } from "./fixtures.js"
import { givenLaunched, makeMailbox } from "./outboundFixtures.js"

/** What the vendor's account of these tests holds. */
export const account: Array<ExistingMailbox> = []

export const adoptingProviders = Layer.sync(Providers, () => {
  const sending = { ...makeFakeVendor().provider, existing: Effect.sync(() => [...account]) }
  return { sandbox: noProviders, live: { ...noProviders, sending } }
})

/** Mailboxes that stand at a vendor already, over any stores. */
export const adoptionContract = <E>(
  name: string,
  adapter: Layer.Layer<
    | ApprovalStore
    | CampaignStore
    | MailboxAdoption
    | SendingStore
    | TrailStore
    | UnitOfWork
    | VendorStore
    | WorkspaceStore,
    E
  >
): void => {
  /** So many mailboxes at the vendor, which nobody else names. */
  const given = (count: number, isActive = true) =>
    Effect.sync(() => {
      const made = Array.from({ length: count }, (_, index) => ({
        address: `m${index}-${freshId()}@at-vendor.test`,
        displayName: index === 0 ? "" : "Jo Doe",
        isActive
      }))
      account.splice(0, account.length, ...made.map((one) => ({ ...one, address: one.address.toUpperCase() })))
      return made.map(({ address }) => address)
    })

  const live = Effect.map(givenWorkspace({ kind: "live" }), ({ workspaceId }) => workspaceId)

  const adopt = (workspaceId: string, addresses: ReadonlyArray<string> | null) =>
    Effect.flatMap(MailboxAdoption, (adoption) => adoption.adopt(workspaceId, addresses))

  const release = (workspaceId: string, addresses: ReadonlyArray<string>, pauseCampaigns = false) =>
    Effect.flatMap(MailboxAdoption, (adoption) => adoption.release(workspaceId, addresses, { pauseCampaigns }))

  const pausesOf = (workspaceId: string) =>
    Effect.flatMap(TrailStore, (trail) =>
      trail.page({
        workspaceId,
        campaignId: null,
        email: null,
        kinds: ["mailbox_paused", "pause_requested"],
        sinceMillis: null,
        untilMillis: null,
        limit: 10,
        after: null
      })
    )

  /** A campaign of the workspace that the vendor is sending, from whichever of its mailboxes. */
  const sentByVendor = (workspaceId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const mailboxes = yield* Effect.flatMap(SendingStore, (sendings) => sendings.activeMailboxes(workspaceId))
      const { campaign } = yield* givenLaunched(workspaceId, mailboxes.slice(0, 1), ["ann@people.test"])
      const { campaignId } = campaign
      const vendorCampaign = {
        workspaceId,
        campaignId,
        vendor: "fake",
        account: "service" as const,
        state: "sending" as const,
        ref: "there",
        terms: null,
        askedUntilMillis: null,
        owesPause: false,
        cursor: null,
        readAtMillis: null,
        failures: 0,
        turn: 1
      }
      const vendors = yield* VendorStore
      yield* atomically(vendors.insert(vendorCampaign))
      return { campaignId, isStopped: atomically(vendors.update({ ...vendorCampaign, state: "idle" })) }
    })

  it.layer(adapter, SUITE)(`giving back mailboxes of a vendor (${name})`, (it) => {
    it.effect("what was taken over sends no more, and any workspace may take it over, this one too", () =>
      Effect.gen(function* () {
        const sendings = yield* SendingStore
        const [one, other] = [yield* live, yield* live]
        const [first = "", second = ""] = yield* given(2)
        yield* adopt(one, null)
        const report = yield* release(one, [` ${first.toUpperCase()}`, first])
        assert.deepStrictEqual([report.released.map(({ address }) => address), report.refused], [[first], []])
        const active = yield* sendings.activeMailboxes(one)
        assert.deepStrictEqual(
          active.map(({ address }) => address),
          [second]
        )
        const told = yield* pausesOf(one)
        assert.deepStrictEqual(
          told.map(({ detail }) => detail),
          [{ mailbox: first, reason: "released" }]
        )
        assert.deepStrictEqual((yield* release(one, [first])).refused, [{ address: first, why: "unknown" }])
        assert.lengthOf((yield* adopt(other, [first])).adopted, 1)
        assert.lengthOf((yield* release(other, [first])).released, 1)
        assert.lengthOf((yield* adopt(one, [first])).adopted, 1)
        assert.lengthOf(yield* sendings.activeMailboxes(one), 2)
      })
    )

    it.effect("what was bought, is an own one, or is another workspace's stays", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        const [one, other] = [yield* live, yield* live]
        const [theirs = "", bought = "", own = ""] = yield* given(3)
        yield* adopt(other, [theirs])
        yield* atomically(
          sendings.insertMailboxes([
            makeMailbox({ workspaceId: one, address: bought }),
            makeMailbox({ workspaceId: one, address: own, kind: "own", operationId: null, upkeepPaidUntilMillis: null })
          ])
        )
        const report = yield* release(one, [theirs, bought, own])
        assert.isEmpty(report.released)
        assert.deepStrictEqual(
          report.refused.map(({ why }) => why),
          ["unknown", "bought", "own"]
        )
        assert.lengthOf(yield* sendings.activeMailboxes(one), 2)
        assert.lengthOf(yield* sendings.activeMailboxes(other), 1)
        const nowhere = yield* Effect.flip(release(freshId(), [theirs]))
        assert.strictEqual(isWireError(nowhere) ? nowhere.code : null, "not_found")
      })
    )

    it.effect("none is given back while the vendor may be sending a campaign of its workspace from it", () =>
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        const sendings = yield* SendingStore
        const workspaceId = yield* live
        const [, second = ""] = yield* given(2)
        yield* adopt(workspaceId, null)
        const { campaignId, isStopped } = yield* sentByVendor(workspaceId)
        const refused = yield* Effect.flip(release(workspaceId, [second]))
        assert.strictEqual(isWireError(refused) ? refused.code : null, "invalid_request")
        assert.isEmpty(yield* pausesOf(workspaceId))

        const asked = yield* release(workspaceId, [second], true)
        assert.deepStrictEqual([asked.released, asked.stopping], [[], [campaignId]])
        const campaign = Option.getOrNull(yield* campaigns.get(workspaceId, campaignId))
        assert.deepInclude(campaign, { state: "paused", pauseReason: "capacity" })
        assert.deepStrictEqual(
          (yield* pausesOf(workspaceId)).map(({ kind }) => kind),
          ["pause_requested"]
        )
        assert.deepStrictEqual((yield* release(workspaceId, [second])).stopping, [campaignId])
        assert.lengthOf(yield* sendings.activeMailboxes(workspaceId), 2)

        yield* isStopped
        assert.lengthOf((yield* release(workspaceId, [second])).released, 1)
        assert.lengthOf(yield* sendings.activeMailboxes(workspaceId), 1)
      })
    )
  })

  it.layer(adapter, SUITE)(`taking over mailboxes of a vendor (${name})`, (it) => {
    it.effect("those that are named become active mailboxes of the workspace, which nothing ordered", () =>
      Effect.gen(function* () {
        const sendings = yield* SendingStore
        const workspaceId = yield* live
        const [first = "", second = "", third = ""] = yield* given(3)
        const report = yield* adopt(workspaceId, [first.toUpperCase(), second, "nobody@there.test"])
        assert.deepStrictEqual(report.adopted.map(({ address }) => address).sort(), [first, second].sort())
        assert.deepStrictEqual(report.refused, [{ address: "nobody@there.test", why: "unknown" }])
        const active = yield* sendings.activeMailboxes(workspaceId)
        assert.sameMembers(
          active.map(({ address }) => address),
          [first, second]
        )
        for (const one of active) {
          assert.deepInclude(one, {
            kind: "purchased",
            operationId: null,
            state: "active",
            domain: "at-vendor.test",
            upkeepPaidUntilMillis: null
          })
          assert.isNotEmpty(one.displayName)
        }
        const candidates = yield* Effect.flatMap(MailboxAdoption, (adoption) => adoption.candidates(workspaceId))
        assert.deepStrictEqual(
          new Map(candidates.map(({ address, standing }) => [address, standing])),
          new Map([
            [first, "ours"],
            [second, "ours"],
            [third, "free"]
          ])
        )
      })
    )

    it.effect("asked again it takes nothing more, and it is told of once", () =>
      Effect.gen(function* () {
        const workspaceId = yield* live
        const addresses = yield* given(2)
        yield* adopt(workspaceId, null)
        const again = yield* adopt(workspaceId, null)
        assert.isEmpty(again.adopted)
        assert.sameMembers([...again.kept], addresses)
        const events = yield* (yield* TrailStore).page({
          workspaceId,
          campaignId: null,
          email: null,
          kinds: ["mailbox_active"],
          sinceMillis: null,
          untilMillis: null,
          limit: 10,
          after: null
        })
        assert.lengthOf(events, 2)
      })
    )

    it.effect("a mailbox costs no upkeep, however long it is there", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspaceId = yield* live
        yield* given(1)
        yield* adopt(workspaceId, null)
        const due = yield* atomically((yield* SendingStore).lockUpkeepDue(Date.UTC(2100, 0, 1), 1_000, null))
        assert.isEmpty(due.filter((mailbox) => mailbox.workspaceId === workspaceId))
      })
    )

    it.effect("a mailbox is never in two workspaces, even if both adopt it at the same time", () =>
      Effect.gen(function* () {
        const sendings = yield* SendingStore
        const workspaces = yield* Effect.replicateEffect(live, 6)
        const addresses = yield* given(5)
        const adoption = yield* MailboxAdoption
        // The first one must not finish before the others have a connection.
        yield* Effect.forEach(workspaces, adoption.candidates, { concurrency: "unbounded" })
        const reports = yield* Effect.forEach([...workspaces, ...workspaces], (one) => adopt(one, null), {
          concurrency: "unbounded"
        })
        const adopted = reports.flatMap((report) => report.adopted.map(({ address }) => address))
        assert.lengthOf(adopted, 5)
        assert.sameMembers(adopted, addresses)
        const held = yield* Effect.forEach(workspaces, sendings.activeMailboxes)
        assert.lengthOf(held.flat(), 5)
      })
    )

    it.effect("neither what another workspace bought or connected is taken, nor what can't send", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        const [one, other] = [yield* live, yield* live]
        const [bought = "", own = ""] = yield* given(2)
        const theirs = { workspaceId: other, upkeepPaidUntilMillis: null }
        yield* atomically(
          sendings.insertMailboxes([
            makeMailbox({ ...theirs, address: bought }),
            makeMailbox({ ...theirs, address: own, kind: "own", operationId: null })
          ])
        )
        const taken = yield* adopt(one, [bought, own])
        assert.isEmpty(taken.adopted)
        assert.deepStrictEqual(
          taken.refused.map(({ why }) => why),
          ["taken", "taken"]
        )
        const [broken = ""] = yield* given(1, false)
        assert.deepStrictEqual((yield* adopt(one, [broken])).refused, [{ address: broken, why: "inactive" }])
      })
    )

    it.effect("a sandbox has nothing to take over", () =>
      Effect.gen(function* () {
        yield* given(1)
        const { workspaceId } = yield* givenWorkspace({ kind: "sandbox" })
        const refused = yield* Effect.flip(adopt(workspaceId, null))
        assert.strictEqual(isWireError(refused) ? refused.code : null, "invalid_request")
      })
    )
  })
}

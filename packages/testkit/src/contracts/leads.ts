import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { type Campaign, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Exit, type Layer, Struct } from "effect"
import { addressHashOf, DAY, freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { givenLaunched, givenMailboxes, makeLead } from "./outboundFixtures.js"
import { given, inEveryState, leadOf, move, statesOf } from "./campaignFixtures.js"

type Stores = ApprovalStore | CampaignStore | SendingStore | UnitOfWork | WorkspaceStore

/** What every store of campaigns guarantees of the people in them. */
export const leadsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`leads (${name})`, (it) => {
    it.effect("leads that come later are leads like the first, and are counted and recognised in whatever state", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaign, campaignId, ids, workspaceId } = yield* inEveryState
        const elsewhere = yield* given(["later@x.test"], {}, workspaceId)
        const [later, never] = [makeLead(workspaceId, "later@x.test"), makeLead(workspaceId, "never@x.test")]
        const removed = addressHashOf(workspaceId, "removed@x.test")
        const hashes = [removed, later.addressHash, never.addressHash]
        assert.deepStrictEqual([...(yield* store.present(workspaceId, campaignId, hashes))], [removed])
        yield* atomically(store.addLeads(campaign, [later]))
        yield* atomically(store.addLeads(campaign, []))
        assert.sameMembers([...(yield* store.present(workspaceId, campaignId, hashes))], [removed, later.addressHash])
        assert.strictEqual(yield* store.countLeads(workspaceId, campaignId), ids.size + 1)
        assert.strictEqual(yield* store.countLeads(workspaceId, elsewhere.campaignId), 1)
        const { approvalId, mailboxId, nextAtMillis, state, stepsSent } = yield* leadOf(
          workspaceId,
          later.campaignLeadId
        )
        assert.deepStrictEqual(
          [state, approvalId, mailboxId, stepsSent, nextAtMillis],
          ["pending", null, null, 0, null]
        )
        for (const owner of [(yield* givenWorkspace()).workspaceId, freshId()]) {
          assert.strictEqual(yield* store.countLeads(owner, campaignId), 0)
          assert.strictEqual((yield* store.present(owner, campaignId, hashes)).size, 0)
        }
        const stays = yield* Effect.exit(
          atomically(Effect.andThen(store.addLeads(campaign, [never]), Effect.fail("rolled back")))
        )
        assert.isTrue(Exit.isFailure(stays))
        assert.strictEqual(yield* store.countLeads(workspaceId, campaignId), ids.size + 1)
      })
    )

    it.effect("leads are found by their states, in the order of their ids", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { campaignId, leads, workspaceId } = yield* given(["c@x.test", "a@x.test", "b@x.test", "d@x.test"])
        yield* move(workspaceId, leads[1]?.campaignLeadId ?? "", "ready")
        const addresses = ({ addressHash, campaignLeadId, email }: (typeof leads)[number]) => ({
          campaignLeadId,
          email,
          addressHash
        })
        const of = (states: ReadonlyArray<LeadState>) => store.leadsIn(workspaceId, campaignId, states)
        assert.deepStrictEqual(yield* of(["pending", "ready"]), leads.map(addresses))
        assert.deepStrictEqual(yield* of(["ready"]), leads.slice(1, 2).map(addresses))
        assert.deepStrictEqual(yield* of(["failed"]), [])
        assert.deepStrictEqual(yield* of([]), [])
        const first = yield* store.firstLeads(workspaceId, campaignId, ["pending"], 2)
        assert.deepStrictEqual(
          first.map(({ email }) => email),
          ["c@x.test", "b@x.test"]
        )
      })
    )

    it.effect("whom a campaign may still write to is read by id, as it is kept", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaignId, ids, workspaceId } = yield* inEveryState
        const active = yield* leadOf(workspaceId, ids.get("active") ?? "")
        yield* atomically(
          store.updateLead({
            ...active,
            stepsSent: 1,
            nextAtMillis: NOON + 7,
            mailboxId: freshId(),
            approvalId: freshId()
          })
        )
        const open = yield* store.firstLeads(workspaceId, campaignId, LeadMachine.in.open, 9)
        assert.sameMembers(
          open.map(({ state }) => state),
          ["pending", "ready", "active"]
        )
        const kept = open.map(
          Struct.pick([
            ...(["campaignLeadId", "email", "addressHash", "state", "mailboxId", "stepsSent"] as const),
            ...(["nextAtMillis", "hours"] as const)
          ])
        )
        assert.deepStrictEqual(yield* store.openLeads(workspaceId, campaignId, 9), kept)
        assert.deepStrictEqual(yield* store.openLeads(workspaceId, campaignId, 2), kept.slice(0, 2))
        assert.deepStrictEqual(yield* store.openLeads(freshId(), campaignId, 9), [])
      })
    )

    it.effect("removing takes out whom the table says, and nothing is due for them any more", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { ids, workspaceId } = yield* inEveryState
        const active = yield* leadOf(workspaceId, ids.get("active") ?? "")
        yield* atomically(store.updateLead({ ...active, stepsSent: 1, nextAtMillis: NOON }))
        yield* atomically(store.removeLeads(workspaceId, [...ids.values(), freshId()]))
        assert.deepStrictEqual(yield* statesOf(workspaceId, ids), {
          pending: "removed",
          ready: "removed",
          active: "removed",
          replied: "replied",
          bounced: "bounced",
          unsubscribed: "unsubscribed",
          removed: "removed",
          finished: "removed",
          failed: "removed"
        })
        assert.isNull((yield* leadOf(workspaceId, active.campaignLeadId)).nextAtMillis)
      })
    )

    it.effect("covering makes pending leads ready and due, and reaches nobody who has ended", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaignId, ids, workspaceId } = yield* inEveryState
        const [approvalId, mailboxId] = [freshId(), freshId()]
        const words = { language: "de" as const, notice: "0123456789abcdef", isLinked: false }
        const covers = [...ids.values()].map((campaignLeadId) => ({
          campaignLeadId,
          mailboxId,
          words,
          nextAtMillis: NOON
        }))
        yield* atomically(store.coverLeads(workspaceId, campaignId, approvalId, covers))
        const after = yield* statesOf(workspaceId, ids)
        assert.deepStrictEqual(
          { ...after },
          Object.fromEntries([...ids.keys()].map((state) => [state, state === "pending" ? "ready" : state]))
        )
        for (const [state, id] of ids) {
          const lead = yield* leadOf(workspaceId, id)
          const covered = state === "pending" || state === "ready" || state === "active"
          assert.strictEqual(lead.approvalId, covered ? approvalId : null, state)
          assert.strictEqual(lead.nextAtMillis, covered ? NOON : null, state)
          assert.deepStrictEqual(lead.words, covered ? words : null, state)
        }
      })
    )

    it.effect("covering again leaves a person who was written to with their mailbox and their due time", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const { campaign, leads } = yield* givenLaunched(workspaceId, mailboxes, ["a@x.test", "b@x.test"])
        const [written = "", fresh = ""] = leads.map(({ campaignLeadId }) => campaignLeadId)
        const lead = yield* leadOf(workspaceId, written)
        const waiting = { ...lead, state: "active" as const, stepsSent: 1, nextAtMillis: NOON + DAY }
        yield* atomically(store.updateLead(waiting))
        const [approvalId, mailboxId] = [freshId(), freshId()]
        const covers = [written, fresh].map((campaignLeadId) => ({ campaignLeadId, mailboxId, nextAtMillis: NOON + 1 }))
        yield* atomically(store.coverLeads(workspaceId, campaign.campaignId, approvalId, covers))
        assert.deepStrictEqual(yield* leadOf(workspaceId, written), { ...waiting, approvalId })
        const after = yield* leadOf(workspaceId, fresh)
        assert.deepInclude(after, { state: "ready", approvalId, mailboxId, nextAtMillis: NOON + 1 })
      })
    )

    it.effect("covers of another campaign's leads reach nobody", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const first = yield* given(["a@x.test"])
        const second = yield* given(["b@x.test"], {}, first.workspaceId)
        const { workspaceId } = first
        const id = first.leads[0]?.campaignLeadId ?? ""
        const covers = [{ campaignLeadId: id, mailboxId: freshId(), nextAtMillis: NOON }]
        yield* atomically(store.coverLeads(workspaceId, second.campaignId, freshId(), covers))
        assert.deepInclude(yield* leadOf(workspaceId, id), { state: "pending", approvalId: null, nextAtMillis: null })
      })
    )

    it.effect("what is said of a person is kept with them", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { leads, workspaceId } = yield* given(["a@x.test"])
        const lead = yield* leadOf(workspaceId, leads[0]?.campaignLeadId ?? "")
        const said = { ...lead, interestStatus: "meeting_booked", providerSyncStatus: "pending" } as const
        yield* atomically(store.updateLead(said))
        assert.deepStrictEqual(yield* leadOf(workspaceId, lead.campaignLeadId), said)
      })
    )

    it.effect("a person is found in every campaign of the workspace that has not ended", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const of = (campaign: Partial<Campaign>, owner = workspaceId) =>
          given(["a@x.test", "b@x.test"], campaign, owner)
        const open = [
          yield* of({ state: "draft" }),
          yield* of({ state: "incomplete" }),
          yield* of({ state: "active" }),
          yield* of({ state: "paused", pauseReason: "owner" })
        ]
        yield* of({ state: "completed" })
        yield* of({}, other.workspaceId)
        const found = yield* atomically(store.lockLeadsOfAddress(workspaceId, addressHashOf(workspaceId, "a@x.test")))
        assert.deepStrictEqual(
          found.map(({ campaignLeadId }) => campaignLeadId),
          open.map(({ leads }) => leads[0]?.campaignLeadId ?? "")
        )
      })
    )
  })
}

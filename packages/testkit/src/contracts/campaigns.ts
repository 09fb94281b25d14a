import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/approvals/ApprovalStore.js"
import type { Campaign } from "@outbound/domain/campaigns/Campaign.js"
import { CampaignStore } from "@outbound/domain/campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "@outbound/domain/campaigns/LeadMachine.js"
import { UnitOfWork } from "@outbound/domain/ports/UnitOfWork.js"
import type { SendingStore } from "@outbound/domain/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/workspaces/WorkspaceStore.js"
import { Effect, Exit, type Layer, Option } from "effect"
import { addressHashOf, DAY, freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { givenLaunched, givenMailboxes, makeCampaign, makeLead } from "./outboundFixtures.js"

const RECIPIENTS_MAX = 5_000
const SWEEP_LIMIT = 1_000

type Stores = ApprovalStore | CampaignStore | SendingStore | UnitOfWork | WorkspaceStore

/** What every store of campaigns and their leads guarantees. */
export const campaignsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const given = (emails: ReadonlyArray<string>, campaign: Partial<Campaign> = {}, workspaceId?: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* CampaignStore
      const owner = workspaceId ?? (yield* givenWorkspace()).workspaceId
      const made = makeCampaign({ workspaceId: owner, ...campaign })
      const leads = emails.map((email) => makeLead(owner, email))
      yield* atomically(store.insert(made, leads))
      return { workspaceId: owner, campaign: made, campaignId: made.campaignId, leads }
    })

  const leadOf = (workspaceId: string, campaignLeadId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* CampaignStore
      return yield* Effect.flatten(atomically(store.lockLead(workspaceId, campaignLeadId)))
    })

  /** Puts a lead where its life has brought it. */
  const move = (workspaceId: string, campaignLeadId: string, ...states: ReadonlyArray<LeadState>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* CampaignStore
      for (const state of states) {
        const lead = yield* leadOf(workspaceId, campaignLeadId)
        yield* atomically(store.updateLead({ ...lead, state }))
      }
    })

  /** One lead in each of the states that a lead can be in. */
  const inEveryState = Effect.gen(function* () {
    const made = yield* given(LeadMachine.states.map((state) => `${state}@x.test`))
    const ids = new Map(LeadMachine.states.map((state, i) => [state, made.leads[i]?.campaignLeadId ?? ""]))
    for (const [state, id] of ids) {
      if (state === "pending") continue
      const path: ReadonlyArray<LeadState> = state === "ready" ? ["ready"] : ["ready", "active"]
      yield* move(made.workspaceId, id, ...path)
      if (state !== "ready" && state !== "active") yield* move(made.workspaceId, id, state)
    }
    return { ...made, ids }
  })

  const statesOf = (workspaceId: string, ids: ReadonlyMap<LeadState, string>) =>
    Effect.forEach([...ids], ([was, id]) =>
      Effect.map(leadOf(workspaceId, id), ({ state }) => [was, state] as const)
    ).pipe(Effect.map((entries) => Object.fromEntries(entries)))

  it.layer(adapter, SUITE)(`campaigns (${name})`, (it) => {
    it.effect("a campaign comes back as it was stored, and its leads are covered by nothing", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const campaign = makeCampaign({
          workspaceId,
          name: "Ünïcode \u{1F680}",
          state: "draft",
          sequence: [{ subject: 'A "quote"', body: "Line\nline {{custom.a b|x}}", waitDays: 0 }],
          schedule: { timezone: "Pacific/Auckland", days: ["sat", "sun"], startHour: 0, endHour: 24 },
          launchedAtMillis: null
        })
        const full = { ...makeLead(workspaceId, "full@x.test"), custom: { "a b": "ü", constructor: "1", "": "" } }
        const bare = { ...makeLead(workspaceId, "bare@x.test"), firstName: null, companyName: null, custom: {} }
        yield* atomically(store.insert(campaign, [full, bare]))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, campaign.campaignId)), campaign)
        const stored = { workspaceId, campaignId: campaign.campaignId, state: "pending", interestStatus: null } as const
        const open = { providerSyncStatus: null, approvalId: null, mailboxId: null, stepsSent: 0, nextAtMillis: null }
        assert.deepStrictEqual(
          yield* store.firstLeads(workspaceId, campaign.campaignId, ["pending"], 10),
          [full, bare].map((lead) => ({ ...lead, ...stored, ...open }))
        )
      })
    )

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
          atomically(Effect.zipRight(store.addLeads(campaign, [never]), Effect.fail("rolled back")))
        )
        assert.isTrue(Exit.isFailure(stays))
        assert.strictEqual(yield* store.countLeads(workspaceId, campaignId), ids.size + 1)
      })
    )

    it.effect("extending keeps a launch away only until it is done", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaignId, workspaceId } = yield* given(["a@x.test"])
        assert.isTrue(yield* atomically(store.holdToExtend(workspaceId, campaignId)))
        yield* atomically(store.holdToLaunch(workspaceId, campaignId))
        assert.isTrue(yield* atomically(store.holdToExtend(workspaceId, campaignId)))
      })
    )

    it.effect("another workspace's campaign and leads are as unknown as ones that never were", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaignId, leads, workspaceId } = yield* given(["a@x.test"])
        const other = yield* givenWorkspace()
        const id = leads[0]?.campaignLeadId ?? ""
        for (const owner of [other.workspaceId, freshId()]) {
          assert.isTrue(Option.isNone(yield* store.get(owner, campaignId)))
          assert.isTrue(Option.isNone(yield* atomically(store.lock(owner, campaignId))))
          assert.isTrue(Option.isNone(yield* atomically(store.lockLead(owner, id))))
          assert.deepStrictEqual(yield* store.leadsIn(owner, campaignId, LeadMachine.states), [])
          assert.deepStrictEqual(yield* store.firstLeads(owner, campaignId, LeadMachine.states, 9), [])
          yield* atomically(store.removeLeads(owner, [id]))
        }
        assert.strictEqual((yield* leadOf(workspaceId, id)).state, "pending")
      })
    )

    it.effect("a campaign's changes stand, and fall with their transaction", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaign, campaignId, workspaceId } = yield* given(["a@x.test"], {
          state: "draft",
          launchedAtMillis: null
        })
        const launched: Campaign = { ...campaign, state: "active", recipientsVersion: 2, launchedAtMillis: NOON }
        yield* Effect.either(atomically(Effect.zipRight(store.update(launched), Effect.fail("refused"))))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, campaignId)), campaign)
        yield* atomically(store.update(launched))
        const paused: Campaign = { ...launched, state: "paused", pauseReason: "killed" }
        yield* atomically(store.update(paused))
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lock(workspaceId, campaignId))), paused)
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

    it.effect("5,000 recipients come in at once", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const emails = Array.from({ length: RECIPIENTS_MAX }, (_, i) => `person-${i}@x.test`)
        const { campaignId, leads, workspaceId } = yield* given(emails)
        const found = yield* store.leadsIn(workspaceId, campaignId, ["pending"])
        assert.deepStrictEqual(
          found.map(({ email }) => email),
          emails
        )
        const { atomically } = yield* UnitOfWork
        yield* atomically(
          store.removeLeads(
            workspaceId,
            leads.map(({ campaignLeadId }) => campaignLeadId)
          )
        )
        assert.lengthOf(yield* store.leadsIn(workspaceId, campaignId, ["removed"]), RECIPIENTS_MAX)
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
        const covers = [...ids.values()].map((campaignLeadId) => ({ campaignLeadId, mailboxId, nextAtMillis: NOON }))
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

    it.effect("a campaign is done once nobody in it can be written to or may still answer in time", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { campaignId, ids, workspaceId } = yield* inEveryState
        const done = Effect.map(atomically(store.lockDone(SWEEP_LIMIT)), (found) =>
          found.filter((campaign) => campaign.workspaceId === workspaceId).map((campaign) => campaign.campaignId)
        )
        const paused = yield* given([], { state: "paused", pauseReason: "owner" }, workspaceId)
        const draft = yield* given([], { state: "draft" }, workspaceId)
        const end: ReadonlyArray<readonly [LeadState, LeadState]> = [
          ["pending", "removed"],
          ["ready", "failed"],
          ["active", "finished"]
        ]
        for (const [was, becomes] of end) {
          assert.deepStrictEqual(yield* done, [])
          yield* move(workspaceId, ids.get(was) ?? "", becomes)
        }
        assert.deepStrictEqual(yield* done, [campaignId])
        assert.notInclude(yield* done, paused.campaignId)
        assert.notInclude(yield* done, draft.campaignId)
      })
    )

    it.effect("the active campaigns of a workspace are found, by id", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const first = yield* given(["a@x.test"], {}, workspaceId)
        yield* given(["a@x.test"], { state: "draft" }, workspaceId)
        yield* given(["a@x.test"], { state: "paused", pauseReason: "owner" }, workspaceId)
        const second = yield* given(["a@x.test"], {}, workspaceId)
        yield* given(["a@x.test"], {}, other.workspaceId)
        assert.deepStrictEqual(yield* atomically(store.lockActive(workspaceId)), [first.campaign, second.campaign])
      })
    )
  })
}

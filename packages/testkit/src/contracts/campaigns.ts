import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { type Campaign, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { makeCampaign, makeLead } from "./outboundFixtures.js"
import { given, inEveryState, leadOf, move } from "./campaignFixtures.js"

const RECIPIENTS_MAX = 5_000
const SWEEP_LIMIT = 1_000

type Stores = ApprovalStore | CampaignStore | SendingStore | UnitOfWork | WorkspaceStore

/** What every store of campaigns guarantees. */
export const campaignsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
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
        const bare = {
          ...makeLead(workspaceId, "bare@x.test"),
          firstName: null,
          companyName: null,
          custom: {},
          origin: null
        }
        yield* atomically(store.insert(campaign, [full, bare]))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, campaign.campaignId)), campaign)
        const stored = { workspaceId, campaignId: campaign.campaignId, state: "pending", interestStatus: null } as const
        const unsent = {
          approvalId: null,
          mailboxId: null,
          hours: null,
          variants: null,
          words: null,
          stepsSent: 0,
          nextAtMillis: null
        }
        const open = { providerSyncStatus: null, ...unsent }
        assert.deepStrictEqual(
          yield* store.firstLeads(workspaceId, campaign.campaignId, ["pending"], 10),
          [full, bare].map((lead) => ({ ...lead, ...stored, ...open }))
        )
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
        yield* Effect.result(atomically(Effect.andThen(store.update(launched), Effect.fail("refused"))))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, campaignId)), campaign)
        yield* atomically(store.update(launched))
        const paused: Campaign = { ...launched, state: "paused", pauseReason: "killed" }
        yield* atomically(store.update(paused))
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lock(workspaceId, campaignId))), paused)
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

    it.effect(
      "names and addresses at a domain are those of its own leads there, in the states that are asked for",
      () =>
        Effect.gen(function* () {
          const store = yield* CampaignStore
          const emails = [
            "ada@a-firm.test",
            "bo@a-firm.test",
            "cy@mail.a-firm.test",
            "di@not-a-firm.test",
            "ed@a-firm.test"
          ]
          const { leads, workspaceId } = yield* given(emails)
          const other = yield* given(["fay@a-firm.test"])
          for (const { campaignLeadId } of leads) yield* move(workspaceId, campaignLeadId, "ready", "active", "replied")
          const gone = yield* given(["gus@a-firm.test"], {}, workspaceId)
          const namesAt = (limit: number) =>
            Effect.map(store.namesAt(workspaceId, "a-firm.test", ["replied"], limit), (found) =>
              found.map(({ email }) => email)
            )
          assert.deepStrictEqual(yield* namesAt(10), ["ada@a-firm.test", "ed@a-firm.test", "bo@a-firm.test"])
          assert.lengthOf(yield* namesAt(2), 2)
          assert.deepStrictEqual(yield* store.namesAt(other.workspaceId, "a-firm.test", ["replied"], 10), [])
          assert.deepStrictEqual(
            yield* store.namesAt(workspaceId, "a-firm.test", ["pending"], 10),
            gone.leads.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))
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

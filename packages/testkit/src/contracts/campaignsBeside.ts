import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type Campaign, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { given, leadOf, move } from "./campaignFixtures.js"
import { DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | SendingStore | UnitOfWork | WorkspaceStore

/** What is done to a campaign, or to somebody in it, is done to no other one. */
export const campaignsBesideContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  /** Two campaigns of one workspace, to the same people. */
  const two = Effect.gen(function* () {
    const emails = ["ann@x.test", "bob@x.test"]
    const one = yield* given(emails)
    const other = yield* given(emails, {}, one.workspaceId)
    return { one, other, workspaceId: one.workspaceId }
  })

  const idsOf = (leads: ReadonlyArray<{ readonly campaignLeadId: string }>) => leads.map((lead) => lead.campaignLeadId)

  it.layer(adapter, SUITE)(`campaigns side by side (${name})`, (it) => {
    it.effect("what changes is one campaign, and one person in it", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { one, other, workspaceId } = yield* two
        const changed: Campaign = { ...one.campaign, state: "paused", pauseReason: "owner", recipientsVersion: 2 }
        yield* within(store.update(changed))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, one.campaignId)), changed)
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, other.campaignId)), other.campaign)
        const [ann = "", bob = ""] = idsOf(one.leads)
        const [annAgain = "", bobAgain = ""] = idsOf(other.leads)
        yield* within(store.removeLeads(workspaceId, [ann, bobAgain]))
        yield* move(workspaceId, bob, "ready")
        const found = yield* Effect.forEach([ann, bob, annAgain, bobAgain], (id) => leadOf(workspaceId, id))
        assert.deepStrictEqual(
          found.map(({ state }) => state),
          ["removed", "ready", "pending", "removed"]
        )
      })
    )

    it.effect("its people are read by their campaign and their states, the first of them, and by its address", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { one, other, workspaceId } = yield* two
        const hashes = one.leads.map(({ addressHash }) => addressHash)
        const [ann = "", bob = ""] = idsOf(one.leads)
        yield* move(workspaceId, ann, "ready")
        const in_ = (of: typeof one, states: ReadonlyArray<"pending" | "ready">) =>
          Effect.map(store.leadsIn(workspaceId, of.campaignId, states), idsOf)
        assert.deepStrictEqual(yield* in_(one, ["ready"]), [ann])
        assert.deepStrictEqual(yield* in_(one, ["pending"]), [bob])
        assert.deepStrictEqual(yield* in_(other, ["ready"]), [])
        const first = (limit: number) =>
          Effect.map(store.firstLeads(workspaceId, one.campaignId, ["ready", "pending"], limit), idsOf)
        assert.deepStrictEqual([yield* first(1), yield* first(9)], [[ann], [ann, bob]])
        assert.deepStrictEqual(idsOf(yield* store.openLeads(workspaceId, one.campaignId, 9)), [ann, bob])
        const alone = yield* given(["ann@x.test"], {}, workspaceId)
        assert.deepStrictEqual([...(yield* store.present(workspaceId, alone.campaignId, hashes))], hashes.slice(0, 1))
        assert.strictEqual(yield* store.countLeads(workspaceId, alone.campaignId), 1)
        const [, hash = ""] = hashes
        const at = yield* within(store.lockLeadsOfAddress(workspaceId, hash))
        assert.deepStrictEqual(idsOf(at), [bob, idsOf(other.leads)[1] ?? ""])
        const these = yield* store.these(workspaceId, [alone.campaignId, one.campaignId])
        assert.deepStrictEqual(
          these.map(({ campaignId }) => campaignId),
          [one.campaignId, alone.campaignId]
        )
      })
    )

    it.effect("a mailbox is bound to one campaign, by its address in its own workspace", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { one, other, workspaceId } = yield* two
        const elsewhere = yield* givenWorkspace()
        const [mailbox, second] = yield* givenMailboxes(workspaceId, 2)
        const address = mailbox!.address
        yield* givenMailboxes(elsewhere.workspaceId, 1, { address })
        yield* within(store.bindMailboxes(workspaceId, one.campaignId, [address], NOON))
        const bound = (of: typeof one) => Effect.map(store.mailboxIds(workspaceId, of.campaignId), (ids) => [...ids])
        assert.deepStrictEqual(yield* bound(one), [mailbox!.mailboxId])
        assert.deepStrictEqual(yield* bound(other), [])
        yield* within(store.bindMailboxes(workspaceId, one.campaignId, [second!.address], NOON + 1))
        assert.sameMembers(yield* bound(one), [mailbox!.mailboxId, second!.mailboxId])
      })
    )

    it.effect("a mailbox that is added takes every so many of those to whom nothing was sent, and nobody else", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const [first, added] = yield* givenMailboxes(workspaceId, 2)
        const emails = Array.from({ length: 9 }, (_, index) => `person-${index}@x.test`)
        const { campaign, leads } = yield* givenLaunched(workspaceId, [first!], emails)
        const other = yield* givenLaunched(workspaceId, [first!], ["other-1@x.test", "other-2@x.test"], {
          nextAtMillis: NOON + DAY
        })
        // The first five are written to: one message left, one may have, one did not, one is under way.
        const claims = yield* Effect.map(claimsOf(workspaceId), (all) =>
          all.toSorted((a, b) => (a.lead.campaignLeadId < b.lead.campaignLeadId ? -1 : 1))
        )
        assert.lengthOf(claims, 9)
        yield* end(claims[0]!, "sent", NOON + DAY)
        yield* end(claims[1]!, "unknown")
        for (const claim of claims.slice(3)) yield* end(claim, "failed")
        yield* within(
          Effect.flatMap(leadOf(workspaceId, leads[3]!.campaignLeadId), (lead) =>
            store.updateLead({ ...lead, state: "replied", nextAtMillis: null })
          )
        )
        yield* within(store.shareLeads(workspaceId, campaign.campaignId, added!.mailboxId, 2))
        const isAdded = (of: typeof leads) =>
          Effect.forEach(of, ({ campaignLeadId }) =>
            Effect.map(leadOf(workspaceId, campaignLeadId), ({ mailboxId }) => mailboxId === added!.mailboxId)
          )
        // Of those who are left, the sixth and the eighth are the second and the fourth.
        const indexes = (yield* isAdded(leads)).flatMap((isTheirs, index) => (isTheirs ? [index] : []))
        assert.deepStrictEqual(indexes, [5, 7])
        assert.deepStrictEqual(yield* isAdded(other.leads), [false, false])
      })
    )

    it.effect("a rule is on where it was switched on, in campaigns that were launched and are not over", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const rule = (isOn: boolean) => ({ isOn, approvalId: freshId(), sinceMillis: NOON, choices: [] })
        const of = (campaign: Partial<Campaign>) => given(["ann@x.test"], campaign, workspaceId)
        const active = yield* of({ winnerRule: rule(true) })
        const off = yield* of({ winnerRule: rule(false) })
        const none = yield* of({})
        const paused = yield* of({ winnerRule: rule(true), state: "paused", pauseReason: "owner" })
        const over = yield* of({ winnerRule: rule(true), state: "completed" })
        const draft = yield* of({ winnerRule: rule(true), state: "draft" })
        const all = [active, off, none, paused, over, draft]
        const isOn = yield* Effect.forEach(all, ({ campaignId }) => store.hasWinnerRule(workspaceId, campaignId))
        assert.deepStrictEqual(isOn, [true, false, false, true, true, true])
        assert.isFalse(yield* store.hasWinnerRule(freshId(), active.campaignId))
        const under = (limit: number) =>
          Effect.map(store.underWinnerRule(limit), (found) => found.map(({ campaignId }) => campaignId))
        const ours = all.map(({ campaignId }) => campaignId)
        assert.deepStrictEqual(
          (yield* under(1_000)).filter((id) => ours.includes(id)),
          [paused.campaignId, active.campaignId]
        )
        assert.lengthOf(yield* under(1), 1)
      })
    )

    it.effect("answers count for the variant that a person of the campaign was sent last", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const sequence = [
          { subject: "Hi", body: "One", waitDays: 0, otherVariants: [{ subject: "Hi", body: "Other" }] },
          { subject: null, body: "Any news?", waitDays: 3 }
        ]
        const people = (who: string) => Array.from({ length: 4 }, (_, index) => `${who}-${index}@x.test`)
        const launch = (who: string) =>
          givenLaunched(workspaceId, mailboxes, people(who), { campaign: { sequence } as Partial<Campaign> })
        const [ours, theirs] = [yield* launch("ours"), yield* launch("theirs")]
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 8)
        for (const claim of claims) yield* end(claim, "sent", NOON + DAY)
        const answer = (campaignLeadId: string, state: "replied" | "bounced") =>
          within(
            Effect.flatMap(leadOf(workspaceId, campaignLeadId), (lead) =>
              store.updateLead({ ...lead, state, nextAtMillis: null })
            )
          )
        const variantOf = (campaignLeadId: string) =>
          claims.find(({ lead }) => lead.campaignLeadId === campaignLeadId)?.message.variant ?? null
        for (const { campaignLeadId } of ours.leads.slice(0, 3)) yield* answer(campaignLeadId, "replied")
        yield* answer(ours.leads[3]!.campaignLeadId, "bounced")
        const expected = [0, 1].flatMap((variant) => {
          const answers = ours.leads.slice(0, 3).filter((lead) => variantOf(lead.campaignLeadId) === variant).length
          return answers === 0 ? [] : [{ stepIndex: 0, variant, answers }]
        })
        const found = yield* store.answers(workspaceId, ours.campaign.campaignId)
        assert.sameDeepMembers([...found], expected)
        assert.isEmpty(yield* store.answers(workspaceId, theirs.campaign.campaignId))
        assert.isEmpty(yield* store.answers(freshId(), ours.campaign.campaignId))
      })
    )

    it.effect("whom a campaign owes a message, and whom the others that run, soonest due first", () =>
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const elsewhere = yield* givenWorkspace()
        const [mailbox, paused] = yield* givenMailboxes(workspaceId, 2)
        const launch = (emails: ReadonlyArray<string>, more: Parameters<typeof givenLaunched>[3] = {}, on = mailbox!) =>
          givenLaunched(workspaceId, [on], emails, more)
        const ours = yield* launch(["ann@x.test", "bob@x.test", "cid@x.test"])
        const later = yield* leadOf(workspaceId, ours.leads[0]!.campaignLeadId)
        yield* within(store.updateLead({ ...later, nextAtMillis: NOON + HOUR }))
        yield* move(workspaceId, ours.leads[2]!.campaignLeadId, "replied")
        const beside = yield* launch(["dan@x.test", "eve@x.test"], { nextAtMillis: NOON })
        const done = yield* leadOf(workspaceId, beside.leads[1]!.campaignLeadId)
        yield* within(store.updateLead({ ...done, state: "active", stepsSent: 2 }))
        yield* launch(["fay@x.test"], { campaign: { state: "paused", pauseReason: "owner" } })
        yield* launch(["gus@x.test"], {}, paused!)
        yield* within(sending.updateMailboxes([{ ...paused!, state: "paused", pauseReason: "owner" }]))
        yield* givenLaunched(elsewhere.workspaceId, yield* givenMailboxes(elsewhere.workspaceId, 1), ["hal@x.test"])
        yield* given(["ida@x.test"], {}, workspaceId)
        const waiting = (which: Parameters<typeof store.waiting>[1], limit = 9) =>
          Effect.map(store.waiting(workspaceId, which, limit), (found) => found.map(({ email }) => email))
        const of = { of: ours.campaign.campaignId }
        assert.deepStrictEqual(yield* waiting(of), ["bob@x.test", "ann@x.test"])
        assert.deepStrictEqual(yield* waiting(of, 1), ["bob@x.test"])
        assert.deepStrictEqual(yield* waiting({ besides: ours.campaign.campaignId }), ["dan@x.test"])
        assert.deepStrictEqual(yield* waiting({ besides: freshId() }), ["bob@x.test", "dan@x.test", "ann@x.test"])
      })
    )
  })
}

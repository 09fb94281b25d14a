import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { ValueEvidence } from "@outbound/domain/kernel/sequences/evidence.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore, type NewLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { EvidenceStore } from "@outbound/domain/outreach/evidence/EvidenceStore.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Effect, type Layer } from "effect"
import { admitted, anAttempt, claimOf, givenCaller, outcomeOf, settlementOf } from "./calls.js"
import { freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { givenList } from "./listRows.js"
import { makeApproval, makeCampaign, makeLead } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CallJournal
  | CampaignStore
  | ContentStore
  | CreditStore
  | EvidenceStore
  | KeyStore
  | ListStore
  | OperationStore
  | UnitOfWork
  | WorkspaceStore

const within = <A>(write: Effect.Effect<A, StoreUnavailable, Tx>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

const evidenceOf = (variable: string, given: Partial<ValueEvidence> = {}): ValueEvidence => ({
  variable,
  requestId: null,
  url: "https://yes.test/about",
  excerpt: "So it is.",
  seenAt: "2026-03-01",
  finding: null,
  ...given
})

const FOUND = { kind: "found", reason: "other_value", datedAt: "2026-02-03", readFrom: "https://yes.test" } as const

/** A campaign with these people. */
const givenPeople = (workspaceId: string, ...people: ReadonlyArray<Partial<NewLead>>) =>
  Effect.gen(function* () {
    const campaign = makeCampaign({ workspaceId, state: "draft", launchedAtMillis: null })
    const leads = people.map((given, at) => ({ ...makeLead(workspaceId, `person-${at}@x.test`), ...given }))
    yield* within((yield* CampaignStore).insert(campaign, leads))
    return { campaignId: campaign.campaignId, ids: leads.map(({ campaignLeadId }) => campaignLeadId), leads }
  })

/** What every store of evidence guarantees: what it is checked against, and what was found of whom. */
export const evidenceRowsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`evidence (${name})`, (it) => {
    it.effect("a call that has ended says what is kept of its answer, in its own workspace", () =>
      Effect.gen(function* () {
        const [store, journal] = [yield* EvidenceStore, yield* CallJournal]
        const [us, them] = [yield* givenCaller("100"), yield* givenCaller("100")]
        const call = (body: string | null, httpStatus: number, { keyHash } = us, requestId = freshId()) =>
          Effect.gen(function* () {
            const idempotency = body === null ? null : claimOf(freshId(), "body")
            const one = yield* admitted(anAttempt(keyHash, { requestId, idempotency }))
            const outcome = body === null ? null : { ...outcomeOf(one, body), httpStatus }
            const status = httpStatus < 300 ? ("succeeded" as const) : ("failed" as const)
            const errorCode = httpStatus < 300 ? null : ("internal" as const)
            yield* journal.settle(settlementOf(one, { status, httpStatus, errorCode, outcome }))
            return requestId
          })
        const [kept, odd, bare] = [yield* call("{}", 200), yield* call("[]", 299), yield* call(null, 200)]
        const [moved, failed, theirs] = [yield* call("{}", 300), yield* call("{}", 502), yield* call("{}", 200, them)]
        const open = yield* admitted(anAttempt(us.keyHash))
        const asked = [kept, odd, bare, moved, failed, theirs, open.requestId, freshId()]
        const said = (requestId: string, isOk: boolean, ...bodies: ReadonlyArray<string>) => ({
          requestId,
          verb: "verify_email",
          isOk,
          bodies,
          atMillis: NOON
        })
        assert.sameDeepMembers<unknown>(
          [...(yield* store.answers(us.workspaceId, asked))],
          [said(kept, true, "{}"), said(odd, true, "[]"), said(bare, true), said(moved, false), said(failed, false)]
        )
        assert.deepStrictEqual(yield* store.answers(us.workspaceId, []), [])
      })
    )

    it.effect("the answer of a list is all of its rows' that are done, in their order; a row's is its own", () =>
      Effect.gen(function* () {
        const [store, journal, lists] = [yield* EvidenceStore, yield* CallJournal, yield* ListStore]
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const [list, beside] = [yield* givenList(4, workspaceId), yield* givenList(1, workspaceId)]
        const rowIds = list.rows.map(({ rowId }) => rowId)
        const end = (rowId: string, state: "done" | "failed", body: string | null) =>
          within(lists.end({ workspaceId, rowId, charged: credits("0.1"), body }, state, NOON))
        yield* within(lists.begin(workspaceId, [...rowIds, beside.rows[0]!.rowId]))
        yield* end(rowIds[2]!, "done", '{"row":2}')
        yield* end(rowIds[0]!, "done", '{"row":0}')
        yield* end(rowIds[1]!, "failed", '{"row":1}')
        yield* end(rowIds[3]!, "done", null)
        yield* end(beside.rows[0]!.rowId, "done", '{"row":"else"}')
        for (const requestId of [list.operationId, rowIds[0]!]) {
          const call = yield* admitted(anAttempt(keyHash, { requestId }))
          yield* journal.settle(settlementOf(call, { charge: zero }))
        }
        const found = yield* store.answers(workspaceId, [list.operationId, rowIds[0]!])
        const bodies = new Map(
          found.map(({ bodies, requestId }) => [requestId, bodies.map((text) => JSON.parse(text))])
        )
        assert.deepStrictEqual(bodies.get(list.operationId), [{ row: 0 }, { row: 2 }])
        assert.deepStrictEqual(bodies.get(rowIds[0]!), [{ row: 0 }])
      })
    )

    it.effect("evidence takes the place of what a lead came with, of that lead, and of none that came without", () =>
      Effect.gen(function* () {
        const store = yield* EvidenceStore
        const [{ workspaceId: us }, { workspaceId: them }] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const given = { evidence: [evidenceOf("first_name")] }
        const ours = yield* givenPeople(us, given, given, {})
        const without = yield* givenPeople(us, {})
        const theirs = yield* givenPeople(them, given)
        const looked = [evidenceOf("first_name", { finding: FOUND })]
        const ids = [ours.ids[0]!, ours.ids[2]!, theirs.ids[0]!]
        yield* within(
          store.keep(
            us,
            ids.map((campaignLeadId) => ({ campaignLeadId, evidence: looked }))
          )
        )
        const kept = (workspaceId: string, ...of: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const found = yield* store.valuesOf(workspaceId, of)
            return of.map((id) => found.find(({ campaignLeadId }) => campaignLeadId === id)?.evidence)
          })
        assert.deepStrictEqual(yield* kept(us, ...ours.ids), [looked, given.evidence, null])
        assert.deepStrictEqual(yield* kept(them, ...theirs.ids), [given.evidence])
        assert.deepStrictEqual(yield* kept(us, ...theirs.ids), [undefined])
        const isGiven = (workspaceId: string, campaignId: string) => store.isGiven(workspaceId, campaignId)
        assert.deepStrictEqual(
          [
            yield* isGiven(us, ours.campaignId),
            yield* isGiven(us, without.campaignId),
            yield* isGiven(us, theirs.campaignId),
            yield* isGiven(them, theirs.campaignId)
          ],
          [true, false, false, true]
        )
      })
    )

    it.effect("the values of the leads that were asked for are all that they have", () =>
      Effect.gen(function* () {
        const store = yield* EvidenceStore
        const { workspaceId } = yield* givenWorkspace()
        const { ids, leads } = yield* givenPeople(workspaceId, { lastName: "Ames" }, { firstName: "Bob" })
        const [found, ...others] = yield* store.valuesOf(workspaceId, [ids[1]!])
        const { campaignLeadId, companyName, custom, email, evidence, firstName, lastName } = leads[1]!
        assert.deepInclude({ ...found! }, { campaignLeadId, companyName, custom, email, evidence, firstName, lastName })
        assert.deepStrictEqual(others, [])
      })
    )

    it.effect("of each variable it is counted how many have a value, by what was found of it; blanks are none", () =>
      Effect.gen(function* () {
        const store = yield* EvidenceStore
        const { workspaceId } = yield* givenWorkspace()
        const found = evidenceOf("custom.team", { finding: FOUND })
        const people: ReadonlyArray<Partial<NewLead>> = [
          { lastName: "Ames", custom: { team: "Sales" }, evidence: [evidenceOf("email"), found] },
          { firstName: "Bob", companyName: "Acme", custom: { team: "Sales" }, evidence: [found] },
          { firstName: "\u2003 ", companyName: null, custom: { team: "\u00A0\t" }, evidence: [found] },
          { firstName: null, companyName: "", custom: {}, evidence: [evidenceOf("custom.team")] },
          { lastName: "", custom: { team: "\u200Bodd" }, evidence: [evidenceOf("custom.team")] },
          { custom: { team: "Law" } }
        ]
        const { campaignId } = yield* givenPeople(workspaceId, ...people)
        yield* givenPeople(workspaceId, ...people)
        const variables = ["first_name", "last_name", "company_name", "email", "custom.team", "custom.other"]
        const counts = (of: string, id: string, ...asked: ReadonlyArray<string>) =>
          Effect.map(store.ofCampaign(of, id, asked), (rows) => {
            const sums = new Map<string, number>()
            for (const { evidence, people: count, variable } of rows) {
              const says =
                evidence === null
                  ? "none"
                  : evidence.finding === null
                    ? `seen ${evidence.seenAt}`
                    : `${evidence.finding.kind} ${evidence.finding.reason} ${evidence.finding.datedAt} ${evidence.seenAt}`
              sums.set(`${variable}: ${says}`, (sums.get(`${variable}: ${says}`) ?? 0) + count)
            }
            return Object.fromEntries([...sums].toSorted())
          })
        assert.deepStrictEqual(yield* counts(workspaceId, campaignId, ...variables), {
          "company_name: none": 4,
          "custom.team: found other_value 2026-02-03 2026-03-01": 2,
          "custom.team: none": 1,
          "custom.team: seen 2026-03-01": 1,
          "email: none": 5,
          "email: seen 2026-03-01": 1,
          "first_name: none": 4,
          "last_name: none": 1
        })
        assert.deepStrictEqual(yield* counts(workspaceId, campaignId, "last_name"), { "last_name: none": 1 })
        assert.deepStrictEqual(yield* counts(freshId(), campaignId, ...variables), {})
      })
    )

    it.effect("an approval shows the evidence of its own people, and nothing of those who have none", () =>
      Effect.gen(function* () {
        const [store, content] = [yield* EvidenceStore, yield* ContentStore]
        const { workspaceId } = yield* givenWorkspace()
        const { workspaceId: elsewhere } = yield* givenWorkspace()
        const shown = (addressHash: string, evidence: ReadonlyArray<ValueEvidence> | null) => ({
          shownId: freshId(),
          addressHash,
          email: `${addressHash}@x.test`,
          firstName: null,
          lastName: null,
          companyName: null,
          custom: {},
          digest: "digest",
          words: null,
          looks: [],
          hosts: [],
          evidence: evidence && evidence.map((one) => ({ ...one, mark: "proven" as const }))
        })
        const approvals = [makeApproval({ workspaceId }), makeApproval({ workspaceId })]
        for (const approval of approvals) yield* within((yield* ApprovalStore).insert(approval))
        const [first, second] = approvals.map(({ approvalId }) => approvalId) as [string, string]
        const [one, other] = [[evidenceOf("email", { finding: FOUND })], [evidenceOf("email")]]
        yield* within(content.insert(workspaceId, first, [shown("ann", one), shown("bob", null)]))
        yield* within(content.insert(workspaceId, second, [shown("cem", other)]))
        const evidenceShown = (approvalId: string) =>
          Effect.map(store.shown(workspaceId, approvalId), (found) =>
            [...found].map(([of, all]) => [of, all.map(({ finding, variable }) => ({ finding, variable }))])
          )
        assert.deepStrictEqual<unknown>(yield* evidenceShown(first), [["ann", [{ finding: FOUND, variable: "email" }]]])
        assert.deepStrictEqual<unknown>(yield* evidenceShown(second), [["cem", [{ finding: null, variable: "email" }]]])
        assert.strictEqual((yield* store.shown(elsewhere, first)).size, 0)
      })
    )
  })
}

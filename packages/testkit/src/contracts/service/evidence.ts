import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type EvidenceRule } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import type { ValueEvidence } from "@outbound/domain/kernel/sequences/evidence.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { EvidenceStore } from "@outbound/domain/outreach/evidence/EvidenceStore.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Effect, type Layer } from "effect"
import type { Client } from "../../service/Client.js"
import { decide } from "../../service/Client.js"
import { Behaviour } from "../../providers/Faulty.js"
import { Faults } from "../../service/Service.js"
import { add, askLeads, dryRun, idOf } from "./addLeadsSupport.js"
import type { PersonFilesOnStores } from "./personFile.js"
import { askLaunch, draft, freshKey, launched, member, ok, pass, refused, sender, SUITE } from "./stories.js"

const READER = "sandbox_sites"
/** The clock of stories begins in 1970. */
const DAY = "1969-12-30"

/** The templates merge one statement. */
export const SEQUENCE = [{ subject: "A question", body: "I read this: {{custom.claim|nothing}}. Is it so?" }]

/** The sandbox's own page, and words that stand there. */
const PAGE = "https://yes-7.test/about"
const WORDS = "yes-7.test exists in the sandbox alone."
export const PROVEN = { url: PAGE, excerpt: WORDS, observed_at: DAY }

export const person = (tag: string, claim: string | null, evidence: JsonObject | null): JsonObject => ({
  email: `silent+${tag}@magic.test`,
  company_name: "Yes-7",
  ...(claim === null ? {} : { custom: { claim } }),
  ...(evidence === null ? {} : { evidence: { "custom.claim": evidence } })
})

const marked = (counts: JsonObject) => ({
  proven: 0,
  old: 0,
  altered: 0,
  not_found: 0,
  unchecked: 0,
  without_proof: 0,
  ...counts
})

const rule = ({ workspaceId }: Client, evidence: EvidenceRule) =>
  Effect.gen(function* () {
    const { setRules } = yield* RuleStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(setRules(workspaceId, { ...DEFAULT_RULES, evidence }))
  }).pipe(Effect.orDie)

/** A verification of this workspace: its id, and what it said of the address. */
const verified = (client: Client, email: string) =>
  Effect.map(client.call("verify_email", { email }, { key: freshKey() }), (answer) => ({
    requestId: ok(answer).svc.request_id as string,
    status: answer.result.status as string
  }))

const reader = (behaviour: Behaviour) => Effect.flatMap(Faults, ({ behave }) => behave(READER, behaviour))

/** While the reader of sites behaves so. */
const whileReader = <A, E, R>(behaviour: Behaviour, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    reader(behaviour),
    () => effect,
    () => reader(Behaviour.Answer())
  )

const shownTo = ({ workspaceId }: Client, approvalUrl: string) =>
  Effect.flatMap(ContentStore, (store) =>
    Effect.orDie(
      store.people(
        workspaceId,
        idOf(approvalUrl),
        { text: null, look: null, host: null, having: null },
        { after: null, limit: 100 }
      )
    )
  )

export type EvidenceOnStores = PersonFilesOnStores | ContentStore | EvidenceStore | RuleStore

/** Evidence of recipients' values: checked, marked, bound, and required (contract: campaigns, evidence). */
export const evidenceContract = <E>(name: string, service: Layer.Layer<EvidenceOnStores, E>): void => {
  describeLayer(service, SUITE)(`evidence (${name})`, (it) => {
    it.effect(
      "each merged value has the mark that its evidence earns, in the draft, the preview and the approval",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const { requestId, status } = yield* verified(client, "silent+call@magic.test")
          const other = yield* verified(yield* member(), "silent+call@magic.test")
          const call = { request_id: requestId, excerpt: `"status":"${status}"`, observed_at: DAY }
          const recipients = [
            person("call", status, call),
            person("page", "exists in the sandbox", PROVEN),
            person("altered", "exists in two sandboxes", PROVEN),
            person("invented", "exists in the sandbox", { ...PROVEN, excerpt: "exists in the sandbox and outside" }),
            person("foreign", status, { ...call, request_id: other.requestId }),
            person("old", "exists in the sandbox", { ...PROVEN, observed_at: "1967-06-01" }),
            person("unread", "it is", { ...PROVEN, url: "https://unreadable-1.test/" }),
            person("bare", "exists in the sandbox", null),
            person("fallback", null, null)
          ]
          const counts = marked({ proven: 2, altered: 1, not_found: 2, old: 1, unchecked: 1, without_proof: 1 })
          const plan = ok(
            yield* client.call("create_campaign", { name: "Story", recipients, sequence: SEQUENCE, dry_run: true })
          ).result.plan.would
          // A dry run reads no pages.
          assert.deepStrictEqual(plan.evidence, marked({ proven: 1, not_found: 1, unchecked: 5, without_proof: 1 }))
          const { result } = yield* draft(client, { recipients, sequence: SEQUENCE })
          assert.deepStrictEqual(result.evidence, counts)
          const launch = yield* client.call("launch_campaign", { campaign_id: result.campaign_id, dry_run: true })
          assert.deepStrictEqual(ok(launch).result.plan.would.evidence, counts)
          assert.deepStrictEqual(ok(launch).result.plan.would_exceed, [], "no rule asks for evidence")
          const asked = yield* askLaunch(client, result.campaign_id)
          assert.deepStrictEqual(asked.result.preview.evidence, counts)
          const { campaign_id } = result
          assert.deepStrictEqual(ok(yield* client.call("get_campaign", { campaign_id })).result.evidence, counts)
          const listed = ok(yield* client.call("list_leads", { campaign_id })).result.leads
          assert.deepStrictEqual(
            listed.map((lead: { readonly evidence: unknown }) => lead.evidence),
            [
              ...["proven", "proven", "altered", "not_found", "not_found", "old", "unchecked", "without_proof"].map(
                (mark) => [{ variable: "custom.claim", mark }]
              ),
              []
            ]
          )
          const shown = yield* shownTo(client, asked.result.approval_url)
          assert.deepStrictEqual(
            Object.fromEntries(
              shown.map(({ email, evidence }) => [
                email.slice("silent+".length, email.indexOf("@")),
                evidence?.[0]?.mark
              ])
            ),
            {
              call: "proven",
              page: "proven",
              altered: "altered",
              invented: "not_found",
              foreign: "not_found",
              old: "old",
              unread: "unchecked",
              bare: undefined,
              fallback: undefined
            }
          )
          const [first] = shown
          assert.deepInclude(first?.evidence?.[0], { requestId, excerpt: call.excerpt, seenAt: DAY })
          assert.deepInclude(first?.evidence?.[0]?.finding, { kind: "found", reason: null, readFrom: "verify_email" })
        })
    )

    it.effect("a call can be cited that was made without an Idempotency-Key, and so can the page that it named", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const answer = ok(yield* client.call("find_intent", { company_domains: ["hiring-7.test"] }))
        const [signal] = answer.result.signals
        const cited = { excerpt: signal.summary, observed_at: DAY }
        const recipients = [
          { ...cited, request_id: answer.svc.request_id },
          { ...cited, url: signal.evidence_url }
        ].map((evidence, index) => ({
          ...person(String(index), "an Account Executive", evidence),
          email: `ann${index}@hiring-7.test`
        }))
        const { result } = yield* draft(client, { recipients, sequence: SEQUENCE })
        assert.deepStrictEqual(result.evidence, marked({ proven: 2 }))
        // Each such call is one of its own: nothing of it is repeated.
        const again = ok(yield* client.call("find_intent", { company_domains: ["hiring-7.test"] }))
        assert.notProperty(again.svc, "replayed")
        assert.strictEqual(again.svc.credits_charged, answer.svc.credits_charged)
      })
    )

    it.effect("without evidence and without a rule nothing is marked; the rule `mark` marks everything", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = [person("plain", "a statement", null)]
        const bare = (yield* draft(client, { recipients, sequence: SEQUENCE })).result
        assert.notProperty(bare, "evidence")
        const { campaign_id } = bare
        const read = Effect.gen(function* () {
          const [lead] = ok(yield* client.call("list_leads", { campaign_id })).result.leads
          return [ok(yield* client.call("get_campaign", { campaign_id })).result, lead]
        })
        for (const one of yield* read) assert.notProperty(one, "evidence")
        yield* rule(client, "mark")
        const [campaign, lead] = yield* read
        assert.deepStrictEqual(campaign.evidence, marked({ without_proof: 1 }))
        assert.deepStrictEqual(lead.evidence, [{ variable: "custom.claim", mark: "without_proof" }])
        // Nothing but white space is no value.
        const blank = [person("blank", "\u00a0\u2003 \ufeff", null)]
        const empty = (yield* draft(client, { recipients: blank, sequence: SEQUENCE })).result.campaign_id
        const nothing = ok(yield* client.call("get_campaign", { campaign_id: empty })).result.evidence
        assert.deepStrictEqual(nothing, marked({}))
        const { result } = yield* draft(client, { recipients, sequence: SEQUENCE })
        assert.deepStrictEqual(result.evidence, marked({ without_proof: 1 }))
        const asked = yield* askLaunch(client, result.campaign_id)
        assert.deepStrictEqual((yield* shownTo(client, asked.result.approval_url))[0]?.looks, ["without_proof"])
      })
    )

    it.effect("a workspace that requires evidence launches what is proven, and names each value that is not", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* rule(client, "require")
        const bad = yield* draft(client, {
          recipients: [
            person("good", "exists in the sandbox", PROVEN),
            person("bare", "exists in the sandbox", null),
            person("altered", "exists in two sandboxes", PROVEN)
          ],
          sequence: SEQUENCE
        })
        const campaign_id = bad.result.campaign_id as string
        const plan = ok(yield* client.call("launch_campaign", { campaign_id, dry_run: true })).result.plan
        assert.deepStrictEqual(plan.would_exceed, ["claims_without_evidence"])
        const answer = yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })
        refused(answer, 400, "invalid_request", {
          reason: "claims_without_evidence",
          values: [
            { email: "silent+bare@magic.test", variable: "custom.claim", mark: "without_proof" },
            { email: "silent+altered@magic.test", variable: "custom.claim", mark: "altered" }
          ],
          values_total: 2
        })
        yield* launched(client, {
          recipients: [person("good", "exists in the sandbox", PROVEN)],
          sequence: SEQUENCE
        })
      })
    )

    it.effect("what could not be read stays unchecked, is no fault, and is read again when a launch is asked for", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* rule(client, "require")
        const recipients = [person("late", "exists in the sandbox", PROVEN)]
        for (const behaviour of [Behaviour.Fail({ reason: "transient" }), Behaviour.Garbage()]) {
          const { result } = yield* whileReader(behaviour, draft(client, { recipients, sequence: SEQUENCE }))
          assert.deepStrictEqual(result.evidence, marked({ unchecked: 1 }), behaviour._tag)
        }
        const failing = yield* whileReader(
          Behaviour.Fail({ reason: "transient" }),
          Effect.gen(function* () {
            const { result } = yield* draft(client, { recipients, sequence: SEQUENCE })
            const { campaign_id } = result
            const answer = yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })
            refused(answer, 400, "invalid_request", { reason: "claims_without_evidence" })
            return campaign_id as string
          })
        )
        const asked = yield* askLaunch(client, failing)
        assert.deepStrictEqual(asked.result.preview.evidence, marked({ proven: 1 }))
      })
    )

    it.effect("an approval of more leads holds what it showed, whatever the page says afterwards", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, {
          recipients: [person("first", "exists in the sandbox", PROVEN)],
          sequence: SEQUENCE
        })
        const leads = [person("second", "exists in the sandbox", PROVEN)]
        const asked = yield* askLeads(client, campaign_id, leads)
        assert.deepStrictEqual(asked.preview.evidence, marked({ proven: 1 }))
        yield* decide(client, asked.approval_url, "approve")
        const { confirmation_token } = asked
        const changed = [person("second", "exists in the sandbox", { ...PROVEN, observed_at: "1969-12-29" })]
        refused(yield* add(client, campaign_id, { leads: changed, confirmation_token }), 409, "approval_changed")
        const done = yield* whileReader(
          Behaviour.Fail({ reason: "transient" }),
          add(client, campaign_id, { leads, confirmation_token })
        )
        assert.deepStrictEqual(ok(done).result.evidence, marked({ proven: 1 }))
      })
    )

    it.effect("what another program left unfilled within a value is a risk, in the preview and on the approval", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = [person("left", "the null team", null), person("right", "the nullable team", null)]
        const { campaign_id } = (yield* draft(client, { recipients, sequence: SEQUENCE })).result
        const asked = yield* askLaunch(client, campaign_id)
        assert.strictEqual(asked.result.preview.placeholders, 1)
        const looks = (yield* shownTo(client, asked.result.approval_url)).map((one) =>
          one.looks.includes("placeholder")
        )
        assert.deepStrictEqual(looks, [true, false])
      })
    )

    it.effect("an approval binds evidence: found to be something else, it launches nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { workspaceId } = client
        const recipients = [person("bound", "exists in the sandbox", PROVEN)]
        const { campaign_id } = (yield* draft(client, { recipients, sequence: SEQUENCE })).result
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        const store = yield* EvidenceStore
        const { atomically } = yield* UnitOfWork
        const [lead] = yield* Effect.orDie(
          Effect.flatMap(CampaignStore, (campaigns) => campaigns.firstLeads(workspaceId, campaign_id, ["pending"], 1))
        )
        const keep = (evidence: ReadonlyArray<ValueEvidence>) =>
          Effect.orDie(atomically(store.keep(workspaceId, [{ campaignLeadId: lead?.campaignLeadId ?? "", evidence }])))
        const given = lead?.evidence ?? []
        yield* keep(given.map((one) => ({ ...one, excerpt: `${one.excerpt}!` })))
        const confirmed = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
        const answer = yield* client.call("launch_campaign", confirmed, { key: freshKey() })
        refused(answer, 409, "approval_changed")
        yield* keep(given)
        ok(yield* client.call("launch_campaign", confirmed, { key: freshKey() }))
      })
    )

    it.effect("more leads for an active campaign need evidence where it is required, and pause nothing without", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, {
          recipients: [person("one", "exists in the sandbox", PROVEN)],
          sequence: SEQUENCE
        })
        yield* rule(client, "require")
        const leads = [person("two", "exists in the sandbox", null)]
        assert.deepStrictEqual((yield* dryRun(client, campaign_id, { leads })).would_exceed, [
          "claims_without_evidence"
        ])
        refused(yield* add(client, campaign_id, { leads }), 400, "invalid_request", {
          reason: "claims_without_evidence"
        })
        const { state } = ok(yield* client.call("get_campaign", { campaign_id })).result
        assert.strictEqual(state, "active")
      })
    )

    it.effect("a person's file says where their values come from, and an erasure forgets it", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { workspaceId } = client
        yield* launched(client, { recipients: [person("filed", "exists in the sandbox", PROVEN)], sequence: SEQUENCE })
        yield* pass("2 seconds")
        const email = "silent+filed@magic.test"
        const { makeFor } = yield* PersonFiles
        const [lead] = (yield* Effect.orDie(makeFor(workspaceId, email))).sections.leads
        assert.deepInclude(lead?.evidence?.[0], { variable: "custom.claim", url: PAGE, excerpt: WORDS, seenAt: DAY })
        const { eraseFor } = yield* Erasure
        yield* Effect.orDie(eraseFor(workspaceId, email))
        yield* pass("2 seconds")
        assert.notInclude((yield* Effect.orDie(makeFor(workspaceId, email))).text, WORDS)
      })
    )
  })
}

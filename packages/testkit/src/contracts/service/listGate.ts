import { assert, layer as describeLayer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { makeRetention } from "@outbound/domain/control/erasure/Retention.js"
import type { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide } from "../../service/Client.js"
import {
  askLaunch,
  draft,
  freshKey,
  launch,
  launched,
  listCounts,
  ok,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const ruled = ({ workspaceId }: Client, rules: Partial<WorkspaceRules>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    yield* atomically((yield* RuleStore).setRules(workspaceId, { ...DEFAULT_RULES, ...rules }))
  })

const verify = (client: Client, ...emails: ReadonlyArray<string>) =>
  Effect.forEach(emails, (email) => client.call("verify_email", { email }, { key: freshKey() }))

const dryLaunch = (client: Client, campaign_id: string) =>
  Effect.map(client.call("launch_campaign", { campaign_id, dry_run: true }), (answer) => ok(answer).result.plan)

const listOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (answer) => ok(answer).result.list)

/** Addresses that the sandbox's verifiers find valid, and that nobody answers from. */
const good = (count: number, tag: string) =>
  Array.from({ length: count }, (_, index) => `silent+${tag}${index}@magic.test`)

/** What is known of a list before it is written to, and what a workspace's rules make of it. */
export const listGateContract = <E>(
  name: string,
  service: Layer.Layer<ServiceOnStores | RuleStore | RetentionStore, E>
): void => {
  describeLayer(service, SUITE)(`the list gate (${name})`, (it) => {
    it.effect(
      "dry run, preview, approval and get_campaign count verdicts and kinds of those who would be written to",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          yield* verify(
            client,
            "valid@magic.test",
            "invalid@magic.test",
            "catch_all_valid@magic.test",
            "catch_all_unknown@magic.test",
            "risky@magic.test",
            "unknown@magic.test"
          )
          const { result } = yield* draft(client, {
            recipients: to(
              "valid@magic.test",
              "invalid@magic.test",
              "catch_all_valid@magic.test",
              "catch_all_unknown@magic.test",
              "risky@magic.test",
              "unknown@magic.test",
              "info+eu@acme.example.com",
              "jo@throwaway.test",
              "jo.bloggs@gmail.com",
              "not an address"
            )
          })
          const campaign_id = result.campaign_id as string
          const dry = (yield* dryLaunch(client, campaign_id)).would.list
          const expected = listCounts({
            verified: 4,
            unverified: 5,
            valid: 1,
            invalid: 1,
            catch_all_valid: 1,
            catch_all_unknown: 1,
            risky: 1,
            unknown: 1,
            role: 1,
            disposable: 1,
            free_mail: 1,
            oldest_verified_at: dry.oldest_verified_at
          })
          assert.isString(dry.oldest_verified_at)
          assert.deepStrictEqual(dry, expected)
          assert.deepStrictEqual(yield* listOf(client, campaign_id), expected)
          const asked = yield* askLaunch(client, campaign_id)
          assert.deepStrictEqual(asked.result.preview.list, expected)
          const added = yield* client.call("add_leads", { campaign_id, leads: to("valid@magic.test"), dry_run: true })
          // Who is in the campaign already is not added again.
          assert.deepStrictEqual(ok(added).result.plan.would.list, listCounts({}))
        }).pipe(Effect.orDie)
    )

    it.effect("verify_emails and enrich count as verify_email does; another workspace's calls don't", () =>
      Effect.gen(function* () {
        const [client, other] = [yield* sender(), yield* sender()]
        yield* verify(other, ...good(3, "o"))
        const started = yield* client.call("verify_emails", { emails: good(2, "o") }, { key: freshKey() })
        assert.strictEqual(started.status, 202)
        for (let polls = 0; polls < 100; polls += 1) {
          const { result } = ok(yield* client.call("get_operation", { operation_id: started.result.operation_id }))
          if (result.finished_at !== null) break
          yield* TestClock.adjust("250 millis")
        }
        const enriched = ok(yield* client.call("enrich", { person: { email: "email-only@magic.test" } }))
        const found = enriched.result.contact.work_email as string
        const { result } = yield* draft(client, { recipients: to(...good(3, "o"), found) })
        const list = yield* listOf(client, result.campaign_id)
        assert.deepInclude(list, { verified: 3, unverified: 1 })
      }).pipe(Effect.orDie)
    )

    it.effect("at most so many percent unverified: the bound itself passes, one more is refused with its mend", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* verify(client, ...good(4, "b"))
        yield* ruled(client, { unverifiedMaxPercent: 20 })
        const { result } = yield* draft(client, { recipients: to(...good(6, "b")) })
        const campaign_id = result.campaign_id as string
        const details = { reason: "list_not_verified", unverified: 2, of: 6, max_percent: 20 }
        assert.deepStrictEqual((yield* dryLaunch(client, campaign_id)).would_exceed, ["list_not_verified"])
        const answer = yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })
        refused(answer, 400, "invalid_request", details)
        const [, request = ""] = /verify_emails (\{.*?\}): at most 2 credits/.exec(answer.error?.message ?? "") ?? []
        const mend = JSON.parse(request) as { readonly emails: ReadonlyArray<string> }
        assert.sameMembers([...mend.emails], good(6, "b").slice(4))
        // One of five is 20 %: the bound itself.
        yield* verify(client, mend.emails[0]!)
        const atBound = yield* draft(client, { recipients: to(...good(4, "b"), mend.emails[1]!) })
        assert.deepStrictEqual((yield* dryLaunch(client, atBound.result.campaign_id)).would_exceed, [])
        yield* verify(client, mend.emails[1]!)
        assert.deepStrictEqual((yield* dryLaunch(client, campaign_id)).would_exceed, [])
        assert.strictEqual((yield* askLaunch(client, campaign_id)).result.status, "needs_confirmation")
      }).pipe(Effect.orDie)
    )

    it.effect("0 percent lets nobody through who is not verified, 100 percent everybody, and none asks nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(1, "z") })
        for (const [unverifiedMaxPercent, exceeds] of [
          [0, ["list_not_verified"]],
          [99, ["list_not_verified"]],
          [100, []],
          [null, []]
        ] as const) {
          yield* ruled(client, { unverifiedMaxPercent })
          assert.deepStrictEqual((yield* dryLaunch(client, result.campaign_id)).would_exceed, [...exceeds])
        }
      }).pipe(Effect.orDie)
    )

    it.effect("a verdict older than the rule says counts as none, and as one again where the rule allows it", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* verify(client, ...good(1, "age"))
        const { result } = yield* draft(client, { recipients: to(...good(1, "age")) })
        yield* ruled(client, { verificationMaxAgeDays: 1 })
        assert.deepInclude(yield* listOf(client, result.campaign_id), { verified: 1, valid: 1 })
        yield* TestClock.adjust("25 hours")
        assert.deepStrictEqual(yield* listOf(client, result.campaign_id), listCounts({ unverified: 1 }))
        yield* ruled(client, { verificationMaxAgeDays: 2 })
        assert.deepInclude(yield* listOf(client, result.campaign_id), { verified: 1, valid: 1 })
      }).pipe(Effect.orDie)
    )

    it.effect("a rule made stricter while an approval waits refuses its launch, and nothing is sent", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(2, "wait") })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* ruled(client, { unverifiedMaxPercent: 50 })
        const { confirmation_token } = asked.result
        const confirmed = client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() })
        refused(yield* confirmed, 400, "invalid_request", { reason: "list_not_verified", unverified: 2, of: 2 })
        assert.strictEqual(ok(yield* client.call("get_campaign", { campaign_id })).result.state, "draft")
        yield* verify(client, ...good(1, "wait"))
        assert.strictEqual(ok(yield* confirmed).result.status, "launched")
      }).pipe(Effect.orDie)
    )

    it.effect("leads for an active campaign meet the same rules; those for a draft meet them at its launch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "first") })
        yield* ruled(client, { unverifiedMaxPercent: 0, roleAddresses: "leave_out" })
        const leads = to("sales@magic.test", ...good(1, "more"))
        const add = (more: object = {}) =>
          client.call("add_leads", { campaign_id, leads, ...more }, { key: freshKey() })
        const dry = ok(yield* client.call("add_leads", { campaign_id, leads, dry_run: true })).result.plan
        assert.deepStrictEqual(dry.would_exceed, ["list_not_verified"])
        assert.deepInclude(dry.would, { leads_accepted: 1, leads_suppressed: 1, suppressed_reasons: { other: 1 } })
        refused(yield* add(), 400, "invalid_request", {
          reason: "list_not_verified",
          unverified: 1,
          of: 1,
          max_percent: 0
        })
        assert.strictEqual(ok(yield* client.call("get_campaign", { campaign_id })).result.state, "active")
        yield* verify(client, ...good(1, "more"))
        const asked = ok(yield* add())
        assert.deepInclude(asked.result.preview.list, { verified: 1, unverified: 0, role: 0 })
        yield* decide(client, asked.result.approval_url, "approve")
        const done = ok(yield* add({ confirmation_token: asked.result.confirmation_token }))
        assert.deepInclude(done.result, { leads_accepted: 1, leads_suppressed: 1 })
        const [removed] = yield* trailOf(client, { campaign_id, kind: "removed" })
        assert.deepInclude(removed, { email: "sales@magic.test", detail: { reason: "other", rule: "role_address" } })
        const other = yield* draft(client, { recipients: silent(1, "draft") })
        const into = { campaign_id: other.result.campaign_id, leads }
        const taken = ok(yield* client.call("add_leads", into, { key: freshKey() }))
        assert.deepInclude(taken.result, { leads_accepted: 2, leads_suppressed: 0 })
      }).pipe(Effect.orDie)
    )

    it.effect("a role address that opted out is counted as opted out, when it is added and at a launch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = to("info@magic.test", "sales@magic.test", ...good(1, "o"))
        const { result } = yield* draft(client, { recipients })
        const campaign_id = result.campaign_id as string
        const emails = ["info@magic.test", "support@magic.test"]
        ok(yield* client.call("add_suppressions", { emails }, { key: freshKey() }))
        yield* ruled(client, { roleAddresses: "leave_out" })
        const { would } = yield* dryLaunch(client, campaign_id)
        assert.deepInclude(would.removed, { opted_out: 1, other: 1, total: 2 })
        yield* launch(client, campaign_id)
        const leads = to("support@magic.test", "admin@magic.test")
        const dry = ok(yield* client.call("add_leads", { campaign_id, leads, dry_run: true })).result.plan.would
        assert.deepStrictEqual(dry.suppressed_reasons, { opted_out: 1, other: 1 })
      }).pipe(Effect.orDie)
    )

    it.effect("role addresses are left out of a launch and counted as other, if the workspace says so", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, {
          recipients: to("info@magic.test", "Sales+eu@magic.test", ...good(2, "r"))
        })
        const campaign_id = result.campaign_id as string
        assert.deepInclude((yield* dryLaunch(client, campaign_id)).would, { leads_active: 4 })
        assert.deepInclude(yield* listOf(client, campaign_id), { role: 2, unverified: 4 })
        yield* ruled(client, { roleAddresses: "leave_out" })
        assert.deepInclude(yield* listOf(client, campaign_id), { role: 0, unverified: 2 })
        const { would } = yield* dryLaunch(client, campaign_id)
        assert.deepInclude(would, { leads_active: 2, leads_suppressed_at_launch: 2 })
        assert.deepInclude(would.removed, { other: 2, total: 2 })
        assert.deepInclude(would.list, { role: 0, unverified: 2 })
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        const { confirmation_token } = asked.result
        const done = ok(yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }))
        assert.deepInclude(done.result, { leads_active: 2, leads_suppressed_at_launch: 2 })
        const removed = yield* trailOf(client, { campaign_id, kind: "removed" })
        assert.deepStrictEqual(
          removed.map(({ detail }) => detail),
          [
            { reason: "other", rule: "role_address" },
            { reason: "other", rule: "role_address" }
          ]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("an erased person's verdict is deleted, and so is one that no rule can count any more", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [theirs, old] = [good(1, "erased")[0]!, good(1, "old")[0]!]
        yield* verify(client, theirs, old)
        yield* Effect.flatMap(Erasure, (erasure) => erasure.eraseFor(client.workspaceId, theirs))
        const { result } = yield* draft(client, { recipients: to(theirs, old) })
        yield* ruled(client, { verificationMaxAgeDays: 365 })
        assert.deepInclude(yield* listOf(client, result.campaign_id), { verified: 1 })
        const round = yield* makeRetention
        yield* TestClock.adjust("365 days")
        while ((yield* round) > 0) yield* Effect.yieldNow
        assert.deepInclude(yield* listOf(client, result.campaign_id), { verified: 1 })
        yield* TestClock.adjust("1 millis")
        while ((yield* round) > 0) yield* Effect.yieldNow
        assert.deepInclude(yield* listOf(client, result.campaign_id), { verified: 0 })
      }).pipe(Effect.orDie)
    )
  })
}

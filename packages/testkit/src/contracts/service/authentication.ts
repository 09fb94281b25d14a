import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { DAY_MILLIS, HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import {
  AUTHENTICATING,
  CHECK_STATUSES,
  type DomainLook,
  type Finding
} from "@outbound/domain/outreach/authentication/Look.js"
import { lookJob, LookStore } from "@outbound/domain/outreach/authentication/LookStore.js"
import { makeLookHandler } from "@outbound/domain/outreach/health/lookJob.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { authenticated, ScriptedProbe } from "../../mail/ScriptedProbe.js"
import { decide } from "../../service/Client.js"
import { team, type Team } from "../../service/Team.js"
import { ALWAYS, campaign, ONE_STEP, type OwnService, people } from "./ownStories.js"
import { mailboxOf, NOW, resume } from "./reputationStories.js"
import { draft, freshKey, launch, ok, refused, SUITE, trailOf } from "./stories.js"
import { makeMailbox } from "../outboundFixtures.js"

export type AuthenticationService = OwnService | AlertStore | ApprovalStore | LookStore | RuleStore

const NO_DMARC = { ...authenticated("acme.test"), "_dmarc.acme.test": [] }

const publish = (texts: Parameters<ScriptedProbe["Service"]["publish"]>[0]) =>
  Effect.flatMap(ScriptedProbe, (probe) => probe.publish(texts))

const answer = (doAnswer: boolean) => Effect.flatMap(ScriptedProbe, (probe) => probe.answer(doAnswer))

/** Every domain is authenticated again, whatever a story left. */
const tidily = <A, E, R>(story: Effect.Effect<A, E, R>) =>
  Effect.ensuring(story, Effect.andThen(publish(null), answer(true)))

const start = (authentication: "require" | "warn" = "require") =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const of = yield* team(1)
    const { atomically } = yield* UnitOfWork
    const rules = yield* RuleStore
    yield* atomically(rules.setRules(of.client.workspaceId, { ...DEFAULT_RULES, authentication }))
    return of
  })

const drafted = ({ client }: Team, tag: string) =>
  Effect.map(
    draft(client, { sequence: ONE_STEP, schedule: ALWAYS, recipients: people(3, tag) }),
    ({ result }) => result.campaign_id as string
  )

const ask = ({ client }: Team, campaign_id: string) =>
  client.call("launch_campaign", { campaign_id }, { key: freshKey() })

const REFUSED = {
  reason: "domain_not_authenticated",
  domains: [{ domain: "acme.test", failing: ["dmarc"] }]
}

const stateOf = ({ client }: Team, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (found) => {
    const { paused_because, state } = ok(found).result
    return [state, paused_because]
  })

/** Alerts of the workspace about the domain, by what they say. */
const alerts = ({ client }: Team) =>
  Effect.gen(function* () {
    const store = yield* AlertStore
    const found = yield* store.causes("domain_not_authenticated", yield* Clock.currentTimeMillis, 10_000)
    return found.filter(({ workspaceId }) => workspaceId === client.workspaceId).map(({ name, says }) => [name, says])
  })

/** The job that looks at the team's domain, by a host of its own. */
const lookingAt = ({ client: { workspaceId } }: Team) =>
  Effect.map(makeLookHandler, (handler) =>
    Effect.gen(function* () {
      const next = yield* handler(lookJob({ workspaceId, domain: "acme.test" }).key)
      if (next._tag === "Done") return null
      yield* TestClock.adjust(next.millis)
      return next.millis / HOUR_MILLIS
    })
  )

/** What the authentication of sending domains decides (contract: campaigns, authentication). */
export const authenticationContract = <E>(name: string, service: Layer.Layer<AuthenticationService, E>) => {
  describeLayer(service, SUITE)(`authentication of sending domains (${name})`, (it) => {
    it.effect(
      "a launch is refused with what fails and which record to publish; once it is mended, it is possible",
      () =>
        Effect.gen(function* () {
          const of = yield* start()
          yield* publish(NO_DMARC)
          const campaign_id = yield* drafted(of, "gate")
          const refusal = yield* ask(of, campaign_id)
          refused(refusal, 400, "invalid_request", REFUSED)
          assert.include(refusal.text, "_dmarc.acme.test")
          const dry = ok(yield* of.client.call("launch_campaign", { campaign_id, dry_run: true }))
          assert.deepStrictEqual(dry.result.plan.would_exceed, ["domain_not_authenticated"])
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["draft", null])
          yield* publish(null)
          yield* TestClock.adjust("1 minute")
          yield* launch(of.client, campaign_id)
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["active", null])
        }).pipe(tidily, Effect.orDie)
    )

    it.effect(
      "what fails between approval and launch is refused; people for an active campaign, too, which goes on",
      () =>
        Effect.gen(function* () {
          const of = yield* start()
          const campaign_id = yield* drafted(of, "between")
          const asked = ok(yield* ask(of, campaign_id))
          yield* decide(of.client, asked.result.approval_url, "approve")
          yield* publish(NO_DMARC)
          yield* TestClock.adjust("61 minutes")
          const { confirmation_token } = asked.result
          const key = freshKey()
          refused(
            yield* of.client.call("launch_campaign", { campaign_id, confirmation_token }, { key }),
            400,
            "invalid_request",
            REFUSED
          )
          yield* publish(null)
          yield* TestClock.adjust("1 minute")
          ok(yield* of.client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }))
          yield* publish(NO_DMARC)
          yield* TestClock.adjust("61 minutes")
          const more = { campaign_id, leads: people(2, "more") }
          refused(yield* of.client.call("add_leads", more, { key: freshKey() }), 400, "invalid_request", REFUSED)
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["active", null])
        }).pipe(tidily, Effect.orDie)
    )

    it.effect("a workspace that only warns launches, and its health says what is wrong and what to publish", () =>
      Effect.gen(function* () {
        const of = yield* start("warn")
        yield* publish(NO_DMARC)
        yield* campaign(of, { recipients: people(1, "warned") })
        const { result } = ok(yield* of.client.call("get_sending_health"))
        assert.deepInclude(result.domains[0], { domain: "acme.test", state: "bad" })
        assert.deepInclude(result.domains[0].dmarc, { status: "missing", aligned: null })
        assert.deepInclude(result.domains[0].spf, { status: "pass", aligned: true })
        const [advice] = result.advice
        assert.deepInclude(advice, { code: "publish_dmarc", subject: "acme.test", by: "dns" })
        assert.include(advice.text, "_dmarc.acme.test")
        assert.deepStrictEqual(result.mailboxes[0].state_reasons, ["domain_not_authenticated"])
      }).pipe(tidily, Effect.orDie)
    )

    it.effect("name servers that do not answer are no failure: what was found before counts for three days", () =>
      Effect.gen(function* () {
        const of = yield* start()
        yield* answer(false)
        const first = yield* drafted(of, "silent")
        ok(yield* ask(of, first))
        const before = ok(yield* of.client.call("get_sending_health")).result.domains[0]
        assert.deepStrictEqual([before.state, before.dmarc.status], ["unknown", "unknown"])
        yield* answer(true)
        yield* publish(NO_DMARC)
        yield* TestClock.adjust("61 minutes")
        refused(yield* ask(of, first), 400, "invalid_request", REFUSED)
        yield* answer(false)
        yield* TestClock.adjust("2 days")
        refused(yield* ask(of, first), 400, "invalid_request", REFUSED)
        yield* TestClock.adjust("25 hours")
        ok(yield* ask(of, first))
      }).pipe(tidily, Effect.orDie)
    )

    it.effect(
      "what sends from a failing domain alerts, pauses after three days, and goes on by itself once it is good",
      () =>
        Effect.gen(function* () {
          const of = yield* start()
          const look = yield* lookingAt(of)
          const campaign_id = yield* campaign(of, { recipients: people(200, "runs") })
          yield* look
          yield* publish(NO_DMARC)
          yield* look
          assert.deepStrictEqual(yield* alerts(of), [])
          assert.strictEqual(yield* look, 1)
          assert.deepStrictEqual(yield* alerts(of), [["acme.test", "DMARC"]])
          for (let hour = 0; hour < 70; hour += 1) yield* look
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["active", null])
          yield* look
          yield* look
          assert.strictEqual((yield* mailboxOf(of)).pauseReason, "authentication")
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["paused", "capacity"])
          // Silence mends nothing.
          yield* answer(false)
          for (let hour = 0; hour < 100; hour += 1) yield* look
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["paused", "capacity"])
          yield* answer(true)
          yield* publish(null)
          yield* look
          assert.deepInclude(yield* mailboxOf(of), { state: "active", pauseReason: null })
          assert.deepStrictEqual(yield* stateOf(of, campaign_id), ["active", null])
          assert.deepStrictEqual(yield* alerts(of), [])
          const [resumed] = yield* trailOf(of.client, { campaign_id, kind: "resumed" })
          assert.deepInclude(resumed, { source: "system" })
          const done = ok(yield* of.client.call("get_sending_health")).result.done
          assert.deepStrictEqual(
            done.map((one: { readonly why: string }) => one.why),
            ["capacity", "authentication: DMARC"]
          )
        }).pipe(tidily, Effect.orDie)
    )

    it.effect("a mailbox that a person resumed has three days again; one that an owner paused stays paused", () =>
      Effect.gen(function* () {
        const of = yield* start()
        const look = yield* lookingAt(of)
        yield* publish(NO_DMARC)
        for (let hour = 0; hour < 74; hour += 1) yield* look
        assert.strictEqual((yield* mailboxOf(of)).pauseReason, "authentication")
        const { atomically } = yield* UnitOfWork
        const sendings = yield* SendingStore
        // Nothing leaves from that domain any more, whatever leaves from another.
        const beside = { workspaceId: of.client.workspaceId, domain: "beside.test", address: "jo@beside.test" }
        yield* atomically(sendings.insertMailboxes([makeMailbox(beside)]))
        assert.deepStrictEqual(yield* alerts(of), [])
        yield* resume(of)
        assert.deepStrictEqual(yield* alerts(of), [["acme.test", "DMARC"]])
        for (let hour = 0; hour < 71; hour += 1) yield* look
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        const mailbox = yield* mailboxOf(of)
        yield* atomically(sendings.updateMailboxes([{ ...mailbox, state: "paused", pauseReason: "owner" }]))
        yield* publish(null)
        yield* look
        assert.strictEqual((yield* mailboxOf(of)).pauseReason, "owner")
      }).pipe(tidily, Effect.orDie)
    )

    it.effect(
      "the approval keeps what was known of each sending domain when it was asked for, whatever is found later",
      () =>
        Effect.gen(function* () {
          const of = yield* start("warn")
          yield* publish(NO_DMARC)
          const campaign_id = yield* drafted(of, "shown")
          const asked = ok(yield* ask(of, campaign_id))
          const approvals = yield* ApprovalStore
          const approvalId = (asked.result.approval_url as string).split("/").at(-1) ?? ""
          const shown = Effect.map(approvals.find(of.client.workspaceId, approvalId), (found) => {
            const { snapshot } = Option.getOrThrow(found).approval
            return "sending_domains" in snapshot ? snapshot.sending_domains : undefined
          })
          const first = yield* shown
          assert.deepInclude(first, { rule: "warn", total: 1, failing: 1, unknown: 0, listed: 0 })
          assert.deepInclude(first?.domains[0]?.dmarc, { status: "missing" })
          assert.deepInclude(first?.domains[0]?.spf, { status: "pass", aligned: true })
          yield* publish(null)
          yield* TestClock.adjust("1 minute")
          const again = ok(yield* ask(of, campaign_id))
          assert.notStrictEqual(again.result.approval_url, asked.result.approval_url)
          assert.deepStrictEqual(yield* shown, first)
        }).pipe(tidily, Effect.orDie)
    )

    it.effect("of random looks, exactly those that prove a failure now refuse a launch", () =>
      Effect.gen(function* () {
        const of = yield* start()
        const { workspaceId } = of.client
        const store = yield* LookStore
        const { atomically } = yield* UnitOfWork
        const campaign_id = yield* drafted(of, "random")
        let seed = 7
        const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
        for (let index = 0; index < 24; index += 1) {
          const nowMillis = yield* Clock.currentTimeMillis
          const found = (): Finding => ({
            status: CHECK_STATUSES[next(4)]!,
            aligned: null,
            detail: "as found",
            checkedAtMillis: nowMillis - next(6) * DAY_MILLIS
          })
          const findings = { spf: found(), dkim: found(), dmarc: found(), mx: found() }
          const look: DomainLook = {
            workspaceId,
            domain: "acme.test",
            findings,
            listed: [],
            failingSinceMillis: null,
            lookedAtMillis: nowMillis,
            nextLookAtMillis: nowMillis,
            stoppedCampaigns: []
          }
          yield* atomically(store.put(look))
          const failing = AUTHENTICATING.filter((check) => {
            const { checkedAtMillis, status } = findings[check]
            return (status === "fail" || status === "missing") && nowMillis - checkedAtMillis <= 3 * DAY_MILLIS
          })
          const answered = yield* ask(of, campaign_id)
          if (failing.length === 0) ok(answered)
          else refused(answered, 400, "invalid_request", { ...REFUSED, domains: [{ domain: "acme.test", failing }] })
        }
      }).pipe(tidily, Effect.orDie)
    )
  })
}

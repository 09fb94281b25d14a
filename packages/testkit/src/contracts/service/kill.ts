import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { KillStore } from "@outbound/domain/control/KillStore.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { decide, makeKey } from "../../service/Client.js"
import { type ControlOnStores, colleague, growStale, refusedBy, signIn } from "./controlSupport.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  kindsOf,
  launched,
  ok,
  pass,
  PURCHASE,
  refused,
  sender,
  silent,
  SUITE,
  to,
  trailOf,
  whileSending,
  work
} from "./stories.js"
import { guardOf, kill, ticking } from "./killSupport.js"
import { patience } from "../../service/patience.js"

/** What a kill does, tells and leaves behind. */
export const killContract = <E>(name: string, service: Layer.Layer<ControlOnStores, E>) => {
  describeLayer(service, SUITE)(`kill (${name})`, (it) => {
    it.effect("stops everything, says what it did, and tells a second one the same", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        const [one, two] = [
          yield* launched(client, { recipients: silent(2, "a") }),
          yield* launched(client, { recipients: silent(2, "b") })
        ]
        yield* work
        const { result: idle } = yield* draft(client, { recipients: silent(1, "c") })
        const asked = yield* askLaunch(client, idle.campaign_id)
        const approved = ok(yield* client.call("setup_sending", PURCHASE))
        yield* decide(client, approved.result.approval_url, "approve")

        const key = freshKey()
        const nowMillis = yield* Clock.currentTimeMillis
        const killed = ok(yield* kill(guard, "wrong list", key))
        assert.deepStrictEqual(killed.result, {
          status: "suspended",
          suspended_at: new Date(nowMillis).toISOString(),
          campaigns_paused: 2,
          campaigns_unconfirmed: [],
          approvals_cancelled: 2
        })
        assert.strictEqual(killed.svc.credits_charged, "0")
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(ok(yield* kill(guard, "again, by another")).result, killed.result)
        const replayed = ok(yield* kill(guard, "wrong list", key))
        assert.deepStrictEqual([replayed.result, replayed.svc.replayed], [killed.result, true])
        refused(yield* kill(guard, "another", key), 409, "idempotency_conflict")

        const trail = yield* trailOf(client)
        const since = trail.slice(trail.findIndex(({ kind }) => kind === "killed"))
        assert.sameMembers(kindsOf(since) as Array<string>, [
          "killed",
          "pause_requested",
          "pause_requested",
          "approval_cancelled",
          "approval_cancelled",
          "paused",
          "paused"
        ])
        for (const event of since.filter(({ kind }) => kind === "paused")) {
          assert.deepStrictEqual(event.detail, { reason: "killed", provider_verified: true })
        }
        for (const kind of ["pause_requested", "paused"]) {
          const about = since.filter((event) => event.kind === kind).map(({ campaign_id }) => campaign_id)
          assert.sameMembers(about, [one, two])
        }
        const cancelled = since.filter(({ kind }) => kind === "approval_cancelled")
        assert.deepStrictEqual(cancelled.map(({ detail }) => detail["verb"]).toSorted(), [
          "launch_campaign",
          "setup_sending"
        ])

        const me = ok(yield* guard.call("get_me")).result
        assert.isTrue(me.workspace.sending_suspended)
        const launch = { campaign_id: idle.campaign_id, confirmation_token: asked.result.confirmation_token as string }
        const stopped = { suspended_at: killed.result.suspended_at, reason: "wrong list" }
        for (const [verb, input] of [
          ["launch_campaign", { campaign_id: idle.campaign_id }],
          ["launch_campaign", launch],
          ["setup_sending", PURCHASE],
          ["setup_sending", { ...PURCHASE, confirmation_token: approved.result.confirmation_token as string }]
        ] as const) {
          refused(yield* client.call(verb, input, { key: freshKey() }), 403, "agent_suspended", stopped)
        }
        yield* pass("5 seconds", "1 second")
        assert.lengthOf([...(yield* deliveries(one)), ...(yield* deliveries(two))], 4, "no second step")

        const owner = yield* signIn(client.ownerEmail)
        const control = yield* Control
        const [entry] = (yield* control.history(owner, null)).filter(({ action }) => action === "kill")
        assert.deepInclude(entry, { actor: { kind: "key", keyId: guard.keyId, name: "test" }, direction: "tighten" })
        assert.isTrue(yield* control.clearSuspension(owner))
        assert.isFalse(yield* control.clearSuspension(owner))
        refused(yield* client.call("launch_campaign", launch, { key: freshKey() }), 409, "approval_cancelled")
        refused(
          yield* client.call(
            "setup_sending",
            { ...PURCHASE, confirmation_token: approved.result.confirmation_token as string },
            { key: freshKey() }
          ),
          409,
          "approval_cancelled"
        )
        const restart = yield* client.call("launch_campaign", { campaign_id: one }, { key: freshKey() })
        refused(restart, 400, "invalid_request", { reason: "campaign_state", state: "paused" })
        yield* pass("5 seconds", "1 second")
        assert.lengthOf([...(yield* deliveries(one)), ...(yield* deliveries(two))], 4, "killed is killed")
        const rebuilt = yield* launched(client, { recipients: silent(1, "d") })
        yield* work
        assert.lengthOf(yield* deliveries(rebuilt), 1)
        assert.lengthOf(yield* trailOf(client, { kind: "suspension_cleared" }), 1)
        const second = ok(yield* kill(guard, "once more")).result
        assert.deepInclude(second, { campaigns_paused: 1, approvals_cancelled: 0 })
        assert.notStrictEqual(second.suspended_at, killed.result.suspended_at)
      }).pipe(Effect.orDie)
    )

    it.effect("says what the provider has not confirmed, and goes on asking until it does", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        const campaign = yield* launched(client, { recipients: silent(1) })
        yield* work
        const answered = yield* whileSending(Behaviour.Fail({ reason: "transient" }))(
          Effect.gen(function* () {
            const { result } = ok(yield* kill(guard))
            assert.deepStrictEqual(result.campaigns_unconfirmed, [campaign])
            yield* ticking(TestClock.adjust("30 seconds"), 1000)
            assert.isEmpty(yield* trailOf(client, { kind: "paused" }))
            return result
          })
        )
        // What the engine still waits for is cleared by nobody: it goes on after the suspension as well.
        const control = yield* Control
        yield* control.clearSuspension(yield* signIn(client.ownerEmail))
        for (const isPatient = patience(); isPatient();) {
          if ((yield* trailOf(client, { kind: "paused" })).length > 0) break
          yield* TestClock.adjust("5 seconds")
        }
        const [paused, ...more] = yield* trailOf(client, { kind: "paused" })
        assert.isEmpty(more)
        assert.deepInclude(paused, {
          campaign_id: campaign,
          source: "system",
          detail: { reason: "killed", provider_verified: true }
        })
        const kills = yield* KillStore
        assert.deepStrictEqual(answered.campaigns_unconfirmed, [campaign])
        assert.isEmpty((yield* kills.open(1000)).filter((one) => one.workspaceId === client.workspaceId))
      }).pipe(Effect.orDie)
    )

    it.effect("stops added people and answers as well; what waited for a human, waits in vain", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        const writer = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["data:read", "reply:send"] })
        const killed = yield* launched(client, {
          recipients: to("interested+kill@magic.test", "silent+kill@magic.test"),
          sequence: [
            { subject: "Hello", body: "Hi" },
            { body: "Again", wait_days: 60 }
          ]
        })
        yield* pass("3 seconds")
        const { replies } = ok(yield* writer.call("get_replies")).result
        const answer = { reply_id: replies[0].reply_id as string, body_text: "Thank you" }
        const answering = ok(yield* writer.call("reply_to_thread", answer))
        yield* decide(client, answering.result.approval_url, "approve")
        const waiting = yield* launched(client, { recipients: silent(1, "w") })
        const more = { campaign_id: waiting, leads: silent(1, "m") }
        const adding = ok(yield* client.call("add_leads", more, { key: freshKey() }))
        yield* decide(client, adding.result.approval_url, "approve")

        const { result } = ok(yield* kill(guard))
        assert.deepInclude(result, { campaigns_paused: 1, campaigns_unconfirmed: [], approvals_cancelled: 2 })
        const confirmed = { ...more, confirmation_token: adding.result.confirmation_token as string }
        const sent = { ...answer, confirmation_token: answering.result.confirmation_token as string }
        for (const input of [more, confirmed, { campaign_id: killed, leads: silent(1) }]) {
          refused(yield* client.call("add_leads", input, { key: freshKey() }), 403, "agent_suspended")
        }
        for (const input of [answer, sent]) {
          refused(yield* writer.call("reply_to_thread", input, { key: freshKey() }), 403, "agent_suspended")
        }
        const control = yield* Control
        yield* control.clearSuspension(yield* signIn(client.ownerEmail))
        refused(yield* client.call("add_leads", confirmed, { key: freshKey() }), 409, "approval_cancelled")
        refused(yield* writer.call("reply_to_thread", sent, { key: freshKey() }), 409, "approval_cancelled")
        const extended = { campaign_id: killed, leads: silent(1) }
        refused(yield* client.call("add_leads", extended, { key: freshKey() }), 400, "invalid_request", {
          reason: "campaign_state"
        })
        yield* pass("3 seconds")
        assert.isEmpty(yield* trailOf(client, { kind: "reply_sent" }))
        assert.lengthOf(yield* deliveries(killed), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("in the console an owner kills with any sign-in, and clears with a fresh one", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const control = yield* Control
        const owner = yield* signIn(client.ownerEmail)
        const member = yield* colleague(owner)
        const campaign = yield* launched(client, { recipients: silent(1) })
        const preview = yield* control.previewKill(member)
        assert.deepInclude(preview, { campaignsTotal: 1, activeMailboxes: 1, openApprovals: 0 })
        assert.deepStrictEqual(preview.campaigns, [{ campaignId: campaign, name: "Story" }])
        assert.isNull(preview.sending.suspendedAtMillis)
        yield* refusedBy("owner_required", control.kill(member, "stop"))
        yield* refusedBy("invalid", control.kill(owner, " "))
        yield* growStale
        const killed = yield* control.kill(owner, "stop")
        assert.deepInclude(killed, { campaignsPaused: 1, campaignsUnconfirmed: [], reason: "stop" })
        assert.strictEqual((yield* control.previewKill(member)).sending.suspendedReason, "stop")
        yield* refusedBy("reauthentication_required", control.clearSuspension(owner))
        yield* refusedBy("owner_required", control.clearSuspension(member))
        assert.isTrue(yield* control.clearSuspension(yield* signIn(client.ownerEmail)))
        const [event] = yield* trailOf(client, { kind: "killed" })
        assert.deepInclude(event, { source: "console", detail: { reason: "stop", by: client.ownerEmail } })
      }).pipe(Effect.orDie)
    )

    it.effect("needs its scope, a reason, and an Idempotency-Key", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const guard = yield* guardOf(client)
        refused(yield* kill(client), 403, "forbidden", { required_scope: "control:manage" })
        refused(yield* kill(guard, ""), 400, "invalid_request")
        refused(yield* kill(guard, "x".repeat(501)), 400, "invalid_request")
        refused(yield* guard.call("kill", { reason: "x" }), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        assert.isFalse(ok(yield* guard.call("get_me")).result.workspace.sending_suspended)
        const verbOf = (me: { verbs: ReadonlyArray<{ verb: string; allowed: boolean; reason: string | null }> }) =>
          me.verbs.filter(({ verb }) => verb === "kill" || verb === "update_key")
        assert.deepStrictEqual(
          verbOf(ok(yield* guard.call("get_me")).result).map(({ allowed }) => allowed),
          [true, true]
        )
        assert.deepStrictEqual(verbOf(ok(yield* client.call("get_me")).result)[0], {
          verb: "update_key",
          allowed: false,
          reason: "missing_scope:control:manage"
        })
      }).pipe(Effect.orDie)
    )
  })
}

import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Control } from "@outbound/domain/control/Control.js"
import { INVITATIONS_MAX, INVITATIONS_PER_ADDRESS_MAX } from "@outbound/domain/control/Members.js"
import { DEFAULT_SCOPES } from "@outbound/domain/verbs/Policy.js"
import { credits, format } from "@outbound/domain/kernel/money/Credits.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { send } from "../../service/Client.js"
import { colleague, type ControlOnStores, growStale, keyIn, office, refusedBy, signIn } from "./controlSupport.js"
import { ok, PURCHASE, refused, SUITE, trailOf } from "./stories.js"

const NEW_KEY = {
  name: "agent",
  scopes: [],
  monthlySpendCap: null,
  autonomousExternalActions: true,
  runRequired: false
} as const

const HOUR = 3_600_000

/** What a signed-in human may do beside policies and kills. */
export const consoleControlContract = <E>(name: string, service: Layer.Layer<ControlOnStores, E>) => {
  describeLayer(service, SUITE)(`control in the console (${name})`, (it) => {
    it.effect("only owners who signed in just now make keys; the secret works, and is shown once", () =>
      Effect.gen(function* () {
        const { member, owner } = yield* office()
        const control = yield* Control
        yield* refusedBy("owner_required", control.createKey(member, NEW_KEY))
        yield* refusedBy("invalid", control.createKey(owner, { ...NEW_KEY, name: " " }))
        const plain = yield* control.createKey(owner, NEW_KEY)
        assert.match(plain.apiKey, /^svc_key_[A-Za-z0-9_-]{43}$/)
        const strong = yield* control.createKey(owner, {
          ...NEW_KEY,
          scopes: ["control:manage", "trail:read", "reply:send", "trail:read"],
          monthlySpendCap: credits("7")
        })
        const me = ok(yield* send(strong.apiKey, "get_me", {})).result
        assert.deepStrictEqual([me.scopes, me.monthly_spend_cap], [["reply:send", "trail:read", "control:manage"], "7"])
        const keys = yield* control.listKeys(member)
        assert.deepStrictEqual(
          keys.slice(0, 2).map(({ key }) => key.keyId),
          [strong.keyId, plain.keyId]
        )
        assert.deepStrictEqual(keys[1]?.key.scopes, DEFAULT_SCOPES)
        assert.notInclude(
          JSON.stringify(keys, (_, value) => (typeof value === "bigint" ? String(value) : value)),
          plain.apiKey
        )
        const [made] = yield* control.keyHistory(owner, plain.keyId, null)
        assert.deepInclude(made, { action: "create_key", direction: "loosen", before: {} })
        yield* growStale
        yield* refusedBy("reauthentication_required", control.createKey(owner, NEW_KEY))
      }).pipe(Effect.orDie)
    )

    it.effect("what a key cost this month stands beside it", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        ok(yield* manager.call("verify_email", { email: "valid@magic.test" }))
        const { spentThisMonth } = yield* control.key(owner, manager.keyId)
        assert.strictEqual(format(spentThisMonth), "1")
        assert.strictEqual(format((yield* control.listKeys(owner))[0]?.spentThisMonth ?? 0n), "1")
      }).pipe(Effect.orDie)
    )

    it.effect("any member pauses a key, owners resume and revoke it; each is a row, a repeat is none", () =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office()
        const other = yield* office()
        const control = yield* Control
        const client = yield* keyIn(manager)
        yield* refusedBy("not_found", control.pauseKey(other.owner, client.keyId))
        yield* refusedBy("not_found", control.pauseKey(owner, "nothing"))
        assert.deepStrictEqual(yield* control.pauseKey(member, client.keyId), { state: "paused" })
        assert.deepStrictEqual(yield* control.pauseKey(member, client.keyId), { state: "paused" })
        refused(yield* client.call("get_usage"), 403, "agent_paused")
        ok(yield* client.call("get_me"))
        yield* refusedBy("owner_required", control.resumeKey(member, client.keyId))
        yield* refusedBy("owner_required", control.revokeKey(member, client.keyId))
        yield* growStale
        yield* refusedBy("reauthentication_required", control.resumeKey(owner, client.keyId))
        const fresh = yield* signIn(manager.ownerEmail)
        assert.deepStrictEqual(yield* control.resumeKey(fresh, client.keyId), { state: "active" })
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        assert.deepStrictEqual(yield* control.revokeKey(owner, client.keyId), { state: "revoked" })
        refused(yield* client.call("get_me"), 401, "unauthorized")
        yield* refusedBy("key_revoked", control.resumeKey(fresh, client.keyId))
        yield* refusedBy("key_revoked", control.setPolicy(fresh, client.keyId, { autonomousExternalActions: false }))
        const history = yield* control.keyHistory(owner, client.keyId, null)
        assert.deepStrictEqual(
          history.map(({ action, direction }) => `${action} ${direction}`),
          ["revoke_key tighten", "resume_key loosen", "pause_key tighten", "create_key loosen"]
        )
        const [cancelled] = yield* trailOf(manager, { kind: "approval_cancelled" })
        assert.deepInclude(cancelled?.detail, { verb: "setup_sending", by: manager.ownerEmail })
        const approvalId = quote.result.approval_url.split("/").at(-1)
        const console = yield* Console
        const approval = Option.getOrThrow(yield* console.approval(manager.workspaceId, approvalId))
        assert.strictEqual(approval.approval.state, "cancelled")
      }).pipe(Effect.orDie)
    )

    it.effect("the operator's changes stand in the same log", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const admin = yield* Admin
        const control = yield* Control
        const { keyId } = yield* keyIn(manager)
        yield* admin.setKey(keyId, { ratePerMinute: 10, capabilities: [{ name: "modes", on: false }] })
        yield* admin.setKey(keyId, { ratePerMinute: 20 })
        yield* admin.changeKeyState(keyId, "pause")
        yield* admin.changeKeyState(keyId, "pause")
        const history = yield* control.keyHistory(owner, keyId, null)
        assert.deepStrictEqual(
          history.map(({ action, actor, direction }) => [action, actor.kind, direction]),
          [
            ["pause_key", "operator", "tighten"],
            ["set_policy", "operator", "loosen"],
            ["set_policy", "operator", "tighten"],
            ["create_key", "operator", "loosen"]
          ]
        )
        assert.deepStrictEqual(history[1]?.after, { rate_per_minute: 20 })
        const page = yield* control.keyHistory(owner, keyId, history[1]?.controlLogId ?? null)
        assert.deepStrictEqual(page, history.slice(2))
      }).pipe(Effect.orDie)
    )

    it.effect("a run has a budget until it is closed; a key that needs one says so", () =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office()
        const other = yield* office()
        const control = yield* Control
        const wanted = { name: "sweep", budget: credits("2"), expiresInMillis: HOUR }
        yield* refusedBy("owner_required", control.createRun(member, wanted))
        yield* refusedBy("invalid", control.createRun(owner, { ...wanted, expiresInMillis: 0 }))
        const { runId } = yield* control.createRun(owner, wanted)
        const client = yield* keyIn(manager)
        yield* control.setPolicy(member, client.keyId, { runRequired: true })
        yield* refusedBy("owner_required", control.setPolicy(member, client.keyId, { runRequired: false }))
        const verify = (run?: string) =>
          client.call("verify_email", { email: "valid@magic.test" }, run === undefined ? {} : { run })
        refused(yield* verify(), 403, "run_required")
        ok(yield* client.call("get_usage"))
        ok(yield* verify(runId))
        ok(yield* verify(runId.toUpperCase()))
        refused(yield* verify(runId), 402, "run_budget_exceeded", { run_id: runId, remaining: "0", required: "1" })
        const foreign = yield* control.createRun(other.owner, wanted)
        refused(yield* verify(foreign.runId), 409, "run_unavailable", { run_id: foreign.runId })
        const [listed] = yield* control.listRuns(member)
        assert.deepInclude(listed, { state: "open", closedAtMillis: null })
        assert.strictEqual(format(listed?.spent ?? 0n), "2")
        const second = yield* control.createRun(owner, wanted)
        yield* refusedBy("not_found", control.closeRun(other.owner, second.runId))
        yield* control.closeRun(member, second.runId)
        yield* control.closeRun(member, second.runId)
        refused(yield* verify(second.runId), 409, "run_unavailable", { run_id: second.runId })
        assert.deepStrictEqual(
          (yield* control.listRuns(owner)).map(({ run, state }) => [run.runId, state]),
          [
            [second.runId, "closed"],
            [runId, "open"]
          ]
        )
        const log = yield* control.history(owner, null)
        assert.lengthOf(
          log.filter(({ action }) => action === "close_run"),
          1
        )
      }).pipe(Effect.orDie)
    )

    it.effect("caps fall by any member's hand, and rise by an owner's", () =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office()
        const control = yield* Control
        const lower = { ...DEFAULT_CAPS, dailySends: 10 }
        assert.strictEqual((yield* control.setCaps(member, lower)).direction, "tighten")
        yield* refusedBy("owner_required", control.setCaps(member, { ...lower, dailyReplies: 101 }))
        yield* refusedBy("invalid", control.setCaps(owner, { ...lower, dailySends: -1 }))
        yield* refusedBy("invalid", control.setCaps(owner, { ...lower, dailySends: 1.5 }))
        assert.strictEqual(ok(yield* manager.call("get_me")).result.daily_send_cap, 10)
        yield* growStale
        yield* refusedBy("reauthentication_required", control.setCaps(owner, DEFAULT_CAPS))
        const fresh = yield* signIn(manager.ownerEmail)
        const raised = yield* control.setCaps(fresh, DEFAULT_CAPS)
        const [entry] = yield* control.history(fresh, null)
        assert.deepInclude(entry, {
          controlLogId: raised.controlLogId,
          action: "set_caps",
          direction: "loosen",
          keyId: null,
          before: { daily_sends: 10 },
          after: { daily_sends: 500 }
        })
        yield* refusedBy("owner_required", control.setPostalAddress(member, "1 Street"))
        yield* refusedBy("invalid", control.setPostalAddress(owner, "  "))
        yield* control.setPostalAddress(owner, " 1 Street ")
        const [address] = yield* control.history(fresh, null)
        assert.deepInclude(address, { action: "set_postal_address", after: { postal_address: "1 Street" } })
      }).pipe(Effect.orDie)
    )

    it.effect("answers in threads are switched off by any member, and on by an owner", () =>
      Effect.gen(function* () {
        const { member, owner } = yield* office()
        const control = yield* Control
        assert.strictEqual((yield* control.setReplySend(member, false)).direction, "tighten")
        yield* refusedBy("owner_required", control.setReplySend(member, true))
        assert.strictEqual((yield* control.setReplySend(owner, true)).direction, "loosen")
        assert.strictEqual((yield* control.setReplySend(member, true)).direction, "none")
      }).pipe(Effect.orDie)
    )

    it.effect("people in two campaigns are left out by any member, and wait by an owner", () =>
      Effect.gen(function* () {
        const { member, owner } = yield* office()
        const control = yield* Control
        yield* refusedBy("owner_required", control.setOverlap(member, "queue"))
        assert.strictEqual((yield* control.setOverlap(owner, "queue")).direction, "loosen")
        const [entry] = yield* control.history(owner, null)
        assert.deepInclude(entry, { action: "set_overlap", before: { overlap: "refuse" }, after: { overlap: "queue" } })
        assert.strictEqual((yield* control.setOverlap(member, "queue")).direction, "none")
        assert.strictEqual((yield* control.setOverlap(member, "refuse")).direction, "tighten")
      }).pipe(Effect.orDie)
    )

    it.effect("nobody is flooded with invitations, nor does a workspace send them without end", () =>
      Effect.gen(function* () {
        const control = yield* Control
        const [one, other] = [(yield* office()).owner, (yield* office()).owner]
        let named = 0
        const nextEmail = () => `invited-${(named += 1)}-${one.session.workspaceId}@example.test`
        const [email, mailing] = [nextEmail(), nextEmail()]
        const invite = (by: SignedIn, to: string) => control.inviteMember(by, to, "member")
        yield* invite(one, email)
        yield* Effect.replicateEffect(invite(other, email), INVITATIONS_PER_ADDRESS_MAX - 1)
        for (const by of [one, other]) {
          const refused = yield* Effect.flip(invite(by, email))
          assert.include(JSON.stringify(refused), "was invited too often within a day")
        }
        // It has invited the member of its office and one more.
        for (let sent = 2; sent < INVITATIONS_MAX; sent += 1) yield* invite(one, nextEmail())
        const refused = yield* Effect.flip(invite(one, mailing))
        assert.include(JSON.stringify(refused), `sent ${INVITATIONS_MAX} invitations within a day`)
        const members = yield* control.members(one)
        assert.notInclude(
          members.map((member) => member.email),
          mailing
        )
        yield* invite(other, mailing)
        yield* TestClock.adjust("1 days")
        const fresh = yield* signIn(one.user.email)
        yield* invite(fresh, email)
        yield* invite(fresh, mailing)
      }).pipe(Effect.orDie)
    )

    it.effect("a workspace keeps an owner, under any concurrency, and strangers see nothing of it", () =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office()
        const other = yield* office()
        const control = yield* Control
        const emails = Effect.map(control.members(owner), (all) => all.map(({ email, role }) => `${role} ${email}`))
        assert.deepStrictEqual(yield* emails, [`owner ${manager.ownerEmail}`, `member ${member.user.email}`])
        yield* refusedBy("owner_required", control.inviteMember(member, "new@example.test", "member"))
        yield* refusedBy("invalid", control.inviteMember(owner, "nobody", "member"))
        assert.strictEqual((yield* control.inviteMember(owner, member.user.email, "owner")).role, "member")
        yield* refusedBy("last_owner", control.removeMember(owner, owner.user.userId))
        yield* refusedBy("last_owner", control.setRole(owner, owner.user.userId, "member"))
        yield* refusedBy("not_found", control.setRole(owner, other.member.user.userId, "owner"))
        yield* refusedBy("not_found", control.removeMember(owner, other.member.user.userId))
        yield* refusedBy("owner_required", control.setRole(member, member.user.userId, "owner"))

        const second = yield* colleague(owner, "owner")
        const both = yield* Effect.all(
          [
            Effect.result(control.removeMember(owner, second.user.userId)),
            Effect.result(control.removeMember(second, owner.user.userId))
          ],
          { concurrency: "unbounded" }
        )
        assert.lengthOf(both.filter(Result.isSuccess), 1)
        const left = yield* control.members(owner)
        assert.lengthOf(
          left.filter(({ role }) => role === "owner"),
          1
        )
        const console = yield* Console
        const gone = [owner, second].find(({ user }) => left.every(({ userId }) => userId !== user.userId))
        assert.isDefined(gone)
        const again = yield* Effect.result(
          Effect.flatMap(console.makeSignInLink(gone!.user.email), (link) => console.signIn(link))
        )
        assert.isTrue(
          Result.isFailure(again) || Option.isNone(again.success),
          "who is no member of anything enters nothing"
        )
        yield* control.removeMember(member, member.user.userId)
        assert.lengthOf(yield* control.members(owner), 1)
      }).pipe(Effect.orDie)
    )
  })
}

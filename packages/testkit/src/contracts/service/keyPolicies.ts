import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Control } from "@outbound/domain/control/Control.js"
import type { Direction, PolicyChange } from "@outbound/domain/control/PolicyChange.js"
import { type Scope, SCOPES } from "@outbound/domain/verbs/Policy.js"
import { credits, format } from "@outbound/domain/kernel/money/Credits.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { Effect, type Layer, Result } from "effect"
import type { Client } from "../../service/Client.js"
import { type ControlOnStores, growStale, keyIn, office, refusedBy, signIn } from "./controlSupport.js"
import { freshKey, ok, refused, SUITE } from "./stories.js"

interface Policy {
  readonly cap: string | null
  readonly scopes: ReadonlyArray<Scope>
  readonly autonomy: boolean
}

/** A change of a policy, and which way it goes. */
interface Change {
  readonly name: string
  readonly before: Policy
  readonly patch: JsonObject
  readonly direction: Direction
}

const BASE: Policy = { cap: "50", scopes: SCOPES, autonomy: true }

const but = (scope: Scope): ReadonlyArray<Scope> => SCOPES.filter((one) => one !== scope)

const cap = (before: string | null, after: string | null, direction: Direction): Change => ({
  name: `cap ${before} to ${after}`,
  before: { ...BASE, cap: before },
  patch: { monthly_spend_cap: after },
  direction
})

const scopes = (
  name: string,
  before: ReadonlyArray<Scope>,
  after: ReadonlyArray<Scope>,
  direction: Direction
): Change => ({
  name,
  before: { ...BASE, scopes: before },
  patch: { scopes: [...after] },
  direction
})

const autonomy = (before: boolean, after: boolean, direction: Direction): Change => ({
  name: `autonomy ${before} to ${after}`,
  before: { ...BASE, autonomy: before },
  patch: { autonomous_external_actions: after },
  direction
})

/** Every member of a policy in every direction (contract: keys, changes). */
const CHANGES: ReadonlyArray<Change> = [
  cap("50", "20", "tighten"),
  cap("50", "49.999999", "tighten"),
  cap("50", "0", "tighten"),
  cap("50", "50", "none"),
  cap("50", "50.00", "none"),
  cap("50", "50.000001", "loosen"),
  cap("50", null, "loosen"),
  cap(null, "1000000", "tighten"),
  cap(null, null, "none"),
  cap("0", "0.000001", "loosen"),
  ...SCOPES.flatMap((scope) => [
    scopes(`drop ${scope}`, SCOPES, but(scope), "tighten"),
    scopes(`add ${scope}`, but(scope), SCOPES, "loosen")
  ]),
  scopes("the same scopes in another order", SCOPES, SCOPES.toReversed(), "none"),
  scopes("a scope said twice", SCOPES, [...SCOPES, "data:read"], "none"),
  scopes("every scope dropped", SCOPES, [], "tighten"),
  scopes("one scope for another", ["data:read"], ["usage:read"], "loosen"),
  autonomy(true, false, "tighten"),
  autonomy(true, true, "none"),
  autonomy(false, false, "none"),
  autonomy(false, true, "loosen"),
  {
    name: "everything tighter",
    before: BASE,
    patch: { monthly_spend_cap: "1", scopes: ["data:read"], autonomous_external_actions: false },
    direction: "tighten"
  },
  {
    name: "two tighter, one looser",
    before: { ...BASE, scopes: but("reply:send") },
    patch: { monthly_spend_cap: "1", scopes: ["reply:send"], autonomous_external_actions: false },
    direction: "loosen"
  }
]

/** The change as the console says it. */
const changeOf = (patch: JsonObject): PolicyChange => ({
  ...("monthly_spend_cap" in patch
    ? { monthlySpendCap: patch["monthly_spend_cap"] === null ? null : credits(patch["monthly_spend_cap"] as string) }
    : {}),
  ...("scopes" in patch ? { scopes: patch["scopes"] as ReadonlyArray<Scope> } : {}),
  ...("autonomous_external_actions" in patch
    ? { autonomousExternalActions: patch["autonomous_external_actions"] as boolean }
    : {})
})

const applied = (before: Policy, patch: JsonObject): Policy => {
  const given = patch["monthly_spend_cap"]
  const wanted = (patch["scopes"] ?? before.scopes) as ReadonlyArray<Scope>
  return {
    cap: given === undefined ? before.cap : given === null ? null : format(credits(given as string)),
    scopes: SCOPES.filter((scope) => wanted.includes(scope)),
    autonomy: (patch["autonomous_external_actions"] ?? before.autonomy) as boolean
  }
}

/** A key as it is now, and how often it was changed. */
const look = (owner: SignedIn, keyId: string) =>
  Effect.gen(function* () {
    const control = yield* Control
    const { key } = yield* control.key(owner, keyId)
    const policy: Policy = {
      cap: key.monthlySpendCap === null ? null : format(key.monthlySpendCap),
      scopes: key.scopes,
      autonomy: key.autonomousExternalActions
    }
    const history = yield* control.keyHistory(owner, keyId, null)
    return { policy, history }
  })

const target = (client: Client, { autonomy, cap, scopes }: Policy) =>
  keyIn(client, { scopes, autonomy, ...(cap === null ? {} : { cap: credits(cap) }) })

const patch = (client: Client, keyId: string, body: JsonObject, key = freshKey()) =>
  client.call("update_key", { key_id: keyId, ...body }, { key })

/** Who may change what of a key, in every combination (contract: keys, changes). */
export const keyPoliciesContract = <E>(name: string, service: Layer.Layer<ControlOnStores, E>) => {
  describeLayer(service, SUITE)(`who may change a key (${name})`, (it) => {
    const each = <A, Err, R>(title: string, run: (change: Change) => Effect.Effect<A, Err, R>) =>
      it.effect(
        title,
        () =>
          Effect.forEach(
            CHANGES,
            (change) =>
              run(change).pipe(
                Effect.catchCause((cause) => Effect.die(new Error(`${change.name}: ${String(cause)}`))),
                Effect.asVoid
              ),
            { discard: true }
          ) as Effect.Effect<void, never, ControlOnStores>
      )

    each("a key with control:manage tightens another, and only asks for what loosens", (change) =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        const { keyId } = yield* target(manager, change.before)
        const before = yield* look(owner, keyId)
        const answer = yield* patch(manager, keyId, change.patch)
        const after = yield* look(owner, keyId)
        const open = yield* control.changeRequests(owner, "open")
        if (change.direction === "loosen") {
          refused(answer, 403, "owner_required")
          assert.deepStrictEqual(after, before)
          assert.lengthOf(open, 1)
          const [asked] = open
          assert.deepStrictEqual(answer.error?.details, {
            change_request_id: asked?.request.changeRequestId,
            console_url: "https://outbound.test/console"
          })
          assert.deepStrictEqual([asked?.request.keyId, asked?.request.requestedByKeyId], [keyId, manager.keyId])
          return
        }
        const wanted = applied(change.before, change.patch)
        const [entry, ...older] = after.history
        assert.deepStrictEqual(ok(answer).result, {
          key_id: keyId,
          monthly_spend_cap: wanted.cap,
          scopes: wanted.scopes,
          autonomous_external_actions: wanted.autonomy,
          control_log_id: entry?.controlLogId
        })
        assert.deepStrictEqual(after.policy, wanted)
        assert.deepStrictEqual(older, before.history)
        assert.deepInclude(entry, {
          actor: { kind: "key", keyId: manager.keyId, name: "test" },
          action: "set_policy",
          direction: change.direction,
          keyId
        })
        assert.isEmpty(open)
      })
    )

    each("a key without control:manage changes nothing, whichever way", (change) =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const plain = yield* keyIn(manager, { scopes: ["data:read"] })
        const { keyId } = yield* target(manager, change.before)
        const before = yield* look(owner, keyId)
        refused(yield* patch(plain, keyId, change.patch), 403, "forbidden", { required_scope: "control:manage" })
        refused(yield* patch(plain, plain.keyId, change.patch), 403, "forbidden", { required_scope: "control:manage" })
        assert.deepStrictEqual(yield* look(owner, keyId), before)
      })
    )

    each("no key edits its own policy: that comes before all that else speaks against it", (change) =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        const before = yield* look(owner, manager.keyId)
        refused(yield* patch(manager, manager.keyId, change.patch), 403, "self_modification")
        refused(yield* patch(manager, manager.keyId.toUpperCase(), change.patch), 403, "self_modification")
        assert.deepStrictEqual(yield* look(owner, manager.keyId), before)
        assert.isEmpty(yield* control.changeRequests(owner, "open"))
      })
    )

    each("another workspace's key is not there, for keys and people alike", (change) =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const other = yield* office()
        const control = yield* Control
        const { keyId } = yield* target(manager, change.before)
        const before = yield* look(owner, keyId)
        refused(yield* patch(other.manager, keyId, change.patch), 404, "not_found")
        for (const stranger of [other.owner, other.member]) {
          yield* refusedBy("not_found", control.setPolicy(stranger, keyId, changeOf(change.patch)))
        }
        assert.deepStrictEqual(yield* look(owner, keyId), before)
        assert.isEmpty(yield* control.changeRequests(other.owner, "open"))
      })
    )

    each("in the console any member tightens, and owners do the rest after a fresh sign-in", (change) =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office()
        const control = yield* Control
        const wanted = applied(change.before, change.patch)
        const set = (by: SignedIn, keyId: string) => control.setPolicy(by, keyId, changeOf(change.patch))
        const loosens = change.direction === "loosen"

        const first = yield* target(manager, change.before)
        const before = yield* look(owner, first.keyId)
        const byMember = yield* Effect.result(set(member, first.keyId))
        assert.strictEqual(Result.isFailure(byMember), loosens)
        if (loosens) {
          yield* refusedBy("owner_required", set(member, first.keyId))
          assert.deepStrictEqual(yield* look(owner, first.keyId), before)
        } else {
          const { history, policy } = yield* look(owner, first.keyId)
          assert.deepStrictEqual(policy, wanted)
          assert.deepInclude(history[0], {
            actor: { kind: "user", userId: member.user.userId, email: member.user.email },
            direction: change.direction
          })
        }

        const second = yield* target(manager, change.before)
        yield* growStale
        const stale = yield* Effect.result(set(owner, second.keyId))
        assert.strictEqual(Result.isFailure(stale), loosens)
        if (loosens) yield* refusedBy("reauthentication_required", set(owner, second.keyId))
        const fresh = yield* signIn(manager.ownerEmail)
        const done = yield* set(fresh, second.keyId)
        const { history, policy } = yield* look(fresh, second.keyId)
        assert.deepStrictEqual(policy, wanted)
        assert.strictEqual(history[0]?.controlLogId, done.controlLogId)
        assert.strictEqual(done.direction, loosens ? "loosen" : "none" === change.direction ? "none" : done.direction)
      })
    )
  })
}

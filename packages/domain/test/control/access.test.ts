import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import type { ApiKey } from "../../src/calls/keys/KeyStore.js"
import {
  difference,
  directionOfKey,
  directionOfLimits,
  fresh,
  freshOwner,
  isOwnSession,
  may,
  owner,
  ownSession,
  shownKey
} from "../../src/control/access.js"
import { ControlRefused, FRESH_SIGN_IN_MILLIS } from "../../src/control/Control.js"
import {
  type Direction,
  directionOf,
  inOrder,
  type KeyPolicy,
  policyAfter,
  policyOf
} from "../../src/control/PolicyChange.js"
import { ROLES, type Role, type SignedIn } from "../../src/control/users/UserStore.js"
import type { SessionBegin } from "../../src/calls/approvals/approvers.js"
import { credits, zero } from "../../src/kernel/money/Credits.js"

const NOW = Date.UTC(2026, 2, 10, 12)

const person = (role: Role, beganBy: SessionBegin, createdAtMillis = NOW): SignedIn => ({
  session: { sessionHash: "h", userId: "u", workspaceId: "w", beganBy, createdAtMillis, expiresAtMillis: NOW * 2 },
  user: { userId: "u", email: "jo@owner.test", createdAtMillis: 0 },
  role,
  workspaceName: "Acme"
})

/** The reason why it is refused; null: it is not. */
const refusal = (check: Effect.Effect<void, ControlRefused>) =>
  Effect.map(Effect.exit(Effect.andThen(TestClock.setTime(NOW), check)), (exit) =>
    Exit.match(exit, {
      onSuccess: () => null,
      onFailure: (cause) => JSON.stringify(cause).match(/"reason":"(\w+)"/)?.[1] ?? "?"
    })
  )

describe("who may act in the console", () => {
  it.effect("an owner is an owner, and no other role is", () =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach(ROLES, (role) => refusal(owner(person(role, "link"))))
      assert.deepStrictEqual(found, [null, "owner_required", "owner_required", "owner_required"])
    })
  )

  it.effect("a session is the person's own unless a printed link began it", () =>
    Effect.gen(function* () {
      const begins = ["passkey", "link", "start_link"] as const
      assert.deepStrictEqual(
        begins.map((beganBy) => isOwnSession(person("owner", beganBy))),
        [true, true, false]
      )
      const found = yield* Effect.forEach(begins, (beganBy) => refusal(ownSession(person("owner", beganBy))))
      assert.deepStrictEqual(found, [null, null, "printed_link"])
    })
  )

  it.effect("a sign-in is fresh for as long as is said, to the millisecond", () =>
    Effect.gen(function* () {
      const since = (millis: number) => refusal(fresh(person("member", "link", NOW - millis)))
      assert.isNull(yield* since(FRESH_SIGN_IN_MILLIS))
      assert.strictEqual(yield* since(FRESH_SIGN_IN_MILLIS + 1), "reauthentication_required")
    })
  )

  it.effect("to loosen needs an owner who signed in just now; to tighten, or to change nothing, any member may", () =>
    Effect.gen(function* () {
      const old = NOW - FRESH_SIGN_IN_MILLIS - 1
      const tried = (direction: Direction) =>
        Effect.all([
          refusal(may(person("owner", "link"), direction)),
          refusal(may(person("owner", "link", old), direction)),
          refusal(may(person("member", "link"), direction))
        ])
      assert.deepStrictEqual(yield* tried("loosen"), [null, "reauthentication_required", "owner_required"])
      assert.deepStrictEqual(yield* tried("tighten"), [null, null, null])
      assert.deepStrictEqual(yield* tried("none"), [null, null, null])
      assert.strictEqual(yield* refusal(freshOwner(person("member", "link"))), "owner_required")
    })
  )
})

const KEY: ApiKey = {
  keyId: "k",
  workspaceId: "w",
  workspaceKind: "live",
  name: "A key",
  prefix: "svc_key_abcd",
  state: "active",
  pausedAtMillis: null,
  scopes: ["data:read", "trail:read"],
  capabilitiesOff: ["modes"],
  autonomousExternalActions: false,
  monthlySpendCap: credits("10"),
  dailySpendCap: credits("2"),
  premiumAllowance: credits("5"),
  ratePerMinute: 10,
  runRequired: true,
  createdAtMillis: 0
}

/** What each change of a key is. */
const CHANGES: ReadonlyArray<readonly [of: Direction, change: Partial<ApiKey>]> = [
  ["none", {}],
  ["none", { name: "Another", state: "paused" }],
  ["loosen", { monthlySpendCap: null }],
  ["loosen", { monthlySpendCap: credits("10.000001") }],
  ["tighten", { monthlySpendCap: credits("9.999999") }],
  ["tighten", { monthlySpendCap: zero }],
  ["loosen", { dailySpendCap: null }],
  ["loosen", { dailySpendCap: credits("3") }],
  ["tighten", { dailySpendCap: credits("1") }],
  ["loosen", { scopes: ["data:read", "trail:read", "usage:read"] }],
  ["loosen", { scopes: ["usage:read"] }],
  ["tighten", { scopes: ["data:read"] }],
  ["none", { scopes: ["trail:read", "data:read"] }],
  ["loosen", { autonomousExternalActions: true }],
  ["loosen", { runRequired: false }],
  ["loosen", { premiumAllowance: credits("6") }],
  ["tighten", { premiumAllowance: credits("4") }]
]

/** What only an operator sets. */
const OPERATORS: typeof CHANGES = [
  ["loosen", { ratePerMinute: 11 }],
  ["tighten", { ratePerMinute: 9 }],
  ["loosen", { capabilitiesOff: [] }],
  ["loosen", { capabilitiesOff: ["keywords"] }],
  ["tighten", { capabilitiesOff: ["modes", "keywords"] }],
  ["none", { capabilitiesOff: ["modes"] }]
]

describe("which way a change goes", () => {
  it("a key's is to loosen where anything loosens, whatever tightens beside it", () => {
    for (const [direction, change] of [...CHANGES, ...OPERATORS])
      assert.strictEqual(directionOfKey(KEY, { ...KEY, ...change }), direction, Object.keys(change).join())
    for (const [direction, change] of CHANGES) assert.strictEqual(directionOf(KEY, { ...KEY, ...change }), direction)
    for (const [direction, change] of OPERATORS) {
      const tightened = { ...KEY, ...change, monthlySpendCap: zero }
      assert.strictEqual(directionOfKey(KEY, tightened), direction === "loosen" ? "loosen" : "tighten")
    }
    const open: ApiKey = { ...KEY, monthlySpendCap: null, dailySpendCap: null, runRequired: false }
    assert.strictEqual(directionOfKey(open, { ...open, monthlySpendCap: credits("1000") }), "tighten")
    assert.strictEqual(directionOfKey(open, { ...open, runRequired: true }), "tighten")
    assert.strictEqual(directionOfKey({ ...KEY, autonomousExternalActions: true }, KEY), "tighten")
  })

  it("limits rise, fall or stay, each by itself; one that there was not counts as nothing", () => {
    const was = { daily: 5, hourly: 2 }
    assert.strictEqual(directionOfLimits(was, { daily: 5, hourly: 2 }), "none")
    assert.strictEqual(directionOfLimits(was, { daily: 4, hourly: 2 }), "tighten")
    assert.strictEqual(directionOfLimits(was, { daily: 4, hourly: 3 }), "loosen")
    assert.strictEqual(directionOfLimits({}, { daily: 1 }), "loosen")
    assert.strictEqual(directionOfLimits({}, { daily: 0 }), "none")
  })

  it("what is changed of a policy is what was named, null is no cap, and all else stays", () => {
    const policy = policyOf(KEY)
    assert.deepStrictEqual(policyAfter(policy, {}), policy)
    const changes: ReadonlyArray<Partial<KeyPolicy>> = [
      { monthlySpendCap: null },
      { monthlySpendCap: zero },
      { dailySpendCap: null },
      { dailySpendCap: credits("1") },
      { scopes: [] },
      { autonomousExternalActions: true },
      { runRequired: false },
      { premiumAllowance: zero }
    ]
    for (const change of changes) assert.deepStrictEqual(policyAfter(policy, change), { ...policy, ...change })
    const named = policyAfter(policy, { scopes: ["trail:read", "data:read", "trail:read"] }).scopes
    assert.deepStrictEqual(named, inOrder(["trail:read", "data:read"]))
    assert.lengthOf(named, 2)
  })
})

describe("what the control log shows of a change", () => {
  it("is what differs, on the side that has it", () => {
    assert.deepStrictEqual(difference({ a: 1, b: [2], c: 3 }, { b: [2], c: 4, d: null }), {
      before: { a: 1, c: 3 },
      after: { c: 4, d: null }
    })
    assert.deepStrictEqual(difference({ a: { b: 1 } }, { a: { b: 1 } }), { before: {}, after: {} })
  })

  it("of a key is its policy, with each cap, and no secret", () => {
    assert.deepStrictEqual(shownKey(KEY), {
      name: "A key",
      state: "active",
      monthly_spend_cap: "10",
      daily_spend_cap: "2",
      scopes: ["data:read", "trail:read"],
      autonomous_external_actions: false,
      run_required: true,
      premium_allowance: "5",
      rate_per_minute: 10,
      capabilities_off: ["modes"]
    })
    const open = shownKey({ ...KEY, monthlySpendCap: null, dailySpendCap: null })
    assert.deepInclude(open, { monthly_spend_cap: null, daily_spend_cap: null })
  })
})

import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Control } from "@outbound/domain/control/Control.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { Rules } from "@outbound/domain/control/rules/Rules.js"
import type { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Effect, type Layer } from "effect"
import { colleague, type ControlOnStores, growStale, office, refusedBy, signIn } from "./controlSupport.js"
import { SUITE } from "./stories.js"

const TIGHTER: WorkspaceRules = {
  authentication: "require",
  unverifiedMaxPercent: 20,
  verificationMaxAgeDays: 30,
  roleAddresses: "leave_out",
  evidence: "mark",
  attentionAbove: 500
}

/** The rules of a workspace: who may change them, which way, and what is noted of it. */
export const rulesContract = <E>(name: string, service: Layer.Layer<ControlOnStores | RuleStore, E>): void => {
  describeLayer(service, SUITE)(`rules of a workspace (${name})`, (it) => {
    it.effect("a workspace that is made live requires authentication, a sandbox warns", () =>
      Effect.gen(function* () {
        const admin = yield* Admin
        const rules = yield* Rules
        for (const [kind, authentication] of [
          ["live", "require"],
          ["sandbox", "warn"]
        ] as const) {
          const ownerEmail = `rules-${kind}-${process.pid}-${name.toLowerCase()}@example.test`
          yield* admin.createWorkspace({ name: kind, ownerEmail, kind, credits: zero, postalAddress: null })
          assert.deepStrictEqual(yield* rules.rules(yield* signIn(ownerEmail)), { ...DEFAULT_RULES, authentication })
        }
      }).pipe(Effect.orDie)
    )

    it.effect("who may approve tightens a rule; an owner with a fresh sign-in loosens it; the log says both", () =>
      Effect.gen(function* () {
        const { member, owner } = yield* office()
        const approver = yield* colleague(owner, "approver")
        const rules = yield* Rules
        const control = yield* Control
        assert.strictEqual((yield* rules.setRules(approver, TIGHTER)).direction, "tighten")
        assert.deepStrictEqual(yield* rules.rules(owner), TIGHTER)
        const [tightened] = yield* control.history(owner, null)
        assert.deepInclude(tightened, {
          action: "set_rules",
          direction: "tighten",
          before: {
            authentication: "warn",
            unverified_max_percent: null,
            verification_max_age_days: 90,
            role_addresses: "allow",
            evidence: "none",
            attention_above: null
          },
          after: {
            authentication: "require",
            unverified_max_percent: 20,
            verification_max_age_days: 30,
            role_addresses: "leave_out",
            evidence: "mark",
            attention_above: 500
          }
        })
        const looser: ReadonlyArray<Partial<WorkspaceRules>> = [
          { authentication: "warn" },
          { unverifiedMaxPercent: null },
          { unverifiedMaxPercent: 21 },
          { verificationMaxAgeDays: 31 },
          { roleAddresses: "allow" },
          { evidence: "none" },
          { attentionAbove: 501 },
          // One that loosens is enough.
          { evidence: "require", attentionAbove: null }
        ]
        for (const change of looser) {
          for (const by of [member, approver]) {
            yield* refusedBy("owner_required", rules.setRules(by, { ...TIGHTER, ...change }))
          }
        }
        assert.deepStrictEqual(yield* rules.rules(owner), TIGHTER)
        assert.strictEqual((yield* rules.setRules(member, TIGHTER)).direction, "none")
        yield* growStale
        yield* refusedBy("reauthentication_required", rules.setRules(owner, DEFAULT_RULES))
        const fresh = yield* signIn(owner.user.email)
        assert.strictEqual((yield* rules.setRules(fresh, DEFAULT_RULES)).direction, "loosen")
        const [loosened] = yield* control.history(owner, null)
        assert.deepInclude(loosened, { action: "set_rules", direction: "loosen" })
      }).pipe(Effect.orDie)
    )

    it.effect("a value out of bounds changes nothing", () =>
      Effect.gen(function* () {
        const { owner } = yield* office()
        const rules = yield* Rules
        const wrong: ReadonlyArray<Partial<WorkspaceRules>> = [
          { unverifiedMaxPercent: -1 },
          { unverifiedMaxPercent: 101 },
          { unverifiedMaxPercent: 0.5 },
          { verificationMaxAgeDays: 0 },
          { verificationMaxAgeDays: 366 },
          { attentionAbove: -1 },
          { attentionAbove: 1_000_001 }
        ]
        for (const change of wrong) {
          yield* refusedBy("invalid", rules.setRules(owner, { ...TIGHTER, ...change }))
        }
        const within: ReadonlyArray<Partial<WorkspaceRules>> = [
          { unverifiedMaxPercent: 0, verificationMaxAgeDays: 1, attentionAbove: 0 },
          { unverifiedMaxPercent: 100, verificationMaxAgeDays: 365, attentionAbove: 1_000_000 }
        ]
        for (const change of within) {
          yield* rules.setRules(owner, { ...TIGHTER, ...change })
          assert.deepStrictEqual(yield* rules.rules(owner), { ...TIGHTER, ...change })
        }
      }).pipe(Effect.orDie)
    )
  })
}

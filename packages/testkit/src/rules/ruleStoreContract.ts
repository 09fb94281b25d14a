import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES, type WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import { givenWorkspace, SUITE } from "../contracts/fixtures.js"

const STRICTEST: WorkspaceRules = {
  authentication: "require",
  unverifiedMaxPercent: 0,
  verificationMaxAgeDays: 1,
  roleAddresses: "leave_out",
  evidence: "require",
  attentionAbove: 0
}

const WIDEST: WorkspaceRules = {
  authentication: "warn",
  unverifiedMaxPercent: 100,
  verificationMaxAgeDays: 365,
  roleAddresses: "allow",
  evidence: "mark",
  attentionAbove: 1_000_000
}

/** What every store of rules guarantees. */
export const ruleStoreContract = <E>(
  name: string,
  adapter: Layer.Layer<RuleStore | UnitOfWork | WorkspaceStore, E>
): void => {
  it.layer(adapter, SUITE)(`rules of workspaces (${name})`, (it) => {
    it.effect("each workspace has its own, as they were set last, and the defaults before", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* RuleStore
        const [{ workspaceId }, other] = [yield* givenWorkspace(), yield* givenWorkspace()]
        assert.deepStrictEqual(yield* store.rules(workspaceId), DEFAULT_RULES)
        for (const rules of [STRICTEST, WIDEST, DEFAULT_RULES]) {
          yield* atomically(store.setRules(workspaceId, rules))
          assert.deepStrictEqual(yield* store.rules(workspaceId), rules)
          assert.deepStrictEqual(yield* store.rules(other.workspaceId), DEFAULT_RULES)
        }
      })
    )

    it.effect("a change whose transaction fails is none", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* RuleStore
        const { workspaceId } = yield* givenWorkspace()
        yield* Effect.flip(atomically(Effect.andThen(store.setRules(workspaceId, STRICTEST), Effect.fail("no"))))
        assert.deepStrictEqual(yield* store.rules(workspaceId), DEFAULT_RULES)
      })
    )
  })
}

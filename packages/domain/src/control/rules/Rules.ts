import { Context, Effect, Layer } from "effect"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import { ruleIssues, type WorkspaceRules } from "../../kernel/workspaces/WorkspaceRules.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { difference, makeLogBy, may, mend } from "../access.js"
import type { Changed, ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"
import { directionOfRules } from "./directionOfRules.js"

/** The rules of a workspace, for signed-in people. */
export class Rules extends Context.Service<
  Rules,
  {
    readonly rules: (by: SignedIn) => FromStore<WorkspaceRules>
    /** Tightening: anyone who may approve. Loosening: owners, after a fresh sign-in. They hold for later calls. */
    readonly setRules: (by: SignedIn, rules: WorkspaceRules) => FromStore<Changed, ControlRefused>
  }
>()("@outbound/domain/control/rules/Rules") {}

const shown = (of: WorkspaceRules) => ({
  authentication: of.authentication,
  unverified_max_percent: of.unverifiedMaxPercent,
  verification_max_age_days: of.verificationMaxAgeDays,
  role_addresses: of.roleAddresses,
  evidence: of.evidence,
  attention_above: of.attentionAbove
})

export const layer = Layer.effect(
  Rules,
  Effect.gen(function* () {
    const store = yield* RuleStore
    const workspaces = yield* WorkspaceStore
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork
    return Rules.of({
      rules: (by) => store.rules(by.session.workspaceId),
      setRules: (by, rules) =>
        Effect.gen(function* () {
          yield* mend(ruleIssues(rules))
          const { workspaceId } = by.session
          // Two people who change them at once: the second sees what the first made of them.
          yield* workspaces.lock(workspaceId)
          const before = yield* store.rules(workspaceId)
          const direction = directionOfRules(before, rules)
          yield* may(by, direction)
          yield* store.setRules(workspaceId, rules)
          const change = difference(shown(before), shown(rules))
          return { controlLogId: yield* logBy(by, "set_rules", direction, change), direction }
        }).pipe(atomically)
    })
  })
)

import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import {
  AUTHENTICATION_RULES,
  DEFAULT_RULES,
  EVIDENCE_RULES,
  ROLE_ADDRESS_RULES
} from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Effect, Option, Schema } from "effect"
import { run } from "./Columns.js"
import { columnsOf, readerOf, storeLayer, upsert, valuesOf } from "./Table.js"

const RulesRow = Schema.Struct({
  authentication: Schema.Literals(AUTHENTICATION_RULES),
  unverifiedMaxPercent: Schema.NullOr(Schema.Int),
  verificationMaxAgeDays: Schema.Int,
  roleAddresses: Schema.Literals(ROLE_ADDRESS_RULES),
  evidence: Schema.Literals(EVIDENCE_RULES),
  attentionAbove: Schema.NullOr(Schema.Int)
})

export const layer = storeLayer(RuleStore, (sql) => {
  const { one } = readerOf(sql, "workspace_rules r", RulesRow, columnsOf(RulesRow, "r"))
  return {
    rules: (workspaceId) =>
      Effect.map(
        one("RuleStore.rules")({ workspaceId }),
        Option.getOrElse(() => DEFAULT_RULES)
      ),
    setRules: (workspaceId, rules) =>
      upsert(sql, "workspace_rules", ["workspace_id"], {
        workspace_id: workspaceId,
        ...valuesOf(RulesRow, rules)
      }).pipe(run("RuleStore.setRules"))
  }
})

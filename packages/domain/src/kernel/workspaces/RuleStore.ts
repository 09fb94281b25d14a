import { Context } from "effect"
import type { FromStore, InTx } from "../ports/UnitOfWork.js"
import type { WorkspaceRules } from "./WorkspaceRules.js"

/**
 * The rules of workspaces. Whoever decides by them reads them in the deciding transaction; changes are made under the
 * lock of the workspace's row.
 */
export class RuleStore extends Context.Service<
  RuleStore,
  {
    /** `DEFAULT_RULES` where nothing was set. */
    readonly rules: (workspaceId: string) => FromStore<WorkspaceRules>
    readonly setRules: (workspaceId: string, rules: WorkspaceRules) => InTx<void>
  }
>()("@outbound/domain/kernel/workspaces/RuleStore") {}

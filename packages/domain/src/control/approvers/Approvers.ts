import { Context } from "effect"
import type { ApprovalRules } from "../../calls/approvals/approvers.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"

/** How many people must approve, for signed-in people. */
export class Approvers extends Context.Tag("@outbound/domain/control/approvers/Approvers")<
  Approvers,
  {
    readonly rules: (by: SignedIn) => FromStore<ApprovalRules>
    /**
     * Owners, after a fresh sign-in. Stricter rules hold for what waits, too; looser ones only for what is asked
     * afterwards. Refused if the workspace has too few members to fulfil them.
     */
    readonly setRules: (by: SignedIn, rules: ApprovalRules) => FromStore<void, ControlRefused>
  }
>() {}

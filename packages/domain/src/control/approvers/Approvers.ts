import { Context, Effect, Layer } from "effect"
import type { ApprovalRules } from "../../calls/approvals/approvers.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { ControlRefused } from "../Control.js"
import { type SignedIn, UserStore } from "../users/UserStore.js"
import { ApprovalStore } from "../../calls/approvals/ApprovalStore.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { format } from "../../kernel/money/Credits.js"
import { difference, freshOwner, makeLogBy, mend } from "../access.js"
import { type Direction, directionOfLimit, together } from "../PolicyChange.js"

/** How many people must approve, for signed-in people. */
export class Approvers extends Context.Service<
  Approvers,
  {
    readonly rules: (by: SignedIn) => FromStore<ApprovalRules>
    /**
     * Owners, after a fresh sign-in. Stricter rules hold for what waits, too; looser ones only for what is asked
     * afterwards. Refused if the workspace has too few members to fulfil them.
     */
    readonly setRules: (by: SignedIn, rules: ApprovalRules) => FromStore<void, ControlRefused>
  }
>()("@outbound/domain/control/approvers/Approvers") {}

const shown = (of: ApprovalRules) => ({
  two_people_above_recipients: of.recipientsAbove,
  two_people_above_credits: of.creditsAbove === null ? null : format(of.creditsAbove),
  key_owner_excluded: of.excludesKeyOwner
})

const directionOf = (before: ApprovalRules, after: ApprovalRules): Direction =>
  together([
    directionOfLimit(before.recipientsAbove, after.recipientsAbove),
    directionOfLimit(before.creditsAbove, after.creditsAbove),
    before.excludesKeyOwner === after.excludesKeyOwner ? "none" : after.excludesKeyOwner ? "tighten" : "loosen"
  ])

/** How many members there must be, so that requests can be approved at all. */
const membersNeeded = ({ creditsAbove, excludesKeyOwner, recipientsAbove }: ApprovalRules): number =>
  (recipientsAbove === null && creditsAbove === null ? 1 : 2) + (excludesKeyOwner ? 1 : 0)

export const layer = Layer.effect(
  Approvers,
  Effect.gen(function* () {
    const store = yield* ApprovalStore
    const users = yield* UserStore
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork
    return Approvers.of({
      rules: (by) => store.rules(by.session.workspaceId),
      setRules: (by, rules) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          const { workspaceId } = by.session
          const members = yield* users.lockMembers(workspaceId)
          const needed = membersNeeded(rules)
          const issues: ReadonlyArray<Issue> =
            members.length >= needed
              ? []
              : [{ path: "rules", message: `need at least ${needed} members; this workspace has ${members.length}` }]
          yield* mend(issues)
          const before = yield* store.rules(workspaceId)
          yield* store.setRules(workspaceId, rules)
          yield* logBy(by, "set_approval_rules", directionOf(before, rules), difference(shown(before), shown(rules)))
        }).pipe(atomically)
    })
  })
)

import {
  AUTHENTICATION_RULES,
  EVIDENCE_RULES,
  ROLE_ADDRESS_RULES,
  type WorkspaceRules
} from "../../kernel/workspaces/WorkspaceRules.js"
import { type Direction, directionOfLimit, together } from "../PolicyChange.js"

/** In a list of values from the loosest to the strictest. */
const directionIn = <A>(values: ReadonlyArray<A>, before: A, after: A): Direction => {
  const by = values.indexOf(after) - values.indexOf(before)
  return by === 0 ? "none" : by > 0 ? "tighten" : "loosen"
}

/** Which way a change of rules goes. One that loosens any of them loosens. */
export const directionOfRules = (before: WorkspaceRules, after: WorkspaceRules): Direction =>
  together([
    directionIn(AUTHENTICATION_RULES, before.authentication, after.authentication),
    directionOfLimit(before.unverifiedMaxPercent, after.unverifiedMaxPercent),
    directionOfLimit(before.verificationMaxAgeDays, after.verificationMaxAgeDays),
    directionIn(ROLE_ADDRESS_RULES, before.roleAddresses, after.roleAddresses),
    directionIn(EVIDENCE_RULES, before.evidence, after.evidence),
    directionOfLimit(before.attentionAbove, after.attentionAbove)
  ])

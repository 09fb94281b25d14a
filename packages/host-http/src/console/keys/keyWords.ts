import type { KeyPolicy, PolicyChange } from "@outbound/domain/control/PolicyChange.js"
import type { KeyState } from "@outbound/domain/calls/keys/KeyMachine.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import type { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { creditWords } from "../../web/Words.js"

export const STATE_WORDS: Readonly<Record<KeyState, readonly [words: string, tone: "good" | "wait" | "bad"]>> = {
  active: ["Active", "good"],
  paused: ["Paused", "wait"],
  revoked: ["Revoked", "bad"]
}

/** What a scope lets a key do. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  "data:read": "look up people and companies, read replies, chat with models",
  "usage:read": "be given usage; any key may read it today",
  "campaign:write": "draft campaigns, add people, mark leads",
  "campaign:launch": "ask to launch campaigns; a human approves",
  "assets:purchase": "ask to buy sending capacity; a human approves",
  "reply:send": "ask to answer people; a human approves each answer",
  "trail:read": "read the trail, with people’s addresses",
  "control:manage": "tighten other keys and stop all sending"
}

export const capWords = (cap: Credits | null): string => (cap === null ? "No cap" : creditWords(cap))

const onOff = (on: boolean): string => (on ? "on" : "off")

/** What a change would make of a policy: each member that it names, from what to what. */
export const changeWords = (
  change: PolicyChange,
  before: KeyPolicy
): ReadonlyArray<{ readonly what: string; readonly before: string | null; readonly after: string | null }> => [
  ...(change.monthlySpendCap === undefined
    ? []
    : [
        {
          what: "Monthly cap",
          before: capWords(before.monthlySpendCap),
          after: capWords(change.monthlySpendCap)
        }
      ]),
  ...(change.scopes ?? before.scopes)
    .filter((scope) => !before.scopes.includes(scope))
    .map((scope) => ({ what: "More it may do", before: null, after: `${scope}: ${SCOPE_WORDS[scope]}` })),
  ...before.scopes
    .filter((scope) => change.scopes?.includes(scope) === false)
    .map((scope) => ({ what: "No longer", before: scope, after: null })),
  ...(change.autonomousExternalActions === undefined
    ? []
    : [
        {
          what: "May ask for approvals",
          before: onOff(before.autonomousExternalActions),
          after: onOff(change.autonomousExternalActions)
        }
      ]),
  ...(change.runRequired === undefined
    ? []
    : [{ what: "Must name a run", before: onOff(before.runRequired), after: onOff(change.runRequired) }]),
  ...(change.premiumAllowance === undefined
    ? []
    : [
        {
          what: "Premium allowance",
          before: creditWords(before.premiumAllowance),
          after: creditWords(change.premiumAllowance)
        }
      ])
]

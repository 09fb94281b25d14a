import type { KeyPolicy, PolicyChange } from "@outbound/domain/control/PolicyChange.js"
import type { KeyState } from "@outbound/domain/calls/keys/KeyMachine.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import type { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { creditWords } from "../../web/Words.js"
import type { StateWords } from "../Parts.js"

export const STATE_WORDS: Readonly<Record<KeyState, StateWords>> = {
  active: ["Active", "good"],
  paused: ["Paused", "wait"],
  revoked: ["Revoked", "bad"]
}

/** What a scope lets a key do. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  "data:read": "Look up people and companies, read replies, chat with models",
  "usage:read": "Read usage (today any key can)",
  "campaign:write": "Draft campaigns, add leads, set lead statuses",
  "campaign:launch": "Ask to launch campaigns; a human approves each launch",
  "assets:purchase": "Ask to buy sending capacity; a human approves each purchase",
  "reply:send": "Ask to reply to leads; a human approves each reply",
  "trail:read": "Read the trail, including email addresses",
  "control:manage": "Restrict other keys and stop all sending"
}

export const capWords = (cap: Credits | null): string => (cap === null ? "No cap" : creditWords(cap))

const onOff = (on: boolean): string => (on ? "on" : "off")

/** Each member that a change names, with its value before and after. */
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
  ...(change.dailySpendCap === undefined
    ? []
    : [{ what: "Daily cap", before: capWords(before.dailySpendCap), after: capWords(change.dailySpendCap) }]),
  ...(change.scopes ?? before.scopes)
    .filter((scope) => !before.scopes.includes(scope))
    .map((scope) => ({ what: "Scope added", before: null, after: `${scope}: ${SCOPE_WORDS[scope]}` })),
  ...before.scopes
    .filter((scope) => change.scopes?.includes(scope) === false)
    .map((scope) => ({ what: "Scope removed", before: scope, after: null })),
  ...(change.autonomousExternalActions === undefined
    ? []
    : [
        {
          what: "Can ask for approvals",
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

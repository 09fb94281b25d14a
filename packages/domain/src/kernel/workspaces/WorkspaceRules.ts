import type { Issue } from "../errors/Wire.js"
import type { WorkspaceKind } from "./WorkspaceStore.js"

/**
 * What a workspace asks of a launch, and of leads for an active campaign, before a person approves it (contract:
 * campaigns, rules of a workspace). The lists name values from the loosest to the strictest.
 */

/** Whether a launch from a domain that is not authenticated is refused. */
export const AUTHENTICATION_RULES = ["warn", "require"] as const
export type AuthenticationRule = (typeof AUTHENTICATION_RULES)[number]

/** Whether addresses of roles, such as `info@`, are left out. */
export const ROLE_ADDRESS_RULES = ["allow", "leave_out"] as const
export type RoleAddressRule = (typeof ROLE_ADDRESS_RULES)[number]

/** Whether values of variables without evidence are marked on the approval, or refused. */
export const EVIDENCE_RULES = ["none", "mark", "require"] as const
export type EvidenceRule = (typeof EVIDENCE_RULES)[number]

export interface WorkspaceRules {
  readonly authentication: AuthenticationRule
  /** The largest share of people without a verdict of verification that counts, in percent; null: any. */
  readonly unverifiedMaxPercent: number | null
  /** A verdict that is older, in days, counts for nothing. */
  readonly verificationMaxAgeDays: number
  readonly roleAddresses: RoleAddressRule
  readonly evidence: EvidenceRule
  /** Above so many recipients the approval's page asks questions before it takes the decision; null: never. */
  readonly attentionAbove: number | null
}

/** Those of a workspace in which nothing was set. */
export const DEFAULT_RULES: WorkspaceRules = {
  authentication: "warn",
  unverifiedMaxPercent: null,
  verificationMaxAgeDays: 90,
  roleAddresses: "allow",
  evidence: "none",
  attentionAbove: null
}

/** Those that a workspace is made with. What is live sends authenticated mail from the first message on. */
export const rulesOfNew = (kind: WorkspaceKind): WorkspaceRules =>
  kind === "live" ? { ...DEFAULT_RULES, authentication: "require" } : DEFAULT_RULES

/** The least and the greatest value of each number. */
export const RULE_BOUNDS = {
  unverifiedMaxPercent: [0, 100],
  verificationMaxAgeDays: [1, 365],
  attentionAbove: [0, 1_000_000]
} as const satisfies Partial<Readonly<Record<keyof WorkspaceRules, readonly [min: number, max: number]>>>

const NUMBERS = Object.keys(RULE_BOUNDS) as ReadonlyArray<keyof typeof RULE_BOUNDS>

/** What is out of bounds. A path names the field. */
export const ruleIssues = (rules: WorkspaceRules): ReadonlyArray<Issue> =>
  NUMBERS.flatMap((path) => {
    const value = rules[path]
    const [min, max] = RULE_BOUNDS[path]
    return value === null || (Number.isInteger(value) && value >= min && value <= max)
      ? []
      : [{ path, message: `must be a whole number from ${min} to ${max}` }]
  })

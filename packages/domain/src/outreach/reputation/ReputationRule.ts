import type { Issue } from "../../kernel/errors/Wire.js"
import { hostOf } from "../../kernel/people/Domain.js"

/** What a workspace does about the reputation of its sending domains. */
export interface ReputationRule {
  /** Owners are alerted if more than this percentage of the domain's own mail fails DMARC in seven days. */
  readonly failingPercentMax: number
  /** Fewer failing messages than this raise no alert. */
  readonly failingMessagesMin: number
  /** The same by proven reports pauses the domain's mailboxes. */
  readonly pausesForDmarc: boolean
  /** A newly listed domain or address pauses them. */
  readonly pausesForBlocklists: boolean
  /** The name with which the reports' mail server signs `Authentication-Results`; null: no report is proven. */
  readonly trustedServer: string | null
}

export const DEFAULT_RULE: ReputationRule = {
  failingPercentMax: 10,
  failingMessagesMin: 20,
  pausesForDmarc: false,
  pausesForBlocklists: false,
  trustedServer: null
}

export const FAILING_MESSAGES_MAX = 100_000

const isWithin = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

/** Everything that is wrong with a rule. */
export const ruleIssues = (rule: ReputationRule): ReadonlyArray<Issue> => [
  ...(isWithin(rule.failingPercentMax, 1, 100)
    ? []
    : [{ path: "failing_percent", message: "must be a whole number from 1 to 100" }]),
  ...(isWithin(rule.failingMessagesMin, 1, FAILING_MESSAGES_MAX)
    ? []
    : [{ path: "failing_messages", message: `must be a whole number from 1 to ${FAILING_MESSAGES_MAX}` }]),
  ...(rule.trustedServer === null || hostOf(rule.trustedServer) === rule.trustedServer
    ? []
    : [{ path: "trusted_server", message: "must be the name of a mail server, such as mx.google.com" }]),
  ...(rule.pausesForDmarc && rule.trustedServer === null
    ? [{ path: "trusted_server", message: "is needed to pause by DMARC reports: anyone can send a report" }]
    : [])
]

import type { ApprovalSnapshot } from "../../calls/approvals/Snapshot.js"
import { byRisk, risksOf } from "./risks.js"
import type { RiskFacts } from "./Risk.js"

/** A launch to more people is looked at by itself. */
export const SMALL_LEADS_MAX = 50

/** Whether a request is decided in one sitting with others: a reply, or a launch to a few people. */
export const isSmall = (snapshot: ApprovalSnapshot): boolean =>
  snapshot.kind === "reply" ||
  ((snapshot.kind === "launch" || snapshot.kind === "add_leads") && snapshot.leads <= SMALL_LEADS_MAX)

/** Longest answer that a list shows whole. */
export const IN_PLACE_CHARS_MAX = 1_500

/** Whether a list shows everything that a decision turns on, so that it is decided there: a short answer to one person, without a risk. */
export const isDecidedInPlace = (snapshot: ApprovalSnapshot, facts: Omit<RiskFacts, "snapshot">): boolean =>
  snapshot.kind === "reply" &&
  snapshot.body_text.length <= IN_PLACE_CHARS_MAX &&
  risksOf({ ...facts, snapshot }).every(({ weight }) => weight === "note")

interface Waiting {
  readonly approval: {
    readonly approvalId: string
    readonly snapshot: ApprovalSnapshot
    readonly expiresAtMillis: number
  }
}

/** The small ones of what waits, one after another: what weighs most first, of the same weight what ends first. */
export const queueOf = <W extends Waiting>(
  waiting: ReadonlyArray<W>,
  facts: Omit<RiskFacts, "snapshot">
): ReadonlyArray<W> =>
  waiting
    .filter(({ approval }) => isSmall(approval.snapshot))
    .map((of) => ({ of, risks: risksOf({ ...facts, snapshot: of.approval.snapshot }) }))
    .sort(
      (a, b) =>
        byRisk(a.risks, b.risks) ||
        a.of.approval.expiresAtMillis - b.of.approval.expiresAtMillis ||
        (a.of.approval.approvalId < b.of.approval.approvalId ? -1 : 1)
    )
    .map(({ of }) => of)

import type { Finding, ValueEvidence } from "../../kernel/sequences/evidence.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import { ownValue } from "../../kernel/sequences/template.js"
import { saidAt } from "./age.js"
import { supports } from "./supports.js"

/** What was found, once the value was compared with the words: whether they say it, and since when. */
export const concluded = (
  finding: Finding,
  evidence: ValueEvidence,
  recipient: Recipient,
  nowMillis: number
): Finding => {
  if (finding.kind !== "found") return { ...finding, datedAt: null }
  const value = ownValue(recipient, evidence.variable) ?? ""
  const support = supports(evidence.variable, value, evidence.excerpt, recipient)
  const reason = support === "altered" ? "other_value" : support === "unclear" ? "other_language" : null
  return {
    ...finding,
    reason: finding.reason ?? reason,
    datedAt: new Date(saidAt(value, evidence, finding.datedAt, nowMillis)).toISOString()
  }
}

/** What a server's reply about a recipient proves. An ambiguous reply proves nothing. */
import type { Reply } from "./Reply.js"

export type Reading =
  | "accepted"
  /** No such mailbox, for good. */
  | "no_mailbox"
  /** The mailbox exists and is full. */
  | "full"
  /** Ask again later. */
  | "later"
  /** It takes nothing from us, for any recipient. */
  | "policy"
  /** A permanent refusal of the recipient without a reason. */
  | "rejected"
  /** Neither yes nor no. */
  | "unclear"

/** Replies about us, not the recipient. Broad, so that they never count as proof. */
const POLICY =
  /spam|black ?-?list|block ?-?list|\bblock|\bbann|\brbl\b|dnsbl|reputation|policy|polic(?:y|ies)|sender|\bfrom address|return[- ]path|relay|\bden(?:y|ied)|not (?:allowed|permitted|authori[sz]ed)|prohibit|authenticat|\bauth\b|\bspf\b|\bdkim\b|\bdmarc\b|\bptr\b|\brdns\b|reverse|helo\b|\brate\b|too (?:many|much|fast|quick)|\blimit|throttl|gr[ea]y-?list|try (?:again|later)|temporar|your (?:ip|host|server|network|address)|client host|bounce|more than one recipient|suspicious|virus|abuse|security/i

const NO_MAILBOX = [
  /\b(?:no such|unknown|invalid|non-?existent|non-?existing|nonexistant|not a (?:valid|known|local)|bad) (?:local |virtual |email |e-mail |mail )?(?:user|recipient|mailbox|account|address|addressee|person|alias|destination mailbox)\b/i,
  /\b(?:user|recipient|mailbox|account|address|addressee|person|alias)(?: \S{1,64})? (?:is |was |are )?(?:unknown|not found|not known|invalid|nonexistent|non-existent|not exist|disabled|inactive|deactivated|closed|no longer (?:valid|active|available|exists|in use))\b/i,
  /\b(?:user|recipient|mailbox|account|address|person|alias)\b[^.;\n]{0,60}(?:does ?n[o']t|doesn’t|do not|did not|could not be|cannot be|can't be) (?:exist|found|have an? |delivered to)/i,
  /\bno (?:mailbox|user|account|recipient|one) (?:here |known )?by that name\b/i,
  /\bdoes(?: not|n't) have an? \S{1,64} account\b/i,
  /\bunrout(?:e)?able address\b/i,
  /\brecip(?:ient)?notfound\b/i
]

const FULL =
  /\b(?:over ?-?quota|quota exceeded|exceeded (?:its |the |their )?(?:storage |mail ?box )?quota|mailbox (?:is )?full|out of (?:storage|space)|mailbox size limit|insufficient (?:mailbox|user) (?:space|storage))/i

/** Disabled or closed, as opposed to rate-limited: Gmail answers both with 5.2.1. */
const CLOSED = /disabled|inactive|deactivated|closed|suspended|not accepting|no longer/i

/** Exchange Online, for recipients not in the directory of an authoritative domain. */
const NOT_IN_DIRECTORY = /recipient address rejected: access denied/i

/** Echoed addresses are arbitrary words. */
const withoutAddresses = (text: string): string => text.replace(/<[^>\n]*>|\S+@\S+/g, " ")

/** Postfix behind a relay, for unknown recipients: not a refusal to relay. */
const RELAY_TABLE = /\brelay recipient table\b/gi

const temporary = ({ status, text }: Reply): Reading =>
  status === "4.2.2" || (status === null && FULL.test(text)) ? "full" : "later"

/** Reads the reply to RCPT. */
export const readingOf = (reply: Reply): Reading => {
  const { code, status } = reply
  const text = withoutAddresses(reply.text).replace(/\s+/g, " ").replace(RELAY_TABLE, "recipient table")
  // 252 answers VRFY: nothing was looked up.
  if (code === 250 || code === 251) return "accepted"
  if (code >= 400 && code < 500) return temporary({ ...reply, text })
  if (code < 550 || code > 554) return "unclear"
  if (status === "5.2.2" || (status === null && FULL.test(text))) return "full"
  if (status === "5.4.1" && NOT_IN_DIRECTORY.test(text)) return "no_mailbox"
  if (status !== null && /^5\.(?:7\.|1\.[78]$)/.test(status)) return "policy"
  if (POLICY.test(text)) return "policy"
  if (status === "5.1.1" || status === "5.1.6" || status === "5.1.10") return "no_mailbox"
  if (status === "5.2.1") return CLOSED.test(text) ? "no_mailbox" : "rejected"
  // Other statuses don't concern a mailbox. These are generic, or used for lack of a better one.
  const isSilent = status === null || status === "5.0.0" || status === "5.1.0" || status === "5.5.0"
  if (isSilent && NO_MAILBOX.some((words) => words.test(text))) return "no_mailbox"
  return isSilent || status.startsWith("5.1.") || status.startsWith("5.2.") ? "rejected" : "unclear"
}

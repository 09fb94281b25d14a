/** What a server's answer to one recipient proves. Where it could mean something else, it proves nothing. */
import type { Reply } from "./Reply.js"

export type Reading =
  /** It takes mail for this recipient. */
  | "accepted"
  /** There is no such mailbox, for good. */
  | "no_mailbox"
  /** There is such a mailbox, and no room in it. */
  | "full"
  /** It is to be asked again later. */
  | "later"
  /** It takes nothing from us, whoever it is for. */
  | "policy"
  /** It refuses the recipient for good, and does not say why. */
  | "rejected"
  /** It says neither yes nor no. */
  | "unclear"

/** What is said to us rather than of the recipient. Wide, since it keeps an answer from being taken for proof. */
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

/** Disabled or closed, rather than asked too often: Gmail answers both with 5.2.1. */
const CLOSED = /disabled|inactive|deactivated|closed|suspended|not accepting|no longer/i

/** Exchange Online, of recipients that are not in the directory of a domain that it is authoritative for. */
const NOT_IN_DIRECTORY = /recipient address rejected: access denied/i

/** Echoes of addresses are whoever's words. */
const withoutAddresses = (text: string): string => text.replace(/<[^>\n]*>|\S+@\S+/g, " ")

/** Postfix, of whom it did not find in its list of recipients behind a relay: that is no refusal to relay. */
const RELAY_TABLE = /\brelay recipient table\b/gi

const temporary = ({ status, text }: Reply): Reading =>
  status === "4.2.2" || (status === null && FULL.test(text)) ? "full" : "later"

/** Reads the reply to RCPT. */
export const readingOf = (reply: Reply): Reading => {
  const { code, status } = reply
  const text = withoutAddresses(reply.text).replace(/\s+/g, " ").replace(RELAY_TABLE, "recipient table")
  // 252 is an answer to VRFY: it says that nothing was looked up.
  if (code === 250 || code === 251) return "accepted"
  if (code >= 400 && code < 500) return temporary({ ...reply, text })
  if (code < 550 || code > 554) return "unclear"
  if (status === "5.2.2" || (status === null && FULL.test(text))) return "full"
  if (status === "5.4.1" && NOT_IN_DIRECTORY.test(text)) return "no_mailbox"
  if (status !== null && /^5\.(?:7\.|1\.[78]$)/.test(status)) return "policy"
  if (POLICY.test(text)) return "policy"
  if (status === "5.1.1" || status === "5.1.6" || status === "5.1.10") return "no_mailbox"
  if (status === "5.2.1") return CLOSED.test(text) ? "no_mailbox" : "rejected"
  // Of the others none speaks of a mailbox but those that say nothing, and those that are used for want of a better one.
  const isSilent = status === null || status === "5.0.0" || status === "5.1.0" || status === "5.5.0"
  if (isSilent && NO_MAILBOX.some((words) => words.test(text))) return "no_mailbox"
  return isSilent || status.startsWith("5.1.") || status.startsWith("5.2.") ? "rejected" : "unclear"
}

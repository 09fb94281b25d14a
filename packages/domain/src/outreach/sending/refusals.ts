import type { WorkspaceCaps } from "../../kernel/workspaces/WorkspaceStore.js"
import { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import { smtpAnswerOf } from "../mail/MailTransport.js"
import type { Backoff } from "../../kernel/backoff.js"
import { DAY_MILLIS } from "../../kernel/durations.js"

/** A refused sender is tried this many times for one lead, which then ends: nobody waits behind it. */
export const REFUSED_TRIES_MAX = 3

/** How far back refusals are counted. A mailbox that was resumed is counted from then. */
export const REFUSALS_MILLIS = 3 * DAY_MILLIS

/** The mailbox itself is at fault only if so many receiving organisations refuse it. */
export const RECEIVERS_MIN = 3

/**
 * Whom a failed message speaks about.
 *
 * - `mailbox`: our own server refuses the sign-in, or the mailbox's address as a sender.
 * - `server`: our own server can't take anything now.
 * - `policy`: the sender is refused by policy or reputation (5.7.x, 4.7.x). It counts, and decides nothing alone.
 * - `recipient`: this recipient or this message is refused for good.
 * - `later`: this recipient is put off.
 * - `nobody`: it is not known whether anything was refused.
 */
export type Blame = "mailbox" | "server" | "policy" | "recipient" | "later" | "nobody"

/** Replies of a server that wants a sign-in first, or another one (RFC 4954). */
const SIGN_IN: ReadonlySet<number> = new Set([530, 534, 535, 538])

/** The sender's address itself is refused (RFC 3463 §3.2). */
const SENDER_ADDRESS: ReadonlySet<string> = new Set(["5.1.7", "5.1.8"])

/** Whether the code says that one recipient takes no mail from us: a list, a group, or an address that changed hands. */
export const isRecipientsOwn = (status: string): boolean => /^5\.7\.(?:2|1[78]|124|129|13\d|193)$/.test(status)

/** Whether the code says that the sender is refused by policy or reputation. */
export const isPolicy = (status: string): boolean => /^[45]\.7\.\d{1,3}$/.test(status) && !isRecipientsOwn(status)

export const blameOf = (failure: ProviderFailure): Blame => {
  // A failure of our own store says nothing about the server.
  if (failure.cause instanceof StoreUnavailable || failure.reason === "unknown_outcome") return "nobody"
  const answer = smtpAnswerOf(failure)
  if (answer === null) {
    if (failure.reason === "invalid") return "recipient"
    return failure.reason === "account" ? "mailbox" : "server"
  }
  const { code, phase, status } = answer
  if (phase === "connection" || phase === "tls" || code === 421) return "server"
  if (code !== null && SIGN_IN.has(code)) return "mailbox"
  // What our own server says before it has heard of a recipient.
  if (phase === "login" || phase === "sender") {
    return failure.reason === "account" ? "mailbox" : failure.reason === "invalid" ? "recipient" : "server"
  }
  if (status !== null && SENDER_ADDRESS.has(status)) return "mailbox"
  if (status !== null && isRecipientsOwn(status)) return "recipient"
  if (status !== null && isPolicy(status)) return "policy"
  // A quota of the mailbox.
  if (failure.reason === "rate_limited") return "server"
  return failure.reason === "invalid" ? "recipient" : failure.reason === "account" ? "policy" : "later"
}

/** Refusals of a mailbox, by people: each counts once, by their newest message. */
export interface RefusalCount {
  /** People who were written to. */
  readonly people: number
  /** Of them those whose server refused the sender. */
  readonly refused: number
}

export interface RefusalCounts {
  readonly mailbox: RefusalCount & { /** Organisations that refused it. */ readonly receivers: number }
  /** The same at one receiving organisation. */
  readonly receiver: RefusalCount
}

/** The workspace's limits: how many people at least, and which share of them in percent. */
export type RefusalLimits = Pick<WorkspaceCaps, "refusalsMin" | "mailboxRefusalsPercent" | "receiverRefusalsPercent">

const exceeds = ({ people, refused }: RefusalCount, refusalsMin: number, percent: number): boolean =>
  refused >= Math.max(1, refusalsMin) && refused * 100 > people * percent

/** What must stop: the mailbox, its mail to one receiving organisation, or (null) nothing. */
export const refusalVerdict = (counts: RefusalCounts, limits: RefusalLimits): "mailbox" | "receiver" | null => {
  const { mailboxRefusalsPercent, receiverRefusalsPercent, refusalsMin } = limits
  const { mailbox, receiver } = counts
  if (mailbox.receivers >= RECEIVERS_MIN && exceeds(mailbox, refusalsMin, mailboxRefusalsPercent)) return "mailbox"
  return exceeds(receiver, refusalsMin, receiverRefusalsPercent) ? "receiver" : null
}

/** How long a mailbox writes to nobody at an organisation that refuses it: twice as long each time. */
export const RECEIVER_REST_MILLIS = { first: 3_600_000, max: DAY_MILLIS }

/** The same where letters of one's own were not in the inbox: nothing but the next letter shows that they are again. */
export const MEASURED_REST_MILLIS = { first: DAY_MILLIS, max: 4 * DAY_MILLIS }

/** How long a rest lasts, by its status: a server's code, or none where a measure of our own found it. */
export const restWaits = (status: string): Backoff => (status === "" ? MEASURED_REST_MILLIS : RECEIVER_REST_MILLIS)

/** An organisation that refused long ago starts over. */
export const RECEIVER_FORGIVEN_MILLIS = 7 * DAY_MILLIS

const SAYS_CHARS_MAX = 200
const ADDRESS = /[^\s<>()[\],;:"']{1,320}@[^\s<>()[\],;:"']{1,255}/g

/** A server's own words as evidence for people to read: one line, without anyone's address. Third-party text. */
export const evidenceOf = (words: string): string =>
  words
    .slice(0, 4 * SAYS_CHARS_MAX)
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .replace(ADDRESS, "(address)")
    .trim()
    .slice(0, SAYS_CHARS_MAX)

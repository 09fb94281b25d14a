/** Under which id a message of ours left, where a server replaced it: learned from a copy, or from an answer. */
import type { Crypto } from "../../kernel/ports/Crypto.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { wordingsOf } from "../../kernel/sequences/variants.js"
import { renderSubject } from "../../kernel/sequences/template.js"
import type { MailHead } from "../mail/mail.js"
import { companyOf } from "../../kernel/people/companyOf.js"
import { ANSWER_SUBJECT } from "./answerSubject.js"
import { isDenied, threadOf } from "./recognise.js"

/** Most ids that are learned for a message. */
export const LEARNED_MAX = 3

/** Most ids of a thread that are looked up. */
export const LOOKED_UP_MAX = 50

/** Ids are of high entropy, so the hash needs no key. */
export const idHashOf = ({ sha256Hex }: Pick<Crypto["Service"], "sha256Hex">, rfcId: string): string => sha256Hex(rfcId)

const domainOf = (text: string): string | null => registrableDomain(text.replace(/^.*@/, "").toLowerCase())

/**
 * The id under which the message left that this mail answers, if its header leaves no doubt. It names that id alone, as
 * the first answer in a thread does: of several, others may be of other people's mail. An id from the writer's own domain
 * is of a mail of theirs. Where the receiving server denies the sender, nothing is learned.
 */
export const idAnswered = (head: MailHead): string | null => {
  const [id, ...others] = new Set(threadOf(head.headers))
  if (id === undefined || others.length > 0 || isDenied(head)) return null
  return domainOf(id) === domainOf(head.fromEmail ?? "") ? null : id
}

/** Whether an address is of the company of one of our mailboxes. At a mail provider everybody has the same domain, and nobody is a colleague. */
export const isColleague = (fromEmail: string, ownAddress: string): boolean => {
  const company = companyOf(ownAddress)
  return company !== null && company === companyOf(fromEmail)
}

/** Most beginnings that are taken off a subject. */
const BEGINNINGS_MAX = 8

/** The subject without what answers, and marks such as "[EXTERNAL]", put before it. */
const bareSubject = (subject: string): string => {
  let bare = subject.slice(0, 1_000)
  for (let taken = 0; taken < BEGINNINGS_MAX; taken++) {
    const shorter = bare.replace(ANSWER_SUBJECT, "").replace(/^\s*\[[^\]]{1,40}\]/, "")
    if (shorter === bare) break
    bare = shorter
  }
  return bare.replace(/\s+/g, " ").trim().toLowerCase()
}

/** Whether a mail with this subject continues a thread that the sequence began with this person. */
export const isSubjectOfSequence = (
  sequence: ReadonlyArray<SequenceStep>,
  recipient: Recipient,
  subject: string
): boolean => {
  const bare = bareSubject(subject)
  const ours = sequence
    .flatMap(wordingsOf)
    .flatMap(({ subject: template }) => (template === null ? [] : [bareSubject(renderSubject(template, recipient))]))
  return bare !== "" && ours.includes(bare)
}

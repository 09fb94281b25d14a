/**
 * Mail that a program sends because ours arrived, and that answers nothing: receipts of helpdesks, challenges, receipts
 * of delivery and of reading. It is no absence and no answer.
 */
import { type MailContent, type MailHead, valueOf, valuesOf } from "../mail/mail.js"
import { asksToBeLeftAlone, classifyByRules } from "../meaning/classify.js"
import { ownText } from "../meaning/ownText.js"
import { fold } from "../meaning/phrases.js"
import { plainText } from "../meaning/plainText.js"
import { asks } from "./absence.js"
import { isEachClause } from "./absenceClauses.js"
import {
  BY_PROGRAM,
  CHALLENGE,
  OF_LIST,
  OF_RECEIPT,
  RECEIPT_SUBJECT,
  RECEIVED,
  SEEN,
  SEEN_SUBJECT
} from "./receiptPhrases.js"

const SUBJECT_CHARS_MAX = 300
const CHARS_MAX = 3_000

/** Where a link may stand. */
const HTML_CHARS_MAX = 20_000
const LINKED = /https?:\/\/|mailto:/i

export const ownOf = (mail: Pick<MailContent, "text">): string => ownText(mail.text.slice(0, CHARS_MAX))

/** What a text says to us: a yes or a no. A line that offers an unsubscribe from the sender's own mail is none. */
export const answerIn = (own: string): "interested" | "not_interested" | "unsubscribe" | null => {
  if (asksToBeLeftAlone(own)) return "unsubscribe"
  const said = classifyByRules(own)?.classification
  return said === "not_interested" || said === "interested" ? said : null
}

/** Local parts behind which nobody reads. */
const UNREAD =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|nicht[-_.]?antworten|ne[-_.]?pas[-_.]?repondre|noresponder|nao[-_.]?responda|notifications?|automailer|robot[-_.]?\w*|auto[-_.]?(?:reply|confirm|response))@/i

/** Signs that a program made a message. None of them proves it: people's mail comes through programs too. */
export const signsOfProgram = ({ fromEmail, headers }: MailHead): number =>
  [
    valuesOf(headers, "auto-submitted").some((value) => !/^no\b/i.test(value)),
    valuesOf(headers, "precedence").some((value) => /^(?:bulk|junk|list|auto[_-]reply)\b/i.test(value)),
    valueOf(headers, "x-auto-response-suppress") !== "",
    valuesOf(headers, "return-path").some((value) => /^<\s*>$/.test(value)),
    UNREAD.test(fromEmail ?? ""),
    ["x-autoreply", "x-autorespond", "x-loop", "x-zendesk-ticket-id", "x-freshdesk-ticket-id"].some(
      (name) => valueOf(headers, name) !== ""
    )
  ].filter(Boolean).length

/** Words of one who speaks for themselves, folded: a program says "we" at most. */
const MYSELF =
  /(?<![\p{L}\p{N}'’])(?:i(?:['’](?:ve|m|ll|d)| have| am| will| do| don't| can| got| did| created| opened| think| would)|my|ich|mir|mich|mein(?:e[mnrs]?)?|je (?:suis|vous|ne|n'|l|m|pense|transmets)|j'ai|moi|mon|mes|yo|mio|ik|mij|mijn|meu|minha|jag|jeg|mig|meg|minun|mnie|moj\p{L}*|muj|mne|я|мне|меня|мои|мой|моя)(?![\p{L}\p{N}])/u

/** Also "we": receipts of reading speak of nobody's "us". */
const OURSELVES =
  /(?<![\p{L}\p{N}])(?:we|us|our|wir|uns(?:er\p{L}*)?|nous|notre|nos|nosotros|nuestr\p{L}*|noi|nostr\p{L}*|wij|ons|onze|nosso|nossa|vi|oss|os|var|vart|vores|meidan|nas|nasz\p{L}*|nase|мы|нас|наш\p{L}*)(?![\p{L}\p{N}])/u

/** Whether somebody speaks in it for themselves. */
export const isOfMyself = (own: string): boolean => MYSELF.test(plainText(own))

/** Whether somebody speaks in it for themselves, asks, or answers us. */
export const isOfSomebody = (mail: Pick<MailContent, "text">): boolean => {
  const own = ownOf(mail)
  return asks(own) || MYSELF.test(plainText(own)) || answerIn(own) !== null
}

/** Fields of ours that receipts repeat. */
const REPEATED =
  /^([ \t*]*(?:(?:short )?description|subject|title|summary|betreff|titel|objet|titre|asunto|título|oggetto|onderwerp|assunto|ämne|emne|temat|předmět|тема)\s*[:：]).*$/gimu

/** Without our subject, which receipts repeat, and without links. */
export const withoutOurs = (own: string, { subject }: MailHead): string => {
  const ours = subject.slice(0, SUBJECT_CHARS_MAX).replace(/^.*[\]):：#]\s*|\s*[[(#].*$/gu, "")
  const title = subject
    .slice(0, SUBJECT_CHARS_MAX)
    .replace(/[[(][^\])]*[\])]/g, " ")
    .replace(/^\s*(?:\p{L}{1,10}\s?[:：]\s*)+/u, "")
    .trim()
  const bare = own.replace(REPEATED, "$1").replace(/https?:\S+|\bref:\S+:ref\b/g, "")
  return [ours, title].filter(({ length }) => length >= 4).reduce((rest, known) => rest.replaceAll(known, ""), bare)
}

/** A program forbids nothing but to answer it, and would do nothing but thank and tell. */
const FORBIDS =
  /\b(?:do not|don't|never)\b(?!.*\b(?:reply|respond|answer)\b)|\bwe(?:'d| would)\b(?! (?:like|love) to (?:thank|inform|let you|confirm|acknowledge|assure|hear))/

/** A program closes nothing for itself. */
const CLOSES_FOR_US = /\b(?:closed|solved|resolved) (?:for|by) (?:us|me)\b/

const isTicketReceipt = (mail: MailContent, own: string, signs: number): boolean => {
  if (answerIn(own) !== null) return false
  const text = plainText(own)
  if (signs === 0 && MYSELF.test(text)) return false
  const subject = fold(mail.subject.slice(0, SUBJECT_CHARS_MAX))
  if (!RECEIVED.test(text) && !RECEIPT_SUBJECT.test(subject)) return false
  const said = [
    RECEIPT_SUBJECT.test(subject),
    RECEIVED.test(text),
    BY_PROGRAM.test(text),
    /[#[(]\s?[a-z]{0,5}[-# ]{0,2}\d{3,}/u.test(subject)
  ]
  const count = said.filter(Boolean).length
  if (count + Math.min(1, signs) < 2) return false
  const isKnown = (clause: string) =>
    !CLOSES_FOR_US.test(clause) &&
    (RECEIVED.test(clause) || BY_PROGRAM.test(clause) || (OF_RECEIPT.test(clause) && !FORBIDS.test(clause)))
  // "We received your mail, and we are not the right company": whoever says more than a receipt does is no program.
  return isEachClause(withoutOurs(own, mail), isKnown)
}

const isLinked = ({ html, text }: MailContent): boolean =>
  LINKED.test(text) || LINKED.test((html ?? "").slice(0, HTML_CHARS_MAX))

/** Whether our sender would have to prove that a person wrote our mail. */
export const isChallenge = (mail: MailContent, own = ownOf(mail), signs = signsOfProgram(mail)): boolean => {
  // "I protect myself from junk mail" asks for nothing.
  const besides = own
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => CHALLENGE.every((one) => !one.test(plainText(sentence))))
  if (answerIn(besides.join(" ")) !== null) return false
  const text = plainText(mail.text.slice(0, CHARS_MAX))
  const said = CHALLENGE.filter((pattern) => pattern.test(text)).length
  if (said >= 3) return isLinked(mail) || signs > 0
  // People ask for a confirmation too, and send links; but they speak of themselves.
  return said === 2 && isLinked(mail) && (signs > 0 || !(MYSELF.test(text) || OURSELVES.test(text)))
}

/** Lines that name fields of our message, as receipts do. */
const FIELD_LINE = /^[^\n:：]{1,40}[:：].*$/gmu

const isSeen = (mail: MailContent): boolean => {
  if (!SEEN_SUBJECT.test(fold(mail.subject.slice(0, SUBJECT_CHARS_MAX)))) return false
  const text = mail.text.slice(0, CHARS_MAX)
  const plain = plainText(ownOf(mail))
  if (
    !mail.parts.some(({ type }) => type === "message/disposition-notification") &&
    (MYSELF.test(plain) || OURSELVES.test(plain))
  )
    return false
  return SEEN.test(plainText(text)) || (text.match(FIELD_LINE) ?? []).length >= 2 || text.trim() === ""
}

const MANAGER =
  /^(?:mailman|listserv|majordomo|sympa|ecartis|listar|mlmmj|ezmlm)\b|[-+](?:bounces?|owner|request|admin|help|confirm|reject|moderators?)(?:[-+].*)?@/i

/** A manager of a list says so in a field, or in words. */
const isOfListManager = (mail: MailContent, own: string): boolean =>
  /^yes\b/i.test(valueOf(mail.headers, "x-list-administrivia")) ||
  /this is the ezmlm program/i.test(own) ||
  ((MANAGER.test(mail.fromEmail ?? "") || signsOfProgram(mail) > 0) &&
    OF_LIST.test(plainText(own)) &&
    !isOfSomebody(mail))

/** Whether it says no more than that our mail arrived, was read, or must be confirmed. */
export const isReceipt = (mail: MailContent): boolean => {
  if (isSeen(mail)) return true
  const own = ownOf(mail)
  const signs = signsOfProgram(mail)
  return isTicketReceipt(mail, own, signs) || isChallenge(mail, own, signs) || isOfListManager(mail, own)
}

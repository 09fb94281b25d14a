/**
 * What a list says of whether a person may be mailed, in columns as CRMs and mail systems export them: "Email Opt Out",
 * `is_unsubscribed`, "Marketing status", "Abgemeldet", "Stage: Do Not Contact".
 */
import { isWordForNothing } from "../text/nothing.js"

/** `opted_out`: they said no, or somebody said it for them. `bounced`: mail to them came back. `allowed`: they may be mailed. */
export type MailWord = "opted_out" | "bounced" | "allowed"

/** The words of a text between spaces: `isUnsubscribed`, "Is unsubscribed?" and `IS_UNSUBSCRIBED` are alike. */
const wordsOf = (text: string): string =>
  ` ${text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .normalize("NFKD")
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}'’]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .normalize("NFC")} `

const listOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => line.split(", ").map(wordsOf))

/** What only a heading says: as a status, "No contact" may mean that nobody tried. */
const OF_HEADINGS = listOf([
  "no email, no contact, no marketing, not subscribed, suppression, suppressions, blacklist, blocklist, baja email, fecha de baja",
  "complained, spam complaint, spam complaints, marked as spam, marked email as spam, spam report, kontaktsperre, kein kontakt"
])

/** A no to all mail: as a heading, and as a status. */
const REFUSALS = listOf([
  "opt out, opted out, optout, optedout, optouts, unsubscribed, unsubscribe, unsub, unsubs, unsubscribes, unsubscription",
  "do not email, do not e-mail, do not mail, do not contact, do not send, do not allow, do not bulk email, do not market",
  "donotcontact, donotemail, donotmail, dont email, dont contact, dont mail, dnc, dne",
  "never contact, never email, blacklisted, blocklisted, suppressed, unsubscribed from all, removed by request",
  "email suppressions, user suppressed, consent withdrawn, withdrew consent, email prohibited, removal requested",
  "abgemeldet, abmeldung, abbestellt, ausgetragen, werbesperre, werbewiderspruch, nicht kontaktieren",
  "nicht anschreiben, keine e-mails, keine e-mail, keine mails, keine werbung, mailsperre, sperrliste",
  "widersprochen, nicht zulassen, désinscrit, désinscrite, désinscrits, désinscription, désabonné, désabonnée",
  "désabonnement, ne pas contacter, ne plus contacter, ne pas envoyer, liste noire, dado de baja, dada de baja, de baja",
  "desuscrito, desuscrita, no contactar, no enviar, cancelación de suscripción, suscripción cancelada, lista negra",
  "descadastrado, descadastrada, descadastro, não contatar, não contactar, não enviar, inscrição cancelada, cancelou inscrição",
  "disiscritto, disiscritta, disiscrizione, non contattare, non inviare, lista nera, uitgeschreven, afgemeld, uitschrijving",
  "niet mailen, niet contacteren, niet benaderen, avregistrerad, avprenumererad, avanmäld, kontakta inte, avmeldt, avmeldte",
  "frameldt, afmeldt, ikke kontakt, reservert, må ikke kontaktes, peruutettu, ei markkinointia, markkinointikielto",
  "wypisany, wypisana, wypisani, wypisał się, nie kontaktować, nie wysyłać, odhlášen, odhlášena, odhlášený",
  "odhlásený, odhlášeno, odhlášení, nekontaktovat, leiratkozott, leiratkozva, leiratkozás, dezabonat, dezabonată, odjavljen",
  "aboneliği iptal, abonelikten çıktı, abonelikten ayrıldı, отписан, отписана, отписался, отписалась, отписка, отписки",
  "не писать, не беспокоить, не контактировать, чёрный список, відписаний, відписався, відписка, не писати",
  "διαγραμμένος, διαγραφή, απεγγραφή, 配信停止, 購読解除, 登録解除, 配信解除, 送信禁止, 配信拒否, 退订, 已退订, 取消订阅, 勿联系",
  "拒收, 退訂, 取消訂閱, 黑名单, 수신거부, 수신 거부, 구독취소, 구독 취소, 수신동의 철회"
])

/** These, anybody means under any heading. */
const SURE = listOf([
  "unsubscribed, opted out, do not contact, do not email, do not mail, blacklisted, blocklisted, abgemeldet, désinscrit",
  "désabonné, descadastrado, disiscritto, uitgeschreven, отписан, отписался, 配信停止, 退订, 수신거부"
])

/** A status that means a no, where a column is one of statuses. */
const REFUSED = listOf([
  "not interested, do not disturb, complained, complaint, spam, spam complaint, spam report, reported as spam, marked as spam",
  "abuse, spamtrap, spam trap, kein interesse, pas intéressé, no interesado, não interessado, non interessato"
])

/** A consent that was not given, or taken back. */
const TAKEN_BACK = listOf([
  "withdrawn, revoked, declined, denied, refused, not given, not granted, widerrufen, refusé, revocado"
])

const BOUNCES = listOf([
  "bounced, bounce, bounces, hard bounce, hard bounced, hardbounce, hardbounced, hard bounces, undeliverable, cleaned, clean time, clean campaign",
  "unzustellbar, rebotado, rebote, rebond, retourné, invalid email address, bad address"
])

const BOUNCED = listOf([
  "bounced, hard bounce, hard bounced, hardbounce, hardbounced, cleaned, undeliverable, unzustellbar, rebotado, bouncing"
])

/** Headings that ask the other way round. */
const CONSENTS = listOf([
  "subscribed, accepts marketing, accepts email marketing, accepts emails, accepts email, consent, opt in, opted in, optin",
  "can email, can contact, can be contacted, allow email, allow emails, email allowed, email permission, receives email",
  "receives emails, mailable, contactable, einwilligung, abonniert, consentement, abonné, consentimiento, suscrito, consenso",
  "iscritto, consentimento, inscrito, toestemming, ingeschreven, samtycke, samtykke, zgoda, souhlas, согласие, подписан"
])

/** Other ways to reach people, and what a message's own words are called. */
const OTHER_WAYS =
  / (?:phone|phones|call|calls|calling|sms|fax|whatsapp|push|telefon|telefono|telefone|telephone|anruf) /u
const OTHER_MATTERS =
  / (?:text|texts|link|links|url|href|line|footer|label|html|rate|percent|percentage|double|ip|by|count|total|von|par|por) /u
const OF_MAIL = / (?:e ?mails?|mails?) /u

/** When or why somebody was unsubscribed. */
const DETAIL =
  / (?:time|date|at|on|reason|reasons|campaign|level|source|mode|am|grund|datum|le|motif|fecha|motivo|data|дата|причина) /u

/** A column of statuses. */
const STATUS =
  / (?:status|state|statuses|stage|category|categories|tags?|labels?|segments?|consent|marketing|disposition|outcome|result|verdict|permission|permissions|subscription|sentiment|interest|statut|estado|stato|etat|stan|stav|статус|phase|kategorie|etikett) |ステータス|状态|狀態|상태/u

const YES = new Set(
  listOf([
    "true, yes, y, t, 1, x, on, checked, selected, u, ja, j, wahr, oui, o, vrai, sí, si, s, verdadero, sim",
    "verdadeiro, sì, vero, да, так, істина, истина, tak, prawda, ano, áno, pravda, igen, igaz, da, adevărat, kyllä, evet, doğru",
    "ναι, はい, 是, 예, 네"
  ])
)
const SIGNS = /^\s*[✓✔☑✅]/u

const NO = new Set(
  listOf([
    "false, no, n, f, 0, off, unchecked, not opted out, not unsubscribed, not suppressed, not bounced, nein, falsch, non, faux",
    "falso, não, nee, onwaar, nej, nei, ei, nie, fałsz, ne, nem, hayır, nu, нет, ні, ложь, όχι, いいえ, 否, 不, 아니요, 아니오"
  ])
)

/** The person may be mailed. */
const MAY = new Set(
  listOf([
    "allow, allowed, active, ok, valid, subscribed, opted in, opt in, interested, granted, given, zulassen, aktiv, angemeldet",
    "abonné, inscrit, autoriser, permitir, suscrito, inscrito, iscritto, consenti"
  ])
)

const holds = (words: string, phrases: ReadonlyArray<string>): boolean =>
  phrases.some((phrase) =>
    // Some languages write no spaces.
    words.includes(/[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(phrase) ? phrase.trim() : phrase)
  )

const DATE = /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|^\d{10}(?:\d{3})?$/u
const NO_DATE = /^(?:0000|0001|1970|9999)-/u

const VALUE_CHARS_MAX = 300
/** What is said under any heading is short. */
const SURE_CHARS_MAX = 30

/** Dashes, an empty list and the like. */
const isNothing = (value: string): boolean => /^[\s[\]{}"'().\-–—]*$/u.test(value) || isWordForNothing(value, false)

interface Question {
  readonly kind: "opted_out" | "bounced" | "consent"
  /** When or why it happened: then any word says that it did. */
  readonly isDetail: boolean
  readonly isOfMail: boolean
}

interface Meaning {
  readonly question: Question | null
  readonly isStatus: boolean
  /** It is about telephones and the like. */
  readonly isOther: boolean
}

const questionOf = (heading: string): Question | null => {
  if (OTHER_MATTERS.test(heading)) return null
  const isDetail = DETAIL.test(heading)
  const isOfMail = OF_MAIL.test(heading)
  if (holds(heading, REFUSALS) || holds(heading, OF_HEADINGS)) return { kind: "opted_out", isDetail, isOfMail }
  if (holds(heading, BOUNCES)) return { kind: "bounced", isDetail: isDetail || / message /u.test(heading), isOfMail }
  return holds(heading, CONSENTS) && !isDetail ? { kind: "consent", isDetail, isOfMail } : null
}

const meanings = new Map<string, Meaning>()
const MEANINGS_MAX = 2_000

/** A file has a few headings and many rows. */
const meaningOf = (heading: string): Meaning => {
  const known = meanings.get(heading)
  if (known !== undefined) return known
  const words = wordsOf(heading.slice(0, VALUE_CHARS_MAX))
  const isOther = OTHER_WAYS.test(words) && !OF_MAIL.test(words)
  const meaning = { question: isOther ? null : questionOf(words), isStatus: !isOther && STATUS.test(words), isOther }
  if (meanings.size >= MEANINGS_MAX) meanings.clear()
  meanings.set(heading, meaning)
  return meaning
}

/** What one of these words, or a list of tags, means. `emailsUnsubscribed` has its channel before it. */
const statusOf = (value: string, isStatus: boolean): "opted_out" | "bounced" | null => {
  const parts = isStatus ? value.split(/[,;|/\n[\]"]+/u) : [value]
  const all = parts.map(wordsOf).map((words) => words.replace(/^ e ?mails? (?=\S)/u, " "))
  const isOneOf = (phrases: ReadonlyArray<string>) => all.some((words) => phrases.includes(words))
  if (isOneOf(SURE) || (isStatus && (isOneOf(REFUSALS) || isOneOf(REFUSED)))) return "opted_out"
  return isStatus && isOneOf(BOUNCED) ? "bounced" : null
}

/** Whether what the heading asks is so; null: the cell doesn't say. */
const isSo = (value: string, words: string, { isDetail, isOfMail }: Question): boolean | null => {
  if (NO.has(words) || NO_DATE.test(value)) return false
  if (YES.has(words) || SIGNS.test(value) || DATE.test(value)) return true
  // How often.
  if (isOfMail && /^[1-9]\d{0,4}(?:[.,]0+)?$/u.test(value)) return true
  return isDetail && !/:\/\//u.test(value) ? true : null
}

/** What a cell says, below its heading, of whether the person may be mailed; null: nothing. */
export const mailWord = (heading: string, given: string): MailWord | null => {
  const value = given.slice(0, VALUE_CHARS_MAX).trim()
  const { isOther, isStatus, question } = meaningOf(heading)
  if (isOther || (!isStatus && question === null && value.length > SURE_CHARS_MAX)) return null
  if (isNothing(value)) return null
  const status = statusOf(value, isStatus || question !== null)
  if (status !== null) return status
  const words = wordsOf(value)
  if (question === null) return isStatus && MAY.has(words) ? "allowed" : null
  if (question.kind === "bounced" && / (?:soft|transient|temporary) /u.test(words)) return null
  if (question.kind === "consent" && TAKEN_BACK.includes(words)) return "opted_out"
  const answer = MAY.has(words) ? question.kind === "consent" : isSo(value, words, question)
  if (answer === null) return null
  if (question.kind === "consent") return answer ? "allowed" : "opted_out"
  return answer ? question.kind : "allowed"
}

/** Whether statuses stand below the heading: what is none of the known words says something else of the person. */
export const isOfStatus = (heading: string): boolean => meaningOf(heading).isStatus

/** Whether the heading asks for a yes or no. */
export const asksYesOrNo = (heading: string): boolean => {
  const { question } = meaningOf(heading)
  return question !== null && !question.isDetail
}

/** A row's first cell that says somebody must not be mailed. */
export interface MailRefusal {
  readonly heading: string
  readonly value: string
  readonly word: Exclude<MailWord, "allowed">
}

/** What a row's cells say against mailing the person, a no before a bounce; null: nothing. */
export const mailRefusal = (cells: Iterable<readonly [heading: string, value: string]>): MailRefusal | null => {
  let found: MailRefusal | null = null
  for (const [heading, value] of cells) {
    const word = mailWord(heading, value)
    if (word === "opted_out") return { heading, value, word }
    if (word === "bounced") found ??= { heading, value, word }
  }
  return found
}

/** What to do about a line of a list that is left out for it. */
export const REFUSED_MEND =
  "Nothing, if that is so; a list stops no campaign, so suppress them if they are a lead. Otherwise correct the column, or leave it out."

/** The same in words, after the column's name. */
export const REFUSAL_WORDS: Readonly<Record<MailRefusal["word"], string>> = {
  opted_out: "says that they must not be mailed",
  bounced: "says that mail to them came back"
}

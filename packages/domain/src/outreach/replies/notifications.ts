import {
  addressIn,
  fieldsOf,
  type MailContent,
  type MailHead,
  type MailHeader,
  valueOf,
  valuesOf
} from "../mail/mail.js"
import {
  type BounceReason,
  CODE_OF,
  isAkin,
  isFull,
  isProof,
  isUnmistakable,
  reasonOfBoth,
  reasonOfCode,
  reasonOfWords
} from "../mail/bounceReasons.js"
import { addressAmong } from "../../kernel/people/addresses.js"
import { evidenceOf } from "../sending/refusals.js"

/**
 * How a message failed to reach a person.
 *
 * - `hard`: evidence proves that the address doesn't exist. Only this suppresses.
 * - `soft`: anything else; counted.
 */
export interface Bounce {
  readonly type: "hard" | "soft"
  /** The enhanced status code (RFC 3463) of the evidence that won. */
  readonly status: string
  readonly reason: BounceReason
  /** The words that won, for people to read. Third-party text. */
  readonly says: string
}

export interface Reported {
  readonly bounce: Bounce
  readonly recipient: string | null
  /** The server is still trying. Nothing has failed. */
  readonly isDelay: boolean
}

const CODE = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/g
const GENERIC = /^[245]\.(?:0\.0|5\.0|3\.0|1\.0|2\.0|4\.0|7\.0)$/
const REPLY = /(?<![\d.:])([45])\d\d(?=[ \-#,:)]|$)/m

/** A piece of evidence: a server's words with the codes in them. */
interface Evidence {
  readonly code: string | null
  /** Whether it says that it is final; null: it does not say. */
  readonly isFinal: boolean | null
  readonly words: string
}

const codesIn = (words: string): ReadonlyArray<string> =>
  [...words.matchAll(CODE)].map(([code]) => code).filter((code) => !code.startsWith("2"))

const evidenceIn = (lines: string): Evidence => {
  const words = lines.replace(/\s+/g, " ")
  const codes = codesIn(words)
  const code = codes.find((one) => !GENERIC.test(one)) ?? codes[0] ?? null
  const reply = REPLY.exec(words)?.[1] ?? null
  const digit = code?.slice(0, 1) ?? reply
  return { code, isFinal: digit === null ? null : digit === "5", words }
}

const bounce = (reason: BounceReason, code: string | null, isFinal: boolean, words: string): Bounce => {
  const says = evidenceOf(words)
  const isFitting = code !== null && isAkin(reasonOfCode(code), reason)
  const status = isFitting || (reason === "unknown" && code !== null) ? code : CODE_OF[reason]
  const isHard = isFinal && isProof(reason)
  // A code of class 5 for what is not final, or of class 4 for what is, would contradict the verdict.
  if (isHard && !status.startsWith("5")) return { type: "hard", status: CODE_OF[reason], reason, says }
  return {
    type: isHard ? "hard" : "soft",
    status: !isFinal && isProof(reason) ? `4${status.slice(1)}` : status,
    reason,
    says
  }
}

/**
 * Codes that decide whatever words stand beside them: they speak of the sender (5.1.7, 5.1.8), of a mailbox that exists
 * (5.2.2), or of a restriction of one recipient (5.7.2, 5.7.13x and similar).
 */
const DECISIVE = /^[45]\.(?:1\.[78]|2\.2|7\.(?:2|1[78]|124|129|13\d|193))$/

/** Where a server took the recipient and refused only the message, its words about the recipient prove nothing. */
const AFTER_DATA = /(?:in reply to (?:the )?(?:end of )?|after (?:end of )?)data\b/i

/** Some servers look for the mailbox only then, and say so of the account. */
const ACCOUNT =
  /(?:doesn['’]t|does not|do not) have an? [^\n]{0,60}(?:account|mailbox)|account (?:has been |is |was )?(?:disabled|discontinued|closed|deleted)/i

const weigh = (pieces: ReadonlyArray<Evidence>, notice: string): Bounce => {
  const around = told(notice)
  const found = weighed(pieces, around)
  if (!isProof(found.reason)) return found
  if (isFull(around)) return bounce("full", null, true, around)
  const isLate = AFTER_DATA.test(notice.replace(/\s+/g, " ")) && !ACCOUNT.test(found.says)
  return isLate ? bounce(found.reason, found.status, false, found.says) : found
}

/** Rules above what a gateway or a company adds below a notice. */
const RULE = /^[ \t]*[_*=~#-]{5,}/

/** What a scanner, a company or a program says of itself: it is no word on why mail failed. */
const BOILERPLATE =
  /(?:checked|scanned|verified|protected|certified|analy[sz]ed|inspected|processed|filtered|cleaned|powered) (?:\S+ ){0,6}?(?:by|for|with|against)\b|(?:virus|spam|malware)[- ]?(?:free|scann\w+|check\w*|protection)|analizad[oa]|gepr[üu]ft|v[ée]rifi[ée] par|controllat[oa]|confidential|vertraulich|confidentiel|intended (?:only|solely) for|(?:https?:\/\/|www\.)\S+\s*$|original (?:message|mail) was (?:received|rejected|sent) at/i

/** Words that say why something failed, or that it did. */
const TELLS =
  /reject|refus|den(?:ied|y)|block|bounc|accept|deliver|because|due to|reason|full|exceed|quota|over|limit|fail|could|can(?:no|'|’)t|unable|error|invalid|unknown|exist|\b[45]\d\d\b|[^\p{ASCII}]/iu

/** A notice without what a scanner or a company appends to it. */
const told = (notice: string): string => {
  const lines = notice.split("\n")
  const last = lines.findLastIndex(
    (line, at) => RULE.test(line) && lines.slice(at + 1).some((below) => BOILERPLATE.test(below))
  )
  return (last <= 0 ? lines : lines.slice(0, last)).filter((line) => !BOILERPLATE.test(line)).join("\n")
}

/** The reason that a notice gives around a code. Its other sentences say nothing of it. */
const reasonAround = (notice: string): BounceReason => {
  const sentences = notice.split(/(?<=[.!?;])\s+|\n[ \t]*\n/).filter((sentence) => TELLS.test(sentence))
  return reasonOfWords(sentences.join("\n"))
}

/**
 * Weighs evidence, innermost first. A server's words count before its code, an inner server's before an outer one's.
 * Where only a code accuses the address, words anywhere in the report that excuse it win.
 */
const weighed = (pieces: ReadonlyArray<Evidence>, around: string): Bounce => {
  const isFinal = pieces.map((piece) => piece.isFinal).find((found) => found !== null) ?? true
  const codes = pieces.flatMap(({ code }) => (code === null ? [] : [code]))
  const coded = codes.map((code) => ({ code, reason: reasonOfCode(code) })).find(({ reason }) => reason !== "unknown")
  /** A server's words beside its code, or the notice if it gave the code alone. */
  const spoken = pieces.find(({ words }) => /\p{L}/u.test(words))?.words ?? around
  for (const { code, isFinal: own, words } of pieces) {
    const both = code === null ? "unknown" : reasonOfBoth(code, words)
    if (both !== "unknown") return bounce(both, code, own ?? isFinal, words)
    if (code !== null && DECISIVE.test(code) && !isUnmistakable(words))
      return bounce(reasonOfCode(code), code, own ?? isFinal, /\p{L}/u.test(words) ? words : spoken)
    const said = reasonOfWords(words)
    // Why it was put off until it expired says less than that it did.
    if (said === "network" && coded?.reason === "expired") return bounce("expired", coded.code, isFinal, words)
    if (said !== "unknown" && !(said === "system" && coded === undefined))
      return bounce(said, code ?? codes[0] ?? null, own ?? isFinal, words)
  }
  const outer = reasonAround(around)
  const excuses = outer !== "unknown" && outer !== "system" && !isProof(outer)
  if (coded !== undefined && !(isProof(coded.reason) && excuses))
    return bounce(coded.reason, coded.code, isFinal, spoken)
  if (outer !== "unknown") return bounce(outer, codes[0] ?? null, isFinal, around)
  return bounce("unknown", codes[0] ?? (isFinal ? null : "4.0.0"), isFinal, spoken)
}

/** The bounce that these words of servers give, innermost first. */
const evidencedBounce = (words: ReadonlyArray<string>): Bounce =>
  weigh(words.filter((one) => one !== "").map(evidenceIn), "")

/** Most recipients of a report that we read; our messages have one. */
const RECIPIENTS_MAX = 20

/** Longest part of a report that we read. */
const REPORT_CHARS_MAX = 50_000

/** How much of a plain report counts as the server's own text; below it quotes the message. */
const PLAIN_CHARS_MAX = 8_000
const BELOW =
  /^[ \t>]*(?:-{2,}.{0,30}(?:below this line|original message|returned message|copy of|this is a copy|message header|headers follow|unsent message|body of)|below is a copy|received: (?:from|by)|return-path:|message-id:\s*<)/im

/** Whether a notice quotes the message below it. */
export const quotesMessage = (text: string): boolean => BELOW.test(text.slice(0, REPORT_CHARS_MAX))

/** The notifying server's own words. */
export const noticeOf = (text: string): string => (text.split(BELOW, 1)[0] ?? "").slice(0, PLAIN_CHARS_MAX)

/** Where a server's reply begins: at a line's start, behind a mark, or behind a word that introduces one. */
const REPLIED =
  /(?:^|[:;([\]>"'«-] ?|\b(?:said|respon\w+|replied|answered|returned|reason|error|diagnostic|status|smtp|code|recv|response)\b[^\n]{0,120}?)(?<![\d.])(?=[45]\d\d(?:[ #:,-][^\n]|$))(?![45]\d\d (?:bytes|octets|[km]b|lines|messages|users|characters)\b)/i

/** Longest line, and most lines, of a reply. */
const LINE_CHARS_MAX = 600
const LINES_MAX = 6

/** Lines of a notice that quote a server, with those that continue them: indented, or with the same code. */
const repliesIn = (notice: string): ReadonlyArray<string> => {
  const lines = notice.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX))
  const found: Array<string> = []
  for (let at = 0; at < lines.length && found.length < RECIPIENTS_MAX; at++) {
    const match = REPLIED.exec(lines[at] ?? "")
    if (match === null) continue
    const reply = [(lines[at] ?? "").slice(match.index + match[0].length)]
    const code = reply[0]?.slice(0, 3) ?? ""
    while (reply.length <= LINES_MAX) {
      const next = lines[at + 1]
      if (next === undefined || !(/^[ \t]+\S/.test(next) || next.startsWith(code))) break
      reply.push(next.trim())
      at += 1
    }
    found.push(reply.join("\n"))
  }
  return found
}

const fieldGroups = (text: string): ReadonlyArray<ReadonlyArray<MailHeader>> =>
  text
    .slice(0, REPORT_CHARS_MAX)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)

const isDone = (action: string): boolean => /^(?:delivered|relayed|expanded)\b/i.test(action)

/**
 * The failure in a `message/delivery-status` part (RFC 3464) with the notice around it; null: it reports none, but a
 * delivery or a relay.
 */
export const reportedBounce = (text: string, notice: string): Reported | null => {
  const groups = fieldGroups(text)
  const about = groups
    .filter((fields) =>
      ["final-recipient", "original-recipient", "action"].some((name) => valueOf(fields, name) !== "")
    )
    .slice(0, RECIPIENTS_MAX)
  const open = about.filter((fields) => !isDone(valueOf(fields, "action")))
  if (about.length > 0 && open.length === 0) return null
  if (about.length === 0 && !gaveUp(notice)) return null
  const failed = open.find((fields) => !/^delayed\b/i.test(valueOf(fields, "action"))) ?? open[0] ?? []
  const diagnostics = valuesOf(failed, "diagnostic-code").map((value) => value.replace(/^[\w-]{1,30};\s*/, ""))
  const pieces = [
    ...diagnostics.filter((words) => words !== "").map(evidenceIn),
    ...repliesIn(notice).map(evidenceIn),
    evidenceIn(valueOf(failed, "status"))
  ]
  const recipients = ["original-recipient", "final-recipient"].flatMap((name) => valuesOf(failed, name))
  const isDelay = /^delayed\b/i.test(valueOf(failed, "action"))
  const found = weigh(pieces, notice)
  return {
    bounce: isDelay ? { ...found, type: "soft" } : found,
    recipient: recipients.map(addressIn).find((address) => address !== null) ?? null,
    isDelay
  }
}

/** Phrases by which servers without RFC 3464 report that they gave up. */
const GAVE_UP =
  /undeliver(?:able|ed)|non[- ]deliver|delivery (?:status notification|has failed|failed|failure|to the following|error|notification)|(?:mail|message) (?:delivery )?(?:failed|failure|could not be delivered|error)|returned (?:mail|to sender)|failure notice|(?:could ?n[o']t|could not|couldn't|cannot|can't|can not|was ?n[o']t|wasn't|was not|not|unable to) (?:be(?:en)? )?(?:able to )?(?:be )?deliver|did not reach|(?:trouble|problem|error|fail\w*)[^.\n]{0,40}(?:deliver|sending)|permanent (?:fatal )?error|fatal errors|had permanent|(?:was|were|is) (?:rejected|refused|returned|undeliver|not delivered|aborted)|rejected (?:recipient|by)|bounced|not (?:a )?member of|duplicated message-id|nicht (?:zugestellt|zustellbar)|unzustellbar|zustell\w+[^.\n]{0,40}(?:fehl|nicht)|non (?:remis|d[ée]livr|distribu)|(?:pas|n'a) (?:pas )?(?:pu )?[êe]tre (?:remis|d[ée]livr|distribu|achemin)|[ée]chec de (?:la )?(?:remise|distribution|livraison)|no (?:se )?(?:ha )?(?:pudo|podido|puede|pudieron)[^.\n]{0,20}entrega|entrega[^.\n]{0,20}(?:fall|erro)|(?:falha|falhou|n[ãa]o)[^.\n]{0,30}entreg|(?:non|impossibile)[^.\n]{0,40}(?:recapita|consegna)|mancat[oa] (?:recapito|consegna)|onbestelbaar|niet (?:worden )?(?:bezorgd|afgeleverd)|bezorg\w+ mislukt|nie (?:mo[żz]na|uda[lł]o si[eę]|zosta[lł]a?)[^.\n]{0,30}dostarcz|niedostarcz|kunde inte (?:levereras|skickas)|kunne ikke leveres|не (?:удалось |может быть |была? )?доставлен|не удалось доставить|недоставлен|送信できません|配信(?:でき|不能|エラー)|届けられ|お届けでき|メールエラー|送達でき|无法(?:投递|送达|发送)|退信|投递失败|반송/iu

/** The same in more languages. */
const NOT_DELIVERED = new RegExp(
  [
    "neby(?:l|lo|la) (?:možné |možno )?(?:\\S+ ){0,3}doruč|nemoh\\p{L}+ (?:\\S+ )?být doruč|(?:nelze|nešlo) doruč|nedoruči?teľ?n|nepodarilo (?:\\S+ )?doruč|nebol\\p{L}* doruč",
    "nije (?:bil[oa] mog\\p{L}+ )?(?:isporuč|dostav)|ni bil[oa]? (?:mogoče )?dostav|није (?:испоруч|достав)",
    "не (?:можа да бъде|беше|бе|е) доставен|недоставен|не вдалося достав|не (?:може бути |було |був |була )?доставлен",
    "nem (?:sikerült|lehetett) (?:\\S+ ){0,3}kézbesíteni|sikertelen kézbesítés|kézbesíthet(?:et|ő)|nu a putut fi (?:livrat|transmis|trimis)|livrare eșuată|nelivrat",
    "δεν (?:παραδόθηκε|ήταν δυνατή η παράδοση|μπόρεσε να παραδοθεί)|αποτυχία παράδοσης|μη παραδοτέο",
    "ei voit?u? (?:toimittaa|välittää)|toimitus epäonnistui|ei õnnestunud (?:\\S+ ){0,3}toimetada|nepavyko (?:\\S+ ){0,2}pristatyti|nepristatyt|neizdevās (?:\\S+ ){0,2}piegādāt|nav piegādāt",
    "teslim edilemed|iletilemed|no s'ha pogut lliurar|ekki tókst að (?:afhenda|senda)|barst ekki",
    "تعذر (?:تسليم|توصيل|إرسال)|لم يتم تسليم|תן (?:היה )?למסור|לא נמסר|تحویل (?:داده )?نشد",
    "ไม่สามารถ(?:ส่ง|นำส่ง)|không (?:thể )?(?:gửi|phát)|tidak (?:dapat )?(?:dikirim|dihantar|disampaikan|terkirim)|(?:전송|발송|배달)되지"
  ].join("|"),
  "iu"
)

/** Whether a notice says that a message was not delivered. */
export const gaveUp = (words: string): boolean => {
  const said = words.slice(0, PLAIN_CHARS_MAX).replace(/\s+/g, " ")
  return GAVE_UP.test(said) || NOT_DELIVERED.test(said)
}

/** Subjects of such reports. A person's answer begins with a "Re:" or other words. */
export const REPORT_SUBJECT =
  /^\s*(?:\*+\s*|\[[^\]]{1,40}\]\s*)?(?:undeliver(?:able|ed)|un-?deliverable|non[- ]?deliver|delivery (?:status|failure|failed|notification|error|problem|report|has failed|delay|incomplete)|mail (?:delivery|system error|could not|not delivered|error|failure|returned|status report)|mail-delivery|message (?:delivery|could not|not delivered|undeliver|status - undeliver|you sent|blocked)|returned (?:mail|e-?mail|message)|return to sender|failure notice|failed (?:mail|delivery|message)|failure delivery|delivered? failed|there was an error sending|could not (?:send|deliver)|(?:e-?mail|message) (?:rejected|bounced)|rejected mail|error sending|warning: (?:message|could not send)|delayed mail|nondeliverable|smtp (?:mail failed|error)|postmaster notify|user unknown|(?:bounced|bounce) (?:mail|message)|\(?no title\)? mail error|invalid (?:mail )?recipient|unzustellbar|nicht zugestellt|unzustellbare|zustellung|fehler bei der zustellung|e-?mail nicht zugestellt|mail-?zustell|non remis|[ée]chec (?:de|d')|message non|courrier non|notification d'[ée]tat|remise (?:diff|impossible)|no se (?:pudo|puede|ha podido)|no entrega|error (?:de entrega|al entregar)|correo (?:devuelto|no)|mensaje (?:no|devuelto)|notificaci[óo]n (?:de estado|del estado)|non recapitabil|impossibile recapitare|mancat[oa] (?:recapito|consegna)|errore di (?:recapito|consegna)|messaggio non|notifica (?:di|stato)|n[ãa]o (?:entreg|[ée] poss[íi]vel|foi poss[íi]vel)|falha (?:na|de|ao) ent|falha na|mensagem (?:n[ãa]o|devolvida)|onbestelbaar|niet (?:bezorgd|afgeleverd|te bezorgen)|bezorging|niedostarcz|nie (?:mo[żz]na|dostarczono|uda[lł]o)|zwrot (?:wiadomo|poczty)|kunde inte|olevererbar|ej levererbar|ikke leveret|kunne ikke|недоставлен|не ?доставлен|не удалось|сообщение не|ошибка доставки|возврат|配信(?:不能|エラー|失敗)|未配信|送信エラー|メール(?:エラー|送信エラー|配信エラー)|送信できません|退信|系统退信|投递失败|无法|未送达|未傳遞|반송|전송 실패|teslim edilemedi|iletilemedi|you .{1,100}\bnot (?:a )?member|loop alert|mail loop)/iu

/** A server's notice that it is still trying. */
const STILL_TRYING =
  /delay(?:ed)?\b|postponed|deferred|will (?:keep|continue) (?:trying|to try)|warning: (?:message|could not send)|still being retried|verz[öo]gert|retard[ée]|retrasad|in ritardo|vertraagd|op[óo][źz]nion|задерж|遅延/i

/** What a mail system says instead of that it gave up. */
const NOBODY = /no such user|no user by that name|user unknown|unknown user/i

const IN_BRACKETS = "<([^<>\\s]{1,320}@[^<>\\s]{1,255})>"

/** Postfix and qmail head their words with whom they could not reach, and with the address that was expanded to it. Above it may be whom to ask for help. */
const HEADED = new RegExp(`^[ \\t]{0,8}${IN_BRACKETS}(?:[ \\t]\\(expanded from[ \\t]${IN_BRACKETS}\\))?:`, "m")
const BRACKETED = new RegExp(IN_BRACKETS)

/** Who could not be reached, as a notice says in brackets. */
const whoseIn = (notice: string): string | undefined => {
  const [, headed, expandedFrom] = HEADED.exec(notice) ?? []
  return expandedFrom ?? headed ?? BRACKETED.exec(notice)?.[1]
}

/**
 * The failure that a mail server reports in plain text (qmail, exim, older servers); null: none.
 *
 * `isProven`: its sender is a mail system, so a server's reply in it is enough. `isReturned`: it returns our message, so
 * it reports that even in words that we don't know.
 */
export const plainReport = (
  { headers, subject, text }: MailContent,
  isProven: boolean,
  isReturned = false
): Reported | null => {
  const notice = noticeOf(text)
  const failed = valueOf(headers, "x-failed-recipients")
  const replies = repliesIn(notice)
  const said = `${subject}\n${notice}`
  const isTold = gaveUp(said) || (isProven && (replies.length > 0 || NOBODY.test(notice)))
  const isWaiting = isProven && !isTold && STILL_TRYING.test(notice)
  const isDelay = failed === "" && (isWaiting || STILL_TRYING.test(subject))
  if (failed === "" && !isDelay && !isTold && !isReturned) return null
  const named = failed === "" ? (whoseIn(notice) ?? addressAmong(notice) ?? "") : failed
  const found = weigh(replies.length === 0 ? [evidenceIn(notice)] : replies.map(evidenceIn), notice)
  return { bounce: isDelay ? { ...found, type: "soft" } : found, recipient: addressIn(named), isDelay }
}

/** Longest notification that we parse, in characters. */
const NOTIFICATION_CHARS_MAX = 50_000

/** Whether it is a notification of a sending provider about a message, as JSON in a mail (Amazon SNS). */
export const isNotification = (head: MailHead): boolean => valueOf(head.headers, "x-amz-sns-message-id") !== ""

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}

const firstOf = (value: unknown): Record<string, unknown> => membersOf(Array.isArray(value) ? value[0] : null)

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const parsed = (text: string): Record<string, unknown> => {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The bounce or complaint that a provider's notification reports; null: it is none. */
export const notified = (
  mail: MailContent
):
  | { readonly kind: "bounce"; readonly bounce: Bounce; readonly recipient: string | null; readonly isDelay: boolean }
  | { readonly kind: "complaint"; readonly feedback: "abuse"; readonly recipient: string | null }
  | null => {
  if (!isNotification(mail)) return null
  const json = mail.text.slice(0, NOTIFICATION_CHARS_MAX).split(/^--\s*$/m, 1)[0] ?? ""
  const found = parsed(json.replace(/!?\r?\n ?/g, "").trim())
  const type = textOf(found["notificationType"] ?? found["eventType"])
  if (type === "Complaint") {
    const person = firstOf(membersOf(found["complaint"])["complainedRecipients"])
    return { kind: "complaint", feedback: "abuse", recipient: addressIn(textOf(person["emailAddress"])) }
  }
  if (type !== "Bounce") return null
  const person = firstOf(membersOf(found["bounce"])["bouncedRecipients"])
  const bounce = evidencedBounce([textOf(person["diagnosticCode"]), textOf(person["status"])])
  return { kind: "bounce", bounce, recipient: addressIn(textOf(person["emailAddress"])), isDelay: false }
}

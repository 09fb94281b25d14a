/** A person's own text, separated from quotations and from what their mail program appends. */
export interface SeparatedText {
  readonly own: string
  readonly signature: string
  readonly quoted: string
}

/** How much of a text we read: an answer is at its top or right below a quotation. */
const TEXT_CHARS_MAX = 100_000
const LINES_MAX = 3_000

/** Longest line that may belong to a mail program. */
const MARK_CHARS_MAX = 400

/** "On ... wrote:" in common mail programs; names and dates may come before, between or after. */
const WROTE =
  /(?:wrote|writes|schrieb(?: .{0,200})?|a écrit|ha escrito|escribió(?: .{0,200})?|ha scritto(?: .{0,200})?|schreef(?: .{0,200})?|escreveu(?: .{0,200})?|skrev(?: .{0,200})?|kirjoitti|napisał(?:\(a\)|a)?|pisze|napsala?(?:\(a\))?|написал(?:\(а\)|а)?|пишет|写道|寫道|のメッセージ|작성)\s?[:：]\s*$/iu
const WHEN_OR_WHO = /\d|@/
const BEGINS_WROTE =
  /^(?:on|am|le|el|il|op|em|den|på|w dniu|dnia|dne|le \w+|am \w+|на|в|\p{L}{2,3}[,.]? |\d{1,4}[./-]|\d{4}年|.{0,120}@)/iu

/** Most lines that such a mark wraps over. */
const WROTE_LINES_MAX = 4

/** Separator lines above forwarded or quoted text, in any language. */
const RULE =
  /^\s*[-_=*]{2,}\s*(?:original(?: message| appointment)|ursprüngliche (?:nachricht|mail)|message (?:d['’]origine|original|transféré)|mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht|mensagem (?:original|encaminhada)|ursprungligt meddelande|oprindelig meddelelse|wiadomość oryginalna|původní zpráva|исходное сообщение|пересылаемое сообщение|forwarded message|weitergeleitete nachricht)\s*[-_=*]{0,}\s*$/iu
const FORWARD =
  /^\s*(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|início da mensagem reencaminhada)\s*[:：]\s*$/iu

/** The header block that Outlook and similar programs put above quoted text. */
const FROM = /^[\s*>]*(?:from|von|de|da|van|från|fra|lähettäjä|od|от|发件人|寄件者|差出人|보낸 사람)\s*\**\s?[:：]\**/iu
const SENT =
  /^[\s*>]*(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha|inviato|data|verzonden|skickat|sendt|lähetetty|wysłano|data wysłania|odesláno|отправлено|дата|发送时间|日期|送信日時|보낸 날짜)\s*\**\s?[:：]\**/iu
const TO_OR_SUBJECT =
  /^[\s*>]*(?:to|an|à|para|a|aan|till|til|do|komu|кому|subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|temat|předmět|тема|收件人|主题|宛先|件名)\s*\**\s?[:：]\**/iu

/** How many lines below its first line the block's other fields may be. */
const BLOCK_LINES_MAX = 6

/** Signature separators (RFC 3676 §4.3), and lines that programs append. */
const SIGNATURE = /^(?:--|—|––|__)\s*$/
const SENT_FROM =
  /^\s*(?:sent (?:from|via|with) (?:my |the )?\S|get outlook for|von meinem .{2,40} gesendet|gesendet (?:von|mit|aus) \S|diese nachricht wurde von meinem|envoyé (?:de|depuis|avec) \S|obtenir outlook|enviado (?:desde|do|con|de) (?:mi|meu|el|o) |obtener outlook|inviato da(?:l mio)? \S|scarica outlook|verzonden (?:vanaf|met|vanuit) \S|skickat från (?:min|outlook)|sendt fra (?:min|outlook)|lähetetty .{2,30}sta$|wysłane? z |отправлено (?:с|из) )/iu
const CLOSING =
  /^\s*(?:(?:best|kind(?:est)?|warm(?:est)?|with best|with kind) (?:regards|wishes)|regards|sincerely(?: yours)?|yours (?:sincerely|truly|faithfully)|cheers|(?:mit )?(?:freundlichen?|besten?|herzlichen?|liebe[nr]?|viele[nr]?|schöne[nr]?) (?:grüße?n?|grüsse?n?|gruß|gruss)|mfg|lg|vg|(?:bien )?cordialement|(?:bien )?à (?:vous|toi)|salutations(?: distinguées)?|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|atenciosamente|cordiali saluti|distinti saluti|saluti|met (?:vriendelijke|hartelijke) groet(?:en)?|mvg|(?:vänliga|bästa|med vänliga) hälsningar|mvh|(?:med )?(?:venlig|vennlig) hilsen|ystävällisin terveisin|pozdrawiam|z poważaniem|s pozdravem|с уважением|com os melhores cumprimentos|abraços?)\s*[,.!]?\s*$/iu

const isMark = (pattern: RegExp, line: string | undefined): boolean =>
  line !== undefined && line.length <= MARK_CHARS_MAX && pattern.test(line)

/** How many lines from here form a "wrote:" mark; 0: none. */
const wroteLines = (lines: ReadonlyArray<string>, at: number): number => {
  const first = lines[at]
  if (first === undefined || first.length > MARK_CHARS_MAX || !BEGINS_WROTE.test(first.trimStart())) return 0
  let joined = ""
  for (let count = 1; count <= WROTE_LINES_MAX; count++) {
    const line = lines[at + count - 1]
    if (line === undefined || line.trim() === "") return 0
    joined = `${joined} ${line.trim()}`.slice(0, 2 * MARK_CHARS_MAX)
    if (WROTE.test(joined) && WHEN_OR_WHO.test(joined)) return count
  }
  return 0
}

const isFieldBlock = (lines: ReadonlyArray<string>, at: number): boolean => {
  if (!isMark(FROM, lines[at])) return false
  const below = lines.slice(at + 1, at + 1 + BLOCK_LINES_MAX)
  return below.some((line) => isMark(SENT, line)) && below.some((line) => isMark(TO_OR_SUBJECT, line))
}

const isQuoted = (line: string): boolean => /^\s*[>|]/.test(line) && !/^\s*\|\s*$/.test(line)

/** The first non-empty line from `at` on. */
const nextWritten = (lines: ReadonlyArray<string>, at: number): number => {
  let next = at
  while (next < lines.length && lines[next]?.trim() === "") next += 1
  return next
}

/** Whether everything below is quoted or forwarded, with no own text. */
const isCut = (lines: ReadonlyArray<string>, at: number): boolean =>
  isMark(RULE, lines[at]) || isMark(FORWARD, lines[at]) || isFieldBlock(lines, at)

/**
 * Separates a plain text. Quoted lines are never own text. Below a mark without quoted lines, everything is quoted;
 * text below quoted lines is own text.
 */
export const separate = (text: string): SeparatedText => {
  const lines = text
    .slice(0, TEXT_CHARS_MAX)
    .replace(/\r\n?/g, "\n")
    .replace(/[\u200B-\u200D\uFEFF]/g, "")
    .split("\n", LINES_MAX)
  const own: Array<string> = []
  const signature: Array<string> = []
  const quoted: Array<string> = []
  let into = own
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (isQuoted(line)) {
      quoted.push(line)
      continue
    }
    const wrote = wroteLines(lines, at)
    const isOver = isCut(lines, at) || (wrote > 0 && !isQuoted(lines[nextWritten(lines, at + wrote)] ?? ""))
    if (isOver) {
      quoted.push(...lines.slice(at))
      break
    }
    if (wrote > 0) {
      quoted.push(...lines.slice(at, at + wrote))
      at += wrote - 1
      // A signature ends where a quotation begins; text below the quotation is own text.
      into = own
      continue
    }
    if (isMark(SIGNATURE, line) || isMark(SENT_FROM, line) || (own.length > 0 && isMark(CLOSING, line))) {
      into = signature
    }
    into.push(line)
  }
  const joined = (part: ReadonlyArray<string>): string => {
    const last = part.findLastIndex((line) => !/^[-_=*\s]*$/.test(line))
    return part
      .slice(0, last + 1)
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  }
  return { own: joined(own), signature: joined(signature), quoted: joined(quoted) }
}

/** The writer's own text without quotations and signature. */
export const ownText = (text: string): string => separate(text).own

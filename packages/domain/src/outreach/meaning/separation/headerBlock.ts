import { fold } from "../phrases.js"
import { unframed } from "./attribution.js"

/** What programs put above a forwarded or an unmarked quotation: its header's fields, or a line that separates it. */

const LINE_CHARS_MAX = 400

/** Names of header fields in mail programs, folded. */
const NAMES: ReadonlyArray<readonly [kind: "from" | "sent" | "to" | "subject" | "cc", names: string]> = [
  [
    "from",
    "from|von|de|da|van|fran|fra|lahettaja|od|от|від|από|felado|kimden|gonderen|de la|nga|no|nuo|kellelt|saatja|発信者|差出人|送信者|发件人|寄件者|寄件人|보낸 ?사람|tu|tur|dari|מאת|من|จาก|frá|salje|posiljalac|пошиљалац|daripada|द्वारा|از|кімнен|nork(?: bidalia)?|expediteur|remitente|mittente|afzender|absender|remetente|avsandare|avsender|afsender|nadawca|odesilatel|odosielatel|expeditor|pošiljatelj|posiljatelj"
  ],
  [
    "sent",
    "sent|date|gesendet(?: am)?|datum|envoye(?: le)?|enviad[oa](?: el| em)?|fecha|data|inviato(?: il)?|verzonden(?: op)?|skickat|sendt|dato|lahetetty|paivays|paivamaara|wyslano|data wyslania|odeslano|odoslane|отправлено|дата|надіслано|σταλθηκε|ημερομηνια|elkuldve|datum|tarih|gonderildi|trimis|saadetud|kuupaev|nosutits|issiusta|送信日時|日付|日時|发送时间|日期|時間|寄件日期|보낸 ?날짜|날짜|ngay|[dđ]a gui|vao luc|tanggal|dikirim|נשלח|תאריך|التاريخ|تاريخ الارسال|วนท|sent at|sent on|time|изпратено|poslano|poslato|послато|dihantar|жіберілді|enviat(?: el)?|bidaltze-?data|seolta|ارسال(?: شده)?"
  ],
  [
    "to",
    "to|an|a|para|aan|till|til|vastaanottaja|do|komu|кому|προς|cimzett|kime|al[iı]c[iı]|catre|kellele|kam|宛先|收件人|收件者|収信者|받는 ?사람|[dđ]en|toi|kepada|אל|الى|ถง|до|za|prima|primalac|прималац|до кого|per a|per|hartzailea|adressaat|chuig|به|кімге|को|destinataire|destinatario|empfanger|ontvanger|mottagare|mottaker|modtager|prijemce|prijimatel|tarkoitettu|alici"
  ],
  ["cc", "cc|kopie|copie|copia|kopia|kopi|kopio|копия|κοιν|masolat|bilgi|抄送|副本|참조|in kopie"],
  [
    "subject",
    "subject|betreff|objet|asunto|oggetto|onderwerp|assunto|amne|emne|aihe|temat|predmet|тема|θεμα|targy|konu|subiect|teema|temats|tema|件名|主题|主題|主旨|제목|chu [dđ]e|subjek|perihal|נושא|الموضوع|เรอง|sujet|относно|zadeva|assumpte|naslov|наслов|gaia|abhar|subjek|विषय|موضوع|тақырыбы|такырыбы"
  ]
]

const KINDS = NAMES.map(([kind, names]) => [kind, new RegExp(`^(?:${names})$`, "u")] as const)

const FIELD = /^[\s>*_]*(\p{L}[\p{L}\p{M} \u00a0.'’/-]{0,28}?)[\s*_]*[:：][\s*_]*(.*)$/u
const ADDRESS = /[^\s<>"'()[\]]{1,64}@[^\s<>"'()[\]]{1,255}/u
const DATE_AND_TIME = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/u
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)/u

/** Names of what people write of themselves: a list of these is no header. */
const CONTACT =
  /^(?:name|e-?mail|mail|phone|tel\w*|mobile|mobil|cell|fax|web\w*|address|adresse|company|firma|vat|iban|title|position|linkedin|skype|office|direct)$/u

/** A trip has a date, a place that it begins at and one that it ends at; a message was sent. */
const DATE_ALONE = /^(?:date|datum|fecha|data|dato|дата|tarih|日期|日時|日付|날짜|time|時間)$/u

interface Field {
  readonly kind: string
  readonly isDateAlone: boolean
  readonly value: string
}

const fieldIn = (line: string): Field | null => {
  if (line.length > LINE_CHARS_MAX) return null
  const found = FIELD.exec(line)
  if (found === null) return null
  const name = fold(found[1] ?? "").normalize("NFC")
  const kind = KINDS.find(([, names]) => names.test(name))?.[0]
  return {
    isDateAlone: DATE_ALONE.test(name),
    kind: kind ?? (CONTACT.test(name) ? "contact" : "unknown"),
    value: found[2] ?? ""
  }
}

/** How many lines a block of fields may have, with what wraps. */
const BLOCK_LINES_MAX = 10

/** The fields that begin at a line, without a gap of more than one other line. */
const fieldsFrom = (lines: ReadonlyArray<string>, at: number): ReadonlyArray<Field> => {
  const first = fieldIn(lines[at] ?? "")
  if (first === null) return []
  const found = [first]
  let gap = 0
  for (let next = at + 1; next < lines.length && next < at + BLOCK_LINES_MAX && gap <= 1; next++) {
    const line = lines[next] ?? ""
    const field = fieldIn(line)
    if (field !== null && field.kind !== "contact") {
      found.push(field)
      gap = 0
    } else gap += 1
  }
  return found
}

/** Whether a line stands apart above a block: a gap follows it, and none follows the next field. It is the writer's own. */
const isApart = (lines: ReadonlyArray<string>, at: number): boolean =>
  lines[at + 1]?.trim() === "" && [at + 2, at + 3].every((below) => fieldIn(lines[below] ?? "") !== null)

/** Whether the header of a message begins here, as programs quote it. */
export const isHeaderBlock = (lines: ReadonlyArray<string>, at: number): boolean => {
  const fields = fieldsFrom(lines, at)
  if (fields.length < 2) return isOneLine(lines[at] ?? "") || isInColumns(lines, at)
  const first = fields[0]
  if (first === undefined || first.kind === "contact" || first.kind === "cc" || isApart(lines, at)) return false
  const kinds = new Set(fields.map(({ kind }) => kind))
  // Words with a colon may stand right above it; a field that nobody listed is not the first of known ones.
  if (first.kind === "unknown" && kinds.has("from")) return false
  const hasAddress = fields.some(({ value }) => ADDRESS.test(value))
  const hasDate = fields.some(({ value }) => DATE_AND_TIME.test(value) && YEAR.test(value))
  const known = ["from", "sent", "to", "subject"].filter((kind) => kinds.has(kind)).length
  const isSent = fields.some(({ isDateAlone, kind }) => kind === "sent" && !isDateAlone)
  if (known >= 3) return kinds.has("subject") || hasAddress || (isSent && hasDate)
  if (known === 2 && first.kind !== "unknown") return (hasAddress || kinds.has("subject")) && (hasDate || hasAddress)
  // In a language that nobody listed, the values tell.
  const unknown = fields.filter(({ kind }) => kind !== "contact")
  return unknown.length >= 3 && hasAddress && hasDate
}

/** How Notes begins: the name, the date, and how the message begins. */
const NOTES = /^\S.{0,80}?-{3} ?\d{1,4}[./-]\d{1,2}[./-]\d{1,4} \d{1,2}[:.]\d{2}[^-]{0,12}-{3}/u

const isNamed = (line: string | undefined, of: ReadonlyArray<string>): boolean => {
  const name = fold(line ?? "").normalize("NFC")
  return name.length <= 30 && KINDS.some(([kind, names]) => of.includes(kind) && names.test(name))
}

/** Notes' other header: who, when, and below a gap the names of fields on lines of their own. */
const isInColumns = (lines: ReadonlyArray<string>, at: number): boolean => {
  const when = lines[at + 1]?.trim() ?? ""
  if (when.length > 40 || !DATE_AND_TIME.test(when) || !YEAR.test(when) || !ADDRESS.test(lines[at] ?? "")) return false
  const below = lines
    .slice(at + 2, at + 2 + BLOCK_LINES_MAX)
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return isNamed(below[0], ["to"]) && below.some((line) => isNamed(line, ["subject", "cc"]))
}

/** Whether the lines marked as quoted from here on are a message's header and nothing else: some programs mark no more of what they quote. */
export const isHeaderAlone = (
  lines: ReadonlyArray<string>,
  at: number,
  isQuoted: (line: string) => boolean
): boolean => {
  const marked: Array<string> = []
  for (let below = at; isQuoted(lines[below] ?? "") && marked.length <= BLOCK_LINES_MAX; below++)
    marked.push(lines[below] ?? "")
  if (marked.length > BLOCK_LINES_MAX) return false
  // The first may say whose message of which day it is.
  const fields = YEAR.test(marked[0] ?? "") && fieldIn(marked[0] ?? "") === null ? marked.slice(1) : marked
  return fields.every((line) => fieldIn(line) !== null || /^[\s>|]*$/.test(line)) && isHeaderBlock(fields, 0)
}

/** The whole header on one line, as some programs make of HTML. */
const ONE_LINE =
  /^[\s*>]*(?:from|von|de|da|van|från|fra|od|от)\s?:.{3,120}\b(?:sent|date|gesendet|datum|envoyé|enviado|fecha|inviato|data|verzonden|skickat|sendt|wysłano|odesláno|отправлено|дата)\b[^:]{0,12}:.{5,80}(?:subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|temat|předmět|тема)\s?:/iu

const isOneLine = (line: string): boolean => line.length <= LINE_CHARS_MAX && ONE_LINE.test(line)

/** What separators say, folded: a message that is original, earlier or forwarded. */
const SEPARATES =
  /original|ursprung|urspr\.|d'origine|oorspronkelijk|oprindelig|opprinnelig|alkuperainen|puvodn|povodn|oryginaln|исходное|оригинал|початкове|eredeti|αρχικο|orijinal|izvorn|forward|weitergeleitet|transfer|reenviad|inoltrat|doorgestuurd|encaminhad|vidarebefordra|videresendt|valitetty|przekazan|przeslan|preposlan|пересыл|пересланн|переслан|προωθ|iletilen|tovabbit|原始|原[郵邮信]件|转发|轉寄|転送|元の|원본|전달|antwortnachricht|reply message|previous message/u

const FORWARD =
  /^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|debut du message (?:reexpedie|transfere)|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|inicio da mensagem (?:reencaminhada|encaminhada)|vidarebefordrat (?:brev|mejl)|(?:start pa )?videresendt (?:besked|melding)|valitetty viesti alkaa|poczatek przekazywanej wiadomosci|zacatek preposlane zpravy|начало переадресованного (?:сообщения|письма)|iletilen iletinin baslang[iı]c[iı]|ileti baslang[iı]c[iı]|початок листа, що пересилається|tovabbitott level kezdete|incepe mesajul redirectionat|zaciatok preposlanej spravy|zapocni proslije[dđ]enu poruku)\s*[:：]?$/u

/** Whether a line separates what is quoted or forwarded from what stands above it. */
export const isSeparator = (lines: ReadonlyArray<string>, at: number): boolean => {
  const line = lines[at] ?? ""
  if (line.length > LINE_CHARS_MAX) return false
  if (NOTES.test(line)) return true
  const inner = unframed(line)
  if (inner === null) return FORWARD.test(fold(line).normalize("NFC"))
  if (inner.length > 80) return false
  if (SEPARATES.test(fold(inner).normalize("NFC"))) return true
  // Whatever it says, a line that is drawn around words right above a header belongs to it.
  const below = lines[at + 1]?.trim() === "" ? at + 2 : at + 1
  return isHeaderBlock(lines, below)
}

/** What mail programs write before the subject of an answer, by language; without marks, in lower case. */
const ANSWERS =
  "re|aw|antw(?:ort)?|antwoord|sv|svar|vs|odp|res|resp|rif|r|ynt|atb|bls|vá|va|ats|vast|rép|réponse|tl|trả lời|reply|απ|σχετ|ответ|отв|відп|הב|השב|תגובה|רע|رد|پاسخ|ตอบ(?:กลับ)?|回|回复|回覆|答复|答覆|返|返信|回信|답장|회신"

/** What they write before a subject that is passed on. */
const PASSED_ON =
  "fwd?|wg|wtr|doorst|vb|vl|vs|tr|rv|enc|res|i|pd|ilt|i̇lt|yml|továbbítás|fs|πρθ|пер|пересл|转发|轉寄|轉送|転送|전달|إعادة توجيه|הועבר|ส่งต่อ"

const COUNT = "\\s*(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3}|\\*\\d{1,3})?\\s*[:：]\\s*"

/** `Re:`, `RE[2]:`, `Re (3) :`, `AW：`; a count may stand in brackets or after a caret. */
const ANSWER = `(?:${ANSWERS})${COUNT}`
const LEADING = new RegExp(`^\\s*(?:${ANSWER})+`, "iu")
/** Marks of gateways, such as `[EXT]` or `*** SPAM ***`, and of a message that was passed on, between two of them. */
const BEHIND_MARKS = new RegExp(
  `^((?:(?:\\[[^\\]\\n]{1,30}\\]|\\*{2,5} ?[^*\\n]{1,30} ?\\*{2,5}|(?:${PASSED_ON})${COUNT})\\s*){1,5}?)(?:${ANSWER})+`,
  "iu"
)

/** What nobody sees, before and between them. */
const UNSEEN =
  /^[\s\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+|(?<=[:：]\s*)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+/gu

/** The subject of an answer: one `Re:` before it, however many there were in whatever language. One line. */
export const replySubject = (subject: string): string => {
  const rest = subject.replace(UNSEEN, "").replace(LEADING, "").replace(BEHIND_MARKS, "$1").trim()
  return `Re: ${rest}`.trim()
}

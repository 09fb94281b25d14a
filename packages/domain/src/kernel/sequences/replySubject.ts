/** What mail programs write before the subject of an answer, by language; without marks, in lower case. */
const ANSWERS =
  "re|aw|antw(?:ort)?|antwoord|sv|vs|odp|res|rif|r|ynt|atb|bls|vá|va|απ|ответ|отв|הב|השב|رد|ตอบ(?:กลับ)?|回复|回覆|答复|答覆|返信|回信|답장|회신"
/** `Re:`, `RE[2]:`, `Re (3) :`, `AW：`; a count may stand in brackets or after a caret. */
const ANSWER = `(?:${ANSWERS})\\s*(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3}|\\*\\d{1,3})?\\s*[:：]\\s*`
const LEADING = new RegExp(`^\\s*(?:${ANSWER})+`, "iu")
/** A gateway's mark, such as `[EXT]`, between two of them. */
const BEHIND_A_MARK = new RegExp(`^(\\[[^\\]\\n]{1,30}\\]\\s*)(?:${ANSWER})+`, "iu")

/** The subject of an answer: one `Re:` before it, however many there were in whatever language. One line. */
export const replySubject = (subject: string): string => {
  const rest = subject.replace(LEADING, "").replace(BEHIND_A_MARK, "$1").trim()
  return `Re: ${rest}`.trim()
}

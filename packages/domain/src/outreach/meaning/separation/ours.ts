import { FOOTER_WORDS } from "../../../kernel/words/languages.js"
import { NOTICE_TEXTS } from "../../../kernel/words/noticeTexts.js"
import { isDelimiter } from "./signature.js"

/** What shows that text is a message of ours, whether or not a program marked it as quoted: each ends with our footer. */

const WAYS_OUT = Object.values(FOOTER_WORDS)
  .map(({ unsubscribe }) => unsubscribe)
  .join("|")

/** The line of the footer of each message of ours (`footer` in `sending/compose.ts`) that says how to stop. */
const OUR_FOOTER = new RegExp(`^[\\s>|]{0,8}(?:${WAYS_OUT}):?\\s{0,3}(?:<|\\[|\\()?\\s?(?:https?:|$)`, "iu")

/** A way out as only we write it. */
const OUR_LINK = /https?:\/\/[^\s/]{1,300}(?:\/[^\s/]{1,100}){0,3}\/u\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.[\w-]{20}/iu

/** Most lines between the delimiter of a footer and its way out. */
const FOOTER_LINES_MAX = 12

/** What our notices say, between what is filled in, with at least so many characters. */
const SAID_CHARS_MIN = 12
const SAID: ReadonlyArray<string> = Object.values(NOTICE_TEXTS).flatMap(({ sources: _, ...parts }) =>
  Object.values(parts)
    .flatMap((part) => part.split(/\{\{\w+\}\}/u))
    .map((said) => said.trim())
    .filter((said) => said.length >= SAID_CHARS_MIN)
)

/** A paragraph right below our footer that is longer than an answer there is our notice, in words of the workspace's own. */
const ANSWER_CHARS_MAX = 300

/** Where the way out of our footer stands that begins at or below `from`; -1: nowhere. `isSure`: its link is ours. */
const wayOutIn = (lines: ReadonlyArray<string>, from: number, isSure: boolean): number => {
  let delimiter = from
  while (delimiter < lines.length && !isDelimiter(lines[delimiter] ?? "")) delimiter += 1
  for (let at = delimiter; at < Math.min(lines.length, delimiter + FOOTER_LINES_MAX); at++) {
    if (OUR_FOOTER.test(lines[at] ?? "")) {
      return !isSure || OUR_LINK.test(`${lines[at] ?? ""}${lines[at + 1]?.trim() ?? ""}`) ? at : -1
    }
  }
  return -1
}

/** Whether text that no sign marks as quoted is a message of ours. */
export const isOurs = (lines: ReadonlyArray<string>): boolean => wayOutIn(lines, 0, false) !== -1

/** Whether our footer begins with the delimiter at `at`, beyond doubt. */
export const isOurFooter = (lines: ReadonlyArray<string>, at: number): boolean =>
  isDelimiter(lines[at] ?? "") && wayOutIn(lines, at, true) !== -1

/** The first line below a message of ours, with its footer and its notice. */
export const belowOurs = (lines: ReadonlyArray<string>, from: number): number => {
  const isText = (at: number): boolean => at < lines.length && lines[at]?.trim() !== ""
  let at = wayOutIn(lines, from, false)
  while (isText(at)) at += 1
  for (;;) {
    let begins = at
    while (begins < lines.length && !isText(begins)) begins += 1
    let ends = begins
    while (isText(ends)) ends += 1
    const paragraph = lines.slice(begins, ends).join(" ").replace(/\s+/gu, " ")
    const isNotice = paragraph.length > ANSWER_CHARS_MAX || SAID.some((said) => paragraph.includes(said))
    if (ends === begins || !isNotice) return at
    at = ends
  }
}

import type { Issue } from "../../kernel/errors/Wire.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import { filledIn, ownValue, piecesOf, templateMistakes } from "../../kernel/sequences/template.js"
import { signKindsIn } from "../../kernel/text/signs.js"
import type { SavedAnswer } from "./SavedAnswerStore.js"

/** Most saved answers of a workspace, and how long each may be. */
export const SAVED_ANSWERS_MAX = 50
export const TITLE_CHARS_MAX = 80
export const SAVED_CHARS_MAX = 2_000

/** What a person writes of it. */
export type SavedText = Pick<SavedAnswer, "title" | "body">

const UNPRINTABLE = /[^\P{C}]/u
const HIDDEN = "holds characters that can’t be seen, or letters that look like others"

const lengthIssue = (path: string, text: string, most: number): ReadonlyArray<Issue> => {
  if (text.trim() === "") return [{ path, message: "is required" }]
  return text.length <= most ? [] : [{ path, message: `must have at most ${most} characters` }]
}

/** What is wrong with a saved answer. Its title goes into the control log, which keeps nobody's address. */
export const savedTextIssues = ({ body, title }: SavedText): ReadonlyArray<Issue> => [
  ...lengthIssue("title", title, TITLE_CHARS_MAX),
  ...(UNPRINTABLE.test(title) || signKindsIn(title).size > 0 ? [{ path: "title", message: HIDDEN }] : []),
  ...(title.includes("@") ? [{ path: "title", message: "must hold no address" }] : []),
  ...lengthIssue("text", body, SAVED_CHARS_MAX),
  ...(signKindsIn(body).size > 0 ? [{ path: "text", message: HIDDEN }] : []),
  ...templateMistakes(body).map((message) => ({ path: "text", message }))
]

/** The text for somebody. A variable for which they have no value, and the text no fallback, stays for the person to fill in. */
export const savedAnswerFor = (body: string, recipient: Recipient): string =>
  piecesOf(body)
    .map((piece) => {
      if (typeof piece === "string") return piece
      const isOpen = piece.fallback === null && ownValue(recipient, piece.name) === null
      return isOpen ? `{{${piece.name}}}` : filledIn(piece, recipient)
    })
    .join("")

/** Whether a variable of a text is not filled in. */
export const isUnfilled = (text: string): boolean => piecesOf(text).some((piece) => typeof piece !== "string")

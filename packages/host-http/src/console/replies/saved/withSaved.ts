import type { Recipient } from "@outbound/domain/kernel/sequences/Sequence.js"
import { savedAnswerFor } from "@outbound/domain/outreach/replies/savedAnswer.js"
import type { SavedAnswer } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"

/** Why a text with an open variable was not sent. */
export const WHY_OPEN =
  "Nothing was sent yet. A variable in your text is not filled in. Write what belongs there, or send the text as it is."

const WHY_GONE = "This saved answer was removed meanwhile, so nothing was inserted."

/** What was typed, and below it the saved answer that the form names, for this person. */
export const withSaved = (
  typed: string,
  offered: ReadonlyArray<SavedAnswer>,
  form: URLSearchParams,
  lead: Recipient
): { readonly text: string; readonly why: string | null } => {
  const chosen = offered.find(({ savedAnswerId }) => savedAnswerId === form.get("saved"))
  if (chosen === undefined) return { text: typed, why: WHY_GONE }
  const text = savedAnswerFor(chosen.body, lead)
  return { text: typed === "" ? text : `${typed}\n\n${text}`, why: null }
}

import type { ContentFlag, Intent } from "../../verbs/Replies.js"
import { contentFlags } from "./contentFlags.js"
import { addressNamed, intentByRules } from "./intentByRules.js"
import { separate } from "./ownText.js"
import { plainText } from "./plainText.js"
import { type Classification, READ_CHARS_MAX } from "./Classification.js"
import { dateIn } from "./returnDate.js"
import { weigh } from "./weigh.js"

/** What we read in a reply's text. It informs, and decides nothing. */
export interface Understood {
  readonly intent: Intent
  /** The person whom the writer names instead, or who answers while they are away. */
  readonly referredEmail: string | null
  /** When the writer is back, as `YYYY-MM-DD`. */
  readonly returnsOn: string | null
  readonly contentFlags: ReadonlyArray<ContentFlag>
}

/** Reads a reply by rules and by the model. `bodyText` may be its beginning alone. */
export const understand = (reply: {
  readonly classification: Classification | null
  readonly fromEmail: string
  readonly bodyText: string
  readonly bodyHtml?: string | null
  readonly receivedAtMillis: number
}): Understood => {
  const { classification, fromEmail, receivedAtMillis } = reply
  const beginning = reply.bodyText.slice(0, READ_CHARS_MAX)
  const { own } = separate(beginning)
  const text = plainText(own)
  const isReport = classification === "bounce"
  const named = isReport ? null : addressNamed(own, fromEmail)
  const byRules = intentByRules(classification, text, named !== null)
  const isSettled =
    classification === "bounce" || classification === "unsubscribe" || classification === "out_of_office"
  // Whether it is a request to stop, the classification tells.
  const intent = isSettled ? byRules : weigh(own, byRules, named !== null).intent
  return {
    intent,
    referredEmail: intent === "referral" || intent === "out_of_office" ? named : null,
    returnsOn:
      intent === "out_of_office" || intent === "not_now"
        ? dateIn(text, receivedAtMillis, intent === "out_of_office")
        : null,
    contentFlags: contentFlags(beginning, reply.bodyHtml ?? null)
  }
}

/** The person whom the writer names instead of themselves, and to whom somebody may decide to write. */
export const referralIn = (reply: Parameters<typeof understand>[0]): string | null => {
  const { intent, referredEmail } = understand(reply)
  return intent === "referral" ? referredEmail : null
}

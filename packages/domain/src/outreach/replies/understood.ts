import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { ContentFlag, Intent } from "../../verbs/Replies.js"
import { contentFlags } from "./contentFlags.js"
import { ABSENT, DECLINED, WANTS_MORE } from "./hintPhrases.js"
import { MEETING, NOT_NOW, REFERRAL, WRONG_PERSON } from "./intentPhrases.js"
import { separate } from "./ownText.js"
import { fold, type Phrases } from "./phrases.js"
import { type Classification, READ_CHARS_MAX } from "./ReplyStore.js"
import { dateIn } from "./returnDate.js"

/** What we read in a reply's text. It informs, and decides nothing. */
export interface Understood {
  readonly intent: Intent
  /** The person whom the writer names instead, or who answers while they are away. */
  readonly referredEmail: string | null
  /** When the writer is back, as `YYYY-MM-DD`. */
  readonly returnsOn: string | null
  readonly contentFlags: ReadonlyArray<ContentFlag>
}

const somewhere = (phrases: Phrases): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${Object.values(phrases)
      .flat()
      .map((phrase) => `(?:${phrase})`)
      .join("|")})`,
    "u"
  )

const wrongPerson = somewhere(WRONG_PERSON)
const referral = somewhere(REFERRAL)
const notNow = somewhere(NOT_NOW)
const meeting = somewhere(MEETING)
const wantsMore = somewhere(WANTS_MORE)
const declined = somewhere(DECLINED)
const absent = somewhere(ABSENT)

/** Who names an address in so few words says little else. */
const POINTER_CHARS_MAX = 200

/** People say that they are away in their first words. */
const ABSENT_WITHIN_CHARS = 200

const ADDRESS = /[^\s<>()[\],;:"']{1,64}@[^\s<>()[\],;:"']{1,255}/g

/** The first address in the writer's own words that is not their own. */
const addressNamed = (own: string, fromEmail: string): string | null => {
  const mine = usableEmail(fromEmail)
  for (const [found] of own.matchAll(ADDRESS)) {
    const address = usableEmail(found.replace(/[.!?]+$/, ""))
    if (address !== null && address !== mine) return address
  }
  return null
}

const intentOf = (classification: Classification | null, text: string, isNamed: boolean): Intent => {
  if (classification === "bounce" || classification === "unsubscribe" || classification === "out_of_office") {
    return classification
  }
  if (absent.test(text.slice(0, ABSENT_WITHIN_CHARS))) return "out_of_office"
  const isWrong = wrongPerson.test(text)
  if (isNamed && (isWrong || referral.test(text) || text.length <= POINTER_CHARS_MAX)) return "referral"
  if (isWrong) return "wrong_person"
  if (notNow.test(text)) return "not_now"
  if (meeting.test(text)) return "meeting"
  if (classification === "not_interested" || classification === "interested") return classification
  if (declined.test(text)) return "not_interested"
  if (wantsMore.test(text)) return "interested"
  return /[?？]/u.test(text) ? "question" : "other"
}

/** Reads a reply by rules. `bodyText` may be its beginning alone. */
export const understand = (reply: {
  readonly classification: Classification | null
  readonly fromEmail: string
  readonly bodyText: string
  readonly receivedAtMillis: number
}): Understood => {
  const { classification, fromEmail, receivedAtMillis } = reply
  const beginning = reply.bodyText.slice(0, READ_CHARS_MAX)
  const { own } = separate(beginning)
  const text = fold(own)
  const isReport = classification === "bounce"
  const named = isReport ? null : addressNamed(own, fromEmail)
  const intent = intentOf(classification, text, named !== null)
  return {
    intent,
    referredEmail: intent === "referral" || intent === "out_of_office" ? named : null,
    returnsOn: intent === "out_of_office" || intent === "not_now" ? dateIn(text, receivedAtMillis) : null,
    contentFlags: contentFlags(beginning)
  }
}

/** The person whom the writer names instead of themselves, and to whom somebody may decide to write. */
export const referralIn = (reply: Parameters<typeof understand>[0]): string | null => {
  const { intent, referredEmail } = understand(reply)
  return intent === "referral" ? referredEmail : null
}

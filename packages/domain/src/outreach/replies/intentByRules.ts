import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { Intent } from "../../verbs/Replies.js"
import { ABSENT, DECLINED, WANTS_MORE } from "./hintPhrases.js"
import { MEETING, NOT_NOW, REFERRAL, WRONG_PERSON } from "./intentPhrases.js"
import type { Phrases } from "./phrases.js"
import type { Classification } from "./ReplyStore.js"

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
export const addressNamed = (own: string, fromEmail: string): string | null => {
  const mine = usableEmail(fromEmail)
  for (const [found] of own.matchAll(ADDRESS)) {
    const address = usableEmail(found.replace(/[.!?]+$/, ""))
    if (address !== null && address !== mine) return address
  }
  return null
}

/** The intent that the phrases name, given how the reply is classified and whether it names an address. */
export const intentByRules = (classification: Classification | null, text: string, isNamed: boolean): Intent => {
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

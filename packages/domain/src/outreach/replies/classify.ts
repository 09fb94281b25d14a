import { asked, withoutQuotes } from "./asked.js"
import { addressNamed, intentByRules } from "./intentByRules.js"
import { AWAY, bare, fold, INTERESTED, NEGATION, NOT_INTERESTED, type Phrases, UNTIL, YES_ALONE } from "./phrases.js"
import { plainText } from "./plainText.js"
import type { Classification } from "./ReplyStore.js"
import { UNSUBSCRIBE_ALONE } from "./unsubscribePhrases.js"
import { isLearntLanguage, isOfMail, LEARNT } from "./ofMail.js"
import { weigh } from "./weigh.js"

export interface Verdict {
  readonly classification: Exclude<Classification, "bounce" | "other">
  /** The rules' confidence, 0 to 1. */
  readonly confidence: number
}

/** Verdicts count from this confidence on; below it, a judge is asked. */
export const CONFIDENCE_MIN = 0.75

/** The rules read only the beginning: people say yes or no in the first lines. */
const LOOKED_AT_CHARS_MAX = 4_000

/** In a longer text a phrase is as likely quoted as meant. */
const LONG_CHARS = 900
const LONG_COSTS = 0.2

/** Without an automatic-reply header, an out-of-office phrase must come early and be the whole message. */
const AWAY_WITHIN_CHARS = 400

const anyOf = (phrases: Phrases): string =>
  Object.values(phrases)
    .flat()
    .map((phrase) => `(?:${bare(phrase)})`)
    .join("|")

const COURTESY =
  "(?:please|pls|plz|kindly|hi|hello|hey|thanks?(?: you)?|thx|bitte|danke|hallo|s'il vous plait|svp|stp|merci|bonjour|por favor|gracias|hola|per favore|grazie|alstublieft|aub|graag|bedankt|obrigad[oa]|tack|tak|takk|prosze|dziekuje|kiitos|prosim|dekuji|пожалуиста|спасибо|lutfen|tesekkurler|kerem|koszonom|va rog|multumesc|\\p{Extended_Pictographic})"

const wholeText = (phrases: Phrases): RegExp =>
  new RegExp(`^(?:${COURTESY}[,.!:) ]+)*(?:${anyOf(phrases)})[,.!。！ ]*(?:${COURTESY}[,.!:) ]*)*$`, "u")

const somewhere = (phrases: Phrases): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(phrases)})`, "u")

const unsubscribeAlone = wholeText(UNSUBSCRIBE_ALONE)
const notInterested = new RegExp(somewhere(NOT_INTERESTED), "gu")
const yesAlone = wholeText(YES_ALONE)
const interested = new RegExp(`(?<![\\p{L}\\p{N}])(?<!${NEGATION})(?:${anyOf(INTERESTED)})`, "u")
const away = somewhere(AWAY)
const until = somewhere(UNTIL)

/** The verdict of the phrases alone. Null: unclear, contradictory or unknown. */
export const classifyByRules = (ownText: string): Verdict | null => {
  const beginning = ownText.slice(0, LOOKED_AT_CHARS_MAX)
  const text = plainText(beginning)
  if (text === "") return null
  if (unsubscribeAlone.test(text)) return { classification: "unsubscribe", confidence: SURE }
  const sure = text.length > LONG_CHARS ? -LONG_COSTS : 0
  // A request to be left alone outweighs everything else in the message.
  if (askedIn(beginning)?.says === "asks") return counting({ classification: "unsubscribe", confidence: 0.9 + sure })
  // "We are not interested" contains a phrase of interest, so remove refusals before looking for a yes.
  const besides = text.replace(notInterested, ". ")
  const saysNo = besides !== text
  const saysYes = yesAlone.test(text) || interested.test(besides)
  if (saysNo && saysYes) return null
  if (saysNo) return counting({ classification: "not_interested", confidence: 0.9 + sure })
  if (saysYes) return counting({ classification: "interested", confidence: 0.85 + sure })
  return away.test(text.slice(0, AWAY_WITHIN_CHARS)) && until.test(text)
    ? { classification: "out_of_office", confidence: 0.8 }
    : null
}

/** The confidence of a message that is nothing but a request to stop. No model overrules it. */
const SURE = 0.98

const askedIn = (beginning: string) => asked(plainText(withoutQuotes(beginning)))

/** Whether the model knows the language of a phrase. */
const isLearnt = (beginning: string): boolean => {
  const language = askedIn(beginning)?.language ?? "all"
  return language === "all" || language === "authorities" || LEARNT.includes(language)
}

/**
 * From these shares of the model on it is a request to stop: where a phrase asks for it, where none does, and where one is
 * only spoken of. In between nothing is said, and a judge is asked, if there is one: the writer's mail stops anyway, and
 * nobody is kept from answering them by a guess.
 */
const SHARE_MIN = { asked: 0.5, unasked: 0.8, sentence: 0.9, brief: 0.96, "spoken of": 0.97 } as const

/** In longer texts more words tip a model, so one sentence of it has to ask by itself. */
const BRIEF_CHARS = 240
const SENTENCES_MAX = 30

/** Whether the model alone says that a text asks to stop. */
const isGuessed = (beginning: string, share: number): boolean => {
  if (share < (askedIn(beginning) === null ? SHARE_MIN.unasked : SHARE_MIN["spoken of"])) return false
  if (beginning.length <= BRIEF_CHARS)
    return isLearntLanguage(beginning) && (share >= SHARE_MIN.brief || isOfMail(beginning))
  const asks = (text: string): boolean => isLearntLanguage(text) && isOfMail(text)
  return (
    asks(beginning) &&
    beginning
      .split(/[.!?\n]+/, SENTENCES_MAX)
      .some((one) => asks(one) && weigh(one, "other", false).shares.unsubscribe >= SHARE_MIN.sentence)
  )
}

/**
 * Classifies the writer's own text. Null: unclear, so a judge is asked. Pass only the own text: quoted text is not what
 * the writer says.
 *
 * Rules and model together say whether it is a request to stop (`weigh`). A yes, a no or an absence needs a rule, so that
 * nobody is written to again because a model guessed that they are away.
 */
export const classify = (ownText: string): Verdict | null => {
  const verdict = classifyByRules(ownText)
  if (verdict?.confidence === SURE || ownText.trim() === "") return verdict
  const beginning = ownText.slice(0, LOOKED_AT_CHARS_MAX)
  const isNamed = addressNamed(beginning, "") !== null
  const byRules = intentByRules(verdict?.classification ?? null, plainText(beginning), isNamed)
  const share = weigh(beginning, byRules, isNamed).shares.unsubscribe
  const isAsked = verdict?.classification === "unsubscribe"
  if (isAsked ? share >= SHARE_MIN.asked || !isLearnt(beginning) : isGuessed(beginning, share)) {
    return { classification: "unsubscribe", confidence: Math.max(CONFIDENCE_MIN, share) }
  }
  return isAsked ? null : verdict
}

const counting = (verdict: Verdict): Verdict | null => (verdict.confidence >= CONFIDENCE_MIN ? verdict : null)

/** A line that offers the sender's own unsubscribe link and requests nothing. */
const OFFER = /https?:|www\.|\b(?:click|tap|link|here|klick\w*|hier|cliquez|lien|ici|clic|haga|aqui|qui|klik\w*)\b/u

/**
 * Whether an automatic message asks to leave its person alone. It is no reply, but such a request counts even from a
 * program.
 */
export const asksToBeLeftAlone = (ownText: string): boolean => {
  const asked = ownText.split("\n").filter((line) => !OFFER.test(fold(line)))
  return classifyByRules(asked.join("\n"))?.classification === "unsubscribe"
}

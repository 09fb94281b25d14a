import { asked, asksForData, isDenied, withoutQuotes } from "./asked.js"
import { AWAY, bare, fold, INTERESTED, NEGATION, NOT_INTERESTED, type Phrases, UNTIL, YES_ALONE } from "./phrases.js"
import { plainText } from "./plainText.js"
import type { Classification } from "./Classification.js"
import { UNSUBSCRIBE_ALONE } from "./unsubscribePhrases.js"
import { requestShare } from "./model/requests.js"
import { intentShare } from "./model/scores.js"

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

/** Whether a request stands in a paragraph of its own above a name or what else nobody reads. A heading has questions below it. */
const beginsAlone = (text: string): boolean => {
  const [first = "", ...rest] = text.trim().split(/\n\s*\n/, 20)
  return rest.length > 0 && unsubscribeAlone.test(plainText(first)) && !/[?？]/u.test(rest.join(" "))
}

/** The verdict of the phrases alone. Null: unclear, contradictory or unknown. */
export const classifyByRules = (ownText: string): Verdict | null => {
  const beginning = ownText.slice(0, LOOKED_AT_CHARS_MAX)
  const text = plainText(beginning)
  if (text === "") return null
  if (unsubscribeAlone.test(text) || beginsAlone(beginning)) return { classification: "unsubscribe", confidence: SURE }
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

/** From this share of the models on a text asks to stop: nobody is kept from answering a person for a guess. Below it is left to a judge. */
const SHARE_MIN = 0.96

/** A phrase that only speaks of a request was looked at and is none: then the models must be surer, and surer still of a denied one. */
const SPOKEN_SHARE_MIN = 0.98
const DENIED_SHARE_MIN = 0.997

/** A phrase that is nearly all of a text says what the text says, and so does one of which the model of intents thinks the same. */
const CLEAR_SHARE_MIN = 0.7
const BRIEF_CHARS = 40
const CLEAR_INTENT_MIN = 0.8

/**
 * Classifies the writer's own text. Null: unclear, so a judge is asked. Pass only the own text: quoted text is not what
 * the writer says.
 *
 * A request to stop is a message that is nothing else, or what three models are sure of together; in a long text a phrase must ask for it
 * too. Whatever else it says needs a rule: nobody is written to again because a model guessed that they are away.
 */
export const classify = (ownText: string): Verdict | null => {
  const verdict = classifyByRules(ownText)
  const isAsked = verdict?.classification === "unsubscribe"
  if (isAsked && verdict.confidence === SURE) return verdict
  const beginning = ownText.slice(0, LOOKED_AT_CHARS_MAX)
  const said = withoutQuotes(beginning)
  const share = requestShare(said)
  if (share === null) return verdict
  if (!isAsked && (said.length > LONG_CHARS || asksForData(plainText(said)))) return verdict
  const isClear = said.trim().length <= BRIEF_CHARS || intentShare(said, "unsubscribe") >= CLEAR_INTENT_MIN
  const askedMin = isClear ? CLEAR_SHARE_MIN : SHARE_MIN
  const unaskedMin = askedIn(beginning) === null ? SHARE_MIN : SPOKEN_SHARE_MIN
  const suffices = isDenied(plainText(said)) ? DENIED_SHARE_MIN : isAsked ? askedMin : unaskedMin
  if (share >= suffices) return { classification: "unsubscribe", confidence: Math.max(CONFIDENCE_MIN, share) }
  return isAsked ? null : verdict
}

const counting = (verdict: Verdict): Verdict | null => (verdict.confidence >= CONFIDENCE_MIN ? verdict : null)

/** A line that offers the sender's own unsubscribe link and requests nothing. */
const OFFER =
  /^(?:(?:if|should) you (?:no longer|do not|don't|would (?:like|prefer|rather)|wish|want|prefer)|in order to\b|to (?:stop|unsubscribe|opt|manage|change|no longer)\b|(?:wenn|falls|sollten) sie (?:\S+ ){0,4}(?:keine?n?|nicht mehr)\b|um (?:\S+ ){0,8}(?:abzu|zu )|si vous ne\b|pour (?:ne plus|vous|se|me) |afin de\b|si (?:ya )?no (?:desea|quiere)|para (?:dejar|no|darse|cancelar|deixar|nao)\b|se (?:non (?:desider|vuoi)|nao )|per (?:non|annullare|cancellar|disiscri)|als (?:u|je) (?:\S+ ){0,3}(?:geen|niet)\b|om (?:\S+ ){0,8}te |om du inte\b|hvis du ikke\b|jos et\b|jesli nie\b|aby\b|pokud (?:jiz )?ne|чтобы\b|если (?:вы )?(?:больше )?не)|\b(?:settings|preferences|einstellungen|parametres|ajustes|configuracion|impostazioni|preferenze|instellingen|definicoes|configuracoes|installningar|indstillinger|innstillinger|asetuk\w*|ustawieni\w*|nastaveni)\b|настройк|\breply (?:with )?["']?stop\b|https?:|www\.|\b(?:click|tap|link|here|klick\w*|hier|cliquez|lien|ici|clic|haga|aqui|qui|klik\w*)\b/u

/**
 * Whether an automatic message asks to leave its person alone. It is no reply, but such a request counts even from a
 * program.
 */
export const asksToBeLeftAlone = (ownText: string): boolean => {
  const asked = ownText.split("\n").filter((line) => !OFFER.test(fold(line)))
  return classifyByRules(asked.join("\n"))?.classification === "unsubscribe"
}

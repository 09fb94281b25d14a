import { classify, classifyByRules } from "@outbound/domain/outreach/meaning/classify.js"
import { addressNamed, intentByRules } from "@outbound/domain/outreach/meaning/intentByRules.js"
import { MODEL_INTENTS } from "@outbound/domain/outreach/meaning/model/intents.js"
import { scoresOf } from "@outbound/domain/outreach/meaning/model/scores.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { plainText } from "@outbound/domain/outreach/meaning/plainText.js"
import { type Understood, understand } from "@outbound/domain/outreach/meaning/understood.js"
import { type LabelledText, type ReadIntent, RECEIVED_AT_MILLIS } from "./Corpus.js"

export interface ReadText {
  readonly of: LabelledText
  readonly intent: ReadIntent
  /** Whether the classification suppresses the writer. */
  readonly isUnsubscribe: boolean
}

/** Reads a text as a reply is read on arrival, with no header that says more and no judge to ask. */
export const readText = (of: LabelledText): ReadText & { readonly understood: Understood } => {
  const classification = classify(ownText(of.text))?.classification ?? null
  const understood = understand({
    classification,
    fromEmail: of.from_email,
    bodyText: of.text,
    receivedAtMillis: RECEIVED_AT_MILLIS
  })
  const { intent } = understood
  if (intent === "bounce") throw new Error(`${of.id} was read as a bounce`)
  return { of, intent, isUnsubscribe: classification === "unsubscribe", understood }
}

/** Reads a text by the rules alone, to compare. */
export const readByRules = (of: LabelledText): ReadText => {
  const own = ownText(of.text)
  const classification = classifyByRules(own)?.classification ?? null
  const intent = intentByRules(classification, plainText(own), addressNamed(own, of.from_email) !== null)
  if (intent === "bounce") throw new Error(`${of.id} was read as a bounce`)
  return { of, intent, isUnsubscribe: classification === "unsubscribe" }
}

/** Reads a text by the model alone, to compare. */
export const readByModel = (of: LabelledText): ReadText => {
  const scores = scoresOf(ownText(of.text)) ?? []
  const intent = MODEL_INTENTS[scores.indexOf(Math.max(...scores))] ?? "other"
  return { of, intent, isUnsubscribe: intent === "unsubscribe" }
}

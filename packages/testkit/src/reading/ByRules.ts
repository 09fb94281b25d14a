import { classify } from "@outbound/domain/outreach/replies/classify.js"
import { ownText } from "@outbound/domain/outreach/replies/ownText.js"
import { type Understood, understand } from "@outbound/domain/outreach/replies/understood.js"
import { type LabelledText, type ReadIntent, RECEIVED_AT_MILLIS } from "./Corpus.js"

export interface ReadText {
  readonly of: LabelledText
  readonly intent: ReadIntent
  /** Whether the classification suppresses the writer. */
  readonly isUnsubscribe: boolean
  readonly understood: Understood
}

/** Reads a text as a reply is read on arrival, with no header that says more and no judge to ask. */
export const readByRules = (of: LabelledText): ReadText => {
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

import type { Intent } from "../../verbs/Replies.js"
import { MODEL_INTENTS, type ModelIntent } from "./model/intents.js"
import { netAnswer } from "./model/nets.js"
import { scoresOf } from "./model/scores.js"

/**
 * How much a rule's word adds to the model's score of its intent. Rules know what they were written for, and are silent on
 * the rest, so their `other` says nothing. A request to stop weighs the most.
 */
const RULE_ADDS = 0.8
const ADDS: Partial<Record<Intent, number>> = { unsubscribe: 3, other: 0, bounce: 0 }

/** Below this share of what is no request to stop, only the rules' word counts. */
const SHARE_MIN = 0.3

export interface Weighed {
  /** What it is, if it is no request to stop. */
  readonly intent: Intent
  /** How sure the model and the rules are together: the shares of all intents add up to 1. */
  readonly shares: Readonly<Record<ModelIntent, number>>
}

/** How much the nets' answers count beside the scores of words. */
const NETS_COUNT = 0.7

/** How much the models are for each intent: higher is likelier. */
const modelled = (own: string): ReadonlyArray<number> => {
  const scores = scoresOf(own)
  if (scores === null) return MODEL_INTENTS.map(() => 0)
  const { intents } = netAnswer(own)
  return scores.map((score, at) => score + NETS_COUNT * (intents[at] ?? 0))
}

/** Reads a text by the models and by what the rules said. Only who names an address refers to somebody. */
export const weigh = (own: string, byRules: Intent, isNamed: boolean): Weighed => {
  const scores = modelled(own).map((score, at) => {
    const intent = MODEL_INTENTS[at]
    if (intent === "referral" && !isNamed) return -Infinity
    return intent === byRules ? score + (ADDS[intent] ?? RULE_ADDS) : score
  })
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  const shareOf = (intent: ModelIntent): number => (powers[MODEL_INTENTS.indexOf(intent)] ?? 0) / sum
  const shares = Object.fromEntries(MODEL_INTENTS.map((intent) => [intent, shareOf(intent)]))
  const besides = MODEL_INTENTS.filter((intent) => intent !== "unsubscribe")
  const best = besides.reduce((first, next) => (shareOf(next) > shareOf(first) ? next : first))
  return {
    intent: shareOf(best) / (1 - shareOf("unsubscribe")) >= SHARE_MIN || byRules === "unsubscribe" ? best : byRules,
    shares: shares as Record<ModelIntent, number>
  }
}

import type { RiskRule } from "./Risk.js"

/** Messages that the viewer has to look at before they may approve. */
export const toLookAt: RiskRule = ({ attention = null }) => {
  if (attention === null || !attention.isAsked || attention.own?.found.isDone === true) return []
  const left = attention.own === null ? null : attention.own.found.items - attention.own.found.looked
  const words =
    left === null
      ? (["Look at some messages before you approve", ""] as const)
      : (["message to look at before you approve", "messages to look at before you approve"] as const)
  return [{ code: "to_look_at", weight: "look", count: left, words, anchor: "attention" }]
}

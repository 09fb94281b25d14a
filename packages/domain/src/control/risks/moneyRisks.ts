import type { RiskRule } from "./Risk.js"

/** A purchase that can't be paid now, or not its first month. */
export const tooFewCredits: RiskRule = ({ available, snapshot }) => {
  if (snapshot.kind !== "purchase" || available === null) return []
  const { first_month_credits = snapshot.setup_credits, setup_credits } = snapshot
  const words =
    available < setup_credits
      ? "Too few credits to buy it"
      : available < first_month_credits
        ? "Too few credits for the first month"
        : null
  return words === null
    ? []
    : [{ code: "too_few_credits", weight: "stop", count: null, words: [words, words], anchor: "costs" }]
}

import { toLookAt } from "./attentionRisks.js"
import { fallbacks, hosts, looks, notExamined, overlapping } from "./contentRisks.js"
import { tooFewCredits } from "./moneyRisks.js"
import { disposableAddresses, doubtfulAddresses, invalidAddresses, notVerified, roleAddresses } from "./listRisks.js"
import { type Risk, RISK_WEIGHTS, type RiskFacts, type RiskRule } from "./Risk.js"
import { domainsFailing, domainsListed, domainsUnknown } from "./domainRisks.js"
import { heldOut } from "./holdoutRisk.js"
import { countryUnknown, withoutWords, wordsMissing } from "./wordsRisks.js"
import { leftOut, nothingLeaves, zoneUnknown } from "./sendingRisks.js"

/** Every kind of risk, one line each. */
export const RISKS: ReadonlyArray<RiskRule> = [
  tooFewCredits,
  nothingLeaves,
  toLookAt,
  notExamined,
  looks,
  overlapping,
  domainsFailing,
  domainsListed,
  invalidAddresses,
  notVerified,
  disposableAddresses,
  leftOut,
  withoutWords,
  wordsMissing,
  domainsUnknown,
  zoneUnknown,
  countryUnknown,
  heldOut,
  fallbacks,
  doubtfulAddresses,
  roleAddresses,
  hosts
]

/** What a person should know before they decide: what weighs most first, and otherwise in the order of the list. */
export const risksOf = (facts: RiskFacts): ReadonlyArray<Risk> => {
  const found = RISKS.flatMap((rule) => rule(facts))
  return RISK_WEIGHTS.flatMap((weight) => found.filter((risk) => risk.weight === weight))
}

/** How many risks of each weight a request has, the heaviest first. */
const weighed = (risks: ReadonlyArray<Risk>): ReadonlyArray<number> =>
  RISK_WEIGHTS.map((weight) => risks.filter((risk) => risk.weight === weight).length)

/** Negative: the first one's risks weigh more, so it is shown first. Zero: as much. */
export const byRisk = (one: ReadonlyArray<Risk>, other: ReadonlyArray<Risk>): number => {
  const [first, second] = [weighed(one), weighed(other)]
  const at = first.findIndex((count, index) => count !== second[index])
  return at < 0 ? 0 : (second[at] ?? 0) - (first[at] ?? 0)
}

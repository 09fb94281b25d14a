import type { ListScorecard } from "../../calls/approvals/Snapshot.js"
import { counted, type RiskFacts, type RiskRule } from "./Risk.js"

const LIST = "list"

const listOf = ({ snapshot }: RiskFacts): ListScorecard | undefined => ("list" in snapshot ? snapshot.list : undefined)

/** Addresses that a verification found to take no mail. */
export const invalidAddresses: RiskRule = (facts) =>
  counted(
    {
      code: "list_invalid",
      weight: "look",
      words: ["address was found invalid", "addresses were found invalid"],
      anchor: LIST
    },
    listOf(facts)?.invalid
  )

/** People whom nobody has verified lately. Those found invalid have a risk of their own. */
export const notVerified: RiskRule = (facts) => {
  const list = listOf(facts)
  return counted(
    {
      code: "list_unverified",
      weight: "look",
      words: ["address is not verified", "addresses are not verified"],
      anchor: LIST
    },
    list === undefined ? 0 : list.unverified - list.invalid
  )
}

export const disposableAddresses: RiskRule = (facts) =>
  counted(
    {
      code: "list_disposable",
      weight: "look",
      words: ["address is disposable", "addresses are disposable"],
      anchor: LIST
    },
    listOf(facts)?.disposable
  )

/** Verified, but nothing says that the mailbox is there. */
export const doubtfulAddresses: RiskRule = (facts) => {
  const list = listOf(facts)
  return counted(
    {
      code: "list_doubtful",
      weight: "note",
      words: ["address may not be there", "addresses may not be there"],
      anchor: LIST
    },
    list === undefined ? 0 : list.risky + list.catch_all_unknown
  )
}

export const roleAddresses: RiskRule = (facts) =>
  counted(
    { code: "list_role", weight: "note", words: ["address is a role’s", "addresses are roles’"], anchor: LIST },
    listOf(facts)?.role
  )

import { Effect } from "effect"
import { VerdictStore } from "../../../data/verification/VerdictStore.js"
import { refuse } from "../../../kernel/errors/Wire.js"
import { format, times } from "../../../kernel/money/Credits.js"
import { DisposableDomains } from "../../../kernel/people/DisposableDomains.js"
import { isoOrNull } from "../../../kernel/text.js"
import { RuleStore } from "../../../kernel/workspaces/RuleStore.js"
import type { WorkspaceRules } from "../../../kernel/workspaces/WorkspaceRules.js"
import { VERIFY_EMAIL_PRICE } from "../../../verbs/prices.js"
import type { Addressed } from "../../suppression/SuppressionStore.js"
import type { Obstacle } from "../CampaignContext.js"
import { AGES, countsOf, isRoleAddress, type ListCounts, type Score, scoreOf } from "./scoreOf.js"

/** Most addresses that a refusal names. */
export const TO_VERIFY_SHOWN_MAX = 100

/** The members that calls and approvals show of a list. */
export const shownList = ({ oldestVerifiedAtMillis, statuses, ...score }: ListCounts) => ({
  verified: score.verified,
  unverified: score.unverified,
  ...statuses,
  role: score.role,
  disposable: score.disposable,
  free_mail: score.freeMail,
  oldest_verified_at: isoOrNull(oldestVerifiedAtMillis)
})

/** What an approval's page shows beside. */
export const scorecardOf = (score: Score, { unverifiedMaxPercent, verificationMaxAgeDays }: WorkspaceRules) => ({
  ...shownList(score),
  verified_by_age: AGES.map((days, index) => ({ days, people: score.ages[index] ?? 0 })),
  domains: score.domains,
  domains_total: score.domainsTotal,
  verification_max_age_days: verificationMaxAgeDays,
  unverified_max_percent: unverifiedMaxPercent
})

const people = (count: number): string => `${count} ${count === 1 ? "person" : "people"}`

/** How to mend it: the call that verifies whom a verification could verify, and its price. */
const mendOf = ({ statuses, toVerify }: Score): string => {
  const named = toVerify.slice(0, TO_VERIFY_SHOWN_MAX)
  const call = `verify_emails ${JSON.stringify({ emails: named })}`
  const price = format(times(VERIFY_EMAIL_PRICE, named.length))
  const rest = toVerify.length - named.length
  return [
    ...(named.length === 0 ? [] : [`Call ${call}: at most ${price} credits.`]),
    ...(rest === 0
      ? []
      : [
          `${people(rest)} more ${rest === 1 ? "needs" : "need"} it, ${format(times(VERIFY_EMAIL_PRICE, toVerify.length))} credits at most in all: repeat this call afterwards for their addresses.`
        ]),
    ...(statuses.invalid === 0 ? [] : [`${people(statuses.invalid)} can't get mail: draft the campaign without them.`])
  ].join(" ")
}

/** Why the list may not be written to; null: it may. Anybody may be written to if nobody would be. */
export const listObstacle = (score: Score, rules: WorkspaceRules): Obstacle | null => {
  const { unverifiedMaxPercent, verificationMaxAgeDays } = rules
  const { unverified, verified } = score
  const of = verified + unverified
  if (unverifiedMaxPercent === null || unverified * 100 <= unverifiedMaxPercent * of) return null
  return [
    "list_not_verified",
    refuse(
      "invalid_request",
      { reason: "list_not_verified", unverified, of, max_percent: unverifiedMaxPercent },
      `${unverified} of ${people(of)} ${unverified === 1 ? "has" : "have"} no verification of the last ${verificationMaxAgeDays === 1 ? "day" : `${verificationMaxAgeDays} days`} that found their address good; at most ${unverifiedMaxPercent} % may lack one. ${mendOf(score)}`
    )
  ]
}

/** Whom the workspace's rules leave out, by address. */
export const ruledOut = ({ roleAddresses }: WorkspaceRules): ((email: string) => boolean) =>
  roleAddresses === "leave_out" ? isRoleAddress : () => false

/** Reads the workspace's rules, and what is known of people. If that can't be read, the call fails. */
export const makeListGate = Effect.gen(function* () {
  const store = yield* RuleStore
  const verdicts = yield* VerdictStore
  const disposable = yield* DisposableDomains
  const isDisposable = (domain: string): boolean => disposable.has(domain)

  const score = (workspaceId: string, addressed: ReadonlyArray<Addressed>, rules: WorkspaceRules, nowMillis: number) =>
    Effect.map(
      verdicts.find(
        workspaceId,
        addressed.map(({ addressHash }) => addressHash)
      ),
      (found) =>
        scoreOf(
          addressed.map(({ addressHash, email }) => ({ email, verdict: found.get(addressHash) ?? null })),
          { isDisposable, nowMillis, maxAgeDays: rules.verificationMaxAgeDays }
        )
    )

  /** Of a campaign's people who may still be written to. `isLaunched`: whom a rule leaves out was left out, or is approved. */
  const countsOfCampaign = (
    of: {
      readonly workspaceId: string
      readonly campaignId: string
      readonly isLaunched: boolean
      readonly max: number
    },
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const rules = yield* store.rules(of.workspaceId)
      const judged = yield* verdicts.ofCampaign(of.workspaceId, of.campaignId, of.max)
      const isOut = of.isLaunched ? () => false : ruledOut(rules)
      return countsOf(
        judged.filter(({ email }) => !isOut(email)),
        { isDisposable, nowMillis, maxAgeDays: rules.verificationMaxAgeDays }
      )
    })

  return { rules: store.rules, score, countsOfCampaign }
})

import { COMPARED_OUTCOMES, type ComparedOutcome, type Outcome, OUTCOMES } from "../../verbs/Campaigns.js"
import { type Credits, format, fromMicros } from "../../kernel/money/Credits.js"
import { Effect, Option } from "effect"
import { MEETING_INTEREST, POSITIVE_INTEREST } from "../../kernel/sequences/Sequence.js"
import { type Arm, anytimeDifference } from "../../kernel/statistics/anytimeDifference.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { iso } from "../../kernel/text.js"
import {
  type Holdout,
  HoldoutStore,
  type OutcomeFacts,
  type OutcomeRow
} from "../../outreach/launching/holdout/HoldoutStore.js"

/** The sentence where there is nobody to compare with. */
export const NOT_KNOWN = "not known whether they would have come anyway"

const IS: Readonly<Record<ComparedOutcome, (row: OutcomeRow) => boolean>> = {
  interested: ({ interestStatus }) => interestStatus !== null && POSITIVE_INTEREST.includes(interestStatus),
  meeting_booked: ({ interestStatus }) => interestStatus !== null && MEETING_INTEREST.includes(interestStatus),
  won: ({ interestStatus }) => interestStatus === "won",
  crm_open_deal: ({ dealing }) => dealing === "crm_open_deal",
  crm_customer: ({ dealing }) => dealing === "crm_customer"
}

const people = (rows: ReadonlyArray<OutcomeRow>): number => rows.reduce((sum, row) => sum + row.people, 0)

const armOf = (rows: ReadonlyArray<OutcomeRow>, outcome: ComparedOutcome): Arm => ({
  people: people(rows),
  outcomes: people(rows.filter(IS[outcome]))
})

/** Each person once, whether somebody set their status or their answer was read. */
const isBrought = (row: OutcomeRow, outcome: Outcome): boolean =>
  outcome === "replied" ? row.hasReplied : IS[outcome](row) || (outcome === "interested" && row.saidInterested)

/** Rounded up: an outcome is never said to have cost less. */
const eachRoundedUp = (micros: bigint, count: number): bigint => (micros + BigInt(count) - 1n) / BigInt(count)

const percentOf = (share: number): number => Math.round(share * 10_000) / 100

/** Outwards, so that rounding makes no interval narrower. */
const lowPercent = (share: number): number => Math.floor(share * 10_000) / 100
const highPercent = (share: number): number => Math.ceil(share * 10_000) / 100

const dollars = (micros: bigint): string => format(micros)

/** What a campaign brought, what each outcome cost, and how much of it would not have come anyway. */
export const outcomesOf = (facts: OutcomeFacts, holdout: Holdout | null) => {
  const reached = facts.rows.filter(({ isWritten }) => isWritten)
  const written = facts.rows.filter(({ arm }) => arm === "written")
  const heldOut = facts.rows.filter(({ arm }) => arm === "held_out")
  const charged: Credits = fromMicros(facts.chargedMicros)
  const cost = BigInt(Math.round(facts.costMicros))
  return {
    people_written: people(reached),
    credits: format(charged),
    vendor_cost_usd: dollars(cost),
    brought: OUTCOMES.map((outcome) => {
      const count = people(reached.filter((row) => isBrought(row, outcome)))
      return {
        outcome,
        people: count,
        credits_each: count === 0 ? null : format(eachRoundedUp(charged, count)),
        vendor_cost_usd_each: count === 0 ? null : dollars(eachRoundedUp(cost, count))
      }
    }),
    ...(holdout === null
      ? { holdout: null, says: NOT_KNOWN }
      : {
          holdout: {
            percent: holdout.percent,
            seed: holdout.seed,
            drawn_at: iso(holdout.drawnAtMillis),
            people: people(heldOut),
            compared: COMPARED_OUTCOMES.map((outcome) => {
              const [one, other] = [armOf(written, outcome), armOf(heldOut, outcome)]
              const found = anytimeDifference(one, other)
              return {
                outcome,
                written: one.outcomes,
                held_out: other.outcomes,
                difference_percent: found === null ? null : percentOf(found.estimate),
                low_percent: found === null ? null : lowPercent(found.low),
                high_percent: found === null ? null : highPercent(found.high)
              }
            })
          },
          says: null
        })
  }
}

export type CampaignOutcomes = ReturnType<typeof outcomesOf>

/** Reads what a campaign brought. `get_campaign` and the campaign's page both ask this. */
export const campaignOutcomes =
  (holdouts: HoldoutStore["Service"]) =>
  (workspaceId: string, campaignId: string): FromStore<CampaignOutcomes> =>
    Effect.zipWith(
      holdouts.outcomes(workspaceId, campaignId),
      holdouts.get(workspaceId, campaignId),
      (facts, holdout) => outcomesOf(facts, Option.getOrNull(holdout)),
      { concurrent: true }
    )

export const makeCampaignOutcomes = Effect.map(HoldoutStore, campaignOutcomes)

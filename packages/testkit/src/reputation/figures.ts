import { type PairResult, POLICIES, type PolicyName, type ReputationRun, simulateReputation } from "./simulate.js"
import { REACTIONS, type Reaction } from "./HiddenReceiver.js"

/** A degraded pair is found if the service slowed or rested within so many messages. */
export const FOUND_WITHIN = 60

/**
 * What runs show, as numbers that add up. `degraded`: pairs whose receiver reacted, and that were tried `FOUND_WITHIN` times
 * since or found before, also by the worst that the receiver did. `healthy`: those whose receiver never reacted.
 */
export type ReputationCounts = Readonly<Record<string, number>>

const isFound = ({ foundAfter }: PairResult): boolean => foundAfter !== null && foundAfter <= FOUND_WITHIN

/** Who was tried too seldom to be found, and was not, proves nothing. */
const isProof = (pair: PairResult): boolean =>
  pair.reaction !== null && (isFound(pair) || pair.triedSince >= FOUND_WITHIN)

export const countsOf = (run: ReputationRun): ReputationCounts => {
  const degraded = run.pairs.filter(isProof)
  const healthy = run.pairs.filter(({ reaction }) => reaction === null)
  const of = (reaction: Reaction) => degraded.filter((pair) => pair.reaction === reaction)
  return {
    runs: 1,
    pairs: run.pairs.length,
    degraded: degraded.length,
    found: degraded.filter(isFound).length,
    ...Object.fromEntries(
      REACTIONS.flatMap((one) => [
        [one, of(one).length],
        [`${one}Found`, of(one).filter(isFound).length]
      ])
    ),
    healthy: healthy.length,
    healthyRested: healthy.filter(({ isRested }) => isRested).length,
    healthySlowed: healthy.filter(({ isSlowed }) => isSlowed).length,
    messages: run.messages,
    inboxed: run.inboxed,
    complaints: run.complaints,
    heard: run.heard,
    repeated: run.repeated,
    repeatedOfDomain: run.repeatedOfDomain,
    refused: run.refused,
    junked: run.junked,
    letters: run.letters,
    rates: run.rates,
    days: run.days
  }
}

export const addCounts = (one: ReputationCounts, other: ReputationCounts): ReputationCounts =>
  Object.fromEntries(Object.entries(other).map(([name, count]) => [name, (one[name] ?? 0) + count]))

/** The sums of these seeds under these policies. */
export const figuresOf = (seeds: ReadonlyArray<number>, policies: ReadonlyArray<PolicyName>) =>
  Object.fromEntries(
    policies.map((policy) => [
      policy,
      seeds.reduce<ReputationCounts>(
        (all, seed) => addCounts(all, countsOf(simulateReputation(seed, POLICIES[policy]))),
        {}
      )
    ])
  )

/** What a canary is, which are sent, and what they say together. Pure. */
import { Array as Arr } from "effect"
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS } from "../../kernel/durations.js"
import { jitter } from "../../kernel/jitter.js"
import { after } from "../../kernel/machine.js"
import type { HealthState, Measured } from "../../outreach/health/Measurements.js"
import { CanaryMachine, type CanaryState } from "./CanaryMachine.js"
import { failedOf, type Verdicts } from "./verdicts.js"

/** One letter from an own mailbox to another own mailbox, whose mail another organisation receives. */
export interface Canary extends Verdicts {
  readonly workspaceId: string
  readonly canaryId: string
  readonly fromMailboxId: string
  readonly toMailboxId: string
  /** Of the mailbox that sends. */
  readonly domain: string
  /** That receives the other mailbox's mail. */
  readonly organisation: string
  /** The day of its plan (UTC), as days since 1970, and the how manieth of its pair on that day. */
  readonly day: number
  readonly nth: number
  /** Whose approved text it carries. */
  readonly campaignId: string
  readonly variant: number | null
  readonly state: CanaryState
  readonly plannedAtMillis: number
  readonly claimedAtMillis: number | null
  /** When its server took it. */
  readonly sentAtMillis: number | null
  /** When it arrived, by the clock of the server that got it. */
  readonly arrivedAtMillis: number | null
  readonly lookedAtMillis: number | null
  /** When something is due; null: it has ended. */
  readonly nextAtMillis: number | null
  /** Whether it was taken out of the mailbox that got it. */
  readonly isRemoved: boolean
  /** Why it was dropped or is unknown; "": nothing to say. */
  readonly says: string
}

/** Whether a workspace sends canaries. */
export interface CanarySetting {
  readonly workspaceId: string
  readonly isOn: boolean
  readonly setBy: string
  readonly setAtMillis: number
  /** When its job looks next. */
  readonly nextAtMillis: number
}

/** Most of an ordered pair on one day (UTC). A second one follows only one that was not found in the inbox. */
export const PAIR_DAILY_MAX = 2
/** Most on one day: of a mailbox that sends, of one that gets them, and of a workspace. */
export const FROM_DAILY_MAX = 4
export const TO_DAILY_MAX = 6
export const WORKSPACE_DAILY_MAX = 20
/** How long after one that was not in the inbox the second one of its pair may follow. */
export const SECOND_MILLIS = 4 * HOUR_MILLIS

/** How long after it left it is looked for, each time; then it is missing. */
export const LOOKS_AFTER_MILLIS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MILLIS)
export const MISSING_MILLIS = 12 * HOUR_MILLIS
/** A mailbox that can't be read for so long says nothing of its canary. */
export const UNREADABLE_MILLIS = 48 * HOUR_MILLIS
/** How soon again after a look or a try that failed. */
export const AGAIN_MILLIS = 30 * MINUTE_MILLIS
/** One that could not leave for so long is dropped. */
export const PLANNED_MILLIS_MAX = 12 * HOUR_MILLIS
/** How far those that are planned together lie apart. */
export const APART_MILLIS = 3 * MINUTE_MILLIS

/**
 * How long a result counts, of how many of the newest the state is made, and how many of these outside the inbox are proof. Where a
 * receiver files two letters in a hundred as junk by chance, two of three would rest one healthy pair in sixty within two months
 * (docs/decisions/0159-what-measures-find.md).
 */
export const COUNTED_MILLIS = 7 * DAY_MILLIS
export const JUDGED_LAST = 4
export const JUDGED_BAD = 3

export const dayOf = (millis: number): number => Math.floor(millis / DAY_MILLIS)

/** When to look next, after a look at that time that did not find it; null: not any more. */
export const nextLook = (leftAtMillis: number, nowMillis: number): number | null => {
  const wait = LOOKS_AFTER_MILLIS.find((millis) => leftAtMillis + millis > nowMillis)
  return wait === undefined ? null : leftAtMillis + wait
}

/** A canary that has ended so. */
export const endedBy = (
  canary: Canary,
  event: "find_inbox" | "find_junk" | "give_up" | "lose" | "drop" | "refuse",
  nowMillis: number,
  more: Partial<Canary> = {}
): Canary => ({
  ...canary,
  ...more,
  state: after(CanaryMachine, canary.state, event),
  lookedAtMillis: nowMillis,
  nextAtMillis: null
})

/** A mailbox that may be in a pair, and the organisation that receives its mail. */
export interface Candidate {
  readonly mailboxId: string
  readonly domain: string
  readonly organisation: string
}

export interface Pair {
  readonly from: Candidate
  readonly to: Candidate
  readonly nth: number
}

type Counted = Pick<
  Canary,
  "fromMailboxId" | "toMailboxId" | "domain" | "organisation" | "day" | "nth" | "state" | "lookedAtMillis"
>

/**
 * Who writes to whom now. For each sending domain and each other organisation one a day, from the pair that was used least; a
 * second one of the same pair where the first was not found in the inbox. Never more than the bounds, whatever `recent` holds.
 */
export const choosePairs = (
  senders: ReadonlyArray<Candidate>,
  receivers: ReadonlyArray<Candidate>,
  recent: ReadonlyArray<Counted>,
  nowMillis: number
): ReadonlyArray<Pair> => {
  const day = dayOf(nowMillis)
  const today = recent.filter((one) => one.day === day)
  const fromUses = new Map<string, number>()
  const toUses = new Map<string, number>()
  const use = (uses: Map<string, number>, id: string) => uses.set(id, (uses.get(id) ?? 0) + 1)
  for (const one of today) {
    use(fromUses, one.fromMailboxId)
    use(toUses, one.toMailboxId)
  }
  const chosen: Array<Pair> = []
  const take = (pair: Pair): void => {
    chosen.push(pair)
    use(fromUses, pair.from.mailboxId)
    use(toUses, pair.to.mailboxId)
  }
  const hasRoom = (from: Candidate, to: Candidate): boolean =>
    today.length + chosen.length < WORKSPACE_DAILY_MAX &&
    (fromUses.get(from.mailboxId) ?? 0) < FROM_DAILY_MAX &&
    (toUses.get(to.mailboxId) ?? 0) < TO_DAILY_MAX

  const domains = [...new Set(senders.map(({ domain }) => domain))].sort()
  const organisations = [...new Set(receivers.map(({ organisation }) => organisation))].sort()
  const usedOn = (domain: string, organisation: string): number =>
    Math.max(
      -1,
      ...recent.filter((one) => one.domain === domain && one.organisation === organisation).map((one) => one.day)
    )
  const measures = domains
    .flatMap((domain) =>
      organisations.map((organisation) => ({ domain, organisation, usedOn: usedOn(domain, organisation) }))
    )
    // Those that were measured longest ago come first: the workspace's bound leaves out the others.
    .toSorted((a, b) => a.usedOn - b.usedOn)
  for (const { domain, organisation } of measures) {
    const there = today.filter((one) => one.domain === domain && one.organisation === organisation)
    const pairs = senders
      .filter((from) => from.domain === domain && from.organisation !== organisation)
      .flatMap((from) =>
        receivers
          .filter((to) => to.organisation === organisation && to.mailboxId !== from.mailboxId)
          .map((to) => ({ from, to }))
      )
    if (there.length === 0) {
      const usesOf = ({ from, to }: (typeof pairs)[number]): number =>
        recent.filter((one) => one.fromMailboxId === from.mailboxId && one.toMailboxId === to.mailboxId).length +
        jitter(`${day} ${from.mailboxId} ${to.mailboxId}`)
      const [best] = pairs
        .filter(({ from, to }) => hasRoom(from, to))
        .map((pair) => ({ pair, uses: usesOf(pair) }))
        .sort((a, b) => a.uses - b.uses)
      if (best !== undefined) take({ ...best.pair, nth: 0 })
      continue
    }
    const [only] = there
    if (there.length >= PAIR_DAILY_MAX || only === undefined || !CanaryMachine.is.elsewhere(only.state)) continue
    if ((only.lookedAtMillis ?? nowMillis) + SECOND_MILLIS > nowMillis) continue
    const again = pairs.find(
      ({ from, to }) => from.mailboxId === only.fromMailboxId && to.mailboxId === only.toMailboxId
    )
    if (again !== undefined && hasRoom(again.from, again.to)) take({ ...again, nth: only.nth + 1 })
  }
  return chosen
}

/** The newest results of one domain at one organisation. */
const resultsOf = (canaries: ReadonlyArray<Canary>, nowMillis: number): ReadonlyArray<Canary> =>
  canaries
    .filter(
      ({ lookedAtMillis, state }) =>
        CanaryMachine.is.measured(state) && lookedAtMillis !== null && lookedAtMillis > nowMillis - COUNTED_MILLIS
    )
    .toSorted((a, b) => (b.lookedAtMillis ?? 0) - (a.lookedAtMillis ?? 0) || (a.canaryId < b.canaryId ? 1 : -1))

/**
 * `bad`: of the newest four, three were not in the inbox. `watch`: two were not, or the newest, or it failed a check there. A canary
 * in the inbox proves nothing good: strangers' mail may be treated otherwise.
 */
const stateOf = (results: ReadonlyArray<Canary>): HealthState => {
  const [newest] = results
  if (newest === undefined) return "unknown"
  const elsewhere = results.slice(0, JUDGED_LAST).filter(({ state }) => CanaryMachine.is.elsewhere(state))
  if (elsewhere.length >= JUDGED_BAD) return "bad"
  const isWatched = elsewhere.length >= 2 || CanaryMachine.is.elsewhere(newest.state) || failedOf(newest).length > 0
  return isWatched ? "watch" : "unknown"
}

const minutes = (millis: number): string => {
  const whole = Math.round(millis / MINUTE_MILLIS)
  return whole < 1 ? "less than a minute" : whole === 1 ? "1 minute" : `${whole} minutes`
}

const saysOf = (
  results: ReadonlyArray<Canary>,
  counts: { readonly inbox: number; readonly junk: number; readonly missing: number }
) => {
  const delays = results.flatMap(({ arrivedAtMillis, sentAtMillis }) =>
    arrivedAtMillis === null || sentAtMillis === null ? [] : [Math.max(0, arrivedAtMillis - sentAtMillis)]
  )
  const slowest = delays.length === 0 ? "" : `; the slowest took ${minutes(Math.max(...delays))}`
  const failed = results[0] === undefined ? [] : failedOf(results[0])
  const checks = failed.length === 0 ? "" : `; the newest failed ${failed.join(", ").toUpperCase()} there`
  return `between own mailboxes: ${counts.inbox} in the inbox, ${counts.junk} in junk, ${counts.missing} missing${slowest}${checks}`
}

const BY = "canary"

/** What the canaries of a workspace say, for each domain and organisation. */
export const measuredBy = (canaries: ReadonlyArray<Canary>, nowMillis: number): ReadonlyArray<Measured> => {
  const groups = Arr.groupBy(canaries, ({ domain, organisation }) => `${domain} ${organisation}`)
  return Object.values(groups).flatMap((group): ReadonlyArray<Measured> => {
    const results = resultsOf(group, nowMillis)
    const [newest] = results
    if (newest === undefined) return []
    const countOf = (is: (state: CanaryState) => boolean): number => results.filter(({ state }) => is(state)).length
    const counts = {
      inbox: countOf(CanaryMachine.is.inbox),
      junk: countOf(CanaryMachine.is.junk),
      missing: countOf(CanaryMachine.is.missing)
    }
    const { domain, organisation } = newest
    const atMillis = newest.lookedAtMillis ?? 0
    const state = stateOf(results)
    const isElsewhere = state === "bad" || CanaryMachine.is.elsewhere(newest.state)
    return [
      {
        domain,
        organisation,
        by: BY,
        state,
        says: saysOf(results, counts),
        atMillis,
        placement: { ...counts, lookedAtMillis: atMillis },
        advice: isElsewhere
          ? {
              text: `Your own mail from ${domain} was not in the inbox at ${organisation}. Check what its records prove, whether its links and words look like those of spam, and whether you write to people who never asked; then send less there until canaries are in the inbox again.`,
              effect: `The mailboxes of ${domain} write to ${organisation} again. Canaries show your own mailboxes only; nobody has shown that strangers' mail lands alike.`
            }
          : null
      }
    ]
  })
}

/** Why the domain's mailboxes leave the organisation alone after this result; null: they go on. */
export const restAfter = (result: Canary, others: ReadonlyArray<Canary>, nowMillis: number): string | null => {
  if (!CanaryMachine.is.elsewhere(result.state)) return null
  const alike = others.filter(
    ({ canaryId, domain, organisation }) =>
      canaryId !== result.canaryId && domain === result.domain && organisation === result.organisation
  )
  const results = resultsOf([result, ...alike], nowMillis)
  if (stateOf(results) !== "bad") return null
  const last = results.slice(0, JUDGED_LAST)
  const elsewhere = last.filter(({ state }) => CanaryMachine.is.elsewhere(state)).length
  return `${elsewhere} of the last ${last.length} letters between own mailboxes were not in the inbox`
}

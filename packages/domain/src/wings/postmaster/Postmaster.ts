/** What Google's Postmaster Tools say of a sending domain, and what follows. Pure. */
import { DAY_MILLIS, HOUR_MILLIS } from "../../kernel/durations.js"
import type { HealthState, Measured } from "../../outreach/health/Measurements.js"

/** The organisation that they speak of, by the name of its mail servers. */
export const GOOGLE = "google.com"

/** What reading them needs, and nothing else. */
export const POSTMASTER_SCOPE =
  "https://www.googleapis.com/auth/postmaster.domain https://www.googleapis.com/auth/postmaster.traffic.readonly"

/** Where a requirement of Google's for senders stands. */
export const COMPLIANCE_STATUSES = ["compliant", "needs_work", "unknown"] as const
export interface Requirement {
  /** Google's own name, such as `DMARC_ALIGNMENT`. */
  readonly requirement: string
  readonly status: (typeof COMPLIANCE_STATUSES)[number]
}

/** Rates of the newest day that has any; null: Google says nothing, which it does of little mail. */
export interface PostmasterStats {
  /** As 2026-11-20. */
  readonly day: string | null
  readonly spamRate: number | null
  readonly rejectRate: number | null
  readonly tempFailRate: number | null
}

export interface PostmasterReading extends PostmasterStats {
  readonly workspaceId: string
  readonly domain: string
  readonly readAtMillis: number
  readonly requirements: ReadonlyArray<Requirement>
}

/** A workspace's consent at Google. */
export interface PostmasterConnection {
  readonly workspaceId: string
  /** The grant, sealed for `postmaster_grant` and bound to the workspace. */
  readonly sealedGrant: string
  readonly connectedBy: string
  readonly connectedAtMillis: number
  /** When Google said that the consent holds no more; null: it holds. */
  readonly refusedAtMillis: number | null
  /** When it was last read whole. */
  readonly readAtMillis: number | null
  readonly nextAtMillis: number
  /** Reads in a row that came to nothing. */
  readonly failures: number
}

/** Most domains that are read. */
export const DOMAINS_MAX = 50
/** How often each is read; days of statistics that are asked for: Google is some days behind. */
export const READ_MILLIS = DAY_MILLIS
export const STATS_DAYS = 7
/** Soonest and latest after a read that came to nothing. */
export const AGAIN = { first: HOUR_MILLIS, max: DAY_MILLIS }

/** A reading of so long ago proves nothing any more. */
export const STALE_MILLIS = 4 * DAY_MILLIS

/** What Google publishes for senders: stay below the first, and never reach the second. */
const SPAM_WATCHED = 0.001
const SPAM_BAD = 0.003
/** Shares of mail that Google turned away. */
const ERRORS_WATCHED = 0.05
const ERRORS_BAD = 0.2

const percent = (rate: number): string => `${(Math.round(rate * 10_000) / 100).toString()} %`

const needsWork = ({ requirements }: Pick<PostmasterReading, "requirements">): ReadonlyArray<string> =>
  requirements.filter(({ status }) => status === "needs_work").map(({ requirement }) => requirement)

export const readingState = (reading: PostmasterReading, nowMillis: number): HealthState => {
  if (nowMillis - reading.readAtMillis > STALE_MILLIS) return "unknown"
  const { rejectRate, requirements, spamRate, tempFailRate } = reading
  const errors = Math.max(rejectRate ?? 0, tempFailRate ?? 0)
  if ((spamRate ?? 0) >= SPAM_BAD || errors >= ERRORS_BAD) return "bad"
  if ((spamRate ?? 0) >= SPAM_WATCHED || errors >= ERRORS_WATCHED || needsWork(reading).length > 0) return "watch"
  const isCompliant = requirements.length > 0 && requirements.every(({ status }) => status === "compliant")
  return isCompliant && spamRate !== null ? "good" : "unknown"
}

const saysOf = (reading: PostmasterReading, nowMillis: number): string => {
  const { day, rejectRate, spamRate, tempFailRate } = reading
  const failing = needsWork(reading)
  const rates = [
    ...(spamRate === null ? [] : [`${percent(spamRate)} reported as spam`]),
    ...(rejectRate === null ? [] : [`${percent(rejectRate)} rejected`]),
    ...(tempFailRate === null ? [] : [`${percent(tempFailRate)} put off`])
  ]
  return [
    ...(nowMillis - reading.readAtMillis > STALE_MILLIS ? ["too long ago to count"] : []),
    failing.length === 0
      ? reading.requirements.length === 0
        ? "no compliance status"
        : "no requirement needs work"
      : `needs work: ${failing.join(", ").toLowerCase().replaceAll("_", " ")}`,
    rates.length === 0 ? "no rates: too little mail" : `${rates.join(", ")} on ${day ?? "an unknown day"}`
  ].join("; ")
}

/** What the readings say of each domain at Google, with their age. */
export const measuredBy = (readings: ReadonlyArray<PostmasterReading>, nowMillis: number): ReadonlyArray<Measured> =>
  readings.map((reading) => {
    const { domain, readAtMillis } = reading
    const state = readingState(reading, nowMillis)
    return {
      domain,
      organisation: GOOGLE,
      by: "postmaster_tools",
      state,
      says: saysOf(reading, nowMillis),
      atMillis: readAtMillis,
      placement: null,
      advice:
        state === "bad" || state === "watch"
          ? {
              text: `Google's Postmaster Tools on ${domain}: ${saysOf(reading, nowMillis)}. Mend what needs work, and write to people at Google only who know you, until fewer of them report it.`,
              effect: `Google accepts mail from ${domain} and puts less of it into spam. Its rates follow some days later.`
            }
          : null
    }
  })

import { isCurrent, isVerified, VERDICT_DAYS_MAX } from "../../../data/verification/verdicts.js"
import type { JudgedAddress } from "../../../data/verification/VerdictStore.js"
import { DAY_MILLIS } from "../../../kernel/durations.js"
import { isRole } from "../../../kernel/people/roles.js"
import { isSharedByMany } from "../../../kernel/people/sharedMail.js"
import { operatorOf } from "../../../kernel/people/Suffixes.js"
import { EMAIL_STATUSES, type EmailStatus } from "../../../sources/ports/EmailVerifier.js"

/** The ages of verdicts that a score counts, in days, each up to and with its own. */
export const AGES = [7, 30, 90, VERDICT_DAYS_MAX] as const

/** Most domains that a score names. */
export const DOMAINS_SHOWN_MAX = 5

/**
 * What is known of a list of people. A verdict counts while it is young enough: of an older one only `unverified` knows.
 */
export interface Score {
  /** A verdict that counts says that their address takes mail, or may. */
  readonly verified: number
  /** Everybody else: no verdict counts, it could establish nothing, or it says that the address takes no mail. */
  readonly unverified: number
  /** The verdicts that count. */
  readonly statuses: Readonly<Record<EmailStatus, number>>
  readonly role: number
  readonly disposable: number
  readonly freeMail: number
  /** The oldest verdict of somebody verified; null: nobody is. */
  readonly oldestVerifiedAtMillis: number | null
  /** Verified people by the age of their verdict, for each of `AGES` those that the one before doesn't count. */
  readonly ages: ReadonlyArray<number>
  /** The registrable domains with the most people, and how many there are. */
  readonly domains: ReadonlyArray<{ readonly domain: string; readonly people: number }>
  readonly domainsTotal: number
  /** Unverified people whom a verification could verify, in their order. */
  readonly toVerify: ReadonlyArray<string>
}

interface Known {
  readonly maxAgeDays: number
  readonly nowMillis: number
  readonly isDisposable: (domain: string) => boolean
}

const split = (email: string): readonly [local: string, domain: string] => {
  const at = email.lastIndexOf("@")
  return [email.slice(0, at), email.slice(at + 1)]
}

/** Whether the address is a role's, as `info@`, and not a person's own. */
export const isRoleAddress = (email: string): boolean => isRole(split(email)[0].toLowerCase())

const counted = (names: ReadonlyArray<string>): ReadonlyArray<{ readonly domain: string; readonly people: number }> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(counts, ([domain, people]) => ({ domain, people })).toSorted(
    (a, b) => b.people - a.people || (a.domain < b.domain ? -1 : 1)
  )
}

/** Scores the people who would be written to. Their addresses are normalised. */
export const scoreOf = (
  people: ReadonlyArray<JudgedAddress>,
  { isDisposable, maxAgeDays, nowMillis }: Known
): Score => {
  const current = people.flatMap(({ verdict }) =>
    verdict !== null && isCurrent(verdict, maxAgeDays, nowMillis) ? [verdict] : []
  )
  const verified = current.filter(isVerified)
  const statuses = Object.fromEntries(
    EMAIL_STATUSES.map((status) => [status, current.filter((verdict) => verdict.status === status).length])
  ) as Record<EmailStatus, number>
  const domains = people.map(({ email }) => split(email)[1])
  const daysOf = verified.map(({ checkedAtMillis }) => (nowMillis - checkedAtMillis) / DAY_MILLIS)
  const upTo = AGES.map((days) => daysOf.filter((age) => age <= days).length)
  const organisations = counted(domains.map((domain) => operatorOf(domain) ?? domain))
  return {
    verified: verified.length,
    unverified: people.length - verified.length,
    statuses,
    role: people.filter(({ email }) => isRoleAddress(email)).length,
    disposable: domains.filter(isDisposable).length,
    freeMail: domains.filter(isSharedByMany).length,
    oldestVerifiedAtMillis: verified.reduce<number | null>(
      (oldest, { checkedAtMillis }) => Math.min(oldest ?? checkedAtMillis, checkedAtMillis),
      null
    ),
    ages: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
    domains: organisations.slice(0, DOMAINS_SHOWN_MAX),
    domainsTotal: organisations.length,
    toVerify: people.flatMap(({ email, verdict }) =>
      verdict !== null && verdict.status !== "unknown" && isCurrent(verdict, maxAgeDays, nowMillis) ? [] : [email]
    )
  }
}

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

const add = (counts: Map<string, number>, name: string, people = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + people)
}

const mostFirst = (counts: ReadonlyMap<string, number>) =>
  Array.from(counts, ([domain, people]) => ({ domain, people })).toSorted(
    (a, b) => b.people - a.people || (a.domain < b.domain ? -1 : 1)
  )

/** Of people by the domain of their address. A large list has few of them. */
const ofDomains = (domains: ReadonlyMap<string, number>, isDisposable: (domain: string) => boolean) => {
  const operators = new Map<string, number>()
  let [disposable, freeMail] = [0, 0]
  for (const [domain, people] of domains) {
    add(operators, operatorOf(domain) ?? domain, people)
    if (isDisposable(domain)) disposable += people
    if (isSharedByMany(domain)) freeMail += people
  }
  return {
    disposable,
    freeMail,
    domains: mostFirst(operators).slice(0, DOMAINS_SHOWN_MAX),
    domainsTotal: operators.size
  }
}

/** Scores the people who would be written to. Their addresses are normalised. */
export const scoreOf = (
  people: ReadonlyArray<JudgedAddress>,
  { isDisposable, maxAgeDays, nowMillis }: Known
): Score => {
  const statuses = Object.fromEntries(EMAIL_STATUSES.map((status) => [status, 0])) as Record<EmailStatus, number>
  const ages = AGES.map(() => 0)
  const domains = new Map<string, number>()
  const toVerify: Array<string> = []
  let [verified, role] = [0, 0]
  let oldestVerifiedAtMillis: number | null = null
  for (const { email, verdict } of people) {
    const [local, domain] = split(email)
    add(domains, domain)
    if (isRole(local.toLowerCase())) role += 1
    if (verdict === null || !isCurrent(verdict, maxAgeDays, nowMillis)) {
      toVerify.push(email)
      continue
    }
    statuses[verdict.status] += 1
    if (verdict.status === "unknown") toVerify.push(email)
    if (!isVerified(verdict)) continue
    verified += 1
    const { checkedAtMillis } = verdict
    oldestVerifiedAtMillis = Math.min(oldestVerifiedAtMillis ?? checkedAtMillis, checkedAtMillis)
    const age = AGES.findIndex((days) => (nowMillis - checkedAtMillis) / DAY_MILLIS <= days)
    if (age >= 0) ages[age] = (ages[age] ?? 0) + 1
  }
  return {
    verified,
    unverified: people.length - verified,
    statuses,
    role,
    oldestVerifiedAtMillis,
    ages,
    toVerify,
    ...ofDomains(domains, isDisposable)
  }
}

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
 * How much is known of a list of people. A verdict counts while it is young enough: of an older one only `unverified` knows.
 */
export interface ListCounts {
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
}

/** What is known of a list of people. */
export interface Score extends ListCounts {
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

type Domains = ReadonlyMap<string, number>

const peopleAt = (domains: Domains, is: (domain: string) => boolean): number => {
  let found = 0
  for (const [domain, people] of domains) if (is(domain)) found += people
  return found
}

/** Who operates the domains of the most people, and how many do. */
const operatorsOf = (domains: Domains) => {
  const operators = new Map<string, number>()
  for (const [domain, people] of domains) add(operators, operatorOf(domain) ?? domain, people)
  return { domains: mostFirst(operators).slice(0, DOMAINS_SHOWN_MAX), domainsTotal: operators.size }
}

/** Looks at everybody once. A large list has few domains. */
const lookAt = (people: ReadonlyArray<JudgedAddress>, { isDisposable, maxAgeDays, nowMillis }: Known) => {
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
  const counts: ListCounts = {
    verified,
    unverified: people.length - verified,
    statuses,
    role,
    disposable: peopleAt(domains, isDisposable),
    freeMail: peopleAt(domains, isSharedByMany),
    oldestVerifiedAtMillis
  }
  return { counts, ages, domains, toVerify }
}

/** Counts the people who would be written to, without who operates their domains. Their addresses are normalised. */
export const countsOf = (people: ReadonlyArray<JudgedAddress>, known: Known): ListCounts => lookAt(people, known).counts

/** Scores the people who would be written to. Their addresses are normalised. */
export const scoreOf = (people: ReadonlyArray<JudgedAddress>, known: Known): Score => {
  const { ages, counts, domains, toVerify } = lookAt(people, known)
  return { ...counts, ages, toVerify, ...operatorsOf(domains) }
}

/** What the name servers say of a sending domain's authentication, and what we make of it. Pure. */
import { DAY_MILLIS, HOUR_MILLIS } from "../../kernel/durations.js"

export const CHECKS = ["spf", "dkim", "dmarc", "mx"] as const
export type Check = (typeof CHECKS)[number]

/** What a receiver looks at to tell whether mail is its sender's. MX says only whether answers arrive. */
export const AUTHENTICATING = ["spf", "dkim", "dmarc"] as const satisfies ReadonlyArray<Check>
export type Authenticating = (typeof AUTHENTICATING)[number]

/** `fail`: a record stands there and does not do. `unknown`: no answer, or nothing to ask for. */
export const CHECK_STATUSES = ["pass", "fail", "missing", "unknown"] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

export interface Finding {
  readonly status: CheckStatus
  /** Whether what passes speaks for the domain in From:, by its organisation. Null: not known. */
  readonly aligned: boolean | null
  /** The record as found, or what is wrong and which record to publish. */
  readonly detail: string
  /** When it was found. Of an `unknown`: when we last asked. */
  readonly checkedAtMillis: number
}

export type Findings = Readonly<Record<Check, Finding>>

/** A blocklist that lists a domain, in its own words. Third-party text. */
export interface Listed {
  readonly zone: string
  readonly says: string
}

/** The newest look at a sending domain of a workspace. */
export interface DomainLook {
  readonly workspaceId: string
  /** The domain of mailboxes. */
  readonly domain: string
  readonly findings: Findings
  /** Blocklists that list it. Their own words are third-party text. */
  readonly listed: ReadonlyArray<Listed>
  /** Since when looks that were answered find the domain not authenticated; null: it is, or we do not know. */
  readonly failingSinceMillis: number | null
  readonly lookedAtMillis: number
  readonly nextLookAtMillis: number
  /** Campaigns that paused with the domain's mailboxes, and go on with them. */
  readonly stoppedCampaigns: ReadonlyArray<string>
}

/** How long what was found is good while name servers do not answer. */
export const FRESH_MILLIS = 3 * DAY_MILLIS

/** A domain that sends is paused after failing for so long. */
export const FAILING_MILLIS = 3 * DAY_MILLIS

/** The time until the next look: of a domain that is well, and of one that fails or could not be asked. */
export const LOOK_DAILY_MILLIS = DAY_MILLIS
export const LOOK_SOONER_MILLIS = HOUR_MILLIS

/** Name servers may be wrong once: owners are alerted once a look so long after the first finds the same. */
export const ALERTED_MILLIS = HOUR_MILLIS

const isProven = ({ status }: Finding): boolean => status !== "unknown"

const isBad = ({ status }: Finding): boolean => status === "fail" || status === "missing"

/** The finding as it counts now: what was found too long ago is no evidence any more. */
export const currentFinding = (finding: Finding, nowMillis: number): Finding =>
  isProven(finding) && nowMillis - finding.checkedAtMillis > FRESH_MILLIS
    ? {
        status: "unknown",
        aligned: null,
        detail: "The DNS servers have not answered for three days.",
        checkedAtMillis: finding.checkedAtMillis
      }
    : finding

/** What keeps the domain from being authenticated now: proven, and not too old. */
export const failingOf = (
  look: Pick<DomainLook, "findings"> | null,
  nowMillis: number
): ReadonlyArray<Authenticating> =>
  look === null ? [] : AUTHENTICATING.filter((check) => isBad(currentFinding(look.findings[check], nowMillis)))

/** What was asked now beside what was known: a check that was not answered keeps its last answer. */
const kept = (before: Findings | undefined, asked: Findings): Findings => {
  const one = (check: Check): Finding => {
    const known = before?.[check]
    return isProven(asked[check]) || known === undefined || !isProven(known) ? asked[check] : known
  }
  return { spf: one("spf"), dkim: one("dkim"), dmarc: one("dmarc"), mx: one("mx") }
}

/** The look after the name servers were asked. `listed`: null if no list was asked. */
export const lookAfter = (
  before: DomainLook | null,
  asked: Pick<DomainLook, "workspaceId" | "domain" | "findings"> & { readonly listed: ReadonlyArray<Listed> | null },
  nowMillis: number
): DomainLook => {
  const findings = kept(before?.findings, asked.findings)
  // A look that nobody answered proves nothing, in either direction.
  const isAnswered = AUTHENTICATING.some((check) => isProven(asked.findings[check]))
  const isFailing = failingOf({ findings }, nowMillis).length > 0
  return {
    workspaceId: asked.workspaceId,
    domain: asked.domain,
    findings,
    listed: asked.listed ?? before?.listed ?? [],
    failingSinceMillis: isFailing ? (before?.failingSinceMillis ?? nowMillis) : null,
    // When it asked, not when the last answer came: what it found is from then.
    lookedAtMillis: Math.max(...CHECKS.map((check) => asked.findings[check].checkedAtMillis)),
    nextLookAtMillis: nowMillis + (isAnswered && !isFailing ? LOOK_DAILY_MILLIS : LOOK_SOONER_MILLIS),
    stoppedCampaigns: before?.stoppedCampaigns ?? []
  }
}

/** Since when a look that was answered just now proves the domain to fail; null: it does not. */
const provenSince = (look: DomainLook, nowMillis: number): number | null => {
  const { failingSinceMillis, findings, lookedAtMillis } = look
  const isSeenNow = failingOf(look, nowMillis).some((check) => findings[check].checkedAtMillis >= lookedAtMillis)
  return isSeenNow ? failingSinceMillis : null
}

/**
 * Whether an active mailbox of the domain pauses now. One that a person resumed is judged from then on. The last look
 * must have been answered: silence is no failure.
 */
export const mustPause = (look: DomainLook, activeAtMillis: number | null, nowMillis: number): boolean => {
  const since = provenSince(look, nowMillis)
  return since !== null && look.lookedAtMillis - Math.max(since, activeAtMillis ?? 0) >= FAILING_MILLIS
}

/** Whether the domain is proven good enough that what paused for it goes on: an unknown DKIM selector is no reason against. */
export const isMended = (look: DomainLook, nowMillis: number): boolean =>
  failingOf(look, nowMillis).length === 0 &&
  (["spf", "dmarc"] as const).every((check) => currentFinding(look.findings[check], nowMillis).status === "pass")

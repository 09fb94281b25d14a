import { type DomainsShown, SNAPSHOT_DOMAINS_MAX } from "../../calls/approvals/Snapshot.js"
import { iso } from "../../kernel/text.js"
import type { AuthenticationRule } from "../../kernel/workspaces/WorkspaceRules.js"
import { AUTHENTICATING, type Check, currentFinding, type DomainLook, failingOf } from "./Look.js"

const NOBODY_LOOKED = "Nobody has looked yet. The first look comes within minutes, or with the next launch."

/** A check as people and programs see it: what counts now, and when it was found. */
export const shownFinding = (look: DomainLook | null, check: Check, nowMillis: number) => {
  if (look === null) return { status: "unknown" as const, aligned: null, detail: NOBODY_LOOKED, checked_at: null }
  const { aligned, checkedAtMillis, detail, status } = currentFinding(look.findings[check], nowMillis)
  return { status, aligned, detail, checked_at: iso(checkedAtMillis) }
}

const isUnknown = (look: DomainLook | null, nowMillis: number): boolean =>
  look === null || AUTHENTICATING.some((check) => currentFinding(look.findings[check], nowMillis).status === "unknown")

/** What an approval shows of the domains that its messages leave from: those with the most to look at first. */
export const shownDomains = (
  domains: ReadonlyArray<string>,
  looks: ReadonlyArray<DomainLook>,
  rule: AuthenticationRule,
  nowMillis: number
): DomainsShown => {
  const known = domains.map((domain) => {
    const look = looks.find((one) => one.domain === domain) ?? null
    const isFailing = failingOf(look, nowMillis).length > 0
    const isListed = (look?.listed ?? []).length > 0
    const isOpen = !isFailing && isUnknown(look, nowMillis)
    return { domain, look, isFailing, isListed, isOpen, weight: isFailing ? 3 : isListed ? 2 : isOpen ? 1 : 0 }
  })
  const sorted = known.toSorted((a, b) => b.weight - a.weight || (a.domain < b.domain ? -1 : 1))
  const counted = (is: (one: (typeof known)[number]) => boolean): number => known.filter(is).length
  return {
    rule,
    total: known.length,
    failing: counted((one) => one.isFailing),
    unknown: counted((one) => one.isOpen),
    listed: counted((one) => one.isListed),
    domains: sorted.slice(0, SNAPSHOT_DOMAINS_MAX).map(({ domain, look }) => ({
      domain,
      spf: shownFinding(look, "spf", nowMillis),
      dkim: shownFinding(look, "dkim", nowMillis),
      dmarc: shownFinding(look, "dmarc", nowMillis),
      mx: shownFinding(look, "mx", nowMillis),
      listed_on: [...new Set((look?.listed ?? []).map(({ zone }) => zone))].sort()
    }))
  }
}

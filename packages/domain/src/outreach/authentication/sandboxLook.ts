import type { DomainLook, Finding, Findings } from "./Look.js"

/** Beginnings of domain names that stand for something in a sandbox. */
export const SANDBOX_DOMAINS = ["spf-fail-", "no-dmarc-", "listed-"] as const

/** The name of the list that lists a sandbox's `listed-` domains. */
export const SANDBOX_LIST = "sandbox.blocklist.test"

/** A sandbox's domains stand in no DNS: their names say what a look finds. */
export const sandboxLook = (workspaceId: string, domain: string, nowMillis: number): DomainLook => {
  const found = (detail: string, aligned: boolean | null): Finding => ({
    status: "pass",
    aligned,
    detail,
    checkedAtMillis: nowMillis
  })
  const good: Findings = {
    spf: found("v=spf1 include:_spf.sandbox.test ~all", true),
    dkim: found("sandbox", true),
    dmarc: found("v=DMARC1; p=none", true),
    mx: found(`mail.${domain}`, null)
  }
  const findings: Findings = domain.startsWith("spf-fail-")
    ? {
        ...good,
        spf: {
          status: "fail",
          aligned: null,
          detail: `${domain} has 2 SPF records, which receivers treat as an error. Merge them into one.`,
          checkedAtMillis: nowMillis
        }
      }
    : domain.startsWith("no-dmarc-")
      ? {
          ...good,
          dmarc: {
            status: "missing",
            aligned: null,
            detail: `${domain} has no DMARC record. Add a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=none; rua=mailto:<an address that you read>".`,
            checkedAtMillis: nowMillis
          }
        }
      : good
  return {
    workspaceId,
    domain,
    findings,
    listed: domain.startsWith("listed-")
      ? [{ zone: SANDBOX_LIST, says: "A domain of the sandbox that is listed." }]
      : [],
    failingSinceMillis: null,
    lookedAtMillis: nowMillis,
    nextLookAtMillis: nowMillis,
    stoppedCampaigns: []
  }
}

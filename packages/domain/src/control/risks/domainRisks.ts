import type { DomainsShown } from "../../calls/approvals/Snapshot.js"
import { counted, type RiskFacts, type RiskRule } from "./Risk.js"

const DOMAINS = "sending-domains"

const shownOf = ({ snapshot }: RiskFacts): DomainsShown | undefined =>
  "sending_domains" in snapshot ? snapshot.sending_domains : undefined

/** Large receivers refuse what they can't tell from forged mail. */
export const domainsFailing: RiskRule = (facts) =>
  counted(
    {
      code: "domains_failing",
      weight: "look",
      words: ["sending domain is not authenticated", "sending domains are not authenticated"],
      anchor: DOMAINS
    },
    shownOf(facts)?.failing
  )

export const domainsListed: RiskRule = (facts) =>
  counted(
    {
      code: "domains_listed",
      weight: "look",
      words: ["sending domain is on a blocklist", "sending domains are on blocklists"],
      anchor: DOMAINS
    },
    shownOf(facts)?.listed
  )

/** Nobody has looked, name servers did not answer, or nobody was seen to use a DKIM key. */
export const domainsUnknown: RiskRule = (facts) =>
  counted(
    {
      code: "domains_unknown",
      weight: "note",
      words: ["sending domain’s authentication is not known", "sending domains’ authentication is not known"],
      anchor: DOMAINS
    },
    shownOf(facts)?.unknown
  )

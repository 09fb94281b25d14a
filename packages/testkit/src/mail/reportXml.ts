import type { AggregateReport } from "@outbound/domain/outreach/mail/aggregateReport.js"

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const verdict = (passed: boolean): string => (passed ? "pass" : "fail")

/** A report as receivers write it (RFC 7489 appendix C). */
export const reportXml = (of: AggregateReport): string => `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>${escaped(of.organisation)}</org_name>
    <email>noreply@${escaped(of.organisation)}</email>
    <report_id>${escaped(of.reportId)}</report_id>
    <date_range><begin>${of.beginMillis / 1_000}</begin><end>${of.endMillis / 1_000}</end></date_range>
  </report_metadata>
  <policy_published><domain>${escaped(of.domain)}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p></policy_published>
${of.rows
  .map(
    ({ disposition, dkim, headerFrom, ip, messages, spf }) => `  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${messages}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${verdict(dkim)}</dkim><spf>${verdict(spf)}</spf></policy_evaluated>
    </row>
    <identifiers><header_from>${escaped(headerFrom)}</header_from></identifiers>
    <auth_results><spf><domain>${escaped(headerFrom)}</domain><result>${verdict(spf)}</result></spf></auth_results>
  </record>`
  )
  .join("\n")}
</feedback>
`

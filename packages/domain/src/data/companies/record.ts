import type { CompanyEvidence } from "../../sources/ports/CompanySource.js"
import { COMPANY_DESCRIPTION_CHARS_MAX, type CompanyRecord, type MatchedSignal } from "../../verbs/companyFields.js"
import type { CheckedCompany } from "./companyCheck.js"
import { cutTo } from "./credibleCompany.js"

const matchedSignal = (evidence: CompanyEvidence): MatchedSignal => ({
  signal: evidence.signal,
  summary: evidence.summary,
  evidence_url: evidence.evidenceUrl,
  observed_at: evidence.observedAt,
  score: evidence.score,
  match_confidence: evidence.confidence
})

/** The company as the wire has it. Its description is told only where the call is entitled to it. */
export const companyRecord = (
  { company, evidence }: CheckedCompany,
  { withDescription }: { readonly withDescription: boolean }
): CompanyRecord => ({
  company_domain: company.domain,
  company_name: company.name,
  description:
    withDescription && company.description !== null ? cutTo(COMPANY_DESCRIPTION_CHARS_MAX, company.description) : null,
  description_source: withDescription ? company.descriptionSource : null,
  social_url: company.socialUrl,
  headcount: company.headcount,
  industry: company.industry,
  country: company.country,
  city: company.city,
  founded_year: company.foundedYear,
  total_funding_usd: company.totalFundingUsd,
  jobs_last_30_days: company.jobsLast30Days,
  last_funding_round_date: company.lastFundingRoundDate,
  last_funding_round_amount_usd: company.lastFundingRoundAmountUsd,
  matched_signals: evidence.map(matchedSignal)
})

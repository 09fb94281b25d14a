import type { ListScorecard } from "@outbound/domain/calls/approvals/Snapshot.js"

/** What was known of a list of 1,000 people. */
export const SCORECARD: ListScorecard = {
  verified: 820,
  unverified: 180,
  valid: 700,
  catch_all_valid: 60,
  catch_all_unknown: 40,
  risky: 20,
  unknown: 30,
  invalid: 50,
  role: 12,
  disposable: 3,
  free_mail: 25,
  oldest_verified_at: "2026-07-01T09:00:00.000Z",
  verified_by_age: [
    { days: 7, people: 500 },
    { days: 30, people: 300 },
    { days: 90, people: 20 },
    { days: 365, people: 0 }
  ],
  domains: [
    { domain: "gmail.com", people: 20 },
    { domain: "company-1.test", people: 4 }
  ],
  domains_total: 912,
  verification_max_age_days: 90,
  unverified_max_percent: 20
}

import { format, times } from "../../kernel/money/Credits.js"
import type { IntentSignalKind } from "../../sources/ports/IntentSource.js"
import { type FindIntent, NEXT_MAX, type Suggestion } from "../../verbs/FindIntent.js"
import { FIND_LEADS_LIMIT_DEFAULT } from "../../verbs/FindLeads.js"
import { SIGNALS_PRICE, FIND_LEADS_PRICE } from "../../verbs/prices.js"
import type { RequestOf } from "../../verbs/Verb.js"
import { type CheckedCompany } from "./checkCompany.js"
import { goalOf } from "./goal.js"

/** The most companies in a suggestion. */
const COMPANIES_SUGGESTED_MAX = 10

/** The audience if the request names none. */
const ANYBODY = "People who decide at companies with recent signals"

type Request = RequestOf<typeof FindIntent>

const companiesText = (count: number): string => (count === 1 ? "1 company" : `${count} companies`)

const findPeople = (request: Request, ranked: ReadonlyArray<string>): ReadonlyArray<Suggestion> => {
  const domains = ranked.slice(0, COMPANIES_SUGGESTED_MAX)
  if (domains.length === 0) return []
  return [
    {
      reason: "find_people",
      text: `Find people at ${companiesText(domains.length)} with signals.`,
      verb: "find_leads",
      params: {
        audience: goalOf(request.audience) ?? ANYBODY,
        company_domains: domains,
        limit: FIND_LEADS_LIMIT_DEFAULT
      },
      max_credits: format(times(FIND_LEADS_PRICE, FIND_LEADS_LIMIT_DEFAULT))
    }
  ]
}

const check = (
  request: Request,
  signal: "funding" | "news",
  domains: ReadonlyArray<string>,
  which: string
): ReadonlyArray<Suggestion> => {
  const some = domains.slice(0, COMPANIES_SUGGESTED_MAX)
  if (some.length === 0) return []
  return [
    {
      reason: signal === "funding" ? "check_funding" : "check_news",
      text: `Check ${companiesText(some.length)} ${which} for ${signal}.`,
      verb: "find_intent",
      params: {
        company_domains: some,
        signals: [signal],
        ...(request.since === undefined ? {} : { since: request.since }),
        ...(request.within_days === undefined ? {} : { within_days: request.within_days }),
        ...(goalOf(request.audience) === null ? {} : { audience: goalOf(request.audience) })
      },
      max_credits: format(times(SIGNALS_PRICE, some.length))
    }
  ]
}

/** Suggested next calls, most promising first. `ranked`: the companies with signals, best first. */
export const nextSteps = (
  request: Request,
  companies: ReadonlyArray<CheckedCompany>,
  ranked: ReadonlyArray<string>,
  /** The kinds that this workspace's sources serve. */
  served: ReadonlySet<IntentSignalKind>
): ReadonlyArray<Suggestion> => {
  const lacks = (signal: IntentSignalKind) => (company: CheckedCompany) =>
    company.completed.length > 0 && !company.completed.includes(signal)
  const quiet = companies.filter(({ signals }) => signals.length === 0)
  const domainsOf = (some: ReadonlyArray<CheckedCompany>) => some.map(({ companyDomain }) => companyDomain)
  const strongest = companies.filter(({ signals }) => signals.length > 0).filter(lacks("news"))
  return [
    ...findPeople(request, ranked),
    ...(served.has("funding")
      ? check(request, "funding", domainsOf(quiet.filter(lacks("funding"))), "without signals")
      : []),
    ...(served.has("news")
      ? check(
          request,
          "news",
          ranked.filter((domain) => strongest.some(({ companyDomain }) => companyDomain === domain)),
          "with signals"
        )
      : []),
    ...(served.has("news") ? check(request, "news", domainsOf(quiet.filter(lacks("news"))), "without signals") : [])
  ].slice(0, NEXT_MAX)
}

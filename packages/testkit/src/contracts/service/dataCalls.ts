import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import * as fc from "fast-check"
import { world } from "@outbound/sandbox/world/World.js"
import { pick } from "@outbound/sandbox/world/Hash.js"

/** A call of a data verb, as callers make them: mostly valid, of people with every outcome. */
export interface DataCall {
  readonly verb:
    | "verify_email"
    | "enrich"
    | "enrich_company"
    | "find_leads"
    | "find_posts"
    | "find_companies"
    | "find_intent"
    | "check_companies"
  readonly input: JsonObject
}

const VERIFIED = ["valid", "invalid", "catch_all_valid", "catch_all_unknown", "risky", "unknown", "unavailable"]
const ENRICHED = ["email-only", "email-and-mobile", "mobile-search", "miss"]

const anAddress = fc
  .tuple(fc.constantFrom(...VERIFIED, ...ENRICHED), fc.integer({ min: 1, max: 3 }))
  .map(([who, tag]) => `${who}+${tag}@magic.test`)

/** Round amounts, those just beside a price, and any others. */
const aBudget = fc.oneof(
  fc.constantFrom(0.1, 0.2, 0.39, 0.4, 0.99, 1, 4.99, 5, 16.99, 17, 21.99, 22, 2000),
  fc.integer({ min: 1, max: 2_000_000 }).map((thousandths) => thousandths / 1000)
)

const optional = <A>(field: string, values: fc.Arbitrary<A>): fc.Arbitrary<Record<string, A>> =>
  fc.option(values, { nil: undefined }).map((value) => (value === undefined ? {} : { [field]: value }))

const merged = (...parts: ReadonlyArray<fc.Arbitrary<object>>): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((values) => Object.assign({}, ...values) as JsonObject)

const aRoute = optional("route", fc.constantFrom("balanced", "cheapest", "broadest", "fastest"))

const aVerification = merged(
  anAddress.map((email) => ({ email })),
  optional("budget_credits", aBudget)
).map((input): DataCall => ({ verb: "verify_email", input }))

const anEnrichment = merged(
  anAddress.map((email) => ({ person: { email } })),
  optional("want", fc.array(fc.constantFrom("work_email", "mobile_phone", "profile"), { maxLength: 4 })),
  fc.oneof(
    optional("budget_credits", aBudget),
    optional("max_credits", fc.constantFrom("0", "4.99", "5", "16", "17.5", "21.999999", "22", "100"))
  ),
  aRoute
).map((input): DataCall => ({ verb: "enrich", input }))

const aSearch = merged(
  fc.constantFrom("anybody", "heads of sales", "anybody [[offer]]").map((audience) => ({ audience })),
  optional("titles", fc.constantFrom(["sales"], ["no such title"], ["CEO", "founder"])),
  optional("locations", fc.constantFrom(["Germany"], ["Bay Area", "London"], ["Atlantis"])),
  optional("industries", fc.constantFrom(["saas"], ["Hospitals"], ["never heard of"])),
  optional("limit", fc.integer({ min: 1, max: 40 })),
  fc.oneof(
    optional("budget_credits", aBudget),
    aBudget.map((budget_credits) => ({ premium: "within_budget", budget_credits }))
  ),
  aRoute
).map((input): DataCall => ({ verb: "find_leads", input }))

const aSubset = <A>(...from: ReadonlyArray<A>): fc.Arbitrary<Array<A>> =>
  fc.subarray([...from], { minLength: 1, maxLength: 3 })

const someTechnologies = aSubset("Salesforce", "HubSpot", "azure", "Stripe", "no such thing")

const aHiring = merged(
  optional("titles", aSubset("sales", "Engineer", "account executive", "Court Jester")),
  optional("description_contains", aSubset("remote", "Salesforce", "Slack")),
  optional("posted_within_days", fc.integer({ min: 1, max: 90 }))
)

const aNearbySearch = merged(
  aSubset("Berlin, Germany", "Austin, Texas", "München, Germany", "Atlantis, Ocean").map((locations) => ({
    locations
  })),
  optional("categories", aSubset("dentists", "coffee shops", "Law firms", "court jesters"))
).map((input) => ({ mode: "local", ...input }))

const aFirmographicSearch = merged(
  fc.oneof(
    aSubset("saas", "Banking", "manufacturing", "never heard of").map((industries) => ({ industries })),
    aSubset("payroll", "consulting", "software", "juggling").map((keywords) => ({ keywords }))
  ),
  optional("locations", aSubset("Bavaria", "London", "DACH", "Atlantis")),
  optional("exclude_keywords", aSubset("billing", "France", "audit"))
).map((input) => ({ mode: "firmographic", ...input }))

/** Every kind of company search, with any of what narrows it. */
export const aCompanySearch = merged(
  fc.oneof(
    aHiring.map((hiring) => ({ hiring })),
    someTechnologies.map((technologies) => ({ technologies })),
    fc.tuple(aHiring, someTechnologies).map(([hiring, technologies]) => ({ hiring, technologies })),
    fc.constantFrom("magic-0", "magic-3", "magic-60").map((magic) => ({ technologies: [magic] })),
    fc.constantFrom("magic.test", "acme.example").map((similar_to) => ({ similar_to })),
    fc.constantFrom("logistics software in Germany", "banks", "qwertz").map((query) => ({ query })),
    aNearbySearch,
    aFirmographicSearch
  ),
  optional("country_codes", aSubset("DE", "us", "GB", "ZZ")),
  optional("company_headcount", fc.constantFrom({ min: 1 }, { max: 40 }, { min: 50, max: 500 }, {})),
  optional("include_low_confidence", fc.boolean()),
  optional("limit", fc.integer({ min: 1, max: 9 })),
  optional("budget_credits", aBudget),
  aRoute
).map((input): DataCall => ({ verb: "find_companies", input }))

const aWebsite = fc.oneof(
  fc
    .tuple(fc.constantFrom("yes", "not-found", "unclear", "unreadable"), fc.integer({ min: 0, max: 30 }))
    .map(([outcome, number]) => `${outcome}-${number}.test`),
  fc.nat().map((index) => pick(index, world().companies).domain),
  fc.constant("nobody-lives-here.test")
)

export const aCompanyCheck = merged(
  fc
    .constantFrom("Does it have a free trial?", "Is there a public API for developers?", "Quod erat demonstrandum")
    .map((question) => ({ question })),
  fc.array(aWebsite, { minLength: 1, maxLength: 20 }).map((company_domains) => ({ company_domains })),
  fc.oneof(optional("budget_credits", aBudget), optional("budget_credits", fc.constantFrom(3, 5.999999, 6, 12, 30, 60)))
).map((input): DataCall => ({ verb: "check_companies", input }))

/** A magic company, one of the world, or one that nobody knows. */
const aCompany = fc.oneof(
  fc
    .tuple(fc.constantFrom("hit", "empty", "unavailable"), fc.integer({ min: 1, max: 9 }))
    .map(([outcome, number]) => `${outcome}-${number}.test`),
  fc.nat().map((index) => pick(index, world().companies).domain),
  fc.constant("nobody-lives-here.test")
)

/** Some datasets of a company, or a brief. */
export const aCompanyEnrichment = merged(
  aCompany.map((company_domain) => ({ company_domain })),
  fc.oneof(
    fc
      .array(fc.constantFrom("profile", "technologies", "funding", "relationships"), { minLength: 1, maxLength: 4 })
      .map((datasets) => ({ datasets })),
    fc.constantFrom("fast", "deep").map((depth) => ({ brief: { depth } }))
  ),
  optional("budget_credits", fc.oneof(aBudget, fc.constantFrom(6.999999, 7, 10, 13.9, 14, 28, 40)))
).map((input): DataCall => ({ verb: "enrich_company", input }))

const INTENT_OUTCOMES = ["hiring", "funding", "news", "job_change", "quiet", "unavailable"]

/** Companies of the world and magic ones, with any checks, windows and roles. */
export const anIntentSearch = merged(
  fc
    .array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom(...INTENT_OUTCOMES), fc.nat(40))
          .map(([outcome, number]) => `${outcome}-${number}.test`),
        fc.nat().map((index) => pick(index, world().companies).domain),
        fc.constant("nobody-lives-here.test")
      ),
      { minLength: 1, maxLength: 8 }
    )
    .map((company_domains) => ({ company_domains })),
  optional("signals", aSubset("hiring", "funding", "news", "job_change", "technology")),
  optional("roles", aSubset("sales", "engineering manager", '"Account Executive"', "VP Marketing")),
  optional("audience", fc.constantFrom("account executives in London", "payroll software")),
  fc.oneof(
    optional("within_days", fc.integer({ min: 1, max: 730 })),
    fc.constantFrom({ since: "1969-10-01" }, { since: "1969-12-20" })
  ),
  optional("budget_credits", fc.oneof(aBudget, fc.constantFrom(9.999999, 10, 20, 30.5, 80)))
).map((input): DataCall => ({ verb: "find_intent", input }))

const HANDLES = ["magic-0", "magic-3", "Magic-60", "ambiguous-2", "@nobody-at-all", "James Smith"]

/** Keywords and profiles, magic ones and those of the world. */
export const aPostSearch = merged(
  fc.oneof(
    fc
      .record({
        scope: fc
          .constantFrom("magic-0", "magic-7", "magic-120", '"big news" magic-4', "salesforce", "hubspot sync", "qwertz")
          .map((query) => ({ type: "keyword", query }))
      })
      .chain((scope) =>
        optional("platforms", aSubset("social", "x", "reddit", "youtube")).map((more) => ({ ...scope, ...more }))
      ),
    fc.record({
      scope: fc
        .tuple(fc.constantFrom("social", "x", "reddit", "youtube"), fc.constantFrom(...HANDLES))
        .map(([platform, handle]) => ({ type: "profile", platform, handle }))
    })
  ),
  optional("since", fc.constantFrom("1969-12-30", "1969-12-31T12:00:00Z", "1970-01-02")),
  optional("limit", fc.integer({ min: 1, max: 100 })),
  optional("budget_credits", fc.oneof(aBudget, fc.constantFrom(0.5, 1.5, 12.5, 13.5, 50, 51)))
).map((input): DataCall => ({ verb: "find_posts", input }))

export const aDataCall: fc.Arbitrary<DataCall> = fc.oneof(
  aVerification,
  anEnrichment,
  aCompanyEnrichment,
  aSearch,
  aCompanySearch,
  anIntentSearch,
  aPostSearch,
  aCompanyCheck
)

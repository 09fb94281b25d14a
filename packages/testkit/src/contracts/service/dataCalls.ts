import type { JsonObject } from "@outbound/domain/calls/canonical.js"
import { FastCheck as fc } from "effect"

/** A call of a data verb, as callers make them: mostly valid, of people with every outcome. */
export interface DataCall {
  readonly verb: "verify_email" | "enrich" | "find_leads"
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
  fc.constantFrom("anybody", "heads of sales").map((audience) => ({ audience })),
  optional("titles", fc.constantFrom(["sales"], ["no such title"], ["CEO", "founder"])),
  optional("locations", fc.constantFrom(["Germany"], ["Bay Area", "London"], ["Atlantis"])),
  optional("industries", fc.constantFrom(["saas"], ["Hospitals"], ["never heard of"])),
  optional("limit", fc.integer({ min: 1, max: 40 })),
  optional("budget_credits", aBudget),
  aRoute
).map((input): DataCall => ({ verb: "find_leads", input }))

export const aDataCall: fc.Arbitrary<DataCall> = fc.oneof(aVerification, anEnrichment, aSearch)

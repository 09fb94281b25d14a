import { Schema } from "effect"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { CompanyDomain } from "../kernel/people/Domain.js"
import { BudgetCredits, Contact, DryRun, PricedWould, Route, text } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { inWords, MOBILE_SEARCH_PRICE, EMAIL_LOOKUP_PRICE } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"
import { IN_PLACE } from "./keywords.js"

export const WANTS = ["work_email", "mobile_phone", "profile"] as const

/** What to find out about a person. */
export const Wants = Schema.Array(Schema.Literals(WANTS).annotate({ identifier: "Want" })).check(Schema.isMaxLength(12))

const isUrl = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

export const SocialUrl = Schema.String.check(
  Schema.isMaxLength(500),
  Schema.makeFilter(isUrl, { message: "must be a URL", jsonSchema: { format: "uri" } })
).annotate({ description: "URL of the person's profile." })

/** Whether a request sets a field; blank text counts as unset. */
const says = (input: unknown, name: string): boolean => {
  const value = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>)[name] : null
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "")
}

/** Checks the undecoded person, so that this error is reported together with those of single fields. */
const personIssues = (person: unknown): ReadonlyArray<Schema.FilterIssue> => {
  const isNamed = says(person, "full_name") || (says(person, "first_name") && says(person, "last_name"))
  return (isNamed && says(person, "company_domain")) || says(person, "social_url") || says(person, "email")
    ? []
    : [{ path: [], issue: "needs a name and company_domain, or social_url, or email" }]
}

const ceilingIssues = (request: unknown): ReadonlyArray<Schema.FilterIssue> =>
  says(request, "max_credits") && says(request, "budget_credits")
    ? [{ path: ["max_credits"], issue: "can't be combined with budget_credits" }]
    : []

export const EnrichPerson = Schema.Struct({
  full_name: Schema.optional(text(1, 200)),
  first_name: Schema.optional(text(1, 100)),
  last_name: Schema.optional(text(1, 100)),
  email: Schema.optional(Schema.String.check(Schema.isMaxLength(320))),
  social_url: Schema.optional(SocialUrl),
  company_name: Schema.optional(text(1, 200)),
  company_domain: Schema.optional(CompanyDomain),
  title: Schema.optional(Schema.String.check(Schema.isMaxLength(200)))
})
  .check(Schema.makeFilter(personIssues, { [STABLE_FILTER]: true }))
  .annotate({
    identifier: "EnrichPerson",
    examples: [{ full_name: "Ada Lovelace", company_domain: "acme.example" }],
    jsonSchema: {
      allOf: [
        {
          anyOf: [
            { required: ["full_name", "company_domain"] },
            { required: ["first_name", "last_name", "company_domain"] },
            { required: ["social_url"] },
            { required: ["email"] }
          ]
        }
      ]
    }
  })

export const Enrich = defineVerb({
  name: "enrich",
  route: { method: "POST", path: "/v1/enrich" },
  summary: "Reveal a person's verified work email and mobile number.",
  description:
    `Costs ${inWords(EMAIL_LOOKUP_PRICE)} credits if the email lookup finds the person, plus ${inWords(MOBILE_SEARCH_PRICE)} if a separate mobile search finds a number that the lookup lacked. A miss is free. ` +
    "Repeats within 90 days are free (`from_cache`). A ceiling from 5 to below 22 skips the mobile search.",
  ...DATA_CALL,
  request: Schema.Struct({
    person: EnrichPerson.annotate({
      [IN_PLACE]: {
        description: "The person: a name and company_domain, or social_url, or email.",
        examples: [{ full_name: "Ada Lovelace", company_domain: "acme.example" }]
      }
    }),
    want: Schema.optional(Wants),
    max_credits: Schema.optional(CreditsFromWire),
    budget_credits: Schema.optional(BudgetCredits),
    route: Schema.optional(Route),
    dry_run: Schema.optional(DryRun)
  }).check(
    Schema.makeFilter(ceilingIssues, {
      [STABLE_FILTER]: true,
      jsonSchema: { not: { required: ["max_credits", "budget_credits"] } }
    })
  ),
  result: Schema.Struct({
    outcome: Schema.Literals(["hit", "partial", "miss"]),
    contact: Schema.NullOr(Contact),
    from_cache: Schema.Boolean,
    dropped_to_fit: Schema.optional(Schema.Array(Schema.Literal("mobile_phone")))
  }),
  would: PricedWould,
  errors: ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Reveal a person's email and mobile", destructive: false, idempotent: false, openWorld: true }
})

import { Effect, Result, Schema, SchemaTransformation } from "effect"
import { flawed } from "../kernel/flawed.js"
import { SuppressibleDomain } from "../kernel/people/Domain.js"
import { readEmail } from "../kernel/people/EmailAddress.js"
import { Count, text, wordy } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { ACTS, defineVerb } from "./Verb.js"

/** Most addresses, and most domains, of one call. */
export const SUPPRESSIONS_MAX = 1_000

/** Decodes to the normalised address. Nobody is left out silently, so an unusable one refuses the call. */
const Email = text(1, 320).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transformEffect({
      decode: (input) =>
        Result.match(readEmail(input), {
          onFailure: (flaw) => flawed(`is not an email address: it ${flaw}`),
          onSuccess: Effect.succeed
        }),
      encode: Effect.succeed
    })
  )
)

const Request = Schema.Struct({
  emails: Schema.optional(Schema.Array(Email).check(Schema.isMaxLength(SUPPRESSIONS_MAX))).annotate({
    description: "People who must not be emailed."
  }),
  domains: Schema.optional(Schema.Array(SuppressibleDomain).check(Schema.isMaxLength(SUPPRESSIONS_MAX))).annotate({
    description:
      "Domains or URLs: everybody with an address in the registrable domain or below it. No provider of mail, such as gmail.com, and no public suffix."
  }),
  reason: Schema.optional(wordy(1, 500)).annotate({ description: "Shown in the trail." })
})
  .check(
    Schema.makeFilter(
      // It also runs on fields that are invalid: a list may be null here.
      ({ domains, emails }) =>
        (emails ?? []).length > 0 || (domains ?? []).length > 0
          ? []
          : [{ path: ["emails"], issue: "must have at least 1 item, unless domains has" }],
      {
        [STABLE_FILTER]: true,
        jsonSchema: {
          allOf: [
            {
              anyOf: [
                { required: ["emails"], properties: { emails: { minItems: 1 } } },
                { required: ["domains"], properties: { domains: { minItems: 1 } } }
              ]
            }
          ]
        }
      }
    )
  )
  .annotate({
    examples: [{ emails: ["ann@acme.example"], domains: ["customer.example"], reason: "They are customers." }]
  })

export const AddSuppressions = defineVerb({
  name: "add_suppressions",
  route: { method: "POST", path: "/v1/suppressions" },
  summary: "Never email these people and companies again.",
  description:
    "Free and permanent: no call lifts a suppression. Whom it covers leaves every campaign at once, and is left out of later ones (`opted_out`). One unusable address or domain refuses the whole call.",
  ...ACTS,
  scope: "campaign:write",
  request: Request,
  result: Schema.Struct({
    emails_added: Count,
    emails_known: Count.annotate({ description: "Added before, and duplicates." }),
    domains_added: Count,
    domains_known: Count.annotate({ description: "Added before, and duplicates." }),
    leads_removed: Count.annotate({ description: "Leads that left their campaigns." })
  }),
  errors: [],
  tool: { title: "Never email these again", destructive: true, idempotent: true, openWorld: false }
})

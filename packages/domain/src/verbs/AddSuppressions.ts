import { Either, ParseResult, Schema } from "effect"
import { SuppressibleDomain } from "../kernel/people/Domain.js"
import { readEmail } from "../kernel/people/EmailAddress.js"
import { Count, STABLE_FILTER, text, wordy } from "./fields.js"
import { ACTS, defineVerb } from "./Verb.js"

/** Most addresses, and most domains, of one call. */
export const SUPPRESSIONS_MAX = 1_000

/** Decodes to the normalised address. Nobody is left out silently, so an unusable one refuses the call. */
const Email = Schema.transformOrFail(text(1, 320), Schema.String, {
  strict: true,
  decode: (input, _options, ast) =>
    Either.match(readEmail(input), {
      onLeft: (flaw) => ParseResult.fail(new ParseResult.Type(ast, input, `is not an email address: it ${flaw}`)),
      onRight: ParseResult.succeed
    }),
  encode: ParseResult.succeed
})

const Request = Schema.Struct({
  emails: Schema.optional(Schema.Array(Email).pipe(Schema.maxItems(SUPPRESSIONS_MAX))).annotations({
    description: "People who must not be emailed."
  }),
  domains: Schema.optional(Schema.Array(SuppressibleDomain).pipe(Schema.maxItems(SUPPRESSIONS_MAX))).annotations({
    description:
      "Domains or URLs: everybody with an address in the registrable domain or below it. No provider of mail, such as gmail.com, and no public suffix."
  }),
  reason: Schema.optional(wordy(1, 500)).annotations({ description: "Shown in the trail." })
})
  .pipe(
    Schema.filter(
      // It also runs on fields that are invalid: a list may be null here.
      ({ domains, emails }) =>
        (emails ?? []).length > 0 || (domains ?? []).length > 0
          ? []
          : [{ path: ["emails"], message: "must have at least 1 item, unless domains has" }],
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
  .annotations({
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
    emails_known: Count.annotations({ description: "Added before, and duplicates." }),
    domains_added: Count,
    domains_known: Count.annotations({ description: "Added before, and duplicates." }),
    leads_removed: Count.annotations({ description: "Leads that left their campaigns." })
  }),
  errors: [],
  tool: { title: "Never email these again", destructive: true, idempotent: true, openWorld: false }
})

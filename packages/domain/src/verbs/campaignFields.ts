import { Schema } from "effect"
import { HOLIDAY_COUNTRIES } from "../kernel/places/holidayCountries.js"
import { isTimezone } from "../kernel/places/zones.js"
import { DEFAULT_SCHEDULE, RECIPIENT, WEEKDAYS } from "../kernel/sequences/Sequence.js"
import { VARIANTS_MAX } from "../kernel/sequences/variants.js"
import { templateMistakes } from "../kernel/sequences/template.js"
import { evidenceIssues, EvidenceCounts, EvidenceFields } from "./evidenceFields.js"
import { Count, integer, text, Timestamp, Uuid, wordy } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"

/** The most unique recipients of a campaign. */
export const RECIPIENTS_MAX = 5000

export const MAX_PER_COMPANY_PER_DAY = { min: 1, max: 100 } as const

export const SEQUENCE_STEPS_MAX = 10
export const WAIT_DAYS_MAX = 90
const CUSTOM_FIELDS_MAX = 50
const CUSTOM_NAME_CHARS_MAX = 60
export const EMAIL_CHARS_MAX = 320
export const NAME_CHARS_MAX = 200
export const CUSTOM_VALUE_CHARS_MAX = 2000

/** Columns are the caller's mistake. One without a heading is none: no variable names it, so nobody gets its values. */
const customIssues = (custom: object): ReadonlyArray<Schema.FilterIssue> => {
  const names = Object.keys(custom)
  return [
    ...(names.length > CUSTOM_FIELDS_MAX ? [{ path: [], issue: `must have at most ${CUSTOM_FIELDS_MAX} fields` }] : []),
    ...names
      .filter((name) => name.length > CUSTOM_NAME_CHARS_MAX)
      .map((name) => ({ path: [name], issue: `must have a name of at most ${CUSTOM_NAME_CHARS_MAX} characters` }))
  ]
}

/**
 * A cell of a recipient's row. It may be empty or null, of any length: what can't be used makes its own recipient
 * invalid, and never refuses the others.
 */
const cell = (charsMax: number) =>
  Schema.NullOr(Schema.String).annotate({ description: `At most ${charsMax} characters.` })

const CustomFields = Schema.Record(Schema.String, cell(CUSTOM_VALUE_CHARS_MAX))
  .check(
    Schema.makeFilter(customIssues, {
      [STABLE_FILTER]: true,
      jsonSchema: {
        maxProperties: CUSTOM_FIELDS_MAX,
        propertyNames: { maxLength: CUSTOM_NAME_CHARS_MAX }
      }
    })
  )
  .annotate({ examples: [{ country: "DE", city: "Berlin", timezone: "Europe/Berlin", phone: "+49 30 5550100" }] })

/**
 * A recipient. One who can't be written to is counted as `invalid` and does not fail the call: an unusable address, a
 * value that is too long, or none where the messages need one.
 */
export const RecipientField = Schema.Struct({
  email: cell(EMAIL_CHARS_MAX).annotate({ examples: ["interested@magic.test"] }),
  first_name: Schema.optional(cell(NAME_CHARS_MAX)),
  last_name: Schema.optional(cell(NAME_CHARS_MAX)),
  company_name: Schema.optional(cell(NAME_CHARS_MAX)),
  custom: Schema.optional(CustomFields),
  evidence: Schema.optional(EvidenceFields)
})
  .check(Schema.makeFilter(evidenceIssues, { [STABLE_FILTER]: true, jsonSchema: {} }))
  .annotate({
    identifier: "Recipient",
    description:
      'A person to email. Left out and counted as `invalid`: an unusable address, a value that is too long, or none where the messages need one; and a person of whom `custom` says that they opted out or bounced, as `{"Email Opt Out": "true"}` or `{"status": "unsubscribed"}` does. `#N/A`, `null`, `-` and the like count as none.'
  })
export type RecipientField = typeof RecipientField.Type

/** Who was left out as invalid, and what has to be mended. */
export const InvalidRecipient = Schema.Struct({
  index: Count.annotate({ description: "The recipient's place in the call, from 0." }),
  email: Schema.String,
  field: Schema.String.annotate({ description: "`email`, `first_name`, … or `custom.<name>`." }),
  problem: Schema.Literals(["missing", "placeholder", "too_long", "unusable_address", "opted_out", "bounced"]),
  value: Schema.NullOr(Schema.String).annotate({ description: "As given, cut; null: nothing was." }),
  message: Schema.String
}).annotate({ identifier: "InvalidRecipient" })

export const InvalidRecipients = Schema.optional(Schema.Array(InvalidRecipient)).annotate({
  description:
    "Recipients that were counted as `invalid`, with the value that has to be mended. At most 100; the campaign's page in the console has all. Absent: there is none."
})

/** A person of whom a row says no, and who was a lead. */
const StoppedLead = Schema.Struct({
  index: Count.annotate({ description: "The recipient's place in the call, from 0." }),
  email: Schema.String,
  field: Schema.String.annotate({ description: "The value that says that they must not be mailed: `custom.<name>`." }),
  value: Schema.NullOr(Schema.String).annotate({ description: "As given, cut." }),
  campaign_id: Uuid.annotate({ description: "The campaign that they left." }),
  campaign_lead_id: Uuid
}).annotate({ identifier: "StoppedLead" })

/** Who left their campaigns, because their own row in the call says no. */
export const StoppedLeads = {
  leads_stopped: Schema.optional(Count).annotate({
    description:
      "Leads of this and other campaigns that the call took out of them, because their own row says that they opted out. Absent: there is none."
  }),
  stopped: Schema.optional(Schema.Array(StoppedLead)).annotate({ description: "The same by name. At most 100." })
} as const

/** A template text with valid variables. */
const templated = <A extends string, R>(schema: Schema.Codec<A, string, R>) =>
  schema.check(
    Schema.makeFilter((value) => templateMistakes(value).map((message) => ({ path: [], issue: message })), {
      jsonSchema: {}
    })
  )

const Subject = Schema.optional(
  templated(
    text(1, 300).check(Schema.isPattern(/^[^\r\n]*\S[^\r\n]*$/, { message: "must be a single line that is not blank" }))
  )
).annotate({ description: "Without a subject, the message continues the thread." })

const Body = templated(wordy(1, 20_000))

const VariantField = Schema.Struct({ subject: Subject, body: Body }).annotate({ identifier: "StepVariant" })

/** A member of an undecoded value, so that rules run even if other fields are invalid. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** A step has its own wording or variants, and not both. */
const wordingIssues = (step: unknown): ReadonlyArray<Schema.FilterIssue> => {
  if (memberOf(step, "variants") === undefined) {
    return memberOf(step, "body") === undefined ? [{ path: ["body"], issue: "is required" }] : []
  }
  return ["subject", "body"]
    .filter((name) => memberOf(step, name) !== undefined)
    .map((name) => ({ path: [name], issue: "must be absent from a step with variants" }))
}

export const SequenceStepField = Schema.Struct({
  subject: Subject,
  body: Schema.optional(Body).annotate({
    description:
      "Plain text with variables: {{first_name}}, {{last_name}}, {{company_name}}, {{email}}, {{custom.<name>}}, each with an optional fallback: {{first_name|there}}. Required, unless the step has `variants`.",
    examples: ["Hi {{first_name|there}}, …"]
  }),
  variants: Schema.optional(
    Schema.Array(VariantField).check(Schema.isMinLength(1), Schema.isMaxLength(VARIANTS_MAX))
  ).annotate({
    description:
      "Instead of `subject` and `body`: wordings of the message, named A, B and so on. Chance gives each person one, which never changes; `get_campaign` counts each."
  }),
  wait_days: Schema.optional(integer(0, WAIT_DAYS_MAX)).annotate({
    description: "Days after the previous step; 0 for the first."
  })
})
  .check(
    Schema.makeFilter(wordingIssues, {
      [STABLE_FILTER]: true,
      jsonSchema: { allOf: [{ oneOf: [{ required: ["body"] }, { required: ["variants"] }] }] }
    })
  )
  .annotate({ identifier: "SequenceStep" })

const firstStepIssues = (steps: ReadonlyArray<unknown>): ReadonlyArray<Schema.FilterIssue> => {
  const [first] = steps
  if (typeof first !== "object" || first === null) return []
  const wait = memberOf(first, "wait_days") ?? 0
  const variants = memberOf(first, "variants")
  const wordings = Array.isArray(variants)
    ? variants.map((one: unknown, index) => [one, [0, "variants", index, "subject"]] as const)
    : [[first, [0, "subject"]] as const]
  return [
    ...wordings.flatMap(([wording, path]) =>
      typeof wording === "object" && wording !== null && memberOf(wording, "subject") === undefined
        ? [{ path, issue: "is required for the first step" }]
        : []
    ),
    ...(typeof wait === "number" && wait !== 0
      ? [{ path: [0, "wait_days"], issue: "must be 0 for the first step" }]
      : [])
  ]
}

export const SequenceField = Schema.Array(SequenceStepField)
  .check(
    Schema.makeFilter(firstStepIssues, { [STABLE_FILTER]: true, jsonSchema: {} }),
    Schema.isMinLength(1),
    Schema.isMaxLength(SEQUENCE_STEPS_MAX)
  )
  .annotate({
    description: "The messages, in order. The first needs a subject and no wait.",
    examples: [[{ subject: "A question, {{first_name|there}}", body: "Hi {{first_name|there}}, …" }]]
  })

/** Most countries whose holidays a campaign skips. */
export const SKIP_HOLIDAYS_MAX = 20

const holidayIssues = (countries: ReadonlyArray<unknown>): ReadonlyArray<Schema.FilterIssue> =>
  countries.flatMap((country, index) => {
    const issue = (message: string) => [{ path: [index], issue: message }]
    if (countries.indexOf(country) < index) return issue("must not be listed twice")
    if (country === RECIPIENT) return countries.length === 1 ? [] : issue("must stand alone")
    return typeof country !== "string" || HOLIDAY_COUNTRIES.has(country)
      ? []
      : issue(`must be "${RECIPIENT}", or the ISO 3166-1 code of a country whose public holidays are known, such as DE`)
  })

const hourOf = (schedule: unknown, name: string, otherwise: number): number => {
  const hour = memberOf(schedule, name) ?? otherwise
  return typeof hour === "number" ? hour : Number.NaN
}

export const Weekday = Schema.Literals(WEEKDAYS).annotate({ identifier: "Weekday" })

export const ScheduleField = Schema.Struct({
  timezone: Schema.optional(
    text(1, 64).check(
      Schema.makeFilter(isTimezone, {
        message: "must be an IANA time zone, such as Europe/Berlin; abbreviations such as BST mean several zones"
      })
    )
  ),
  days: Schema.optional(
    Schema.Array(Weekday).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(7),
      Schema.makeFilter((days) => new Set(days).size === days.length, {
        message: "must list each day only once",
        jsonSchema: { uniqueItems: true }
      })
    )
  ),
  start_hour: Schema.optional(integer(0, 23)),
  end_hour: Schema.optional(integer(1, 24)),
  recipient_timezone: Schema.optional(Schema.Boolean).annotate({
    description:
      "Each person's hours are those of their own time zone, found from their custom values `timezone`, `country`, `region`, `city` or `phone`; where it is unknown, those of `timezone`. Default: false."
  }),
  skip_holidays: Schema.optional(
    Schema.Array(Schema.String).check(
      Schema.isMaxLength(SKIP_HOLIDAYS_MAX),
      Schema.makeFilter(holidayIssues, { [STABLE_FILTER]: true, jsonSchema: { uniqueItems: true } })
    )
  ).annotate({
    description:
      'Nothing is sent on nationwide public holidays of these countries (ISO 3166-1 alpha-2 codes), or, with `["recipient"]` alone, of each person\'s own country. Default: none.',
    examples: [["DE", "AT"], ["recipient"]]
  })
})
  .check(
    Schema.makeFilter(
      (schedule) =>
        hourOf(schedule, "end_hour", DEFAULT_SCHEDULE.endHour) <=
        hourOf(schedule, "start_hour", DEFAULT_SCHEDULE.startHour)
          ? { path: ["end_hour"], issue: "must be greater than start_hour" }
          : true,
      { [STABLE_FILTER]: true, jsonSchema: {} }
    )
  )
  .annotate({ identifier: "Schedule" })

/** What an approval's preview says of the people's own hours. */
export const HoursPreview = {
  timezones: Schema.optional(
    Schema.Array(Schema.Struct({ timezone: Schema.String, people: Count }).annotate({ identifier: "PeopleInTimezone" }))
  ).annotate({ description: "With `recipient_timezone`: how many people are written to in which time zone." }),
  timezone_unknown: Schema.optional(Count).annotate({
    description: "With `recipient_timezone`: people of them whose own is unknown; they have the campaign's."
  }),
  holidays: Schema.optional(
    Schema.Array(
      Schema.Struct({
        country: Schema.String,
        people: Count,
        next: Schema.Array(Schema.Struct({ date: Schema.String, name: Schema.String }))
      }).annotate({ identifier: "HolidaysKept" })
    )
  ).annotate({
    description:
      "With `skip_holidays`: the countries whose holidays are skipped, for how many people, and the next ones."
  })
} as const

const judged = (what: string) => Count.annotate({ description: `People whose verification said ${what}.` })

/** What is known of the people who would be written to. Only verifications count that are not too old. */
export const ListCounts = Schema.Struct({
  verified: Count.annotate({ description: "People whose address was found good, or possibly good." }),
  unverified: Count.annotate({
    description: "Everybody else: not verified, too long ago, without a result, or found invalid."
  }),
  valid: judged("`valid`"),
  catch_all_valid: judged("`catch_all_valid`"),
  catch_all_unknown: judged("`catch_all_unknown`"),
  risky: judged("`risky`"),
  unknown: judged("`unknown`"),
  invalid: judged("`invalid`"),
  role: Count.annotate({ description: "Addresses of roles, such as `info@`." }),
  disposable: Count.annotate({ description: "Addresses that are there for a moment." }),
  free_mail: Count.annotate({ description: "Addresses at providers of mail, such as gmail.com." }),
  oldest_verified_at: Schema.NullOr(Timestamp).annotate({ description: "Of those who are verified; null: nobody is." })
}).annotate({
  identifier: "ListCounts",
  description:
    "What this workspace's `verify_email`, `verify_emails` and `enrich` found out about the people who would be written to."
})

/** What an approval's preview says of the merged messages. */
export const ContentPreview = {
  variables: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      distinct_values: Count.annotate({ description: "Different texts in the messages, fallbacks included." }),
      longest: Count.annotate({ description: "Characters of the longest one." })
    }).annotate({ identifier: "MergedVariable" })
  ).annotate({ description: "The variables of the messages." }),
  links: Schema.Array(Schema.String).annotate({
    description: "The hosts of links and addresses in the merged messages. At most 200; the approval page has all."
  }),
  overlapping_people: Count.annotate({
    description: "People who are open leads of another active or paused campaign of the workspace, too."
  }),
  placeholders: Schema.optional(Count).annotate({
    description:
      "People with a value in which another program left something unfilled, such as “null” or {{first_name}}. Absent: there are none."
  }),
  evidence: EvidenceCounts
} as const

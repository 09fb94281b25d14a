import { Schema } from "effect"
import { DEFAULT_SCHEDULE, WEEKDAYS } from "../campaigns/Campaign.js"
import { integer, text } from "./fields.js"

/** The most unique recipients of a campaign. */
export const RECIPIENTS_MAX = 5000

export const SEQUENCE_STEPS_MAX = 10
export const WAIT_DAYS_MAX = 90
const CUSTOM_FIELDS_MAX = 50

/** One person to write to. An unusable address is counted as `invalid`; the call goes on. */
export const RecipientField = Schema.Struct({
  email: text(1, 320).annotations({ description: "The address to write to.", examples: ["interested@magic.test"] }),
  first_name: Schema.optional(text(0, 200)),
  last_name: Schema.optional(text(0, 200)),
  company_name: Schema.optional(text(0, 200)),
  custom: Schema.optional(
    Schema.Record({ key: text(1, 60), value: text(0, 2000) }).pipe(
      Schema.filter((custom) => Object.keys(custom).length <= CUSTOM_FIELDS_MAX, {
        message: () => `must hold at most ${CUSTOM_FIELDS_MAX} fields`,
        jsonSchema: { maxProperties: CUSTOM_FIELDS_MAX }
      })
    )
  )
}).annotations({ identifier: "Recipient", description: "One person to write to." })
export type RecipientField = typeof RecipientField.Type

export const SequenceStepField = Schema.Struct({
  subject: Schema.optional(
    text(1, 300).pipe(Schema.pattern(/^[^\r\n]*$/, { message: () => "must be a single line" }))
  ).annotations({ description: "Without a subject the step continues the thread." }),
  body: text(1, 20_000).annotations({
    description:
      "Plain text with variables: {{first_name}}, {{last_name}}, {{company_name}}, {{email}}, {{custom.<name>}}, each with an optional fallback: {{first_name|there}}.",
    examples: ["Hi {{first_name|there}}, …"]
  }),
  wait_days: Schema.optional(integer(0, WAIT_DAYS_MAX)).annotations({
    description: "Days after the step before; 0 for the first."
  })
}).annotations({ identifier: "SequenceStep" })

export const SequenceField = Schema.Array(SequenceStepField)
  .pipe(
    Schema.minItems(1),
    Schema.maxItems(SEQUENCE_STEPS_MAX),
    Schema.filter((steps) => {
      const issues: Array<Schema.FilterIssue> = []
      if (steps[0] !== undefined && steps[0].subject === undefined) {
        issues.push({ path: [0, "subject"], message: "the first step needs a subject" })
      }
      if (steps[0] !== undefined && (steps[0].wait_days ?? 0) !== 0) {
        issues.push({ path: [0, "wait_days"], message: "must be 0 for the first step" })
      }
      return issues
    })
  )
  .annotations({
    description: "The messages, in their order. The first needs a subject and no wait.",
    jsonSchema: {},
    examples: [[{ subject: "A question, {{first_name|there}}", body: "Hi {{first_name|there}}, …" }]]
  })

/** Whether the platform knows the zone (IANA name). */
const isTimezone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone !== "" && !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

export const ScheduleField = Schema.Struct({
  timezone: Schema.optionalWith(
    text(1, 64).pipe(Schema.filter(isTimezone, { message: () => "must be an IANA time zone, such as Europe/Berlin" })),
    { default: () => DEFAULT_SCHEDULE.timezone }
  ),
  days: Schema.optionalWith(
    Schema.Array(Schema.Literal(...WEEKDAYS)).pipe(
      Schema.minItems(1),
      Schema.maxItems(7),
      Schema.filter((days) => new Set(days).size === days.length, {
        message: () => "must name each day once",
        jsonSchema: { uniqueItems: true }
      })
    ),
    { default: () => DEFAULT_SCHEDULE.days }
  ),
  start_hour: Schema.optionalWith(integer(0, 23), { default: () => DEFAULT_SCHEDULE.startHour }),
  end_hour: Schema.optionalWith(integer(1, 24), { default: () => DEFAULT_SCHEDULE.endHour })
})
  .pipe(
    Schema.filter((schedule) =>
      schedule.end_hour > schedule.start_hour
        ? true
        : { path: ["end_hour"], message: "must be greater than start_hour" }
    )
  )
  .annotations({ identifier: "Schedule" })

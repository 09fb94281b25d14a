import { Schema } from "effect"

const Category = Schema.NullOr(Schema.Int)

export const SmartleadSettings = Schema.Struct({
  /** The client of an agency's account whom campaigns are made for; null: the account itself. */
  client_id: Schema.optionalWith(Schema.NullOr(Schema.Int), { default: () => null }),
  /** Which day its schedules count as day 0: what is written of it says Sunday. */
  first_weekday: Schema.optionalWith(Schema.Literal("sunday", "monday"), { default: () => "sunday" as const }),
  /** How many minutes lie between two messages of a mailbox at least. */
  minutes_between: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 1_440)), { default: () => 10 }),
  /** Whether a mailbox's own daily limit there follows our caps: it knows no daily limit of a campaign. */
  set_mailbox_limits: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  /** The account's categories of people, by what we call them; null takes a category away. */
  categories: Schema.optionalWith(
    Schema.Struct({
      interested: Schema.optionalWith(Category, { default: () => 1 }),
      meeting_booked: Schema.optionalWith(Category, { default: () => 2 }),
      won: Schema.optionalWith(Category, { default: () => 2 }),
      not_interested: Schema.optionalWith(Category, { default: () => 3 }),
      out_of_office: Schema.optionalWith(Category, { default: () => 6 }),
      neutral: Schema.optionalWith(Category, { default: () => null })
    }),
    {
      default: () => ({
        interested: 1,
        meeting_booked: 2,
        won: 2,
        not_interested: 3,
        out_of_office: 6,
        neutral: null
      })
    }
  )
})
export type SmartleadSettings = typeof SmartleadSettings.Type

import { Schema } from "effect"

const Category = Schema.NullOr(Schema.Int)

export const SmartleadSettings = Schema.Struct({
  /** The client of an agency account that owns the campaigns. Null: the account itself. */
  client_id: Schema.optionalWith(Schema.NullOr(Schema.Int), { default: () => null }),
  /** Day 0 of its schedules; Sunday by what is documented. */
  first_weekday: Schema.optionalWith(Schema.Literal("sunday", "monday"), { default: () => "sunday" as const }),
  /** The minimum minutes between two messages of a mailbox. */
  minutes_between: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 1_440)), { default: () => 10 }),
  /** Set a mailbox's daily limit there to our caps, since campaigns have none. */
  set_mailbox_limits: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  /** The account's categories by our names; null removes a category. */
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

import { Schema } from "effect"
import { setting } from "../../platform/setting.js"

const Category = Schema.NullOr(Schema.Int)

const Categories = Schema.Struct({
  interested: setting(Category, 1),
  meeting_booked: setting(Category, 2),
  won: setting(Category, 2),
  not_interested: setting(Category, 3),
  out_of_office: setting(Category, 6),
  neutral: setting(Category, null)
})

export const SmartleadSettings = Schema.Struct({
  /** The client of an agency account that owns the campaigns. Null: the account itself. */
  client_id: setting(Schema.NullOr(Schema.Int), null),
  /** Day 0 of its schedules; Sunday by what is documented. */
  first_weekday: setting(Schema.Literals(["sunday", "monday"]), "sunday"),
  /** The minimum minutes between two messages of a mailbox. */
  minutes_between: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_440 })), 10),
  /** Set a mailbox's daily limit there to our caps, since campaigns have none. */
  set_mailbox_limits: setting(Schema.Boolean, true),
  /** The account's categories by our names; null removes a category. */
  categories: setting(Categories, Schema.decodeSync(Categories)({}))
})
export type SmartleadSettings = typeof SmartleadSettings.Type

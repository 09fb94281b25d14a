import { Schema } from "effect"
import { maybe } from "../shape.js"

// Answers as third parties have met them: lists come bare or wrapped, and numbers as texts. Unknown members are
// ignored; a known member of another type makes the answer unusable.

/** A numeric id, sometimes written as text. */
export const Id = Schema.transform(Schema.Union(Schema.String, Schema.Number), Schema.String, {
  strict: true,
  decode: String,
  encode: (text) => text
})

export const Flag = Schema.Union(Schema.Boolean, Schema.Number)

/** A plain list, or a list under one of these names. */
export const listAt = <A, I>(item: Schema.Schema<A, I>, ...names: ReadonlyArray<string>) => {
  const List = Schema.Array(item)
  const wrapped = names.map((name) => Schema.Struct({ [name]: List }))
  return Schema.transform(Schema.Union(List, ...wrapped), Schema.typeSchema(List), {
    strict: false,
    decode: (given: unknown) => (Array.isArray(given) ? given : Object.values(given as object)[0]),
    encode: (list: unknown) => list
  }) as unknown as Schema.Schema<ReadonlyArray<A>, unknown>
}

export const Named = Schema.Struct({ id: Id, name: maybe(Schema.String) })
export const Standing = Schema.Struct({ status: Schema.String })
export const Sequence = Schema.Struct({
  id: Id,
  seq_number: Schema.Union(Schema.Number, Schema.NumberFromString),
  subject: maybe(Schema.String),
  email_body: maybe(Schema.String)
})
export const Account = Schema.Struct({
  id: Id,
  from_email: Schema.String,
  from_name: maybe(Schema.String),
  is_smtp_success: maybe(Flag),
  is_imap_success: maybe(Flag)
})

export const Member = Schema.Struct({
  status: maybe(Schema.String),
  lead: Schema.Struct({ id: Id, email: Schema.String, is_unsubscribed: maybe(Flag) })
})

/** A person of the account; an empty object for an unknown address. */
export const Lead = Schema.Struct({
  id: maybe(Id),
  email: maybe(Schema.String),
  lead_campaign_data: maybe(Schema.Array(Schema.Struct({ campaign_id: Id })))
})

/** One message that a campaign sent. */
export const Statistic = Schema.Struct({
  stats_id: Id,
  lead_email: Schema.String,
  sequence_number: maybe(Schema.Union(Schema.Number, Schema.NumberFromString)),
  sent_time: maybe(Schema.String),
  is_bounced: maybe(Flag),
  is_unsubscribed: maybe(Flag)
})

/** A message of a person's thread. */
export const Message = Schema.Struct({
  type: maybe(Schema.String),
  stats_id: maybe(Id),
  message_id: maybe(Schema.String),
  time: maybe(Schema.String),
  subject: maybe(Schema.String),
  email_body: maybe(Schema.String),
  from: maybe(Schema.String),
  to: maybe(Schema.String),
  email_seq_number: maybe(Schema.Union(Schema.Number, Schema.String))
})
export type Message = typeof Message.Type

/** A person who replied, with their thread if requested and given. */
export const Answering = Schema.Struct({
  email_lead_id: Id,
  email_campaign_id: Id,
  lead_email: maybe(Schema.String),
  last_reply_time: maybe(Schema.String),
  email_history: maybe(Schema.Array(Message))
})
export type Answering = typeof Answering.Type

export const isOn = (flag: boolean | number | null): boolean => flag === true || flag === 1

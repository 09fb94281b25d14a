import { Schema, SchemaGetter, SchemaTransformation } from "effect"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { Id, maybe, maybeTexts } from "../shape.js"
import type { MessagePart } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { htmlBody, plainSubject, valuesOf } from "../sending/html.js"

// Answers as third parties have met them: lists come bare or wrapped, and numbers as texts. Unknown members are
// ignored; a known member of another type makes the answer unusable.

export const Flag = Schema.Union([Schema.Boolean, Schema.Number])

/** Nothing is written in the vendor's forms. */
const neverWritten = SchemaGetter.forbidden<never, unknown>(() => "is only read")

/** A plain list, or a list under one of these names. */
export const listAt = <A, I>(item: Schema.Codec<A, I>, ...names: ReadonlyArray<string>) => {
  const List = Schema.Array(item)
  const wrapped = names.map((name) => Schema.Struct({ [name]: List }))
  return Schema.Union([List, ...wrapped]).pipe(
    Schema.decodeTo(Schema.toType(List), {
      decode: SchemaGetter.transform(
        (given) => (Array.isArray(given) ? given : Object.values(given)[0]) as ReadonlyArray<A>
      ),
      encode: neverWritten
    })
  ) as unknown as Schema.Codec<ReadonlyArray<A>, unknown>
}

/** Bare, or within `data`, as its own documentation shows. */
export const unwrapped = <A, I>(shape: Schema.Codec<A, I>) => {
  const Type = Schema.toType(shape)
  return Schema.Union([Schema.Struct({ data: shape }), shape]).pipe(
    Schema.decodeTo(Type, {
      decode: SchemaGetter.transform((given) => (given as { readonly data?: A }).data ?? (given as A)),
      encode: neverWritten
    })
  ) as unknown as Schema.Codec<A, unknown>
}

export const Named = unwrapped(Schema.Struct({ id: Id, name: maybe(Schema.String) }))
export const Standing = unwrapped(Schema.Struct({ status: Schema.String }))

const Count = Schema.Union([Schema.Number, NumberText])

/** A campaign's settings. Its hours come as an object, as JSON, or as a text in JavaScript's own notation. */
export const Settings = unwrapped(
  Schema.Struct({
    scheduler_cron_value: maybe(Schema.Unknown),
    schedule: maybe(Schema.Unknown),
    track_settings: maybe(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
    stop_lead_settings: maybe(Schema.String)
  })
)

/** How long a message waits; the documentation names it in both ways. */
const Delay = Schema.Struct({ delay_in_days: maybe(Count), delayInDays: maybe(Count) })

export const Sequence = Schema.Struct({
  id: Id,
  seq_number: Count,
  ...maybeTexts("subject", "email_body"),
  seq_delay_details: maybe(Delay),
  sequence_variants: maybe(
    Schema.Array(Schema.Struct({ subject: maybe(Schema.String), email_body: maybe(Schema.String) }))
  )
})
export const Account = Schema.Struct({
  id: Id,
  from_email: Schema.String,
  from_name: maybe(Schema.String),
  is_smtp_success: maybe(Flag),
  is_imap_success: maybe(Flag)
})

const Person = Schema.Struct({
  id: Id,
  email: Schema.String,
  is_unsubscribed: maybe(Flag),
  custom_fields: maybe(Schema.Record(Schema.String, Schema.Unknown))
})
const Membered = Schema.Struct({ status: maybe(Schema.String), lead: Person })

/** A person in a campaign: under `lead`, or beside their status, as its documentation shows. */
export const Member = Schema.Union([
  Membered,
  Schema.Struct({ ...Person.fields, status: maybe(Schema.String) }).pipe(
    Schema.decodeTo(
      Schema.toType(Membered),
      SchemaTransformation.transform({
        decode: ({ status, ...lead }) => ({ status, lead }),
        encode: ({ lead, status }) => ({ ...lead, status })
      })
    )
  )
])

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
  sequence_number: maybe(Schema.Union([Schema.Number, NumberText])),
  sent_time: maybe(Schema.String),
  is_bounced: maybe(Flag),
  is_unsubscribed: maybe(Flag)
})

/** A message of a person's thread. */
export const Message = Schema.Struct({
  type: maybe(Schema.String),
  stats_id: maybe(Id),
  ...maybeTexts("message_id", "time", "subject", "email_body", "from", "to"),
  email_seq_number: maybe(Schema.Union([Schema.Number, Schema.String])),
  // The names of its documentation.
  ...maybeTexts("direction", "sent_at", "received_at", "sent_from", "sent_to", "body")
})
export type Message = typeof Message.Type

const Answered = Schema.Struct({
  email_lead_id: Schema.NullOr(Id),
  email_campaign_id: Id,
  ...maybeTexts("lead_email", "last_reply_time"),
  email_history: maybe(Schema.Array(Message))
})

const AnsweredAsDocumented = Schema.Struct({
  lead: Schema.Struct({ id: maybe(Id), email: Schema.String }),
  campaign: Schema.Struct({ id: Id }),
  last_message: Message,
  message_history: maybe(Schema.Array(Message))
})

/** A person who replied, with their thread if requested and given; their last message alone, if only that is told. */
export const Answering = Schema.Union([
  Answered,
  AnsweredAsDocumented.pipe(
    Schema.decodeTo(Schema.toType(Answered), {
      decode: SchemaGetter.transform(({ campaign, last_message, lead, message_history }) => ({
        email_lead_id: lead.id,
        email_campaign_id: campaign.id,
        lead_email: lead.email,
        last_reply_time: last_message.received_at,
        email_history: message_history ?? [{ ...last_message, direction: last_message.direction ?? "inbound" }]
      })),
      encode: neverWritten
    })
  )
]) as unknown as Schema.Codec<typeof Answered.Type, unknown>
export type Answering = typeof Answered.Type

export const isOn = (flag: boolean | number | null): boolean => flag === true || flag === 1

/** It expands `{these|those}` at random, so the bar is replaced in lines that can't escape braces. */
const withoutChoice = (text: string): string =>
  text.replace(/\{[^{}]*\|[^{}]*\}/g, (choice) => choice.replaceAll("|", "\u00a6"))

export const subjectOf = (parts: ReadonlyArray<MessagePart>): string => withoutChoice(plainSubject(parts))
export const bodyOf = htmlBody

/** A person's values; the vendor expands templates in them too. */
export const fieldsOf = (values: Parameters<typeof valuesOf>[0]): Record<string, string> =>
  Object.fromEntries(Object.entries(valuesOf(values)).map(([name, value]) => [name, withoutChoice(value)]))

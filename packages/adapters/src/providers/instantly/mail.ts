import { sentIf, withoutBrackets } from "../sending/campaigns.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { VendorEvent, VendorReply, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Clock, Effect, Option, Schema } from "effect"
import { CallRate } from "../CallRate.js"
import { htmlOf, textOfHtml, wordsOf } from "../sending/html.js"
import { maybe, maybeTexts } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import { People, type Person } from "./people.js"

/** The vendor's limit of message lists per minute, for the whole account. */
const LISTS_PER_MINUTE = 20
const PAGE = 100

/** Entries may appear out of order: this much is read again. */
const OVERLAP_MILLIS = 60_000

const Mail = Schema.Struct({
  id: Schema.String,
  timestamp_created: Schema.String,
  ...maybeTexts("message_id", "subject", "from_address_email"),
  from_address_json: maybe(Schema.Array(Schema.Struct({ address: maybe(Schema.String) }))),
  body: maybe(Schema.Struct({ text: maybe(Schema.String), html: maybe(Schema.String) })),
  ...maybeTexts("lead", "lead_id", "eaccount"),
  ue_type: maybe(Schema.Number),
  is_auto_reply: maybe(Schema.Union([Schema.Number, Schema.Boolean])),
  step: maybe(Schema.Unknown)
})
type Mail = typeof Mail.Type
const Mails = Schema.Struct({ items: Schema.Array(Mail), next_starting_after: maybe(Schema.String) })

/** How far we have read: messages by time, people in a cycle. */
const Cursor = Schema.fromJsonString(
  Schema.Struct({
    since: Schema.NullOr(Schema.String),
    after: Schema.NullOr(Schema.String),
    newest: Schema.NullOr(Schema.String),
    people: Schema.NullOr(Schema.String)
  })
)
const readCursor = Schema.decodeUnknownOption(Cursor)
const writeCursor = Schema.encodeSync(Cursor)
const BEGINNING: typeof Cursor.Type = { since: null, after: null, newest: null, people: null }

const SENT = 1
const RECEIVED = 2

/** `sequence_step_variant`, from 0; null for anything else. */
const stepOf = (step: unknown): number | null => {
  const found = typeof step === "string" ? /^\d+_(\d+)_\d+$/.exec(step)?.[1] : undefined
  return found === undefined ? null : Number(found)
}

const senderOf = ({ from_address_email, from_address_json }: Mail): string =>
  from_address_json?.[0]?.address ?? from_address_email ?? ""

const textOf = ({ body }: Mail): string => {
  const text = body?.text ?? ""
  return text.trim() === "" ? textOfHtml(body?.html ?? "") : text
}

const eventOf = (mail: Mail): ReadonlyArray<VendorEvent> => {
  const atMillis = Date.parse(mail.timestamp_created)
  if (Number.isNaN(atMillis) || (mail.lead === null && mail.lead_id === null)) return []
  const common = {
    eventId: mail.id,
    person: { ref: mail.lead_id, email: mail.lead ?? "" },
    atMillis,
    mailbox: (mail.eaccount ?? "").toLowerCase()
  }
  if (mail.ue_type === SENT) return [{ ...common, kind: "sent", stepIndex: stepOf(mail.step) }]
  if (mail.ue_type !== RECEIVED) return []
  return [
    {
      ...common,
      kind: "reply",
      messageId: withoutBrackets(mail.message_id),
      fromEmail: senderOf(mail),
      subject: mail.subject ?? "",
      text: textOf(mail),
      html: mail.body?.html ?? null,
      isAutomatic: mail.is_auto_reply === 1 || mail.is_auto_reply === true
    }
  ]
}

/** A person's outcome that only their status shows, without a message. */
const fateOf = ({ email, id, status }: typeof Person.Type, atMillis: number): ReadonlyArray<VendorEvent> => {
  const event = (kind: "bounced" | "unsubscribed" | "finished") => [
    { kind, eventId: `${kind}:${id}`, person: { ref: id, email }, atMillis }
  ]
  switch (status) {
    case -1:
      return event("bounced")
    case -2:
      return event("unsubscribed")
    case 3:
    case -3:
      return event("finished")
    default:
      return []
  }
}

export const makeMail = (http: VendorHttp): Pick<VendorScheduled, "events" | "reply" | "findSent"> => {
  const rate = new CallRate(LISTS_PER_MINUTE)

  const list = (query: Readonly<Record<string, string | number | null>>) =>
    Effect.gen(function* () {
      const wait = rate.enter(yield* Clock.currentTimeMillis)
      if (wait > 0) {
        const limited = { provider: http.name, reason: "rate_limited" as const, retryAfterSeconds: wait / 1000 }
        return yield* Effect.fail(new ProviderFailure(limited))
      }
      return yield* http.get(Mails, "/emails", { limit: PAGE, ...query })
    })

  /** The message to reply to: by its id, at the mailbox that received it. */
  const answered = (reply: VendorReply): Effect.Effect<Mail, ProviderFailure> =>
    Effect.gen(function* () {
      const { items } = yield* list({ lead: reply.person.email, campaign_id: reply.ref, email_type: "received" })
      const id = reply.references.at(-1)
      const here = items.filter(({ eaccount }) => eaccount?.toLowerCase() === reply.from.address.toLowerCase())
      const found = here.find(({ message_id }) => id !== undefined && withoutBrackets(message_id) === id)
      return found ?? (yield* http.failed("invalid", "the message that is answered is not there"))
    })

  const readPeople = (ref: string, after: string | null, atMillis: number) =>
    Effect.map(
      http.ask(People, "/leads/list", {
        campaign: ref,
        limit: PAGE,
        ...(after === null ? {} : { starting_after: after })
      }),
      ({ items, next_starting_after: next }) => ({
        events: items.flatMap((one) => fateOf(one, atMillis)),
        next: items.length === 0 ? null : next
      })
    )

  return {
    events: (ref, text) =>
      Effect.gen(function* () {
        const cursor = Option.getOrElse(text === null ? Option.none() : readCursor(text), () => BEGINNING)
        const page = yield* list({
          campaign_id: ref,
          sort_order: "asc",
          min_timestamp_created: cursor.since,
          starting_after: cursor.after
        })
        const events = page.items.flatMap(eventOf)
        const newest = page.items.reduce<string | null>(
          (latest, { timestamp_created: at }) => (latest === null || at > latest ? at : latest),
          cursor.newest
        )
        if (page.items.length > 0 && page.next_starting_after !== null) {
          return { events, cursor: writeCursor({ ...cursor, after: page.next_starting_after, newest }), hasMore: true }
        }
        const people = yield* readPeople(ref, cursor.people, yield* Clock.currentTimeMillis)
        const read = newest === null ? Number.NaN : Date.parse(newest)
        const since = Number.isNaN(read) ? cursor.since : new Date(read - OVERLAP_MILLIS).toISOString()
        return {
          events: [...events, ...people.events],
          cursor: writeCursor({ since, after: null, newest, people: people.next }),
          hasMore: false
        }
      }),
    reply: (reply) =>
      Effect.gen(function* () {
        const { id } = yield* answered(reply)
        yield* http.change("POST", "/emails/reply", {
          eaccount: reply.from.address,
          reply_to_uuid: id,
          subject: reply.subject,
          body: { html: htmlOf(reply.text), text: reply.text }
        })
      }),
    findSent: (reply, askedAtMillis) =>
      Effect.gen(function* () {
        const since = new Date(askedAtMillis - OVERLAP_MILLIS).toISOString()
        const { items } = yield* list({ lead: reply.person.email, email_type: "manual", min_timestamp_created: since })
        const words = wordsOf(reply.text)
        const isIt = (mail: Mail) => mail.subject === reply.subject && wordsOf(textOf(mail)).includes(words)
        return yield* sentIf(http, items.some(isIt), askedAtMillis)
      })
  }
}

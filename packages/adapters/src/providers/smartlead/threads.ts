import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import { isNotFound } from "../classify.js"
import { withoutBrackets } from "../sending/campaigns.js"
import { Lead, Message } from "./shapes.js"

/** A message of a thread, as far as given. */
export interface Threaded {
  readonly isReply: boolean
  /** The step that sent it; null for a reply of ours. */
  readonly step: number | null
  readonly statsId: string | null
  /** Without angle brackets. */
  readonly messageId: string | null
  /** In the vendor's form. */
  readonly time: string | null
  readonly atMillis: number
  readonly from: string
  readonly to: string
  readonly subject: string
  /** HTML. */
  readonly body: string
}

/** Reads a campaign's people and their threads. */
export interface Threads {
  readonly idIn: (ref: string, email: string) => Effect.Effect<string | null, ProviderFailure>
  readonly of: (ref: string, id: string) => Effect.Effect<ReadonlyArray<Threaded>, ProviderFailure>
}

/** The address without a name before it. */
export const addressIn = (text: string | null): string =>
  (/<([^<>]+)>\s*$/.exec(text ?? "")?.[1] ?? text ?? "").trim().toLowerCase()

const stepOf = (written: number | string | null): number | null => {
  const number = written === null || written === "" ? Number.NaN : Number(written)
  return Number.isInteger(number) && number >= 1 ? number - 1 : null
}

/** A thread names sender and recipient once, or per message. */
export const threadOf = (
  messages: ReadonlyArray<Message>,
  both: { readonly from: string | null; readonly to: string | null }
): ReadonlyArray<Threaded> =>
  messages.flatMap((message) => {
    const time = message.time ?? message.received_at ?? message.sent_at
    const atMillis = Date.parse(time ?? "")
    if (Number.isNaN(atMillis)) return []
    const isReply = message.type?.toUpperCase() === "REPLY" || message.direction?.toLowerCase() === "inbound"
    const [from, to] = isReply ? [both.to, both.from] : [both.from, both.to]
    return [
      {
        isReply,
        step: stepOf(message.email_seq_number),
        statsId: message.stats_id,
        messageId: withoutBrackets(message.message_id),
        time,
        atMillis,
        from: addressIn(message.from ?? message.sent_from ?? from),
        to: addressIn(message.to ?? message.sent_to ?? to),
        subject: message.subject ?? "",
        body: message.email_body ?? message.body ?? ""
      }
    ]
  })

const History = Schema.Union([
  Schema.Struct({ history: Schema.Array(Message), from: maybe(Schema.String), to: maybe(Schema.String) }),
  Schema.Struct({ messages: Schema.Array(Message) })
])

export const makeThreads = (http: VendorHttp): Threads => ({
  idIn: (ref, email) =>
    Effect.flatMap(http.get(Lead, "/leads/", { email }), ({ email: named, id, lead_campaign_data: campaigns }) => {
      if (id === null) return Effect.succeed(null)
      // An unclear answer proves nothing: absence must be certain.
      if (campaigns === null || (named !== null && named.toLowerCase() !== email.toLowerCase())) {
        return Effect.fail(http.failed("transient", "it does not tell who is in which campaign"))
      }
      return Effect.succeed(campaigns.some(({ campaign_id }) => campaign_id === ref) ? id : null)
    }),
  of: (ref, id) =>
    http.get(History, `/campaigns/${encodeURIComponent(ref)}/leads/${encodeURIComponent(id)}/message-history`).pipe(
      Effect.map((told) =>
        "history" in told ? threadOf(told.history, told) : threadOf(told.messages, { from: null, to: null })
      ),
      Effect.catchIf(isNotFound, () => Effect.succeed([]))
    )
})

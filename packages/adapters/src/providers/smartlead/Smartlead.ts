import { sentIf } from "../sending/campaigns.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { VendorReply, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Schema } from "effect"
import { htmlOf, textOfHtml, wordsOf } from "../sending/html.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { makeCampaigns } from "./campaigns.js"
import { classify } from "./classify.js"
import { makeEvents } from "./events.js"
import { makePeople, PUSH_MAX } from "./people.js"
import { SmartleadSettings } from "./settings.js"
import { listAt } from "./shapes.js"
import { makeThreads, type Threaded, type Threads } from "./threads.js"

/** Clocks differ: a reply may be listed with a time before its request. */
const OVERLAP_MILLIS = 60_000

const makeAnswers = (http: VendorHttp, threads: Threads): Pick<VendorScheduled, "reply" | "findSent"> => {
  const threadWith = ({ person, ref }: VendorReply): Effect.Effect<ReadonlyArray<Threaded>, ProviderFailure> =>
    Effect.gen(function* () {
      const id = person.ref ?? (yield* threads.idIn(ref, person.email))
      return id === null ? [] : yield* threads.of(ref, id)
    })

  /** The message to reply to: by its id, at the mailbox that received it. */
  const answered = (reply: VendorReply) =>
    Effect.gen(function* () {
      const id = reply.references.at(-1)
      const mailbox = reply.from.address.toLowerCase()
      const found = (yield* threadWith(reply)).find(
        ({ isReply, messageId, to }) => isReply && id !== undefined && messageId === id && (to === "" || to === mailbox)
      )
      return found ?? (yield* http.failed("invalid", "the message that is answered is not there"))
    })

  return {
    // Never ask for copies.
    reply: (reply) =>
      Effect.gen(function* () {
        const { body, messageId, statsId, time } = yield* answered(reply)
        yield* http.change("POST", `/campaigns/${encodeURIComponent(reply.ref)}/reply-email-thread`, {
          email_stats_id: statsId,
          email_body: htmlOf(reply.text),
          reply_message_id: `<${messageId ?? ""}>`,
          reply_email_time: time,
          reply_email_body: body,
          to_email: reply.to,
          add_signature: false
        })
      }),
    findSent: (reply, askedAtMillis) =>
      Effect.gen(function* () {
        const words = wordsOf(reply.text)
        const thread = yield* threadWith(reply)
        const isIt = ({ atMillis, body, isReply, step }: Threaded) =>
          !isReply &&
          step === null &&
          atMillis >= askedAtMillis - OVERLAP_MILLIS &&
          wordsOf(textOfHtml(body)).includes(words)
        return yield* sentIf(http, thread.some(isIt), askedAtMillis)
      })
  }
}

const facts = {
  name: "smartlead",
  title: "Smartlead",
  baseUrl: "https://server.smartlead.ai/api/v1",
  callsPerMinute: 60,
  unit: "email",
  unitMicros: 0,
  serves: ["sending"],
  limits: [
    "Schedules messages itself: we create campaigns there and read the results back.",
    "Sells no mailboxes through us. Adopt those of its account with `outbound mailbox adopt`.",
    "We know the format of its message lists only from others' code. Test it once.",
    "Allows 1,000 calls an hour on smaller plans, so with many campaigns messages and replies are read later.",
    "Has no daily limit per campaign. We limit its mailboxes instead, so campaigns that share mailboxes may send less than the cap allows.",
    "Does not say whether a reply is automatic: our own rules decide.",
    "Has one block list per account, shared by all workspaces.",
    "Numbers its lead categories; `categories` maps them."
  ],
  known: "third_party"
} as const satisfies VendorFacts

const Anything = listAt(Schema.Unknown, "data", "email_accounts")

/** Sends campaigns from the mailboxes of an account. */
export const smartlead = defineVendor({
  ...facts,
  settings: SmartleadSettings,
  make: overHttp(facts, { authorize: (key) => ({ query: { api_key: key } }), classify }, ({ http, settings }) => {
    const threads = makeThreads(http)
    return {
      sources: {
        sending: {
          schedules: "vendor",
          name: facts.name,
          capacity: null,
          pushMax: PUSH_MAX,
          timezones: null,
          ...makeCampaigns(http, settings),
          ...makePeople(http, settings, threads),
          events: makeEvents(http, threads),
          ...makeAnswers(http, threads)
        }
      },
      account: Effect.as(http.get(Anything, "/email-accounts/", { offset: 0, limit: 1 }), { left: null, missing: [] })
    }
  })
})

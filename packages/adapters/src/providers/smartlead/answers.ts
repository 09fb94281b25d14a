import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { VendorReply, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Clock, Effect } from "effect"
import { htmlOf, textOfHtml, wordsOf } from "../sending/html.js"
import type { VendorHttp } from "../VendorHttp.js"
import type { Threaded, Threads } from "./threads.js"

/** Clocks differ: an answer may be listed with an earlier time than it was asked for. */
const OVERLAP_MILLIS = 60_000

/** For so long an answer that is not listed may still come to be. */
const LATE_MILLIS = 5 * 60_000

export const makeAnswers = (http: VendorHttp, threads: Threads): Pick<VendorScheduled, "reply" | "findSent"> => {
  const threadWith = ({ person, ref }: VendorReply): Effect.Effect<ReadonlyArray<Threaded>, ProviderFailure> =>
    Effect.gen(function* () {
      const id = person.ref ?? (yield* threads.idIn(ref, person.email))
      return id === null ? [] : yield* threads.of(ref, id)
    })

  /** The message that is answered: by its id, and at the mailbox that it came to. */
  const answered = (reply: VendorReply) =>
    Effect.gen(function* () {
      const id = reply.references.at(-1)
      const mailbox = reply.from.address.toLowerCase()
      const found = (yield* threadWith(reply)).find(
        ({ isReply, messageId, to }) => isReply && id !== undefined && messageId === id && (to === "" || to === mailbox)
      )
      return found ?? (yield* Effect.fail(http.failed("invalid", "the message that is answered is not there")))
    })

  return {
    // Nobody else gets it: copies are never asked for.
    reply: (reply) =>
      Effect.gen(function* () {
        const { body, messageId, statsId, time } = yield* answered(reply)
        yield* http.send({
          method: "POST",
          path: `/campaigns/${encodeURIComponent(reply.ref)}/reply-email-thread`,
          body: {
            email_stats_id: statsId,
            email_body: htmlOf(reply.text),
            reply_message_id: `<${messageId ?? ""}>`,
            reply_email_time: time,
            reply_email_body: body,
            to_email: reply.to,
            add_signature: false
          },
          hasEffect: true
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
        if (thread.some(isIt)) return "sent"
        // That it is not listed proves nothing.
        const isLate = (yield* Clock.currentTimeMillis) - askedAtMillis > LATE_MILLIS
        return isLate ? "unknowable" : yield* Effect.fail(http.failed("transient", "it is not listed yet"))
      })
  }
}

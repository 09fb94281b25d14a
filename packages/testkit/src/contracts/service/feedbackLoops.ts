import { assert } from "@effect/vitest"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import type { OutgoingMail } from "@outbound/domain/outreach/mail/MailTransport.js"
import { Effect, Layer } from "effect"
import { type Letter, PostOffice } from "../../mail/PostOffice.js"
import { describeStories } from "./describeStories.js"
import { readAndApply, stateOf, written } from "./mailReading.js"
import { type OwnService, type Team } from "./ownStories.js"
import { ok } from "./stories.js"

/** The message as a provider returns it. `hides`: what it takes out of it first. */
const returned = (mail: OutgoingMail, hides: ReadonlyArray<"id" | "mark" | "recipient" | "link"> = []): string => {
  const has = (name: (typeof hides)[number]) => !hides.includes(name)
  return [
    "Received: from mail.acme.test (203.0.113.7) by mx.receiver.test; Thu, 25 Mar 2027 09:00:05 +0000",
    `From: Jo Doe <${mail.from.address}>`,
    `To: ${has("recipient") ? mail.to.address : "undisclosed recipient"}`,
    `Subject: ${mail.subject}`,
    ...(has("id") ? [`Message-ID: <${mail.messageId}>`] : ["Message-ID: <0102018f-aaaa@relay.example>"]),
    ...(has("mark") && mail.mark !== null ? [`${mail.mark.header}: ${mail.mark.value}`] : []),
    ...(has("link") ? [`List-Unsubscribe: <${mail.unsubscribeUrl}>`] : []),
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    has("link") ? mail.text : "Hello"
  ].join("\r\n")
}

/** Yahoo's form: RFC 5965, from one address for all of its domains, to the address that was enrolled for the DKIM domain. */
const yahoos = (mail: OutgoingMail, hides?: Parameters<typeof returned>[1]): Letter => ({
  from: "Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.yahoo.com>",
  subject: `FW:${mail.subject}`,
  text: "This is an email abuse report for an email message received from acme.test.",
  report: {
    type: "feedback-report",
    parts: [
      {
        type: "message/feedback-report",
        text: [
          "Feedback-Type: abuse",
          "User-Agent: Yahoo!-Mail-Feedback/2.0",
          "Version: 0.1",
          `Original-Mail-From: <${mail.from.address}>`,
          ...(hides?.includes("recipient") === true ? [] : [`Original-Rcpt-To: ${mail.to.address}`]),
          "Received-Date: Thu, 25 Mar 2027 09:00:05 +0000",
          "Reported-Domain: acme.test",
          "Authentication-Results: atlas.mail.yahoo.com; dkim=pass header.i=@acme.test; spf=pass; dmarc=pass"
        ].join("\r\n")
      },
      { type: "message/rfc822", text: returned(mail, hides) }
    ]
  }
})

/** Microsoft's form: no report by its type, the message as an attachment, with a field for whose it was. */
const microsofts = (mail: OutgoingMail, hides?: Parameters<typeof returned>[1]): Letter => ({
  from: "staff@hotmail.com",
  subject: "complaint about message from 203.0.113.7",
  text: "",
  report: {
    type: "mixed",
    parts: [
      {
        type: "message/rfc822",
        text: `${hides?.includes("recipient") === true ? "" : `X-HmXmrOriginalRecipient: ${mail.to.address}\r\n`}${returned(mail, hides)}`
      }
    ]
  }
})

const FORMS = { Yahoo: yahoos, Microsoft: microsofts } as const

const complaintsOf = ({ client }: Team) =>
  Effect.map(client.call("get_sending_health"), (answer) =>
    (ok(answer).result.domains as ReadonlyArray<{ receivers: ReadonlyArray<{ complained: number }> }>)
      .flatMap(({ receivers }) => receivers)
      .reduce((sum, { complained }) => sum + complained, 0)
  )

/** What complaints by the feedback loops of Yahoo and Microsoft do, whatever they redact. */
export const feedbackLoopContract = <E>(
  name: string,
  service: Layer.Layer<OwnService, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeStories(Layer.provideMerge(post, service))(`feedback loops (${name})`, (it) => {
    for (const [provider, form] of Object.entries(FORMS)) {
      it.effect(
        `a complaint in ${provider}'s form suppresses its person and counts, also where the recipient, our id or our mark is redacted`,
        () =>
          Effect.gen(function* () {
            const office = yield* PostOffice
            const { address, campaign_id, mails, of } = yield* written(5)
            const [whole, noRecipient, noMark, linkAlone, quiet] = mails
            yield* office.deliver(address, form(whole!))
            yield* office.deliver(address, form(noRecipient!, ["recipient"]))
            yield* office.deliver(address, form(noMark!, ["recipient", "mark"]))
            yield* office.deliver(address, form(linkAlone!, ["recipient", "mark", "id"]))
            yield* readAndApply
            const states = yield* Effect.forEach(mails, (mail) => stateOf(of, campaign_id, mail.to.address))
            assert.deepStrictEqual(states, ["unsubscribed", "unsubscribed", "unsubscribed", "unsubscribed", "active"])
            assert.strictEqual(yield* complaintsOf(of), 4)
            // A report that shows nothing of ours is left alone.
            yield* office.deliver(address, form(quiet!, ["recipient", "mark", "id", "link"]))
            yield* readAndApply
            assert.strictEqual(yield* stateOf(of, campaign_id, quiet!.to.address), "active")
          }).pipe(Effect.orDie)
      )
    }
  })
}

import { assert, describe, it } from "@effect/vitest"
import { DEFAULT_CAPS } from "../../../src/kernel/workspaces/WorkspaceStore.js"
import { replyDraftTo, SUBJECT_CHARS_MAX } from "../../../src/outreach/replies/outgoingReply.js"
import { capReached, obstacle, type ReplyContext, wouldExceed } from "../../../src/outreach/replies/sendReply.js"
import type { Reply } from "../../../src/outreach/replies/ReplyStore.js"
import type { SentReply } from "../../../src/outreach/replies/SentReplyStore.js"

const reply: Reply = {
  workspaceId: "w",
  replyId: "r",
  campaignId: "c",
  campaignLeadId: "l",
  threadId: "l",
  fromEmail: " Jo.Doe@Customer.TEST ",
  toEmail: "ada@acme-mail.test",
  subject: "Re: A question",
  snippet: "Yes",
  bodyText: "Yes",
  bodyHtml: null,
  bodyTruncated: false,
  classification: "interested",
  messageId: "theirs@customer.test",
  inReplyTo: "ours@acme-mail.test",
  receivedAtMillis: 0
}

const subjectOf = (subject: string): string | undefined => replyDraftTo({ ...reply, subject })?.subject

describe("an answer", () => {
  it("goes to the writer, from the mailbox that got it, in its thread", () => {
    assert.deepStrictEqual(replyDraftTo(reply), {
      toEmail: "jo.doe@customer.test",
      fromEmail: "ada@acme-mail.test",
      subject: "Re: A question",
      references: ["ours@acme-mail.test", "theirs@customer.test"]
    })
    assert.deepStrictEqual(replyDraftTo({ ...reply, messageId: null })?.references, ["ours@acme-mail.test"])
  })

  it("carries one Re: on one line of a bounded subject, whatever the other side wrote", () => {
    for (const written of ["Hello", "RE : Hello", "Re: RE: Hello", "AW: Re[2]: Hello", "SV：Hello"]) {
      assert.strictEqual(subjectOf(written), "Re: Hello")
    }
    assert.strictEqual(subjectOf("Hello"), "Re: Hello")
    assert.strictEqual(subjectOf(""), "Re:")
    assert.strictEqual(subjectOf("Hi\r\nBcc: everybody@x.test"), "Re: Hi Bcc: everybody@x.test")
    assert.isAtMost(subjectOf("😀".repeat(10_000))?.length ?? Infinity, SUBJECT_CHARS_MAX + 4)
    assert.notMatch(subjectOf(`a${"😀".repeat(10_000)}`) ?? "", /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
  })

  it("there is none to a bounce, to nobody, from nowhere, or to what was erased", () => {
    for (const without of [
      { classification: "bounce" },
      { fromEmail: "" },
      { fromEmail: "a@x.test\r\nBcc: b@x.test" },
      { fromEmail: "Jo <jo@customer.test>" },
      { toEmail: null }
    ] as const satisfies ReadonlyArray<Partial<Reply>>) {
      assert.isNull(replyDraftTo({ ...reply, ...without }), JSON.stringify(without))
    }
  })
})

describe("the caps of a day", () => {
  const at = (workspace: number, mailbox: number, nowMillis = 0) =>
    capReached({ workspace, mailbox }, DEFAULT_CAPS, nowMillis)

  it("let exactly so many through, of the workspace first", () => {
    assert.isNull(at(99, 19))
    assert.deepInclude(at(100, 19)?.details, { limit: "workspace_daily_replies" })
    assert.deepInclude(at(99, 20)?.details, { limit: "mailbox_daily_replies" })
    assert.deepInclude(at(100, 20)?.details, { limit: "workspace_daily_replies" })
  })

  it("say how long it is to the next midnight, UTC", () => {
    const waits = (nowMillis: number) => at(100, 0, nowMillis)?.details
    assert.deepInclude(waits(Date.UTC(2026, 0, 2)), { retry_after_seconds: 86_400 })
    assert.deepInclude(waits(Date.UTC(2026, 0, 2, 23, 59, 59, 1)), { retry_after_seconds: 1 })
  })
})

describe("what speaks against an answer", () => {
  const sent = { sentReplyId: "s", state: "sent" } as SentReply
  const clear: ReplyContext = {
    reply,
    lead: {
      campaignLeadId: "l",
      addressHash: "h",
      email: "jo.doe@customer.test",
      state: "replied"
    } as ReplyContext["lead"],
    sending: { suspendedAtMillis: null, suspendedReason: null } as ReplyContext["sending"],
    enabled: true,
    standing: null,
    answer: replyDraftTo(reply),
    mailbox: { mailboxId: "m" } as ReplyContext["mailbox"],
    suppressed: null,
    caps: DEFAULT_CAPS
  }
  const none = { workspace: 0, mailbox: 0 }
  const suspended = { suspendedAtMillis: 0, suspendedReason: "enough" } as ReplyContext["sending"]

  it("is each by itself, and the first of several is what a call is refused for", () => {
    const cases: ReadonlyArray<readonly [Partial<ReplyContext>, string, object]> = [
      [{ enabled: false }, "reply_send_disabled", {}],
      [{ standing: sent }, "reply_already_sent", { sent_reply_id: "s" }],
      [{ standing: { ...sent, state: "pending" } }, "reply_intent_pending", {}],
      [{ standing: { ...sent, state: "unknown" } }, "reply_intent_pending", {}],
      [{ suppressed: "opted_out" }, "suppressed_recipient", { suppressed_reason: "opted_out" }],
      // Without a text to answer nobody asks for its mailbox.
      [{ answer: null, mailbox: null }, "reply_content_unavailable", {}],
      [{ mailbox: null }, "mailbox_unavailable", {}]
    ]
    assert.isNull(obstacle(clear))
    assert.deepStrictEqual(wouldExceed(clear, none, 0), [])
    for (const [against, code, details] of cases) {
      const context = { ...clear, ...against }
      assert.strictEqual(obstacle(context)?.code, code)
      assert.deepInclude(obstacle(context)?.details ?? {}, details)
      assert.deepStrictEqual(wouldExceed(context, none, 0), [code])
    }
  })

  it("is all said by a dry run: the suspension first, the day's caps last", () => {
    const context = { ...clear, sending: suspended, enabled: false, standing: sent, mailbox: null }
    assert.deepStrictEqual(wouldExceed(context, { workspace: 100, mailbox: 0 }, 0), [
      "agent_suspended",
      "reply_send_disabled",
      "reply_already_sent",
      "mailbox_unavailable",
      "rate_limited"
    ])
  })
})

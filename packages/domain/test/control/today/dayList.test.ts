import { assert, describe, it } from "@effect/vitest"
import { DAY_MILLIS, HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { dayListOf } from "@outbound/domain/control/today/dayList.js"
import { type Handling, NOT_HANDLED, type Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"

const NOW = Date.UTC(2026, 5, 1, 12)

const request = (approvalId: string, expiresAtMillis: number) => ({ of: { approval: { approvalId, expiresAtMillis } } })

const answer = (replyId: string, bodyText: string, receivedAtMillis: number, handling: Partial<Handling> = {}) => {
  const reply: Reply = {
    workspaceId: "w",
    replyId,
    campaignId: "c",
    campaignLeadId: "l",
    threadId: null,
    fromEmail: "ann@x.test",
    toEmail: null,
    subject: "Re: Hello",
    snippet: bodyText,
    bodyText,
    bodyHtml: null,
    bodyTruncated: false,
    classification: "other",
    messageId: null,
    inReplyTo: null,
    receivedAtMillis
  }
  return { reply, handling: { ...NOT_HANDLED, ...handling } }
}

describe("the list of the day", () => {
  it("mixes what waits by its deadline: a request until it lapses, a reply for a day", () => {
    const items = dayListOf(
      [request("late", NOW + 30 * HOUR_MILLIS), request("soon", NOW + HOUR_MILLIS)],
      [
        answer("today", "How much is it for ten people?", NOW - 20 * HOUR_MILLIS),
        answer("overdue", "What does it cost?", NOW - 30 * HOUR_MILLIS)
      ],
      NOW
    )
    assert.deepStrictEqual(
      items.map((item) => (item.kind === "approval" ? item.of.of.approval.approvalId : item.of.reply.replyId)),
      ["overdue", "soon", "today", "late"]
    )
    assert.strictEqual(items[0]?.dueMillis, NOW - 30 * HOUR_MILLIS + DAY_MILLIS)
  })

  it("leaves out what asks for nothing, what is for later, and what was handled", () => {
    const items = dayListOf(
      [],
      [
        answer("refusal", "Not interested, thank you.", NOW),
        answer("later", "Please ask me again in October.", NOW),
        answer("done", "What does it cost?", NOW, { handledAtMillis: NOW }),
        answer("open", "What does it cost?", NOW)
      ],
      NOW
    )
    assert.deepStrictEqual(
      items.flatMap((item) => (item.kind === "reply" ? [item.of.reply.replyId] : [])),
      ["open"]
    )
  })

  it("shows somebody whom a reply names once, as a person to decide on", () => {
    const items = dayListOf(
      [],
      [answer("named", "Please write to bob@x.test instead.", NOW, { referral: "open" })],
      NOW
    )
    assert.deepStrictEqual(
      items.map(({ kind }) => kind),
      ["referral"]
    )
  })
})

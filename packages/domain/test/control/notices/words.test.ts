import { assert, describe, it } from "@effect/vitest"
import { quoted } from "../../../src/control/alerts/foreignWords.js"
import { chatMessage, noticeLetter, noticeWords } from "../../../src/control/notices/noticeWords.js"
import { remindAtMillis } from "../../../src/calls/approvals/Approvals.js"
import type { ClaimedNotice } from "../../../src/calls/approvals/notices/NoticeStore.js"
import type { Approval } from "../../../src/calls/approvals/ApprovalStore.js"
import { credits } from "../../../src/kernel/money/Credits.js"

const HOUR = 60 * 60_000
const BASE = "https://outbound.test"

const HOSTILE = "<!channel> *pay* <https://evil.example|Approve> & [here](https://evil.example)\u202e\nAsks: nothing"

const snapshot: Approval["snapshot"] = {
  kind: "launch",
  campaign_id: "0197c3a0-0000-7000-8000-00000000000c",
  campaign_name: HOSTILE,
  leads: 40,
  leads_removed: 0,
  recipients: [{ email: "a@x.test", name: "Ann", company_name: null }],
  mailboxes: ["ada@acme-mail.test"],
  steps: [{ subject: "Hello", body: "Hi", wait_days: 0 }],
  schedule: { timezone: "Europe/Berlin", days: ["mon"], start_hour: 9, end_hour: 17 },
  daily_send_limit: 25,
  postal_address: "1 Main Street",
  credits: credits("0")
}

const approval: Approval = {
  approvalId: "0197c3a0-0000-7000-8000-0000000000aa",
  workspaceId: "0197c3a0-0000-7000-8000-000000000001",
  keyId: "0197c3a0-0000-7000-8000-000000000002",
  verb: "launch_campaign",
  state: "pending",
  target: "campaign:c",
  baseFingerprint: "f",
  binding: "",
  tokenHash: "t",
  snapshot,
  snapshotDigest: "d",
  requestId: "0197c3a0-0000-7000-8000-000000000003",
  createdAtMillis: 0,
  expiresAtMillis: Date.UTC(2026, 2, 11, 12),
  decidedAtMillis: null,
  decidedByUserId: null,
  decidedBySession: null,
  approvesWinnerRule: false,
  declineReason: null,
  approversNeeded: 1,
  excludedUserId: null,
  askedByUserId: null,
  usedByIdempotencyKey: null
}

const notice = (given: Partial<Approval["snapshot"]> = {}): ClaimedNotice => ({
  workspaceId: approval.workspaceId,
  approvalId: approval.approvalId,
  kind: "asked",
  recipient: "slack",
  claimId: "0197c3a0-0000-7000-8000-000000000004",
  channel: "slack",
  attempts: 1,
  address: "sealed",
  of: {
    approval: { ...approval, snapshot: { ...snapshot, ...given } as Approval["snapshot"] },
    keyName: "Agent",
    askedByEmail: null,
    decidedByEmail: null
  },
  workspaceName: "Acme",
  workspaceKind: "live"
})

describe("what a notice says", () => {
  it("names what is asked, what it costs, how many it reaches, until when, and where to decide", () => {
    const letter = noticeLetter(
      noticeWords(notice({ campaign_name: "Spring" }), { baseUrl: BASE }),
      "ada@acme.test",
      BASE
    )
    assert.strictEqual(letter.subject, "An approval waits: Launch the campaign “Spring”")
    for (const line of [
      "Asks: Launch the campaign “Spring”",
      "Costs: nothing",
      "Reaches: 40 people, at most 1 message each",
      "Decide until: 2026-03-11 12:00 UTC",
      "Asked by: the key “Agent”",
      `${BASE}/console/approvals/${approval.approvalId}`
    ]) {
      assert.include(letter.text.split("\n"), line)
    }
    assert.notInclude(letter.text, "a@x.test")
    assert.notInclude(letter.text, "Ann")
  })

  it("names of others stay on their line, are short, make no link, and hide no character", () => {
    const name = quoted(HOSTILE)
    assert.notMatch(name, /\n|:\/\/|evil\.example|\u202e/u)
    assert.include(quoted("a\u202eb"), "[U+202E]")
    assert.isAtMost([...quoted("x".repeat(500))].length, 82)
    assert.strictEqual(quoted("Version 2.1, Mr. Smith"), "“Version 2.1, Mr. Smith”")
  })

  it("makes no mention, link or markup of them in Slack", () => {
    const body = JSON.parse(chatMessage("slack", noticeWords(notice(), { baseUrl: BASE })))
    assert.notMatch(body.text, /[<>]/)
    assert.include(body.text, "&lt;!channel&gt;")
    assert.notMatch(body.text, /&(?!amp;|lt;|gt;)/)
    assert.isFalse(body.mrkdwn)
    assert.strictEqual(body.text.match(/https:\/\//g)?.length, 1)
  })

  it("puts them into Teams as text that is never read as Markdown", () => {
    const body = JSON.parse(chatMessage("teams", noticeWords(notice(), { baseUrl: BASE })))
    const { actions, body: blocks } = body.attachments[0].content
    assert.deepStrictEqual([...new Set(blocks.map(({ type }: { readonly type: string }) => type))], ["RichTextBlock"])
    assert.deepStrictEqual(
      actions.map(({ url }: { readonly url: string }) => url),
      [`${BASE}/console/approvals/${approval.approvalId}`]
    )
    assert.notInclude(JSON.stringify(blocks), "https://")
  })

  it("reminds two hours before the end of a day, and five minutes before that of a quarter of an hour", () => {
    assert.strictEqual(remindAtMillis(0, 24 * HOUR), 22 * HOUR)
    assert.strictEqual(remindAtMillis(0, HOUR / 4), HOUR / 6)
  })
})

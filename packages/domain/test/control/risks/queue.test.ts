import { assert, describe, it } from "@effect/vitest"
import type { ApprovalSnapshot } from "../../../src/calls/approvals/Snapshot.js"
import { isSmall, queueOf, SMALL_LEADS_MAX } from "../../../src/control/risks/queue.js"
import { credits, zero } from "../../../src/kernel/money/Credits.js"

const reply: ApprovalSnapshot = {
  kind: "reply",
  reply_id: "r",
  to_email: "a@x.test",
  from_email: "b@x.test",
  subject: "S",
  body_text: "B",
  answers: { from_email: "a@x.test", subject: "S", received_at: "", text: "T", truncated: false }
}

const launch = (leads: number, overlapping = 0): ApprovalSnapshot => ({
  kind: "launch",
  campaign_id: "c",
  campaign_name: "C",
  leads,
  leads_removed: 0,
  recipients: [],
  mailboxes: [],
  steps: [],
  schedule: { timezone: "UTC", days: [], start_hour: 9, end_hour: 17 },
  daily_send_limit: 5,
  postal_address: "P",
  credits: zero,
  content: {
    digest: "",
    variables: [],
    hosts: [],
    hosts_total: 0,
    looks: {},
    is_complete: true,
    overlapping_people: overlapping
  }
})

const purchase: ApprovalSnapshot = {
  kind: "purchase",
  brand: "b",
  identity: { first_name: "A", last_name: "L" },
  daily_sends: 1,
  domains: [],
  setup_credits: credits("1"),
  upkeep_credits_per_month: zero
}

describe("requests that are decided one after another", () => {
  it("are replies and launches to a few people", () => {
    assert.deepStrictEqual([reply, launch(SMALL_LEADS_MAX), launch(SMALL_LEADS_MAX + 1), purchase].map(isSmall), [
      true,
      true,
      false,
      false
    ])
  })

  it("come with what weighs most first, and of the same weight with what ends first", () => {
    const waiting = (approvalId: string, snapshot: ApprovalSnapshot, expiresAtMillis: number) => ({
      approval: { approvalId, snapshot, expiresAtMillis }
    })
    const order = queueOf(
      [
        waiting("late", reply, 30),
        waiting("b", reply, 20),
        waiting("a", reply, 20),
        waiting("large", launch(1_000, 3), 1),
        waiting("risky", launch(5, 3), 99)
      ],
      { forecast: null, available: null, overlap: "refuse" }
    )
    assert.deepStrictEqual(
      order.map(({ approval }) => approval.approvalId),
      ["risky", "a", "b", "late"]
    )
  })
})

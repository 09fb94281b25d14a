import { assert, describe, it } from "@effect/vitest"
import { chooseClaims, type ClaimCandidate, historyOf } from "../../../src/outreach/sending/chooseClaims.js"
import { type SendFacts, windowFor } from "../../../src/outreach/sending/sendRule.js"
import { barredBy } from "../../../src/outreach/suppression/SuppressionStore.js"

const NOW = Date.UTC(2026, 2, 10, 12)

const candidate = (
  person: string,
  given: { readonly facts?: Partial<SendFacts>; readonly lead?: Partial<ClaimCandidate["lead"]> } = {}
): ClaimCandidate => ({
  lead: { workspaceId: "w", campaignId: "c", addressHash: person, mailboxId: "b", ...given.lead },
  company: "corp.example",
  facts: {
    nowMillis: NOW,
    lead: { state: "ready", stepsSent: 0, nextAtMillis: NOW },
    steps: 1,
    approval: "used",
    campaign: "active",
    window: null,
    isSuspended: false,
    mailbox: { state: "active", restsUntilMillis: null },
    isBound: true,
    messages: [],
    elsewhere: [],
    bars: { sources: [], isContacted: false, keptOut: null },
    isCrmUnread: false,
    overlap: "refuse",
    company: null,
    hasWritten: false,
    left: { workspace: 100, mailbox: 100, domain: null, receiver: null },
    ...given.facts
  }
})

const chosen = (candidates: ReadonlyArray<ClaimCandidate>, limit = 100) =>
  chooseClaims(candidates, limit).map(({ lead }) => lead.addressHash)

describe("claims of one look", () => {
  it("takes who may be written to, in order, and no more than asked for", () => {
    const all = [candidate("a"), candidate("b", { facts: { hasWritten: true } }), candidate("c"), candidate("d")]
    assert.deepStrictEqual(chosen(all), ["a", "c", "d"])
    assert.deepStrictEqual(chosen(all, 2), ["a", "c"])
    assert.deepStrictEqual(chosen(all, 0), [])
  })

  it("counts each claim for the workspace's and the mailbox's day", () => {
    const left = { workspace: 3, mailbox: 2, domain: null, receiver: null }
    const of = (person: string, mailboxId: string) => candidate(person, { facts: { left }, lead: { mailboxId } })
    const all = [of("a", "1"), of("b", "1"), of("c", "1"), of("d", "2"), of("e", "2")]
    assert.deepStrictEqual(chosen(all), ["a", "b", "d"])
    const elsewhere = candidate("f", { facts: { left }, lead: { workspaceId: "other", mailboxId: "1" } })
    assert.deepStrictEqual(chosen([...all, elsewhere]), ["a", "b", "d", "f"])
  })

  it("counts each claim for its company's day, of the same campaign", () => {
    const company = { isStopped: false, hasWritten: false, left: 1 }
    const of = (person: string, campaignId: string) => candidate(person, { facts: { company }, lead: { campaignId } })
    assert.deepStrictEqual(chosen([of("a", "1"), of("b", "1"), of("c", "2")]), ["a", "c"])
    const unbounded = { company: { ...company, left: null } }
    assert.deepStrictEqual(chosen(["a", "b"].map((person) => candidate(person, { facts: unbounded }))), ["a", "b"])
  })

  it("claims a person once, of whichever campaign is first", () => {
    const of = (campaignId: string) => candidate("a", { lead: { campaignId } })
    assert.deepStrictEqual(
      chooseClaims([of("1"), of("2")], 9).map(({ lead }) => lead.campaignId),
      ["1"]
    )
  })
})

describe("what a claim is decided by", () => {
  it("a message follows those that left, and only tries of its own step that sent nothing count", () => {
    const message = (state: "sent" | "failed" | "unknown", stepIndex: number) =>
      ({ messageId: `${state} ${stepIndex}`, state, stepIndex, variant: null }) as const
    const messages = [message("failed", 0), message("sent", 0), message("failed", 1), message("unknown", 1)]
    assert.deepStrictEqual(historyOf(messages, 1), {
      thread: [{ messageId: "sent 0", variant: null }],
      failedTries: 1
    })
  })

  it("a person's own hours decide, and nobody is written to while they are not known", () => {
    const [own, theirs] = [
      { opensAtMillis: 1, closesAtMillis: 2 },
      { opensAtMillis: 3, closesAtMillis: 4 }
    ]
    assert.deepStrictEqual(windowFor(own, null, null), own)
    assert.deepStrictEqual(windowFor(own, "Asia/Tokyo", theirs), theirs)
    assert.deepStrictEqual(windowFor(own, "Asia/Tokyo", null), { opensAtMillis: 0, closesAtMillis: 0 })
    assert.isNull(windowFor(null, "Asia/Tokyo", theirs))
  })

  it("a person's own opt-out counts first, then their owner's, another campaign's message, and the CRM", () => {
    const all = { sources: ["owner_import", "reply"], isContacted: true, keptOut: "crm_customer" } as const
    assert.strictEqual(barredBy(all, false), "opted_out")
    assert.strictEqual(barredBy({ ...all, sources: ["owner_import"] }, false), "platform_blocked")
    assert.strictEqual(barredBy({ ...all, sources: [] }, false), "capped")
    assert.strictEqual(barredBy({ ...all, sources: [] }, true), "crm_customer")
    assert.isNull(barredBy({ sources: [], isContacted: true, keptOut: null }, true))
  })
})

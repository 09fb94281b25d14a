import { assert, describe, it } from "@effect/vitest"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { approversNeeded, countVote, ONE_PERSON, wantedNow } from "@outbound/domain/calls/approvals/approvers.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"

const two = { needed: 2, excludedUserId: null }
const vote = (userId: string, email: string, isMember = true) => ({ userId, email, isMember })

describe("a request that two people must approve", () => {
  it("is not approved by one person with two accounts, however their address is spelled", () => {
    for (const email of ["Ann@Acme.test", '"ann"@acme.test', "ann@acme.test"]) {
      const result = countVote(two, [vote("first", email)], { userId: "second", email: "ann@acme.test" })
      assert.strictEqual(result, "same_person", email)
    }
  })

  it("is not approved twice by one account whose address has changed, nor is what can't be read one person", () => {
    const vote1 = [vote("first", "ann@old.test")]
    assert.strictEqual(countVote(two, vote1, { userId: "first", email: "ann@new.test" }), "same_person")
    const unread = [vote("first", "not one")]
    assert.strictEqual(countVote(two, unread, { userId: "second", email: "nor this" }), "approved")
    assert.strictEqual(countVote(two, unread, { userId: "second", email: "not one" }), "same_person")
  })

  it("is never approved by who may not, and a vote of theirs from before does not count", () => {
    const wanted = { needed: 2, excludedUserId: "first" }
    const [ann, bob] = [
      { userId: "first", email: "ann@acme.test" },
      { userId: "second", email: "bob@acme.test" }
    ]
    assert.strictEqual(countVote({ ...wanted, needed: 1 }, [], ann), "excluded")
    assert.strictEqual(countVote(wanted, [vote("first", "ann@acme.test")], bob), "counted")
    assert.strictEqual(countVote(wanted, [vote("third", "cyd@acme.test")], bob), "approved")
  })

  it("is approved by another person", () => {
    const by = { userId: "second", email: "bob@acme.test" }
    assert.strictEqual(countVote(two, [vote("first", "ann@acme.test")], by), "approved")
    assert.strictEqual(countVote(two, [], by), "counted")
    assert.strictEqual(countVote(two, [vote("first", "ann@acme.test", false)], by), "counted")
  })
})

describe("what an approval still wants", () => {
  const snapshot = { kind: "launch", leads: 5 } as ApprovalSnapshot
  const asked = { approversNeeded: 1, excludedUserId: null, snapshot }
  const strict = { ...ONE_PERSON, recipientsAbove: 4, excludesKeyOwner: true }

  it("is the stricter of the rules when it was asked for and of those now", () => {
    assert.deepStrictEqual(wantedNow(asked, ONE_PERSON, "owner"), { needed: 1, excludedUserId: null })
    assert.deepStrictEqual(wantedNow(asked, strict, "owner"), { needed: 2, excludedUserId: "owner" })
    const then = { ...asked, approversNeeded: 2, excludedUserId: "who asked" }
    assert.deepStrictEqual(wantedNow(then, ONE_PERSON, "owner"), { needed: 2, excludedUserId: "who asked" })
    assert.deepStrictEqual(wantedNow(then, strict, "owner"), { needed: 2, excludedUserId: "who asked" })
    assert.deepStrictEqual(wantedNow(asked, strict, null), { needed: 2, excludedUserId: null })
  })

  it("is one person at the limit itself, and for an answer", () => {
    const needed = (limit: number, of: object) =>
      approversNeeded(
        { ...ONE_PERSON, recipientsAbove: limit, creditsAbove: credits(String(limit)) },
        of as ApprovalSnapshot
      )
    assert.deepStrictEqual([needed(5, snapshot), needed(4, snapshot)], [1, 2])
    const purchase = { kind: "purchase", setup_credits: credits("5") }
    assert.deepStrictEqual([needed(5, purchase), needed(4, purchase)], [1, 2])
    const added = { kind: "add_leads", leads: 1, campaign_lead_total: 5 }
    assert.deepStrictEqual([needed(5, added), needed(4, added)], [1, 2])
    assert.strictEqual(needed(0, { kind: "reply" }), 1)
  })
})

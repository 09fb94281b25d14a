import { assert, describe, it } from "@effect/vitest"
import { countVote } from "@outbound/domain/calls/approvals/approvers.js"

const two = { needed: 2, excludedUserId: null }
const vote = (userId: string, email: string, isMember = true) => ({ userId, email, isMember })

describe("a request that two people must approve", () => {
  it("is not approved by one person with two accounts, however their address is spelled", () => {
    for (const email of ["Ann@Acme.test", '"ann"@acme.test', "ann@acme.test"]) {
      const result = countVote(two, [vote("first", email)], { userId: "second", email: "ann@acme.test" })
      assert.strictEqual(result, "same_person", email)
    }
  })

  it("is approved by another person", () => {
    const by = { userId: "second", email: "bob@acme.test" }
    assert.strictEqual(countVote(two, [vote("first", "ann@acme.test")], by), "approved")
    assert.strictEqual(countVote(two, [], by), "counted")
    assert.strictEqual(countVote(two, [vote("first", "ann@acme.test", false)], by), "counted")
  })
})

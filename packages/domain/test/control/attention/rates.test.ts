import { assert, it } from "@effect/vitest"
import type { ListedAttention } from "../../../src/control/attention/AttentionStore.js"
import { ratesOf } from "../../../src/control/attention/rates.js"

const PLAN: ListedAttention["plan"] = {
  workspaceId: "w",
  approvalId: "a",
  userId: "u",
  snapshotDigest: "d",
  seed: "s",
  people: 100,
  drawnAtMillis: 0,
  items: [
    { kind: "risky", shownId: "1" },
    { kind: "random", shownId: "2" },
    { kind: "random", shownId: "3" },
    { kind: "planted", fault: "null", variable: "first_name", text: "null", borrowed: "9" },
    { kind: "planted", fault: "missing", variable: "first_name", text: "#N/A", borrowed: "9" }
  ]
}

/** What they said of each position: wrong, right, or nothing. */
const attended = (email: string, said: ReadonlyArray<boolean | null>): ListedAttention => ({
  email,
  plan: PLAN,
  looks: said.flatMap((isWrong, position) => (isWrong === null ? [] : [{ position, isWrong, atMillis: 0 }]))
})

it("an approver's rate counts each message looked at once, over all of their requests, and planted ones apart", () => {
  assert.deepStrictEqual(
    ratesOf([
      attended("bea@x.test", [true, false, false, true, true]),
      attended("ann@x.test", [null, null, null, false, null]),
      attended("bea@x.test", [false, true, null, false, true])
    ]),
    [
      { email: "ann@x.test", requests: 1, looked: 0, wrong: 0, planted: 1, caught: 0 },
      { email: "bea@x.test", requests: 2, looked: 5, wrong: 2, planted: 4, caught: 3 }
    ]
  )
  assert.deepStrictEqual(ratesOf([]), [])
})

it("approvers are in the order of their addresses, in whatever order their requests come", () => {
  const all = ["cy@x.test", "ann@x.test", "bea@x.test"].map((email) => attended(email, [true]))
  for (const given of [all, all.toReversed()]) {
    assert.deepStrictEqual(
      ratesOf(given).map(({ email }) => email),
      ["ann@x.test", "bea@x.test", "cy@x.test"]
    )
  }
})

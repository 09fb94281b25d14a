import { assert, describe, it } from "@effect/vitest"
import { approvalsModel, describeTrace, SMALL } from "../../src/models/approvals/Approvals.js"
import { FAULTS, type Fault } from "../../src/models/approvals/protocol.js"
import { type Bounds, decoderOf, encoderOf, initialOf, type State, widthOf } from "../../src/models/approvals/State.js"
import { explore } from "../../src/models/explore.js"
import { StateTable } from "../../src/models/StateTable.js"

const TWO_APPROVALS: Bounds = { ...SMALL, hosts: 1, approvals: 2, failuresMax: 1 }
const WITH_PURCHASE: Bounds = { ...SMALL, hosts: 1, hasPurchase: true }

/** Each planted mistake, in the smallest world that shows it, and the guarantee that it breaks. */
const FOUND: Readonly<Record<Fault, readonly [Bounds, string]>> = {
  confirm_trusts_its_first_look: [TWO_APPROVALS, "a superseded approval never executes"],
  expiry_is_not_checked: [SMALL, "an expired approval never executes"],
  newer_does_not_supersede: [TWO_APPROVALS, "a superseded approval never executes"],
  kill_spares_approvals: [SMALL, "an approval from before a kill never executes"],
  kill_spares_campaigns: [SMALL, "a killed campaign never sends again"],
  kill_stops_nothing: [SMALL, "nothing is claimed while sending is suspended"],
  killed_campaign_relaunches: [TWO_APPROVALS, "a killed campaign never sends again"],
  recipients_are_not_bound: [{ ...SMALL, people: 2, hosts: 1 }, "nothing is sent to a person who was not shown"],
  mailboxes_are_not_bound: [
    WITH_PURCHASE,
    "nothing is sent from a mailbox that was neither shown nor added by an owner"
  ],
  new_mailbox_joins_campaigns: [
    WITH_PURCHASE,
    "nothing is sent from a mailbox that was neither shown nor added by an owner"
  ],
  one_approver_is_enough: [{ ...SMALL, approversNeeded: 2 }, "nothing executes without enough people's approval"],
  suppression_is_forgotten: [SMALL, "nothing is claimed for a suppressed person"],
  unknown_counts_as_unsent: [{ ...SMALL, failuresMax: 1 }, "no message is sent twice"],
  old_claim_is_handed_over: [SMALL, "nothing leaves after a kill confirmed that nothing does"],
  late_host_settles: [WITH_PURCHASE, "what is reserved is held by one call, and released once"],
  declined_can_be_approved: [SMALL, "a declined approval never executes"]
}

const STATES_MAX = 400_000

describe("the model of approvals and claims", () => {
  it("breaks no guarantee in any state of a small world, and every action of it happens", () => {
    const found = explore(approvalsModel({ bounds: SMALL, fault: null }), STATES_MAX)
    assert.isNull(found.violation, found.violation === null ? "" : describeTrace(found.violation.trace))
    assert.isTrue(found.isComplete)
    assert.isAbove(found.states, 10_000)
    for (const name of ["execute", "hand_over", "claim_lost", "found_sent", "host_late", "kill_answers"]) {
      assert.isTrue(found.taken.has(name), name)
    }
  })

  for (const fault of FAULTS) {
    it(`finds the planted mistake "${fault}"`, () => {
      const [bounds, broken] = FOUND[fault]
      const { violation } = explore(approvalsModel({ bounds, fault }), STATES_MAX)
      assert.strictEqual(violation?.broken, broken)
      assert.strictEqual(violation?.trace[0]?.action.name.startsWith("ask_"), true, "the trace begins at the beginning")
    })
  }

  it("the trace of a violation is a shortest one", () => {
    const { violation } = explore(approvalsModel({ bounds: SMALL, fault: "declined_can_be_approved" }), STATES_MAX)
    assert.deepStrictEqual(
      violation?.trace.map(({ action }) => action.name),
      ["ask_launch", "decline", "approve", "confirm", "execute"]
    )
  })

  it("encodes states so that only names get lost", () => {
    const bounds: Bounds = { ...SMALL, people: 2, approvals: 2, hasPurchase: true }
    const model = approvalsModel({ bounds, fault: null })
    const [once, again] = [new Uint8Array(widthOf(bounds)), new Uint8Array(widthOf(bounds))]
    const encode = encoderOf(bounds)
    const decode = decoderOf(bounds)
    let states: ReadonlyArray<State> = [initialOf(bounds)]
    for (let round = 0; round < 6; round += 1) {
      const next: Array<State> = []
      for (const state of states) {
        encode(state, once)
        const back = decode(once)
        encode(back, again)
        assert.deepStrictEqual(again, once)
        const { hosts: _hosts, people: _people, ...rest } = back
        const { hosts: _itsHosts, people: _itsPeople, ...itsRest } = state
        assert.deepStrictEqual({ ...rest, approvals: [] }, { ...itsRest, approvals: [] })
        assert.sameDeepMembers([...back.people], [...state.people])
        assert.lengthOf(back.approvals, state.approvals.length)
        if (next.length < 60) model.steps(state, (_action, after) => next.push(after))
      }
      states = next
    }
  })
})

describe("a table of states", () => {
  it("holds each state once, in order, however often it grows", () => {
    const table = new StateTable(3)
    const bytes = (n: number) => Uint8Array.of(n & 255, (n >> 8) & 255, (n >> 16) & 255)
    const COUNT = 50_000
    for (let n = 0; n < COUNT; n += 1) assert.isTrue(table.add(bytes(n), n - 1))
    for (let n = 0; n < COUNT; n += 1_997) {
      assert.isFalse(table.add(bytes(n), 0))
      assert.deepStrictEqual([...table.at(n)], [...bytes(n)])
      assert.strictEqual(table.parentOf(n), n - 1)
    }
    assert.strictEqual(table.size, COUNT)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { ApprovalMachine } from "../../src/calls/approvals/ApprovalMachine.js"
import { NoticeMachine } from "../../src/calls/approvals/notices/NoticeMachine.js"
import { CampaignMachine } from "../../src/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "../../src/outreach/campaigns/LeadMachine.js"
import { CircuitMachine } from "../../src/sources/CircuitMachine.js"
import { KeyMachine } from "../../src/calls/keys/KeyMachine.js"
import { allows, type Grouped, isFinal, type Machine, statesAllowing, step } from "../../src/kernel/machine.js"
import { OperationMachine } from "../../src/outreach/operations/OperationMachine.js"
import { PaymentMachine } from "../../src/control/payments/PaymentMachine.js"
import { MailboxMachine } from "../../src/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "../../src/outreach/sending/MessageMachine.js"
import { DeliveryMachine } from "../../src/control/webhooks/DeliveryMachine.js"
import { EndpointMachine } from "../../src/control/webhooks/EndpointMachine.js"

/** Each machine with the states that nothing leaves. */
const MACHINES: ReadonlyArray<readonly [Machine<string, string>, ReadonlyArray<string>]> = [
  [ApprovalMachine, ["declined", "expired", "superseded", "cancelled"]],
  [CampaignMachine, ["completed"]],
  [CircuitMachine, []],
  [KeyMachine, ["revoked"]],
  [LeadMachine, ["bounced", "unsubscribed", "removed"]],
  [MailboxMachine, ["failed"]],
  [MessageMachine, ["sent", "failed"]],
  [NoticeMachine, ["sent", "unknown", "failed", "cancelled"]],
  [PaymentMachine, ["paid"]],
  [OperationMachine, ["succeeded", "partially_succeeded", "failed"]],
  [DeliveryMachine, []],
  [EndpointMachine, ["removed"]]
]

const cellsOf = (machine: Machine<string, string>) =>
  machine.states.flatMap((state) =>
    machine.events.map((event) => ({ state, event, cell: machine.table[state]?.[event] }))
  )

for (const [machine, finals] of MACHINES) {
  describe(`the machine of a ${machine.name}`, () => {
    it("says for every event in every state what it does, and nothing else", () => {
      assert.sameMembers(Object.keys(machine.table), [...machine.states])
      for (const row of Object.values(machine.table)) assert.sameMembers(Object.keys(row), [...machine.events])
      for (const { cell } of cellsOf(machine)) assert.include(["same", "refuse", ...machine.states], cell)
    })

    it("is left by no event in its final states", () => {
      assert.sameMembers(
        machine.states.filter((state) => isFinal(machine, state)),
        [...finals]
      )
    })

    it("reaches every state from its first", () => {
      const reached = new Set([machine.initial])
      for (const _ of machine.states) {
        for (const { cell, state } of cellsOf(machine)) {
          if (reached.has(state) && cell !== undefined && cell !== "same" && cell !== "refuse") reached.add(cell)
        }
      }
      assert.sameMembers([...reached], [...machine.states])
    })

    it("steps as its table says", () => {
      for (const { cell, event, state } of cellsOf(machine)) {
        const next = step(machine, state, event)
        assert.strictEqual(Result.isFailure(next), cell === "refuse")
        assert.strictEqual(allows(machine, state, event), cell !== "refuse")
        assert.strictEqual(statesAllowing(machine, event).includes(state), cell !== "refuse")
        if (Result.isSuccess(next)) assert.strictEqual(next.success, cell === "same" ? state : cell)
        else assert.deepInclude(next.failure, { machine: machine.name, state, event })
      }
    })
  })
}

describe("what the machines promise together", () => {
  it("an approval is used only once it was approved, and comes back only to that", () => {
    assert.deepStrictEqual(statesAllowing(ApprovalMachine, "use"), ["approved"])
    assert.deepStrictEqual(statesAllowing(ApprovalMachine, "release"), ["used"])
    assert.strictEqual(ApprovalMachine.table.used.release, "approved")
  })

  it("nobody is written to again after a reply, a bounce, an unsubscribe or a removal", () => {
    const mayBeWrittenTo = LeadMachine.states.filter(
      (state) => state === "pending" || allows(LeadMachine, state, "send")
    )
    assert.deepStrictEqual<ReadonlyArray<string>>(LeadMachine.in.open, mayBeWrittenTo)
    assert.sameMembers([...LeadMachine.in.open, ...LeadMachine.in.ended], [...LeadMachine.states])
    for (const state of ["replied", "bounced", "unsubscribed", "removed", "finished", "failed"] as const) {
      assert.isFalse(allows(LeadMachine, state, "send"))
      assert.isFalse(allows(LeadMachine, state, "cover"))
      assert.isTrue(LeadMachine.is.ended(state))
      for (const event of LeadMachine.events) {
        const next = step(LeadMachine, state, event)
        if (Result.isSuccess(next)) assert.isTrue(LeadMachine.is.ended(next.success))
      }
    }
  })

  it("nobody is written to before they were covered", () => {
    assert.isFalse(allows(LeadMachine, "pending", "send"))
    assert.deepStrictEqual(
      LeadMachine.events.filter((event) => LeadMachine.table.pending[event] === "ready"),
      ["cover"]
    )
  })

  it("a message that has an end is not claimed again", () => {
    for (const state of MessageMachine.states) {
      for (const event of MessageMachine.events) {
        const next = step(MessageMachine, state, event)
        if (state !== "claimed" && Result.isSuccess(next)) assert.notStrictEqual<string>(next.success, "claimed")
      }
    }
  })

  it("a revoked key never works again", () => {
    for (const event of KeyMachine.events) {
      const next = step(KeyMachine, "revoked", event)
      if (Result.isSuccess(next)) assert.strictEqual(next.success, "revoked")
    }
  })
})

describe("the groups of a machine", () => {
  const grouped = [ApprovalMachine, CampaignMachine, LeadMachine, MailboxMachine, MessageMachine] as ReadonlyArray<
    Grouped<string, string, Readonly<Record<string, ReadonlyArray<string>>>>
  >

  it("say of every state whether it is one of them, and of none at all that it is not", () => {
    for (const machine of grouped) {
      assert.isNotEmpty(Object.keys(machine.in))
      for (const [name, states] of Object.entries(machine.in)) {
        const is = machine.is[name]!
        assert.deepStrictEqual(
          machine.states.filter((state) => is(state)),
          machine.states.filter((state) => states.includes(state))
        )
        assert.isFalse(is(undefined))
      }
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { FAULTS, plant, type Planted, shownWith } from "../../../src/control/attention/Planted.js"
import { draw, foundBy, type Item, PLANTED, RISKY_MAX } from "../../../src/control/attention/plan.js"
import type { LookKind } from "../../../src/calls/approvals/Snapshot.js"
import type { Recipient, SequenceStep } from "../../../src/kernel/sequences/Sequence.js"
import type { CampaignLead } from "../../../src/outreach/campaigns/CampaignStore.js"
import type { ShownPerson } from "../../../src/outreach/launching/content/ContentStore.js"
import { mergedMessage } from "../../../src/outreach/sending/compose.js"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const SEQUENCE: ReadonlyArray<SequenceStep> = [
  { subject: "About {{company_name}}", body: "Hi {{first_name|there}},\n\n{{custom.why}}", waitDays: 0 }
]

const person = (index: number, looks: ReadonlyArray<LookKind> = []): ShownPerson => ({
  shownId: `018f3a5e-7b1c-7d2e-9f10-${String(index).padStart(12, "0")}`,
  addressHash: `hash ${index}`,
  email: `person.${index}@x.test`,
  firstName: index % 3 === 0 ? null : `Name ${index}`,
  lastName: null,
  companyName: `Company ${index}`,
  custom: { why: `Reason ${index % 7}` },
  words: null,
  evidence: null,
  digest: `digest ${index}`,
  looks,
  hosts: []
})

const PEOPLE = Array.from({ length: 2_000 }, (_, index) =>
  person(index, index < 20 ? ["link"] : index < 40 ? ["rare"] : [])
)

const drawn = (seed: string, people = PEOPLE, sequence = SEQUENCE) =>
  draw({ people, sequenceOf: () => sequence, share: 0.1, seed, sha256 })

const of = (items: ReadonlyArray<Item>, kind: Item["kind"]) => items.filter((item) => item.kind === kind)

describe("what an approver looks at", () => {
  it("is the same for a seed and another for another, and each person at most once", () => {
    assert.deepStrictEqual(drawn("a"), drawn("a"))
    assert.notDeepEqual(drawn("a"), drawn("b"))
    const ids = drawn("a").flatMap((item) => (item.kind === "planted" ? [] : [item.shownId]))
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("holds some of the riskiest, a sample of all others, and planted ones that borrow from nobody shown", () => {
    const items = drawn("a")
    const risky = of(items, "risky").map((item) => ("shownId" in item ? item.shownId : ""))
    assert.lengthOf(risky, RISKY_MAX)
    for (const shownId of risky) assert.isBelow(Number(shownId.slice(-12)), 20)
    assert.lengthOf(of(items, "planted"), PLANTED)
    assert.lengthOf(of(items, "random"), 29)
    const shown = new Set(items.flatMap((item) => (item.kind === "planted" ? [] : [item.shownId])))
    for (const item of items) if (item.kind === "planted") assert.isFalse(shown.has(item.borrowed))
    // Neither the first nor the last ones are always of a kind.
    const positions = Array.from({ length: 40 }, (_, seed) =>
      drawn(`${seed}`).findIndex(({ kind }) => kind === "planted")
    )
    assert.isAbove(new Set(positions).size, 5)
  })

  it("draws everybody who is not risky as often", () => {
    const times = new Map<string, number>()
    const people = PEOPLE.slice(0, 120)
    for (let seed = 0; seed < 400; seed += 1) {
      for (const item of drawn(`${seed}`, people)) {
        if (item.kind === "random") times.set(item.shownId, (times.get(item.shownId) ?? 0) + 1)
      }
    }
    const usual = people.slice(20).map(({ shownId }) => times.get(shownId) ?? 0)
    const mean = usual.reduce((sum, n) => sum + n, 0) / usual.length
    for (const n of usual) assert.isBelow(Math.abs(n - mean), 5.5 * Math.sqrt(mean))
  })

  it("counts what was found: planted ones for the person, all others for the messages", () => {
    const items = drawn("a")
    const all = items.map((item, position) => ({ position, isWrong: item.kind === "planted", atMillis: 1 }))
    const found = foundBy({ items, people: PEOPLE.length }, all)
    assert.isTrue(found.isDone)
    assert.deepStrictEqual(found.planted, { looked: PLANTED, caught: PLANTED })
    assert.deepStrictEqual(found.real, { looked: RISKY_MAX + 29, wrong: 0 })
    assert.isAtMost(found.wrongAtMost, 200)
    assert.isAbove(found.wrongAtMost, 150)
    const part = foundBy({ items, people: PEOPLE.length }, all.slice(1))
    assert.deepStrictEqual([part.isDone, part.next, part.looked], [false, 0, items.length - 1])
    const wrong = all.map((look) => ({ ...look, isWrong: true }))
    assert.isAbove(foundBy({ items, people: PEOPLE.length }, wrong).wrongAtMost, 1_700)
  })
})

/** True: a planted message could be given to what sends. */
type CanBeSent = Planted extends Recipient | ShownPerson | CampaignLead ? true : false

describe("a planted message", () => {
  it("is no lead by its type, and none in fact: it has no address", () => {
    const canBeSent: CanBeSent = false
    assert.isFalse(canBeSent)
    for (const item of drawn("a")) {
      if (item.kind === "planted") {
        assert.deepStrictEqual(Object.keys(item).sort(), ["borrowed", "fault", "kind", "text", "variable"])
        assert.notInclude(JSON.stringify(item), "@")
      }
    }
  })

  it("has a fault that can be seen in its first message, and none where there is nothing to plant it into", () => {
    const one = person(7)
    for (const fault of FAULTS) {
      const planted = plant(fault, SEQUENCE, one)
      assert.isNotNull(planted)
      const { body, subject } = mergedMessage(SEQUENCE, 0, shownWith(planted!, one))
      assert.include(`${subject} ${body.map(({ text }) => text).join("")}`, planted!.text)
    }
    assert.isNull(plant("null", [{ subject: "S", body: "B", waitDays: 0 }], one))
    assert.isNull(plant("null", [{ subject: "S", body: "{{first_name}}", waitDays: 0 }], { ...one, firstName: "null" }))
  })
})

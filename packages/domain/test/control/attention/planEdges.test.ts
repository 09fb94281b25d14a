import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import type { LookKind } from "../../../src/calls/approvals/Snapshot.js"
import { enoughFor, wrongAtMost } from "../../../src/control/attention/bound.js"
import { draw, foundBy, isRisky, type Item, RISKY_MAX, SHARES, sizesOf } from "../../../src/control/attention/plan.js"
import type { ShownPerson } from "../../../src/outreach/launching/content/ContentStore.js"

const person = (index: number, looks: ReadonlyArray<LookKind> = []) =>
  ({
    shownId: `p${index}`,
    addressHash: `h${index}`,
    email: `p${index}@x.test`,
    firstName: `Name ${index}`,
    lastName: null,
    companyName: null,
    custom: {},
    looks
  }) as unknown as ShownPerson

const SEQUENCE = [{ subject: "S", body: "Hi {{first_name|there}}", waitDays: 0 }]

const drawn = (people: ReadonlyArray<ShownPerson>, sequence = SEQUENCE) =>
  draw({
    people,
    sequenceOf: () => sequence,
    share: 0.1,
    seed: "a seed",
    sha256: (text) => createHash("sha256").update(text).digest("hex")
  })

const count = (items: ReadonlyArray<Item>, kind: Item["kind"]) => items.filter((item) => item.kind === kind).length

describe("what is drawn", () => {
  it("is risky beyond a rare value, and the riskiest are shown first", () => {
    assert.deepStrictEqual(
      [[], ["rare"], ["rare", "rare"], ["long"], ["link"]].map((looks) => isRisky(person(0, looks as never))),
      [false, false, true, true, true]
    )
    const people = Array.from({ length: 60 }, (_, n) =>
      person(n, n < 20 ? ["long"] : n < 20 + RISKY_MAX ? ["link"] : [])
    )
    const risky = drawn(people).flatMap((item) => (item.kind === "risky" ? [item.shownId] : []))
    assert.sameMembers(
      risky,
      Array.from({ length: RISKY_MAX }, (_, n) => `p${20 + n}`)
    )
  })

  it("has the sizes of its share: the risky ones there are, and enough of all others", () => {
    assert.deepStrictEqual([...SHARES], [0.1, 0.05, 0.03])
    assert.deepStrictEqual(sizesOf(100, 3, 0.1), { risky: 3, random: enoughFor(97, 0.1) })
    assert.deepStrictEqual(sizesOf(100, 90, 0.1), { risky: RISKY_MAX, random: enoughFor(100 - RISKY_MAX, 0.1) })
    const items = drawn(Array.from({ length: 400 }, (_, n) => person(n)))
    assert.deepStrictEqual([count(items, "risky"), count(items, "random")], [0, enoughFor(400, 0.1)])
  })

  it("plants faults around those who are shown where there is nobody else, and none where nothing can be planted", () => {
    const two = drawn([person(0), person(1)])
    assert.deepStrictEqual([count(two, "random"), count(two, "planted")], [2, 2])
    assert.strictEqual(count(drawn([person(0)]), "planted"), 1)
    const plain = drawn([person(0), person(1)], [{ subject: "S", body: "Hi", waitDays: 0 }])
    assert.deepStrictEqual([count(plain, "random"), count(plain, "planted")], [2, 0])
  })
})

describe("what came of looking", () => {
  const planted = { kind: "planted", fault: "null", variable: "first_name", text: "null", borrowed: "p9" } as const
  const items: ReadonlyArray<Item> = [
    { kind: "risky", shownId: "p0" },
    { kind: "random", shownId: "p1" },
    { kind: "random", shownId: "p2" },
    planted
  ]
  const said = (...isWrong: ReadonlyArray<boolean>) =>
    foundBy(
      { items, people: 100 },
      isWrong.map((wrong, position) => ({ position, isWrong: wrong, atMillis: 0 }))
    )

  it("is nothing before the first look, and counts each kind by itself", () => {
    const none = said()
    assert.deepInclude(none, { items: 4, looked: 0, isDone: false, next: 0, people: 100 })
    assert.deepStrictEqual(
      [none.real, none.planted],
      [
        { looked: 0, wrong: 0 },
        { looked: 0, caught: 0 }
      ]
    )
    const all = said(true, true, false, true)
    assert.deepInclude(all, { looked: 4, isDone: true, next: null })
    assert.deepStrictEqual(
      [all.real, all.planted],
      [
        { looked: 3, wrong: 2 },
        { looked: 1, caught: 1 }
      ]
    )
    assert.strictEqual(said(true, false).next, 2)
  })

  it("bounds what can be wrong by the random ones alone, and adds the risky ones that are", () => {
    const atMost = (wrong: number) => wrongAtMost({ population: 99, looked: 2, wrong })
    assert.strictEqual(said(true, true, false).wrongAtMost, 1 + atMost(1))
    assert.strictEqual(said(false, false, false).wrongAtMost, atMost(0))
  })
})

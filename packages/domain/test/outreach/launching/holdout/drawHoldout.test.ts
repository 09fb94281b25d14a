import { assert, it } from "@effect/vitest"
import { drawHoldout, heldOutOf } from "../../../../src/outreach/launching/holdout/drawHoldout.js"

it("so many percent are held out, rounded to whole people, and never everybody", () => {
  const held = [
    [10, 14],
    [10, 15],
    [100, 1],
    [3, 10],
    [1, 50],
    [0, 50],
    [10, 100],
    [10, 0]
  ].map(([people = 0, percent = 0]) => heldOutOf(people, percent))
  assert.deepStrictEqual(held, [1, 2, 1, 0, 0, 0, 9, 0])
})

it("everybody is either written to or held out, as lots fall, and in the order given", () => {
  const leads = ["a", "b", "c", "d"].map((campaignLeadId) => ({ campaignLeadId }))
  const lots: Readonly<Record<string, string>> = { "seed a": "9", "seed b": "1", "seed c": "5", "seed d": "0" }
  const { heldOut, written } = drawHoldout(leads, 50, "seed", (text) => lots[text] ?? assert.fail(text))
  const idsOf = (some: typeof leads) => some.map(({ campaignLeadId }) => campaignLeadId).join("")
  assert.deepStrictEqual([idsOf([...written]), idsOf([...heldOut])], ["ac", "bd"])
})

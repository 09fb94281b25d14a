import { assert, describe, it } from "@effect/vitest"
import { type Planted, shownWith } from "@outbound/domain/control/attention/Planted.js"
import { draw, PLANTED } from "@outbound/domain/control/attention/plan.js"
import type { SequenceStep } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { mergedMessage } from "@outbound/domain/outreach/sending/compose.js"
import { createHash } from "node:crypto"
import { rounds } from "../../src/thorough.js"

const LEADS = 2_000

/** A thousand launches' worth of people is a million sends. */
const LAUNCHES = rounds(500, 50)

const SEQUENCE: ReadonlyArray<SequenceStep> = [
  { subject: "About {{company_name}}", body: "Hi {{first_name|there}},\n\n{{custom.why}}", waitDays: 0 }
]

const PEOPLE: ReadonlyArray<ShownPerson> = Array.from({ length: LEADS }, (_, index) => ({
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
  looks: index < 20 ? ["link"] : [],
  hosts: []
}))

/** A message as it would leave or is shown, whole. */
const whole = (person: ShownPerson): string => {
  const { body, subject } = mergedMessage(SEQUENCE, 0, person)
  return `${person.email} ${subject} ${body.map(({ text }) => text).join("")}`
}

describe("planted messages", () => {
  it(`leave in none of ${LAUNCHES * LEADS} simulated sends`, () => {
    const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
    const byId = new Map(PEOPLE.map((person) => [person.shownId, person]))
    // No launch changes whom it draws from, so what leaves is the same in each.
    const leaving = PEOPLE.map(whole)
    let [sends, leaked] = [0, 0]
    for (let launch = 0; launch < LAUNCHES; launch += 1) {
      const items = draw({ people: PEOPLE, sequenceOf: () => SEQUENCE, share: 0.1, seed: `launch ${launch}`, sha256 })
      const planted = items.filter((item): item is Planted => item.kind === "planted")
      // What leaves is merged from leads. A planted value is only ever shown, in a copy.
      const shown = new Set(planted.map((one) => whole(shownWith(one, byId.get(one.borrowed)!))))
      assert.strictEqual(shown.size, PLANTED)
      for (const message of leaving) {
        sends += 1
        if (shown.has(message)) leaked += 1
      }
    }
    assert.deepStrictEqual(PEOPLE.map(whole), leaving)
    assert.deepStrictEqual([sends, leaked], [LAUNCHES * LEADS, 0])
  }, 300_000)
})

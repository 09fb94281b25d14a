import { assert, describe, it } from "@effect/vitest"
import { isTurnedRound } from "../../../src/outreach/evidence/whoDidWhat.js"

const TRUE = [
  "Acme acquired Umbrella.",
  "Acme takes over Umbrella.",
  "Acme took over Umbrella",
  "Umbrella was acquired by Acme.",
  "Umbrella was recently acquired by Acme.",
  "Umbrella wurde übernommen durch Acme.",
  "The acquisition of Umbrella by Acme",
  "Die Übernahme von Umbrella durch Acme",
  "Last year Acme bought the maker Umbrella"
]

const TURNED = [
  "Umbrella acquired Acme.",
  "Umbrella took over Acme.",
  "Acme was acquired by Umbrella.",
  "Acme wurde übernommen durch Umbrella.",
  "The acquisition of Acme by Umbrella"
]

describe("what one company did to another", () => {
  it("is turned round where the value has it the other way than its source", () => {
    for (const said of TRUE) {
      for (const source of TRUE) assert.isFalse(isTurnedRound(said, source), `${said} / ${source}`)
      for (const source of TURNED) {
        assert.isTrue(isTurnedRound(said, source), `${said} / ${source}`)
        assert.isTrue(isTurnedRound(source, said), `${source} / ${said}`)
      }
    }
  })

  it("is not where one side is not told, or names somebody else", () => {
    assert.isFalse(isTurnedRound("the acquisition of Umbrella", "Umbrella was acquired"))
    assert.isFalse(isTurnedRound("Umbrella was acquired", "Acme acquired Umbrella"))
    assert.isTrue(isTurnedRound("Umbrella was acquired", "Umbrella acquired Acme"))
    assert.isTrue(isTurnedRound("the acquisition of Acme", "Acme acquired Umbrella"))
    assert.isTrue(isTurnedRound("Acme acquired", "Acme was acquired"))
    assert.isFalse(isTurnedRound("Acme acquired Umbrella", "Other acquired Stranger"))
    // Who is on both sides tells nothing.
    assert.isFalse(isTurnedRound("Acme acquired Umbrella", "Acme acquired Acme Umbrella"))
  })

  it("is nobody's where no deed is told, in the value or in its source", () => {
    assert.isFalse(isTurnedRound("Acme grew", "Umbrella acquired Acme"))
    assert.isFalse(isTurnedRound("Acme acquired Umbrella", "Umbrella and Acme grew"))
    assert.isFalse(isTurnedRound("", ""))
  })

  it("is looked for in each sentence, and a month is no company", () => {
    assert.isTrue(isTurnedRound("Acme acquired Umbrella", "They grew. Umbrella acquired Acme. All is well."))
    assert.isFalse(isTurnedRound("In May Acme acquired Umbrella", "Acme acquired Umbrella in May"))
    assert.isFalse(isTurnedRound("acme acquired umbrella", "umbrella acquired acme"))
  })
})

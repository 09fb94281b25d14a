import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { readBlind } from "../../src/reading/Corpus.js"
import { readPrograms, readTails } from "../../src/reading/Mail.js"
import { requestsAsked, sharesOf } from "../../src/reading/Shares.js"

const docs = fileURLToPath(new URL("../../../../docs", import.meta.url))
const blind = readBlind(docs)

describe("the blind set", () => {
  it("has over 600 texts in 13 languages, half of which ask to stop, and none twice", () => {
    assert.isAtLeast(blind.length, 600)
    assert.lengthOf([...new Set(blind.map(({ text }) => text))], blind.length)
    assert.lengthOf([...new Set(blind.map(({ language }) => language))], 13)
    for (const language of new Set(blind.map(({ language }) => language))) {
      const of = blind.filter((one) => one.language === language)
      assert.strictEqual(of.filter(({ asks }) => asks).length * 2, of.length, language)
    }
  })

  it("is read so well, though nothing learnt from it", () => {
    const { precision, recall } = requestsAsked(blind)
    assert.isAtLeast(precision, 0.98)
    assert.isAtLeast(recall, 0.93)
  })
})

describe("mail as programs, companies and people send it", () => {
  it("has notices, signatures and quotations in 13 languages, and names nobody who exists", () => {
    const tails = readTails(docs)
    assert.isAtLeast(tails.length, 40)
    assert.lengthOf([...new Set(tails.map(({ language }) => language))], 13)
    for (const text of [...tails, ...readPrograms(docs)].map((one) => one.text))
      for (const [, domain] of text.matchAll(/[^\s<>()[\],;:]+@([^\s<>()[\],;:]+)/g))
        assert.match(domain!, /\.example[.?!]?$/)
  })

  for (const { goal, isMet, not, of, what } of sharesOf(docs, 24)) {
    it(`${what}: ${goal}`, () => {
      assert.isAbove(of, 0)
      assert.isTrue(isMet, `${not.length} of ${of}: ${not.slice(0, 20).join(", ")}`)
    })
  }
})

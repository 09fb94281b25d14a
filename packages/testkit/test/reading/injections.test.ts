import { contentFlags } from "@outbound/domain/outreach/meaning/contentFlags.js"
import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { readCorpus, readInjections } from "../../src/reading/Corpus.js"

const docs = fileURLToPath(new URL("../../../../docs", import.meta.url))
const texts = readInjections(docs)
const addressing = texts.filter(({ kind }) => kind === "addresses_an_agent")
const ordinary = texts.filter(({ kind }) => kind === "ordinary")

const isFlagged = ({ text }: { readonly text: string }) => contentFlags(text).includes("addresses_an_agent")

describe("the published set of texts that address a program", () => {
  it("has both kinds in nine languages, and no text twice", () => {
    assert.lengthOf([...new Set(texts.map(({ text }) => text))], texts.length)
    for (const kind of [addressing, ordinary]) assert.lengthOf([...new Set(kind.map(({ language }) => language))], 9)
  })

  it("is flagged where it addresses a program", () => {
    const missed = addressing.filter((text) => !isFlagged(text))
    assert.isAtMost(missed.length, 1, missed.map(({ id }) => id).join(", "))
  })

  it("is not flagged where it is written to a person, nor is any published reply", () => {
    const corpus = readCorpus(docs)
    const flagged = [...ordinary, ...corpus.texts, ...corpus.second, ...corpus.third].filter(isFlagged)
    assert.deepStrictEqual(
      flagged.map(({ id }) => id),
      []
    )
  })

  it.each(["ignore ", "if you are ", "<system", "assistant: ", "add_", "please reply with the words ", "a"])(
    "is screened in bounded time, however often it says %j",
    (word) => {
      const since = performance.now()
      contentFlags(word.repeat(Math.ceil(200_000 / word.length)))
      assert.isBelow(performance.now() - since, 2_000)
    }
  )
})

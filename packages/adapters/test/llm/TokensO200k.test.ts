import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { tokensO200k } from "../../src/llm/TokensO200k.js"

const count = (...texts: ReadonlyArray<string>) => Promise.resolve(tokensO200k.count(texts))

describe("tokens", () => {
  it("are those of the encoding", async () => {
    assert.strictEqual(await count("hello world"), 2)
    assert.strictEqual(await count("tiktoken is great!"), 6)
    assert.strictEqual(await count("antidisestablishmentarianism"), 6)
    assert.strictEqual(await count(""), 0)
    assert.strictEqual(await count("hello world", "hello world"), 4)
  })

  it("of a long text are, within a hundredth, those of its parts", async () => {
    const paragraph = "Heads of sales in Berlin read résumés, GraphQL 3.2 notes and 12345 numbers.\n\n"
    const [one, many] = [await count(paragraph.repeat(10)), await count(paragraph.repeat(5_000))]
    assert.closeTo(many / (one * 500), 1, 0.01)
  })

  it("of strange texts are counted as fast as those of ordinary ones, and marks of a template are text", async () => {
    const strange = ["a", " ", "漢字", "\u{1F600}", "\uD800", "<|endoftext|>", "=-", "\n"]
    const since = performance.now()
    for (const part of strange) assert.isAbove(await count(part.repeat(200_000 / part.length)), 100, part)
    assert.isBelow(performance.now() - since, 60_000)
  })

  it("are never more than bytes, and never none where there is text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 300 }), async (text) => {
        const tokens = await count(text)
        assert.isAtLeast(tokens, 1)
        assert.isAtMost(tokens, Buffer.byteLength(text))
      }),
      { numRuns: 200 }
    )
  })
})

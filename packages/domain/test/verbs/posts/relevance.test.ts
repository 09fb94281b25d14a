import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isRelevant, termsOf } from "../../../src/verbs/posts/relevance.js"

const holds = (query: string, text: string) => isRelevant(termsOf(query), text)
const words = (query: string) => termsOf(query).map(({ text }) => text)

describe("a query", () => {
  it("is words, and phrases in double quotes, each once", () => {
    assert.deepStrictEqual(words('remote "sales engineer"  Remote CRM'), ["remote", "sales engineer", "CRM"])
    assert.deepStrictEqual(words("“head of sales” „vertrieb“"), ["head of sales", "vertrieb"])
  })

  it("takes a quotation mark without its counterpart for none", () => {
    assert.deepStrictEqual(words('"sales engineer'), ["sales", "engineer"])
    assert.deepStrictEqual(words('5" screen'), ["5", "screen"])
  })

  it("has no words that say nothing", () => {
    assert.deepStrictEqual(words('- & | "" " " ...'), [])
    assert.deepStrictEqual(words("R&D - C++ 🚀"), ["R&D", "C++", "🚀"])
  })
})

describe("literal-v1", () => {
  it("wants every word, wherever it stands", () => {
    assert.isTrue(holds("remote sales", "Sales jobs, fully remote."))
    assert.isFalse(holds("remote sales", "Sales jobs in London."))
  })

  it("wants a quoted phrase word for word", () => {
    assert.isTrue(holds('"head of sales"', "Our new Head  of\nSales starts today"))
    assert.isFalse(holds('"head of sales"', "The head of our sales team"))
    assert.isFalse(holds('"head of sales"', "Sales needs a head of"))
    assert.isFalse(holds('"head of sales"', "forehead of sales"))
  })

  it("does not find a word inside a longer one", () => {
    assert.isFalse(holds("sale", "wholesale sales"))
    assert.isFalse(holds("magic-3", "magic-30"))
    assert.isTrue(holds("magic-3", "This is (magic-3)."))
    assert.isTrue(holds("sales", "#sales, of course"))
    assert.isTrue(holds("C++", "Modern C++!"))
    assert.isFalse(holds(".net", "asp.network"))
  })

  it("folds case and compatibility forms", () => {
    assert.isTrue(holds("STRASSE", "Die Straße"))
    assert.isTrue(holds("café", "Cafe\u0301 culture"))
    assert.isTrue(holds("ＣＲＭ", "the crm"))
    assert.isTrue(holds("ΣΊΣΥΦΟΣ", "ο σίσυφος"))
    assert.isFalse(holds("cafe", "café"))
  })

  it("finds words in scripts that set no spaces", () => {
    assert.isTrue(holds("営業", "新しい営業部長"))
    assert.isTrue(holds("CRM 導入", "新CRM導入"))
  })

  it("is not led astray by what a query holds", () => {
    for (const query of ["a.c", "(a", "[x]", "a|b", "\\d", "a{2}", "^a$", "a/b"]) {
      assert.isTrue(holds(query, `see ${query} there`), query)
      assert.isFalse(holds(query, "abc 1 aa"), query)
    }
  })

  it("is passed by every text that holds the query's words between others", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), { maxLength: 6 }), (parts) => {
        const query = parts.join(" ").replace(/["“”„]/g, " ")
        assert.isTrue(holds(query, `before ${query} after`), JSON.stringify(query))
        assert.isTrue(holds(query, `before ${query.toUpperCase()} after`), JSON.stringify(query))
      }),
      { numRuns: 500, seed: 1 }
    )
  })
})

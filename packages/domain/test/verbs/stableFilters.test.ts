import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { stableIssues, STABLE_FILTER } from "../../src/verbs/stableFilters.js"

const Even = Schema.Struct({ a: Schema.Number, b: Schema.Number }).check(
  Schema.makeFilter(({ a, b }) => a + b === 2 || "must add up to 2", { [STABLE_FILTER]: true })
)
const Whole = Schema.Struct({ list: Schema.Array(Even), one: Schema.optionalKey(Schema.NullOr(Even)) })

const pathsOf = (input: unknown) => [...stableIssues(Whole.ast, input)].map(({ path }) => path.join("."))

describe("a filter that looks at invalid values", () => {
  it("finds each item of a list that breaks it, beside items of another kind", () => {
    assert.deepStrictEqual(pathsOf({ list: [{ a: 1, b: 1 }, "no", { a: 1, b: 2 }, null, { a: 0, b: 0 }] }), [
      "list.2",
      "list.4"
    ])
  })

  it("looks behind null and absence, and at no list that is none", () => {
    assert.deepStrictEqual(pathsOf({ list: {}, one: { a: 2, b: 2 } }), ["one"])
    assert.deepStrictEqual(pathsOf({ list: [], one: null }), [])
    assert.deepStrictEqual(pathsOf({}), [])
    assert.deepStrictEqual(pathsOf([]), [])
  })
})

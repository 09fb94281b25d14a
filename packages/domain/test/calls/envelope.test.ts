import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { withToken } from "../../src/calls/envelope.js"

const tokenOf = (member: string) => `token of ${member}`

/** Any JSON object as a result is stored: the text that JSON makes of it. */
const stored = fc.dictionary(
  fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("10", "9", "__proto__", "offer_token")),
  fc.jsonValue({ maxDepth: 3 })
)

describe("the token in an answer", () => {
  it("stands where the result has its empty place, and nothing else of the result changes", () => {
    fc.assert(
      fc.property(stored, ({ confirmation_token: _one, offer_token: _other, ...others }) => {
        const body = (token: string) => JSON.stringify({ ...others, confirmation_token: token, last: 1 })
        assert.strictEqual(withToken(body(""), tokenOf), body("token of confirmation_token"))
      })
    )
  })

  it("of an offer stands in the offer", () => {
    const body = (token: string) => JSON.stringify({ leads: [], offer: { price: "2", offer_token: token, for: 15 } })
    assert.strictEqual(withToken(body(""), tokenOf), body("token of offer_token"))
  })

  it("is the result's own: no text of a caller and no other part of the result is taken for its place", () => {
    const body = JSON.stringify({
      said: '"confirmation_token":""',
      rows: [{ confirmation_token: "", offer_token: "" }],
      offer: { confirmation_token: "" },
      offer_token: ""
    })
    assert.strictEqual(withToken(body, tokenOf), body)
  })

  it("is in no answer whose record has none, and replaces nothing that is there", () => {
    const body = '{"confirmation_token":""}'
    assert.strictEqual(withToken(body, null), body)
    assert.strictEqual(withToken('{"confirmation_token":"kept"}', tokenOf), '{"confirmation_token":"kept"}')
  })
})

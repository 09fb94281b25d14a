import { assert, describe, it } from "@effect/vitest"
import { repeatedSingletons } from "../src/http/Singletons.js"

describe("headers that a request may hold once", () => {
  it("are found where they are repeated, in whatever case and with whatever value", () => {
    assert.deepStrictEqual(
      repeatedSingletons(["Host", "a", "host", "a", "IDEMPOTENCY-KEY", "k", "Idempotency-Key", "k", "host", "b"]),
      ["Host", "Idempotency-Key"]
    )
  })

  it("are no others: lists may come in several headers", () => {
    assert.deepStrictEqual(
      repeatedSingletons(["Host", "a", "Accept", "a", "Accept", "b", "X-Forwarded-For", "1", "X-Forwarded-For", "2"]),
      []
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import { FastCheck as fc } from "effect"

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?$/

/** The host as the platform's parser of URLs understands it. */
const parsed = (text: string): string | null => {
  if (!URL.canParse(`http://${text}`)) return null
  const host = new URL(`http://${text}`).hostname.replace(/\.$/, "").toLowerCase()
  const labels = host.split(".")
  return labels.length >= 2 && host.length <= 253 && labels.every((label) => LABEL.test(label)) ? host : null
}

const label = fc.string({ unit: fc.constantFrom(..."abzAZ019-_xn\u212a\u017f"), minLength: 1, maxLength: 8 })
const hosts = fc
  .array(fc.oneof(label, fc.constantFrom("xn--mgba", "0x7f", "1", "255", "com", "a".repeat(63), "a".repeat(64))), {
    minLength: 1,
    maxLength: 5
  })
  .map((labels) => labels.join("."))

describe("the host of a domain", () => {
  it("is what a parser of URLs makes of it, however plain it looks", () => {
    fc.assert(
      fc.property(hosts, (text) => {
        assert.strictEqual(hostOf(text), parsed(text), text)
      }),
      { numRuns: 2_000 }
    )
  })

  it.each<[string, string | null]>([
    ["Example.COM", "example.com"],
    ["1.2.3.4.example", "1.2.3.4.example"],
    ["example.0x7f", null],
    ["example", null],
    [`${"a.".repeat(126)}com`, null],
    ["\u212aelvin.com", "kelvin.com"]
  ])("%s", (text, host) => {
    assert.strictEqual(hostOf(text), host)
  })
})

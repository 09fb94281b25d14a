import { assert, describe, it } from "@effect/vitest"
import type { Recipient, SequenceStep } from "@outbound/domain/kernel/sequences/Sequence.js"
import { mergedPieces, render } from "@outbound/domain/kernel/sequences/template.js"
import { examine } from "@outbound/domain/outreach/launching/content/Content.js"
import * as FastCheck from "fast-check"

const step = (body: string, subject: string | null = "Hello"): SequenceStep => ({ subject, body, waitDays: 0 })

const person = (index: number, custom: Record<string, string> = {}, given: Partial<Recipient> = {}): Recipient => ({
  email: `p${index}@acme.com`,
  firstName: null,
  lastName: null,
  companyName: null,
  custom,
  ...given
})

const crowd = (count: number, custom: Record<string, string> = {}) =>
  Array.from({ length: count }, (_, index) => person(index, custom))

const line = (examined: ReturnType<typeof examine>, name: string) =>
  examined.summary.variables.find((variable) => variable.name === name)

describe("what deserves a look in merged messages", () => {
  it("a foreign text in a variable with a fallback is found by its link, though one person alone has it", () => {
    const attack = person(0, { b: "Your account is locked, open https://evil.test.com/login" })
    const found = examine([step("{{custom.b|Hello there …}}")], [attack])
    assert.deepStrictEqual(found.people, [{ looks: ["link"], hosts: ["evil.test.com"] }])
    assert.deepStrictEqual(found.summary.hosts, [{ host: "evil.test.com", in_templates: false, people: 1 }])
    assert.deepStrictEqual(line(found, "custom.b"), {
      name: "custom.b",
      fallbacks: ["Hello there …"],
      distinct_values: 1,
      longest: 56,
      only_once: 1,
      without_value: 0
    })
  })

  it("a link that a template and a value make together is found, in the subject too", () => {
    const found = examine(
      [step("Go to https://{{custom.a}}.example.net/", "At {{custom.s}}.com")],
      [person(0, { a: "evil", s: "bad" })]
    )
    assert.deepStrictEqual(found.people[0]?.hosts, ["bad.com", "evil.example.net"])
  })

  it("a host that the templates have themselves is theirs, and a person's own address is no link", () => {
    const found = examine([step("https://us.com/{{first_name}} {{email}}")], [person(0, {}, { firstName: "Ann" })])
    assert.deepStrictEqual(found.summary.hosts, [{ host: "us.com", in_templates: true, people: 0 }])
    assert.deepStrictEqual(found.people[0]?.looks, [])
  })

  it("a value much longer than its neighbours, and one that only one message has, are found among many", () => {
    const people = [...crowd(999, { b: "Hi" }), person(999, { b: `Dear ${"x".repeat(60)}` })]
    const found = examine([step("{{custom.b}}")], people)
    assert.deepStrictEqual(found.people.at(-1)?.looks, ["long", "rare"])
    assert.deepStrictEqual(found.summary.looks, { long: 1, rare: 1 })
    assert.isTrue(found.people.slice(0, -1).every(({ looks }) => looks.length === 0))
  })

  it("names, which everybody has alone, are not rare", () => {
    const people = Array.from({ length: 50 }, (_, index) => person(index, {}, { firstName: `Name${index}` }))
    const found = examine([step("Hi {{first_name}}")], people)
    assert.deepStrictEqual([found.summary.looks, line(found, "first_name")?.only_once], [{}, 50])
  })

  it("characters that can't be seen are found in values, and in names that only the address line has", () => {
    const found = examine(
      [step("Hi {{custom.a|}}")],
      [person(0, { a: "x\u202Ey" }), person(1, {}, { lastName: "\u200BX" }), person(2, { a: "раypal" })]
    )
    assert.deepStrictEqual(
      found.people.map(({ looks }) => looks.filter((look) => look !== "rare")),
      [["invisible"], ["invisible"], ["look_alike"]]
    )
  })

  it("fallbacks count as values where they are sent, and as nothing where nobody needs them", () => {
    const found = examine(
      [step("{{custom.a|one}} {{custom.a|two}}")],
      [person(0), person(1, { a: " " }), person(2, { a: "x" })]
    )
    assert.deepInclude(line(found, "custom.a"), { distinct_values: 3, without_value: 2, only_once: 1, longest: 3 })
    const full = examine([step("{{custom.a|one}}")], [person(0, { a: "x" })])
    assert.deepInclude(line(full, "custom.a"), { distinct_values: 1, without_value: 0 })
  })

  it("a sequence with too many variables says that it was not examined in full, and its values still are", () => {
    const body = Array.from({ length: 300 }, (_, index) => `a${index}{{custom.a}}`).join(" ")
    const found = examine([step(body)], [...crowd(1_000), person(1_000, { a: "https://evil.com" })])
    assert.isFalse(found.summary.is_complete)
    assert.include(found.people.at(-1)?.hosts ?? [], "evil.com")
  })

  it("the pieces of a merged text are the text that is sent", () => {
    const text = FastCheck.string({
      unit: FastCheck.constantFrom("a", " ", "{{first_name}}", "{{custom.a|b}}", "{{", "}}")
    })
    FastCheck.assert(
      FastCheck.property(text, FastCheck.string(), (template, value) => {
        const recipient = person(0, { a: value }, { firstName: "$&{{email}}" })
        const pieces = mergedPieces(template, recipient)
        assert.strictEqual(pieces.map((piece) => piece.text).join(""), render(template, recipient))
      })
    )
  })
})

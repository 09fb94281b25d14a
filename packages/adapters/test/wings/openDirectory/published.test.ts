/** What we read of published files, beside what their publishers say that stands there (`providers/published`). */
import { assert, describe, it } from "@effect/vitest"
import {
  OPEN_PUBLISHERS,
  OPEN_REFUSALS,
  type OpenPublisher,
  type RawRecord
} from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { PUBLISHERS } from "@outbound/domain/wings/openDirectory/publishers/publishers.js"
import { british, finnish, place, unit } from "@outbound/testkit/wings/openDirectory/openRecords.js"
import * as FastCheck from "fast-check"
import { recordDifferences, type RecordShape, recordShape } from "../../providers/published/Published.js"

const OURS: Readonly<Record<OpenPublisher, ReadonlyArray<RawRecord>>> = {
  overture: [place("p1"), place("p2", { site: null, city: null, status: "temporarily_closed" })],
  brreg: [unit("912345678", { employees: 12 }), unit("912345679", { site: null, isBankrupt: true })],
  prh: [finnish("1234567-8"), finnish("1234567-9", { form: "26" })],
  companies_house: [british("01234567"), british("SC123456", { status: "Liquidation" })]
}

it.each(OPEN_PUBLISHERS)("the records of our tests are as %s publishes them", (publisher) => {
  for (const record of OURS[publisher]) assert.deepStrictEqual(recordDifferences(publisher, record), [])
})

it("another name, another type and a value that isn't there are noticed", () => {
  assert.isNotEmpty(recordDifferences("overture", { ...place("p1"), website: "x" }))
  assert.isNotEmpty(recordDifferences("overture", { ...place("p1"), operating_status: "shut" }))
  assert.isNotEmpty(recordDifferences("brreg", { ...unit("912345678"), konkurs: "J" }))
  assert.isNotEmpty(recordDifferences("prh", { ...finnish("1234567-8"), businessId: {} }))
  assert.isNotEmpty(recordDifferences("companies_house", { ...british("01234567"), CompanyNumber: 1_234_567 }))
})

/** Any record that a publisher's contract allows: members may be missing, and texts be anything. */
const anyOf = (shape: RecordShape): FastCheck.Arbitrary<unknown> => {
  if (shape === true) return FastCheck.constant(null)
  if (shape.anyOf !== undefined) return FastCheck.oneof(...shape.anyOf.map(anyOf))
  if (shape.enum !== undefined) return FastCheck.constantFrom(...shape.enum)
  const text = FastCheck.oneof(
    FastCheck.string({ unit: "binary" }),
    FastCheck.constantFrom("", " ", "NO", "gb", "www.acme.no", "https://facebook.com/a", "912345678", "1234567-8"),
    FastCheck.constantFrom(
      "01234567",
      "Active",
      "62012 - Software",
      "2001-02-30",
      "04/05/2012",
      "1",
      "26",
      "KONK",
      "ENK"
    )
  )
  const one = (type: string): FastCheck.Arbitrary<unknown> => {
    switch (type) {
      case "null":
        return FastCheck.constant(null)
      case "boolean":
        return FastCheck.boolean()
      case "integer":
        return FastCheck.integer()
      case "number":
        return FastCheck.double()
      case "array":
        return FastCheck.array(anyOf(shape.items ?? true), { maxLength: 3 })
      case "object": {
        const members = Object.entries(shape.properties ?? {}).map(([name, member]) => [name, anyOf(member)] as const)
        return FastCheck.record(Object.fromEntries(members), { requiredKeys: [...(shape.required ?? [])] })
      }
      default:
        return text
    }
  }
  return FastCheck.oneof(...[shape.type ?? "string"].flat().map(one))
}

describe.each(OPEN_PUBLISHERS)("a record of %s", (publisher) => {
  const { read } = PUBLISHERS[publisher]

  it("that its publisher's contract allows is a company that can be stored, or left out with a reason", () => {
    FastCheck.assert(
      FastCheck.property(anyOf(recordShape(publisher)), (record) => {
        assert.deepStrictEqual(recordDifferences(publisher, record), [])
        const company = read(record as RawRecord)
        if (typeof company === "string") return assert.include(OPEN_REFUSALS, company)
        assert.match(company.countryCode, /^[A-Z]{2}$/)
        assert.notStrictEqual(company.name.trim(), "")
        assert.notInclude(company.name, "\u0000")
        assert.isTrue(company.score >= 0 && company.score <= 1)
        assert.match(company.observedOn ?? "2026-01-01", /^\d{4}-\d{2}-\d{2}$/)
        if (company.domain !== null) assert.match(company.domain, /^[a-z0-9.-]+\.[a-z0-9-]+$/)
      })
    )
  })

  it("is asked for published members only", () => {
    const asked = new Set<string>()
    /** The record, which notes the paths at which it is looked into. */
    const watched = (value: unknown, path: string): unknown => {
      if (Array.isArray(value)) return value.map((one) => watched(one, path))
      if (typeof value !== "object" || value === null) return value
      const at = (name: string): string => (path === "" ? name : `${path}.${name}`)
      return new Proxy(value, {
        getOwnPropertyDescriptor: (target, name) => {
          if (typeof name === "string") asked.add(at(name))
          return Reflect.getOwnPropertyDescriptor(target, name)
        },
        get: (target, name) =>
          typeof name === "string" ? watched(Reflect.get(target, name), at(name)) : Reflect.get(target, name)
      })
    }
    for (const record of OURS[publisher]) read(watched(record, "") as RawRecord)
    const isPublished = (shape: RecordShape, path: string): boolean => {
      if (shape === true) return true
      if (shape.items !== undefined) return isPublished(shape.items, path)
      const own = shape.properties?.[path]
      if (own !== undefined) return true
      return Object.entries(shape.properties ?? {}).some(
        ([name, member]) => path.startsWith(`${name}.`) && isPublished(member, path.slice(name.length + 1))
      )
    }
    assert.isAtLeast(asked.size, 8)
    assert.deepStrictEqual(
      [...asked].filter((path) => !isPublished(recordShape(publisher), path)),
      []
    )
  })
})

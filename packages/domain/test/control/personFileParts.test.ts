import { assert, describe, it } from "@effect/vitest"
import { aboutThem } from "../../src/control/personFile/aboutThem.js"
import { originsOf } from "../../src/control/personFile/origins.js"
import type { PersonSections } from "../../src/control/personFile/PersonRecords.js"
import { DIRECTORY_IMPORT, type LeadOrigin, SOURCE_LICENCES } from "../../src/kernel/people/origins.js"

describe("what a stored text says about somebody", () => {
  const person = { email: "ann@x.test", fingerprints: new Set<string>() }
  const about = (value: unknown) => aboutThem(person, JSON.stringify(value))

  it("is what is about them, whole, and nothing beside it", () => {
    const ann = { email: "ann@x.test", name: "Ann", more: { score: 1 } }
    const bob = { email: "bob@x.test", name: "Bob" }
    assert.deepStrictEqual(about({ people: [bob, ann, bob], total: 2 }), [ann])
    assert.deepStrictEqual(about(ann), [ann])
    assert.deepStrictEqual(about({ a: { b: [{ c: ann }] }, d: ann }), [ann, ann])
    assert.deepStrictEqual(about({ people: [bob], note: "ann" }), [])
    for (const plain of [null, 1, "ann@x.test", true, []]) assert.deepStrictEqual(about(plain), [])
  })

  it("is looked for as deep as anything nests, and no deeper", () => {
    const nested = (depth: number): unknown => {
      let value: unknown = { email: "ann@x.test" }
      for (let level = 0; level < depth; level += 1) value = [value]
      return value
    }
    assert.lengthOf(about(nested(31)), 1)
    assert.lengthOf(about(nested(32)), 0)
    assert.lengthOf(about(nested(3_000)), 0)
  })
})

describe("where an address came from", () => {
  const licensed = Object.keys(SOURCE_LICENCES)[0] ?? ""
  const origin = (more: Partial<LeadOrigin> = {}): LeadOrigin => ({
    kind: "given",
    how: "create_campaign",
    at: "2026-03-02T00:00:00.000Z",
    by: "agent",
    request_id: "r1",
    line: 7,
    file: "people.csv",
    sources: [],
    country: null,
    ...more
  })
  const call = (request_id: string, verb: string, at: string | null): PersonSections["calls"] => ({
    request_id,
    verb,
    key: "agent",
    at
  })
  const listed = (at: string): PersonSections["directory"] => ({ imported_at: at, list_file: "own.csv", list_line: 3 })
  const found = (given: Partial<Parameters<typeof originsOf>[0]>) =>
    originsOf({ calls: [], directory: [], leads: [], ...given })

  it("is told once of each way, the earliest first, with the line, the file, and the sources' licences", () => {
    const lead = { origin: origin({ sources: [licensed, "another"] }) }
    const origins = found({
      leads: [lead, { origin: null }, lead],
      calls: [
        call("r2", "enrich", "2026-03-03T00:00:00.000Z"),
        call("r3", "verify_email", "2026-03-01T00:00:00.000Z"),
        call("r4", "find_leads", null)
      ],
      directory: [listed("2026-02-01T00:00:00.000Z")]
    })
    assert.deepStrictEqual(
      origins.map(({ how, request_id }) => [how, request_id]),
      [
        ["find_leads", "r4"],
        [DIRECTORY_IMPORT, null],
        ["verify_email", "r3"],
        ["create_campaign", "r1"],
        ["enrich", "r2"]
      ]
    )
    assert.deepStrictEqual(origins[1], {
      at: "2026-02-01T00:00:00.000Z",
      how: DIRECTORY_IMPORT,
      by: null,
      request_id: null,
      line: 3,
      file: "own.csv",
      sources: []
    })
    assert.deepStrictEqual(origins[2], {
      at: "2026-03-01T00:00:00.000Z",
      how: "verify_email",
      by: "agent",
      request_id: "r3",
      line: null,
      file: null,
      sources: []
    })
    assert.deepStrictEqual(origins[3], {
      at: "2026-03-02T00:00:00.000Z",
      how: "create_campaign",
      by: "agent",
      request_id: "r1",
      line: 7,
      file: "people.csv",
      sources: [
        { name: licensed, licence: SOURCE_LICENCES[licensed] ?? "" },
        { name: "another", licence: null }
      ]
    })
  })

  it("is not told again of a call or an import that a lead keeps", () => {
    const at = "2026-03-02T00:00:00.000Z"
    const kept = found({
      leads: [
        { origin: origin() },
        { origin: origin({ how: DIRECTORY_IMPORT, request_id: null, by: null, kind: "listed" }) }
      ],
      calls: [call("r1", "create_campaign", at), call("r1", "add_leads", at), call("r9", "create_campaign", at)],
      directory: [listed(at)]
    })
    assert.sameDeepMembers(
      kept.map(({ how, request_id }) => [how, request_id]),
      [
        ["create_campaign", "r1"],
        [DIRECTORY_IMPORT, null],
        ["add_leads", "r1"],
        ["create_campaign", "r9"]
      ]
    )
  })
})

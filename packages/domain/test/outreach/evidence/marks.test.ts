import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { EvidenceMark, ValueEvidence } from "../../../src/kernel/sequences/evidence.js"
import type { Recipient } from "../../../src/kernel/sequences/Sequence.js"
import {
  areMarked,
  countMarks,
  EVIDENCE_OLD_DAYS,
  isRefused,
  type MarkFacts,
  markedVariables,
  markOf,
  marksOf,
  sumMarks
} from "../../../src/outreach/evidence/marks.js"
import { seenByNow } from "../../../src/outreach/evidence/seenAhead.js"

const NOW = Date.UTC(2027, 0, 4)
const DAY = 86_400_000
const at = (daysAgo: number, millis = 0) => new Date(NOW - daysAgo * DAY + millis).toISOString()

const facts = (finding: Partial<NonNullable<MarkFacts["finding"]>> | null, seenAt = at(1)): MarkFacts => ({
  seenAt,
  finding: finding === null ? null : { kind: "found", reason: null, datedAt: null, ...finding }
})

const person = (given: Partial<Recipient>): Recipient => ({
  email: "ann@acme.test",
  firstName: "Ann",
  lastName: null,
  companyName: null,
  custom: { news: "They grew", none: "" },
  ...given
})

describe("the mark of a value", () => {
  it("is what was found of its evidence, and nothing better", () => {
    const marks: ReadonlyArray<readonly [MarkFacts | null, EvidenceMark]> = [
      [null, "without_proof"],
      [facts(null), "unchecked"],
      [facts({ kind: "unread" }), "unchecked"],
      [facts({ reason: "other_language" }), "unchecked"],
      [facts({ kind: "absent" }), "not_found"],
      [facts({ reason: "other_value" }), "altered"],
      [facts({}), "proven"]
    ]
    for (const [evidence, mark] of marks) assert.strictEqual(markOf(evidence, NOW), mark, mark)
  })

  it("is old from a year on: by the date of what was said, or else by the day on which it was seen", () => {
    assert.strictEqual(markOf(facts({}, at(EVIDENCE_OLD_DAYS)), NOW), "old")
    assert.strictEqual(markOf(facts({}, at(EVIDENCE_OLD_DAYS, 1)), NOW), "proven")
    assert.strictEqual(markOf(facts({ datedAt: at(EVIDENCE_OLD_DAYS) }), NOW), "old")
    assert.strictEqual(markOf(facts({ datedAt: at(1) }, at(EVIDENCE_OLD_DAYS)), NOW), "proven")
  })

  it("is of each variable that is merged but the address, and of no fallback", () => {
    const step = (body: string) => ({ subject: "{{email}} {{custom.news}}", body, waitDays: 1 })
    const variables = markedVariables([step("{{first_name}}"), step("{{custom.news}} {{custom.none|x}}")])
    assert.sameMembers([...variables], ["custom.news", "first_name", "custom.none"])
    const evidence = [
      { variable: "custom.news", seenAt: at(1), finding: null }
    ] as unknown as ReadonlyArray<ValueEvidence>
    const marks = marksOf(person({ evidence }), ["first_name", "last_name", "custom.news"], NOW)
    assert.deepStrictEqual(
      marks.map(({ evidence: of, mark, variable }) => [variable, mark, of === null]),
      [
        ["first_name", "without_proof", true],
        ["custom.news", "unchecked", false]
      ]
    )
    assert.lengthOf(marksOf(person({ evidence: null }), ["first_name"], NOW), 1)
  })

  it("is counted by people, each mark by itself", () => {
    const none = { proven: 0, old: 0, without_proof: 0, unchecked: 0, not_found: 0, altered: 0 }
    assert.deepStrictEqual({ ...none, ...countMarks([]) }, none)
    assert.deepInclude(countMarks(["old", "old", "proven"]), { old: 2, proven: 1, altered: 0 })
    const sums = sumMarks([
      { mark: "old", people: 3 },
      { mark: "old", people: 4 }
    ])
    assert.deepInclude(sums, { old: 7, proven: 0 })
  })

  it("is shown where the rule asks for it, or where somebody gave evidence", () => {
    const evidence = [{ variable: "custom.news" }] as unknown as ReadonlyArray<ValueEvidence>
    assert.isFalse(areMarked("none", [person({}), person({ evidence: [] }), person({ evidence: null })]))
    assert.isTrue(areMarked("none", [person({}), person({ evidence })]))
    assert.isTrue(areMarked("require", []))
  })

  it("refuses a value that its evidence does not hold; a name may go without any", () => {
    const of = (variable: string) =>
      (["proven", "old", "without_proof", "unchecked", "not_found", "altered"] as const).filter((mark) =>
        isRefused({ mark, variable })
      )
    assert.deepStrictEqual(of("custom.news"), ["without_proof", "unchecked", "not_found", "altered"])
    assert.deepStrictEqual(of("first_name"), ["not_found", "altered"])
  })
})

it("evidence was seen by now, or within a day by another clock; what lies ahead is named", () => {
  const seen = (...millis: ReadonlyArray<number>) =>
    seenByNow(
      "leads",
      millis.map((one) => ({ evidence: { news: { observed_at: new Date(one).toISOString() } as never } })),
      NOW
    )
  assert.isTrue(Result.isSuccess(seen(NOW, NOW - DAY, NOW + DAY)))
  assert.isTrue(Result.isSuccess(seenByNow("leads", [{}], NOW)))
  const ahead = seen(NOW, NOW + DAY + 1)
  assert.isTrue(Result.isFailure(ahead))
  assert.include(JSON.stringify(ahead), "leads.1.evidence.news.observed_at")
})

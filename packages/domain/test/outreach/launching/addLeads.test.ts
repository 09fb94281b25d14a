import { assert, it } from "@effect/vitest"
import type { Finding, ValueEvidence } from "../../../src/kernel/sequences/evidence.js"
import type { Hashed } from "../../../src/outreach/campaigns/Importer.js"
import { withFindings } from "../../../src/outreach/launching/addLeads.js"

const FOUND: Finding = { kind: "found", reason: null, datedAt: null, readFrom: null }

const given: ValueEvidence = {
  variable: "custom.claim",
  requestId: "r1",
  url: "https://a.test/",
  excerpt: "words",
  seenAt: "2027-01-01",
  finding: null
}

const person: Hashed = {
  email: "a@a.test",
  addressHash: "hash",
  firstName: null,
  lastName: null,
  companyName: null,
  custom: {}
}

it("what was shown of evidence counts for the very same evidence, and for no other", () => {
  const findings = (shown: ValueEvidence) =>
    withFindings({ ...person, evidence: [given] }, [{ ...shown, finding: FOUND }]).evidence?.map((one) => one.finding)
  assert.deepStrictEqual(findings(given), [FOUND])
  for (const other of [
    { variable: "first_name" },
    { requestId: "r2" },
    { url: "https://b.test/" },
    { excerpt: "other words" },
    { seenAt: "2027-01-02" }
  ])
    assert.deepStrictEqual(findings({ ...given, ...other }), [null], JSON.stringify(other))
  assert.deepStrictEqual(withFindings(person, [{ ...given, finding: FOUND }]), person)
  const bare = { ...person, evidence: [] }
  assert.strictEqual(withFindings(bare, []), bare)
})

import { assert, describe, it } from "@effect/vitest"
import type { LeadOrigin } from "../../../src/kernel/people/origins.js"
import { firstOrigin, type NamingCall } from "../../../src/outreach/campaigns/recipients/OriginStore.js"

const AT = "2026-03-02T09:00:00.000Z"

const NOW: LeadOrigin = {
  kind: "given",
  how: "create_campaign",
  at: AT,
  by: "agent",
  request_id: "9",
  line: null,
  file: null,
  sources: [],
  country: null
}

const call = (given: Partial<NamingCall>): NamingCall => ({
  verb: "verify_email",
  at: AT,
  by: "agent",
  request_id: "5",
  line: null,
  file: null,
  sources: [],
  ...given
})

const LIST = call({ verb: "verify_emails", request_id: "4", line: 3, file: "fair.csv" })

describe("where an address came from first", () => {
  it("is the call that was made first, also within one millisecond, and whatever is read first", () => {
    for (const calls of [
      [call({}), LIST],
      [LIST, call({})]
    ]) {
      const origin = firstOrigin({ calls, directory: null, lead: null }, NOW)
      assert.deepInclude(origin, { kind: "listed", how: "verify_emails", file: "fair.csv", line: 3 })
    }
    const later = { ...LIST, at: "2026-03-02T09:00:00.001Z", request_id: "1" }
    assert.strictEqual(firstOrigin({ calls: [later, call({})], directory: null, lead: null }, NOW).how, "verify_email")
  })

  it("is what was kept before, rather than the call that names them now", () => {
    const directory = { imported_at: AT, country: "Germany", file: "own.csv", line: 5 }
    assert.deepInclude(firstOrigin({ calls: [], directory, lead: null }, NOW), {
      kind: "listed",
      how: "directory_import",
      file: "own.csv",
      line: 5,
      country: "DE"
    })
    assert.deepStrictEqual(firstOrigin(undefined, NOW), NOW)
  })
})

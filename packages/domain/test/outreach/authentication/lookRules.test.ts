import { assert, describe, it } from "@effect/vitest"
import { DAY_MILLIS } from "../../../src/kernel/durations.js"
import {
  type CheckStatus,
  type DomainLook,
  FAILING_MILLIS,
  type Findings,
  isMended,
  LOOK_DAILY_MILLIS,
  LOOK_SOONER_MILLIS,
  lookAfter,
  mustPause
} from "../../../src/outreach/authentication/Look.js"

const NOW = Date.UTC(2027, 0, 4)

type Found = CheckStatus | readonly [status: CheckStatus, checkedAtMillis: number]

/** Of SPF, DKIM and DMARC; found just now unless said. */
const found = (...[spf, dkim, dmarc]: readonly [Found, Found, Found]): Findings => {
  const one = (of: Found) => {
    const [status, checkedAtMillis] = typeof of === "string" ? ([of, NOW] as const) : of
    return { status, aligned: null, detail: "", checkedAtMillis }
  }
  return { spf: one(spf), dkim: one(dkim), dmarc: one(dmarc), mx: one("pass") }
}

const after = (before: DomainLook | null, findings: Findings, listed: DomainLook["listed"] | null = null) =>
  lookAfter(before, { workspaceId: "w", domain: "acme.test", findings, listed }, NOW)

describe("a look at a domain", () => {
  it("keeps what was proven where nobody answers now, and the newest of what was never proven", () => {
    const before = after(null, found(["fail", NOW - DAY_MILLIS], ["unknown", NOW - DAY_MILLIS], "pass"))
    const { dkim, spf } = after(before, found("unknown", "unknown", "pass")).findings
    assert.deepStrictEqual([spf.status, spf.checkedAtMillis], ["fail", NOW - DAY_MILLIS])
    assert.deepStrictEqual([dkim.status, dkim.checkedAtMillis], ["unknown", NOW])
  })

  it("keeps who lists it until blocklists were asked again", () => {
    const listed = [{ zone: "list.test", says: "spam" }]
    assert.deepStrictEqual(after(null, found("pass", "pass", "pass")).listed, [])
    const before = after(null, found("pass", "pass", "pass"), listed)
    assert.deepStrictEqual(before.listed, listed)
    assert.deepStrictEqual(after(before, found("pass", "pass", "pass")).listed, listed)
    assert.deepStrictEqual(after(before, found("pass", "pass", "pass"), []).listed, [])
  })

  it("keeps which campaigns paused with it, and is as new as its newest answer", () => {
    const green = found("pass", "pass", "pass")
    assert.deepStrictEqual(after(null, green).stoppedCampaigns, [])
    const before = { ...after(null, green), stoppedCampaigns: ["spring"] }
    assert.deepStrictEqual(after(before, green).stoppedCampaigns, ["spring"])
    const old = NOW - DAY_MILLIS
    for (const check of ["spf", "dkim", "dmarc", "mx"] as const) {
      const all = found(["pass", old], ["pass", old], ["pass", old])
      const findings = { ...all, mx: { ...all.mx, checkedAtMillis: old } }
      const newest = { ...findings, [check]: { ...findings[check], checkedAtMillis: NOW } }
      assert.strictEqual(after(null, newest).lookedAtMillis, NOW, check)
    }
  })

  it("is repeated daily where somebody answered and nothing fails, and sooner otherwise", () => {
    const next = (findings: Findings) => after(null, findings).nextLookAtMillis - NOW
    assert.strictEqual(next(found("pass", "pass", "pass")), LOOK_DAILY_MILLIS)
    assert.strictEqual(next(found("pass", "unknown", "unknown")), LOOK_DAILY_MILLIS)
    assert.strictEqual(next(found("unknown", "unknown", "unknown")), LOOK_SOONER_MILLIS)
    assert.strictEqual(next(found("fail", "pass", "pass")), LOOK_SOONER_MILLIS)
    assert.isBelow(LOOK_SOONER_MILLIS, LOOK_DAILY_MILLIS)
  })
})

describe("a domain that fails", () => {
  const failing = (findings: Findings, sinceMillis: number | null = NOW - FAILING_MILLIS): DomainLook => ({
    ...after(null, findings),
    failingSinceMillis: sinceMillis
  })
  const bad = found("fail", "pass", "pass")

  it("pauses what sends from it once it failed for so long, counted from when a person resumed it", () => {
    assert.isTrue(mustPause(failing(bad), null, NOW))
    assert.isFalse(mustPause(failing(bad, NOW - FAILING_MILLIS + 1), null, NOW))
    assert.isTrue(mustPause(failing(bad), NOW - FAILING_MILLIS, NOW))
    assert.isFalse(mustPause(failing(bad), NOW - FAILING_MILLIS + 1, NOW))
  })

  it("pauses nothing that is well, or of which the last look has no answer", () => {
    assert.isFalse(mustPause(failing(found("pass", "pass", "pass"), null), null, NOW))
    const old = ["fail", NOW - DAY_MILLIS] as const
    assert.isFalse(mustPause(failing(found(old, "pass", "pass")), null, NOW))
    assert.isTrue(mustPause(failing(found(old, "fail", "pass")), null, NOW))
  })

  it("goes on once SPF and DMARC pass and nothing fails: an unknown DKIM selector is no reason against", () => {
    const mended = (...of: Parameters<typeof found>) => isMended(after(null, found(...of)), NOW)
    assert.isTrue(mended("pass", "unknown", "pass"))
    assert.isTrue(mended("pass", "pass", "pass"))
    assert.isFalse(mended("unknown", "pass", "pass"))
    assert.isFalse(mended("pass", "pass", "unknown"))
    assert.isFalse(mended("pass", "fail", "pass"))
    assert.isFalse(mended("pass", "missing", "pass"))
  })
})

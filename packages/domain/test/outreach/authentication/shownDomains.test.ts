import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { DomainsShown, SNAPSHOT_DOMAINS_MAX } from "../../../src/calls/approvals/Snapshot.js"
import { DAY_MILLIS } from "../../../src/kernel/durations.js"
import type { CheckStatus, DomainLook, Finding } from "../../../src/outreach/authentication/Look.js"
import { shownDomains } from "../../../src/outreach/authentication/shownDomains.js"

const NOW = Date.UTC(2027, 0, 4)

const finding = (status: CheckStatus, daysAgo = 0): Finding => ({
  status,
  aligned: null,
  detail: `as found: ${status}`,
  checkedAtMillis: NOW - daysAgo * DAY_MILLIS
})

const look = (domain: string, dmarc: Finding, listed: ReadonlyArray<string> = []): DomainLook => ({
  workspaceId: "w",
  domain,
  findings: { spf: finding("pass"), dkim: finding("pass"), dmarc, mx: finding("pass") },
  listed: listed.map((zone) => ({ zone, says: "third-party text" })),
  failingSinceMillis: null,
  lookedAtMillis: NOW,
  nextLookAtMillis: NOW,
  stoppedCampaigns: []
})

it("domains are counted once each by the worst that is proven, and shown with that first", () => {
  const looks = [
    look("good.test", finding("pass")),
    look("fails.test", finding("missing"), ["dbl.test"]),
    look("listed.test", finding("pass"), ["dbl.test", "dbl.test"]),
    look("old.test", finding("missing", 4))
  ]
  const all = ["good.test", "fails.test", "listed.test", "nobody.test", "old.test"]
  const shown = shownDomains(all, looks, "require", NOW)
  assert.deepInclude(shown, { rule: "require", total: 5, failing: 1, unknown: 2, listed: 2 })
  assert.deepStrictEqual(
    shown.domains.map(({ domain }) => domain),
    ["fails.test", "listed.test", "nobody.test", "old.test", "good.test"]
  )
  const at = (name: string) => shown.domains.find(({ domain }) => domain === name)!
  assert.deepStrictEqual(at("listed.test").listed_on, ["dbl.test"])
  // Nobody looked: nothing is claimed, and no age.
  assert.deepInclude(at("nobody.test").spf, { status: "unknown", checked_at: null })
  // Too long ago: no evidence any more.
  assert.strictEqual(at("old.test").dmarc.status, "unknown")
  assert.strictEqual(at("fails.test").dmarc.checked_at, new Date(NOW).toISOString())
})

it("failing comes before listed, listed before unknown, unknown before good, and within each the names in order", () => {
  const failing = look("m-fails.test", finding("missing"))
  const looks = [
    look("z-good.test", finding("pass")),
    look("y-good.test", finding("pass")),
    look("c-listed.test", finding("pass"), ["z.test", "a.test"]),
    { ...failing, findings: { ...failing.findings, spf: finding("pass", 4) } }
  ]
  const all = ["z-good.test", "b-nobody.test", "c-listed.test", "y-good.test", "m-fails.test", "a-nobody.test"]
  const shown = shownDomains(all, looks, "warn", NOW)
  assert.deepStrictEqual(
    shown.domains.map(({ domain }) => domain),
    ["m-fails.test", "c-listed.test", "a-nobody.test", "b-nobody.test", "y-good.test", "z-good.test"]
  )
  // What fails is not counted as unknown too, though another check of it is.
  assert.deepInclude(shown, { failing: 1, unknown: 2, listed: 1 })
  assert.deepStrictEqual(shown.domains[1]?.listed_on, ["a.test", "z.test"])
})

it("of many domains the worst are shown, all are counted, and the snapshot can be stored", () => {
  const all = Array.from({ length: 60 }, (_, index) => `d${String(index).padStart(2, "0")}.test`)
  const looks = all.map((domain, index) => look(domain, finding(index >= 55 ? "fail" : "pass")))
  const shown = shownDomains(all, looks, "warn", NOW)
  assert.deepInclude(shown, { total: 60, failing: 5, unknown: 0 })
  assert.lengthOf(shown.domains, SNAPSHOT_DOMAINS_MAX)
  assert.deepStrictEqual(
    shown.domains.slice(0, 6).map(({ domain }) => domain),
    ["d55.test", "d56.test", "d57.test", "d58.test", "d59.test", "d00.test"]
  )
  assert.deepStrictEqual(Schema.decodeUnknownSync(DomainsShown)(JSON.parse(JSON.stringify(shown))), shown)
})

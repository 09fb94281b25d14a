import { assert, it } from "@effect/vitest"
import * as FC from "fast-check"
import {
  CRM_STALE_MILLIS,
  dealingOf,
  isReadTooLongAgo,
  keptOutBy
} from "../../../src/outreach/suppression/keepingOut.js"
import {
  barredBy,
  domainsAbove,
  REMOVAL_REASONS,
  shownReason,
  SUPPRESSION_SOURCES,
  suppressionReason
} from "../../../src/outreach/suppression/SuppressionStore.js"

it("any source forbids, and a person's own no counts before their owner's", () =>
  FC.assert(
    FC.property(FC.subarray([...SUPPRESSION_SOURCES]), (sources) => {
      const own = sources.filter((source) => source !== "owner_import")
      const expected = own.length > 0 ? "opted_out" : sources.length > 0 ? "platform_blocked" : null
      assert.strictEqual(suppressionReason(sources), expected)
    })
  ))

it("every way to say no is one, and every reason has its place in the contract's order", () => {
  assert.deepStrictEqual([...SUPPRESSION_SOURCES].toSorted(), [
    "added",
    "complaint",
    "hard_bounce",
    "not_interested",
    "owner_import",
    "reply",
    "unsubscribe"
  ])
  assert.deepStrictEqual([...REMOVAL_REASONS], ["invalid", "opted_out", "platform_blocked", "capped", "other"])
})

it("what stands behind another reason is named beside it, and the CRM keeps out even who may wait", () => {
  assert.deepStrictEqual(shownReason("opted_out"), { reason: "opted_out" })
  assert.deepStrictEqual(shownReason("role_address"), { reason: "other", rule: "role_address" })
  for (const crm of ["crm_customer", "crm_open_deal", "crm_owned"] as const) {
    assert.deepStrictEqual(shownReason(crm), { reason: "other", crm })
    assert.strictEqual(barredBy({ sources: [], isContacted: true, keptOut: crm }, true), crm)
    assert.strictEqual(barredBy({ sources: [], isContacted: true, keptOut: crm }, false), "capped")
    assert.strictEqual(barredBy({ sources: ["reply"], isContacted: true, keptOut: crm }, true), "opted_out")
  }
  for (const crm of ["crm_opted_out", "crm_bounced"] as const) {
    assert.deepStrictEqual(shownReason(crm), { reason: "opted_out", crm })
    for (const mayWait of [true, false]) {
      assert.strictEqual(barredBy({ sources: ["owner_import"], isContacted: true, keptOut: crm }, mayWait), crm)
    }
    assert.strictEqual(barredBy({ sources: ["reply"], isContacted: true, keptOut: crm }, true), "opted_out")
  }
  assert.isNull(barredBy({ sources: [], isContacted: true, keptOut: null }, true))
})

it("of several standings in the CRM the first counts, and none keeps nobody out", () => {
  assert.strictEqual(keptOutBy(["owned", "customer"]), "crm_customer")
  assert.strictEqual(keptOutBy(["owned", "open_deal"]), "crm_open_deal")
  assert.isNull(keptOutBy([]))
  assert.strictEqual(keptOutBy(["customer", "bounced", "opted_out"]), "crm_opted_out")
  assert.strictEqual(keptOutBy(["customer", "bounced"]), "crm_bounced")
  // What a campaign brought is a customer, whether or not they want mail.
  assert.strictEqual(dealingOf(["customer", "opted_out"]), "crm_customer")
  assert.isNull(dealingOf(["bounced", "opted_out"]))
})

it("a CRM that was read a day ago, or never, says nothing of today", () => {
  assert.isTrue(isReadTooLongAgo(null, 0))
  assert.isTrue(isReadTooLongAgo(0, CRM_STALE_MILLIS))
  assert.isFalse(isReadTooLongAgo(1, CRM_STALE_MILLIS))
})

it("an address is covered by its own domain and by each above it, and by none beside it", () => {
  assert.deepStrictEqual(domainsAbove("ann@mail.eu.acme.test"), [
    "mail.eu.acme.test",
    "eu.acme.test",
    "acme.test",
    "test"
  ])
  assert.deepStrictEqual(domainsAbove('"a@x.test"@acme.test'), ["acme.test", "test"])
})

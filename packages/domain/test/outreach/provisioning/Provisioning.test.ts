import { assert, describe, it } from "@effect/vitest"
import { format } from "../../../src/kernel/money/Credits.js"
import type { OperationItem } from "../../../src/outreach/operations/OperationStore.js"
import { endOf, itemsAfter, refundOf } from "../../../src/outreach/provisioning/Provisioning.js"
import type { CapacityProgress, ProvisioningStatus } from "../../../src/sources/ports/SendingProvider.js"
import { DOMAIN_SETUP_PRICE } from "../../../src/verbs/prices.js"

const ordered: ReadonlyArray<OperationItem> = ["a.example", "b.example"].flatMap((domain) => [
  { id: domain, kind: "domain", status: "pending", detail: null },
  { id: `ada@${domain}`, kind: "mailbox", status: "pending", detail: null }
])

const progress = (...domains: ReadonlyArray<readonly [string, ProvisioningStatus]>): CapacityProgress => ({
  domains: domains.map(([domain, status]) => ({
    domain,
    status,
    detail: status === "failed" ? "refused" : null,
    mailboxes: [{ address: `ada@${domain}`, status: status === "failed" ? "pending" : status }]
  }))
})

const statuses = (items: ReadonlyArray<OperationItem>) => items.map(({ status }) => status)

describe("the items of a purchase", () => {
  it("are those ordered, whatever the provider names", () => {
    const odd = progress(["a.example", "active"], ["c.example", "active"], ["a.example", "active"])
    const items = itemsAfter(ordered, odd)
    assert.deepStrictEqual(
      items.map(({ id }) => id),
      ordered.map(({ id }) => id)
    )
    assert.deepStrictEqual(statuses(items), ["active", "active", "pending", "pending"])
    assert.isNull(endOf(items))
  })

  it("stay as they ended, also where the provider takes it back", () => {
    const items = itemsAfter(ordered, progress(["a.example", "active"], ["b.example", "failed"]))
    assert.deepStrictEqual(statuses(items), ["active", "active", "failed", "failed"])
    const later = itemsAfter(items, progress(["a.example", "failed"], ["b.example", "active"]))
    assert.deepStrictEqual(later, items)
  })

  it("come to an end together, and what was not delivered is given back, never more", () => {
    const cases = [
      ["active", "active", "succeed", "0"],
      ["active", "failed", "succeed_partially", "1500"],
      ["failed", "failed", "fail", "3000"]
    ] as const
    for (const [a, b, end, refund] of cases) {
      const items = itemsAfter(ordered, progress(["a.example", a], ["b.example", b]))
      assert.strictEqual(endOf(items), end)
      assert.strictEqual(format(refundOf(endOf(items), items, DOMAIN_SETUP_PRICE)), refund)
    }
    assert.strictEqual(format(refundOf(null, ordered, DOMAIN_SETUP_PRICE)), "0")
  })
})

import { assert, it } from "@effect/vitest"
import { companyUnder, NO_COMPANY_RULES, shownRules } from "../../../src/outreach/campaigns/companyRules.js"

const STOP = { stopForCompany: true, maxPerCompanyPerDay: null }
const SHARE = { stopForCompany: false, maxPerCompanyPerDay: 2 }
const BOTH = { stopForCompany: true, maxPerCompanyPerDay: 1 }

it("either rule looks at the person's company, and without one nobody's company is looked at", () => {
  for (const rules of [STOP, SHARE, BOTH]) {
    assert.strictEqual(companyUnder(rules, "ann@mail.acme.com"), "acme.com")
    // Who writes from a mail provider is of no company.
    assert.isNull(companyUnder(rules, "ann@gmail.com"))
  }
  assert.isNull(companyUnder(NO_COMPANY_RULES, "ann@acme.com"))
  assert.deepStrictEqual(NO_COMPANY_RULES, { stopForCompany: false, maxPerCompanyPerDay: null })
})

it("an approval shows the rules that were set, and nothing of those that were not", () => {
  assert.deepStrictEqual(shownRules(STOP), { stop_for_company: true })
  assert.deepStrictEqual(shownRules(SHARE), { max_per_company_per_day: 2 })
  assert.deepStrictEqual(shownRules(BOTH), { stop_for_company: true, max_per_company_per_day: 1 })
  assert.deepStrictEqual(shownRules(NO_COMPANY_RULES), {})
})

import { assert, it } from "@effect/vitest"
import { matchCheck } from "../../../src/data/leads/leadSearch.js"
import type { LeadQuery } from "../../../src/sources/ports/LeadSource.js"
import type { Person } from "../../../src/sources/ports/Person.js"

const ADA: Person = {
  fullName: "Ada Lovelace",
  firstName: "Ada",
  lastName: "Lovelace",
  title: "Head of Engines",
  companyName: "Acme",
  companyDomain: "acme.test",
  companyHeadcount: 40,
  companyIndustry: "Software Development",
  city: "London",
  country: "United Kingdom",
  socialUrl: null,
  observedAt: null
}

const QUERY: LeadQuery = {
  audience: "anybody",
  titles: [],
  locations: [],
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  limit: 25
}

/** A filter, what a source says of the person; `null`: it can't be told whether they match. */
const ROWS: ReadonlyArray<readonly [Partial<LeadQuery>, Partial<Person>, matches: boolean | null]> = [
  [{ titles: ["HEAD OF"] }, {}, true],
  [{ titles: ["cfo", " engines "] }, {}, true],
  [{ titles: ["cfo"] }, {}, false],
  [{ titles: ["cfo"] }, { title: null }, null],
  [{ companyDomains: ["acme.test"] }, {}, true],
  [{ companyDomains: ["acme.test"] }, { companyDomain: "other.test" }, false],
  [{ companyDomains: ["acme.test"] }, { companyDomain: null }, false],
  [{ headcountMin: 40, headcountMax: 40 }, {}, true],
  [{ headcountMin: 41 }, {}, false],
  [{ headcountMax: 39 }, {}, false],
  [{ headcountMax: 39 }, { companyHeadcount: null }, null],
  [{ industries: ["Software Development"] }, {}, true],
  [{ industries: ["Hospitals"] }, {}, false],
  [{ industries: ["Hospitals"] }, { companyIndustry: null }, null],
  [{ locations: ["london"] }, {}, true],
  [{ locations: ["United Kingdom"] }, {}, true],
  [{ locations: ["London, United Kingdom"] }, {}, true],
  [{ locations: ["Paris"] }, {}, false],
  [{ locations: ["Paris"] }, { city: null, country: null }, null]
]

it("keeps who matches, withholds who does not, and counts who can't be told", () => {
  for (const row of ROWS) {
    const [filter, known, matches] = row
    const { counts, kept } = matchCheck({ ...QUERY, ...filter }, [], [{ ...ADA, ...known }])
    assert.strictEqual(kept.length, matches === false ? 0 : 1, JSON.stringify(row))
    assert.deepStrictEqual(
      [counts.kept, counts.withheld, counts.not_checked],
      matches === null ? [0, 0, 1] : matches ? [1, 0, 0] : [0, 1, 0],
      JSON.stringify(row)
    )
  }
})

it("says which of the withheld the title kept out", () => {
  const people = [ADA, { ...ADA, title: "Clerk" }, { ...ADA, companyDomain: "other.test" }]
  const checked = matchCheck({ ...QUERY, titles: ["head"], companyDomains: ["acme.test"] }, [], people)
  assert.strictEqual(checked.titleWithheld, 1)
  assert.deepStrictEqual(checked.counts, { status: "checked", kept: 1, withheld: 2, not_checked: 0 })
})

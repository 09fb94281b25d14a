import { assert, it } from "@effect/vitest"
import { crediblePerson, isIdentified } from "../../../src/data/people/Credible.js"
import type { Person } from "../../../src/sources/ports/Person.js"

const SENSIBLE: Person = {
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
  socialUrl: "https://social.example/in/ada",
  observedAt: "2026-01-02T03:04:05.678Z"
}

const CASES: ReadonlyArray<readonly [Partial<Person>, Partial<Person>]> = [
  [{ fullName: "  Ada  " }, { fullName: "Ada" }],
  [{ fullName: "" }, { fullName: "Ada Lovelace" }],
  [
    { fullName: null, firstName: "\u0000" },
    { fullName: null, firstName: null }
  ],
  [{ title: "Head\u0000" }, { title: null }],
  [{ title: "\ud800" }, { title: null }],
  [{ title: "x".repeat(301) }, { title: null }],
  [{ companyDomain: "https://WWW.Acme.test/about" }, { companyDomain: "acme.test" }],
  [{ companyDomain: "not a domain" }, { companyDomain: null }],
  [{ companyHeadcount: -1 }, { companyHeadcount: null }],
  [{ companyHeadcount: 1.5 }, { companyHeadcount: null }],
  [{ companyHeadcount: Number.NaN }, { companyHeadcount: null }],
  [{ socialUrl: "javascript:alert(1)" }, { socialUrl: null }],
  [{ observedAt: "yesterday" }, { observedAt: null }],
  [{ observedAt: "2026-13-01" }, { observedAt: null }],
  [{ observedAt: "2026-01-02" }, { observedAt: "2026-01-02T00:00:00.000Z" }],
  [{ observedAt: "2026-01-02T03:04:05+02:00" }, { observedAt: "2026-01-02T01:04:05.000Z" }]
]

it("leaves what makes sense as it is, and leaves out what makes none", () => {
  assert.deepStrictEqual(crediblePerson(SENSIBLE), SENSIBLE)
  for (const [given, expected] of CASES) {
    assert.deepStrictEqual(
      crediblePerson({ ...SENSIBLE, ...given }),
      { ...SENSIBLE, ...expected },
      JSON.stringify(given)
    )
  }
})

it("knows who has neither a name nor a profile for nobody", () => {
  assert.isTrue(isIdentified(SENSIBLE))
  assert.isTrue(isIdentified({ ...SENSIBLE, fullName: null }))
  assert.isFalse(isIdentified({ ...SENSIBLE, fullName: null, socialUrl: null }))
})

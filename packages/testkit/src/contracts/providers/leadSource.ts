import { assert } from "@effect/vitest"
import { crediblePerson, credibleText, isIdentified } from "@outbound/domain/data/people/Credible.js"
import type { LeadCriteria, LeadPage, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import { portSuite } from "./portSuite.js"
import { type Fixture, isRegistrable, keepsAll } from "./sources.js"

export type LeadSourceFixture = Fixture<LeadQuery, LeadPage>

/** Existing people; queries are made from them. */
export const anybody: LeadQuery = {
  audience: "",
  titles: [],
  locations: [],
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  limit: 10
}

export const leadSourceSuite = portSuite<LeadSource, LeadQuery, LeadPage>({
  kind: "lead_source",
  ask: (source, query) => source.search(query),
  holds: ({ people, places, totalFound }, { request, says }, source) => {
    assert.isAtMost(people.length, request.limit, `${says}: the limit`)
    assert.isTrue(Number.isSafeInteger(totalFound) && totalFound >= people.length, `${says}: ${totalFound} in all`)
    for (const person of people) {
      keepsAll(person, crediblePerson(person), says)
      assert.isTrue(isIdentified(person), `${says}: who it is`)
      isRegistrable(person.companyDomain, says)
    }
    for (const { cities, region } of places)
      for (const name of [region, ...cities]) keepsAll(name, credibleText(name), says)
    assert.isTrue(canServe(source, request), `${says}: it says that it can't search so`)
  }
})

/** Whether a source says that it can apply these filters. */
export const canServe = (source: LeadSource, criteria: LeadCriteria): boolean => source.serves?.(criteria) ?? true

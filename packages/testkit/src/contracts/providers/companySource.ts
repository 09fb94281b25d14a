import { assert } from "@effect/vitest"
import { crediblePage } from "@outbound/domain/data/companies/credibleCompany.js"
import type {
  CompanyPage,
  CompanyQuery,
  CompanySearchKind,
  CompanySource
} from "@outbound/domain/sources/ports/CompanySource.js"
import { portSuite } from "./portSuite.js"
import { type Fixture, isRegistrable, keepsAll } from "./sources.js"

export type CompanySourceFixture = Fixture<CompanyQuery, CompanyPage>

/** Whatever company there is; queries are made from it. */
export const anyCompany: Omit<CompanyQuery, "search"> = {
  audience: "",
  industries: [],
  countryCodes: [],
  headcountMin: 1,
  headcountMax: null,
  limit: 10,
  lowConfidenceLimit: 5
}

const kindsOf = ({ search }: CompanyQuery): ReadonlyArray<CompanySearchKind> =>
  search.kind !== "signals"
    ? [search.kind]
    : [
        ...(search.hiring === null ? [] : ["hiring" as const]),
        ...(search.technologies.length === 0 ? [] : ["technologies" as const])
      ]

export const companySourceSuite = portSuite<CompanySource, CompanyQuery, CompanyPage>({
  kind: "company_source",
  ask: (source, query) => source.search(query),
  holds: (page, { request, says }, source) => {
    assert.includeMembers([...source.kinds], [...kindsOf(request)], `${says}: what it says that it serves`)
    assert.isTrue(source.serves?.(request) ?? true, `${says}: it says that it can't search so`)
    // Lists are compared one by one: where one is left out, it is no company, or has nothing to show for it.
    keepsAll(page, crediblePage(page), says)
    const sure = page.companies.filter(({ evidence }) => evidence.some(({ confidence }) => confidence === "high"))
    assert.isAtMost(sure.length, request.limit, `${says}: the limit`)
    assert.isAtMost(
      page.companies.length - sure.length,
      request.lowConfidenceLimit,
      `${says}: those of which it is not sure`
    )
    for (const { domain } of page.companies) isRegistrable(domain, says)
  }
})

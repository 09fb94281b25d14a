import { describe } from "@effect/vitest"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import type { CompanySearch } from "@outbound/domain/sources/ports/CompanySource.js"
import { DATASET_NAMES } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { companyDatasetSourceSuite } from "@outbound/testkit/contracts/providers/companyDatasetSource.js"
import { anyCompany, companySourceSuite } from "@outbound/testkit/contracts/providers/companySource.js"
import { contactEnricherSuite, nobody } from "@outbound/testkit/contracts/providers/contactEnricher.js"
import { emailVerifierSuite } from "@outbound/testkit/contracts/providers/emailVerifier.js"
import { intentSourceSuite } from "@outbound/testkit/contracts/providers/intentSource.js"
import { anybody, leadSourceSuite } from "@outbound/testkit/contracts/providers/leadSource.js"
import { mobileFinderSuite } from "@outbound/testkit/contracts/providers/mobileFinder.js"
import { postSourceSuite } from "@outbound/testkit/contracts/providers/postSource.js"
import type { Subject } from "@outbound/testkit/contracts/providers/sources.js"
import { sandboxCompanies, sandboxLocal } from "@outbound/sandbox/providers/SandboxCompanies.js"
import { sandboxCompanyBroad, sandboxCompanyIndex } from "@outbound/sandbox/providers/SandboxCompanyDatasets.js"
import { sandboxJobs, sandboxWatch } from "@outbound/sandbox/providers/SandboxIntent.js"
import {
  sandboxContactsBroad,
  sandboxContactsIndex,
  sandboxLeads,
  sandboxMobiles,
  sandboxPosts,
  sandboxPremiumLeads,
  sandboxProbe,
  sandboxProbeDeep
} from "@outbound/sandbox/providers/Sandbox.js"
import { MAGIC_DOMAIN } from "@outbound/sandbox/world/Magic.js"
import { world } from "@outbound/sandbox/world/World.js"
import { Effect } from "effect"

const subject = <S extends Source>(source: S): Subject<S> => ({
  name: source.name,
  make: Effect.succeed({ source, server: null })
})

const domain = world().companies[3]!.domain
const magic = (local: string) => `${local}@${MAGIC_DOMAIN}`
const asked = { sinceMillis: null, limit: 7 }

describe("the sandbox's sources keep their ports' promises", () => {
  for (const source of [sandboxProbe, sandboxProbeDeep]) {
    emailVerifierSuite(subject(source), {
      cases: [
        {
          says: "an address that works",
          request: magic("valid"),
          expected: { status: "valid", isCatchAllDomain: false }
        },
        {
          says: "one that may",
          request: magic("catch_all_unknown"),
          expected: { status: "catch_all_unknown", isCatchAllDomain: true }
        },
        { says: "a stranger's", request: "somebody@elsewhere.example" }
      ]
    })
  }

  for (const source of [sandboxContactsIndex, sandboxContactsBroad]) {
    contactEnricherSuite(subject(source), {
      cases: [
        { says: "somebody by an address", request: { ...nobody, email: magic("valid") } },
        { says: "nobody by nothing", request: nobody, expected: null },
        {
          says: "nobody by a name that nobody has",
          request: { ...nobody, fullName: "Nobody Atall", companyDomain: "elsewhere.example" },
          expected: null
        }
      ]
    })
  }

  mobileFinderSuite(subject(sandboxMobiles), {
    cases: [
      { says: "somebody's number", request: { ...nobody, email: magic("valid") } },
      { says: "nobody's", request: nobody, expected: null }
    ]
  })

  leadSourceSuite(subject(sandboxLeads), {
    cases: [
      { says: "anybody", request: anybody },
      {
        says: "somebody with a title, somewhere",
        request: { ...anybody, titles: ["vp sales"], locations: ["Germany"] }
      },
      { says: "the people of a company", request: { ...anybody, companyDomains: [domain], limit: 3 } },
      {
        says: "nobody",
        request: { ...anybody, companyDomains: ["elsewhere.example"] },
        expected: { people: [], totalFound: 0, places: [] }
      }
    ]
  })
  for (const source of sandboxPremiumLeads) {
    leadSourceSuite(subject(source), { cases: [{ says: "anybody", request: { ...anybody, audience: "[[offer]]" } }] })
  }

  const searches: ReadonlyArray<CompanySearch> = [
    { kind: "similar", companyDomain: domain },
    { kind: "query", query: "logistics software" },
    { kind: "firmographic", locations: ["Berlin"], keywords: [], excludeKeywords: [] },
    {
      kind: "signals",
      hiring: { titles: ["engineer"], descriptionContains: [], postedWithinDays: 60 },
      technologies: []
    },
    { kind: "signals", hiring: null, technologies: ["HubSpot"] }
  ]
  companySourceSuite(subject(sandboxCompanies), {
    cases: [
      { says: "companies without more", request: { ...anyCompany, search: searches[2]!, limit: 3 } },
      ...searches.map((search) => ({
        says: `companies by ${JSON.stringify(search)}`,
        request: { ...anyCompany, search }
      }))
    ]
  })
  companySourceSuite(subject(sandboxLocal), {
    cases: [
      {
        says: "businesses around the corner",
        request: {
          ...anyCompany,
          search: { kind: "local", locations: ["Austin, United States"], categories: ["dentist"] }
        }
      }
    ]
  })

  for (const source of [sandboxCompanyIndex, sandboxCompanyBroad]) {
    companyDatasetSourceSuite(subject(source), {
      cases: [
        { says: "nothing about a stranger", request: { dataset: "profile", companyDomain: "elsewhere.example" } },
        ...DATASET_NAMES.map((dataset) => ({ says: dataset, request: { dataset, companyDomain: domain } }))
      ]
    })
  }

  for (const source of [sandboxJobs, sandboxWatch]) {
    const [signal = "hiring", ...others] = source.signals
    const query = { companyDomain: domain, roles: [], limit: 5 }
    intentSourceSuite(subject(source), {
      cases: [
        { says: signal, request: { ...query, signal } },
        ...others.map((other) => ({ says: other, request: { ...query, signal: other } })),
        {
          says: "nothing of a stranger",
          request: { ...query, signal, companyDomain: "elsewhere.example" },
          expected: []
        }
      ]
    })
  }

  for (const source of sandboxPosts) {
    const { platform } = source
    const query = { query: "hiring", platforms: [platform], ...asked }
    postSourceSuite(subject(source), {
      cases: [
        { says: "posts by words", request: { search: query } },
        {
          says: "a profile that nobody has",
          request: { ofProfile: { target: { by: "handle", handle: "nobody-atall" }, ...asked } },
          expected: { kind: "nobody" }
        }
      ]
    })
  }
})

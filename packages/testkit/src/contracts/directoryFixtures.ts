import { assert, type Vitest } from "@effect/vitest"
import { DirectoryImport, type ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import {
  type CompaniesFilter,
  DirectoryStore,
  type PeopleFilter
} from "@outbound/domain/data/directory/DirectoryStore.js"
import { directorySources } from "@outbound/domain/data/directory/directorySources.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { matchCheck } from "@outbound/domain/data/leads/leadSearch.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { LeadQuery } from "@outbound/domain/sources/ports/LeadSource.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Stream } from "effect"
import { givenWorkspace } from "./fixtures.js"

export type DirectoryOnStores =
  | DirectoryImport
  | DirectoryStore
  | ErasureStore
  | RetentionStore
  | UnitOfWork
  | WorkspaceStore
  | Crypto

/** The cases of one suite. */
export type DirectoryIt = Vitest.MethodsNonLive<DirectoryOnStores>

type Cells = Readonly<Record<string, string>>

export const listed = (rows: ReadonlyArray<Cells>): Stream.Stream<ListedRow> =>
  Stream.fromIterable(rows.map((cells, at) => ({ line: at + 2, cells })))

export const take = (workspaceId: string, kind: DirectoryKind, rows: ReadonlyArray<Cells>, dryRun = false) =>
  Effect.flatMap(DirectoryImport, ({ takeFor }) => takeFor(workspaceId, { kind, rows: listed(rows), dryRun }))

export const counts = ({
  added,
  known,
  unusable,
  updated
}: Readonly<Record<"added" | "known" | "unusable" | "updated", number>>) => [added, updated, known, unusable]

export const EVERYBODY: PeopleFilter = {
  titles: [],
  places: null,
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  steering: [],
  limit: 200
}

export const EVERY_COMPANY: CompaniesFilter = {
  places: null,
  industries: [],
  headcountMin: null,
  headcountMax: null,
  unknownSizePasses: true,
  countryCodes: [],
  keywords: [],
  excludeKeywords: [],
  words: [],
  wordsShareMin: 0.5,
  steering: [],
  limit: 100
}

export const ANYBODY: LeadQuery = {
  audience: "",
  titles: [],
  locations: [],
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  limit: 200
}

export const NO_ONE: PersonIdentity = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  socialUrl: null,
  companyName: null,
  companyDomain: null,
  title: null
}

export const PEOPLE: ReadonlyArray<Cells> = [
  {
    full_name: "Ann Ames",
    title: "Chief Happiness Officer (CHO)",
    company_name: "Acme",
    company_domain: "https://www.acme.com/about",
    headcount: "51-200",
    industry: "saas",
    city: "Zürich",
    country: "Schweiz",
    email: "Ann@Acme.com",
    email_status: "verified",
    mobile_phone: "+41 79 123 45 67",
    social_url: "https://ch.linkedin.com/in/ann-ames/?trk=x"
  },
  {
    first_name: "Bob",
    last_name: "Burns",
    title: "Head of Presales",
    company_name: "Bolt",
    company_domain: "bolt.com",
    headcount: "5,000",
    industry: "Banking",
    location: "Austin, Texas, United States",
    email: "bob@bolt.com"
  },
  { full_name: "Cem Celik", title: "VP Sales", company_domain: "acme.com", social_url: "linkedin.com/in/cem" },
  { full_name: "Dee Dunn", title: "Data Engineer", company_name: "Nowhere Ltd", city: "London", country: "UK" }
]

export const COMPANIES: ReadonlyArray<Cells> = [
  {
    domain: "acme.com",
    name: "Acme",
    description: "Payments for marketplaces, with machine learning. No hardware.",
    specialties: "Fraud detection; Payouts",
    headcount: "120",
    industry: "software",
    city: "Zürich",
    country: "CH",
    founded_year: "2015",
    total_funding_usd: "$12.5M",
    last_funding_round_date: "2025-11-30"
  },
  {
    domain: "bolt.com",
    name: "Bolt",
    description: "A bank for builders.",
    headcount: "5000",
    industry: "Banking",
    country: "US"
  },
  { domain: "tiny.de", name: "Tiny", description: "Fraud reports", country: "Germany" }
]

export const given = Effect.gen(function* () {
  const { workspaceId } = yield* givenWorkspace()
  yield* take(workspaceId, "people", PEOPLE)
  yield* take(workspaceId, "companies", COMPANIES)
  return workspaceId
})

export const found = (workspaceId: string, filter: Partial<PeopleFilter>) =>
  Effect.gen(function* () {
    const { searchPeople } = yield* DirectoryStore
    const { people, total } = yield* searchPeople(workspaceId, { ...EVERYBODY, ...filter })
    assert.strictEqual(total, people.length)
    return people.map(({ firstName, fullName }) => fullName ?? firstName).sort()
  })

export const companiesFound = (workspaceId: string, filter: Partial<CompaniesFilter>) =>
  Effect.gen(function* () {
    const { searchCompanies } = yield* DirectoryStore
    const { companies } = yield* searchCompanies(workspaceId, { ...EVERY_COMPANY, ...filter })
    return companies.map(({ company }) => company.domain)
  })

/** On behalf of a workspace, as a call asks. */
export const asks =
  (workspaceId: string | null) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentSourceAccess, { ...noAccess, workspaceId })

export const leads = (workspaceId: string, query: Partial<LeadQuery>) =>
  Effect.gen(function* () {
    const { leadSource } = yield* directorySources
    const asked = { ...ANYBODY, ...query }
    const page = yield* leadSource.search(asked).pipe(asks(workspaceId))
    const { counts: checks, kept } = matchCheck(asked, page.places, page.people)
    assert.strictEqual(checks.withheld, 0, "what the source finds passes the service's own check")
    return kept.map(({ firstName, fullName }) => fullName ?? firstName).sort()
  })

/** What every directory guarantees: its store, the import over it, and the sources made of it. */

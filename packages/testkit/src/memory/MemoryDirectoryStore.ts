import {
  type CompaniesFilter,
  DirectoryStore,
  MATCHES_COUNTED_MAX,
  type PeopleFilter,
  SAME_PEOPLE_MAX
} from "@outbound/domain/data/directory/DirectoryStore.js"
import { companyKeysOf, foldLine, personKeysOf } from "@outbound/domain/data/directory/matched.js"
import { isAt } from "@outbound/domain/data/directory/Places.js"
import { type KeptCompany, type KeptPerson, withCompany } from "@outbound/domain/data/directory/Records.js"
import { wordsFound } from "@outbound/domain/data/directory/steering.js"
import { titleFits } from "@outbound/domain/data/matching/titles.js"
import { Effect } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"

const contains = (text: string | null, phrases: ReadonlyArray<string>): boolean =>
  phrases.length === 0 || (text !== null && phrases.some((phrase) => text.includes(phrase)))

const isOneOf = (names: ReadonlyArray<string>, name: string | null): boolean =>
  names.length === 0 || (name !== null && names.includes(name))

const fits = (
  { headcountMax, headcountMin }: Pick<PeopleFilter, "headcountMin" | "headcountMax">,
  headcount: number | null,
  unknownPasses: boolean
): boolean =>
  headcount === null
    ? unknownPasses || (headcountMin === null && headcountMax === null)
    : headcount >= (headcountMin ?? 0) && headcount <= (headcountMax ?? Infinity)

const personMatches = (person: KeptPerson, filter: PeopleFilter): boolean => {
  const keys = personKeysOf(person)
  return (
    titleFits(filter.titles)(keys.titleFolded) === true &&
    (filter.places === null || isAt(filter.places, keys)) &&
    isOneOf(filter.industries, person.industry) &&
    isOneOf(filter.companyDomains, person.companyDomain) &&
    fits(filter, person.headcount, false)
  )
}

const sharePerson = (person: KeptPerson, words: ReadonlyArray<string>): number =>
  wordsFound(`${personKeysOf(person).titleFolded ?? ""}\n${foldLine(person.industry ?? "")}`, words)

const companyMatches = (company: KeptCompany, filter: CompaniesFilter): boolean => {
  const keys = companyKeysOf(company)
  const [description = ""] = keys.aboutFolded.split("\n")
  return (
    wordsFound(keys.wordsFolded, filter.words) >= Math.ceil(filter.wordsShareMin * filter.words.length) &&
    contains(keys.aboutFolded, filter.keywords) &&
    (filter.excludeKeywords.length === 0 || !contains(description, filter.excludeKeywords)) &&
    (filter.places === null || isAt(filter.places, keys)) &&
    isOneOf(filter.countryCodes, keys.countryKey) &&
    isOneOf(filter.industries, company.industry) &&
    fits(filter, company.headcount, filter.unknownSizePasses)
  )
}

export const layer = memoryStore(DirectoryStore, "DirectoryStore", ({ read, write }) => ({
  lock: () => Effect.void,
  people: (workspaceId, fingerprints) =>
    read(({ directoryPeople }) =>
      fingerprints.flatMap((fingerprint) => directoryPeople.get(keyOf(workspaceId, fingerprint))?.kept ?? [])
    ),
  companies: (workspaceId, domains) =>
    read(({ directoryCompanies }) =>
      domains.flatMap((domain) => directoryCompanies.get(keyOf(workspaceId, domain))?.kept ?? [])
    ),
  erased: (workspaceId, fingerprints) =>
    read(({ erasures }) => {
      const theirs = new Set(
        erasures.filter((one) => one.workspaceId === workspaceId).map(({ addressHash }) => addressHash)
      )
      return fingerprints.filter((fingerprint) => theirs.has(fingerprint))
    }),
  putPeople: (workspaceId, people) =>
    write(({ directoryPeople }) => {
      for (const kept of people) directoryPeople.set(keyOf(workspaceId, kept.fingerprint), { workspaceId, kept })
    }),
  putCompanies: (workspaceId, companies) =>
    write(({ directoryCompanies, directoryPeople }) => {
      for (const kept of companies) {
        directoryCompanies.set(keyOf(workspaceId, kept.domain), { workspaceId, kept })
        for (const row of directoryPeople.where("company", keyOf(workspaceId, kept.domain))) {
          const known = { ...row.kept, ...withCompany(row.kept, kept) }
          if (JSON.stringify(known) === JSON.stringify(row.kept)) continue
          const changed = { ...known, importedAtMillis: kept.importedAtMillis }
          directoryPeople.set(keyOf(workspaceId, known.fingerprint), { workspaceId, kept: changed })
        }
      }
    }),
  settle: Effect.void,
  searchPeople: (workspaceId, filter) =>
    read(({ directoryPeople }) => {
      const found = directoryPeople
        .where("workspace", workspaceId)
        .map(({ kept }) => kept)
        .filter((person) => personMatches(person, filter))
        .sort(ascending(({ fingerprint }) => fingerprint))
        .slice(0, MATCHES_COUNTED_MAX)
      const people = found.sort(descending((person) => sharePerson(person, filter.steering))).slice(0, filter.limit)
      return { people, total: found.length }
    }),
  searchCompanies: (workspaceId, filter) =>
    read(({ directoryCompanies }) => {
      const heldBy = (company: KeptCompany, words: ReadonlyArray<string>) =>
        wordsFound(companyKeysOf(company).wordsFolded, words)
      const found = directoryCompanies
        .where("workspace", workspaceId)
        .map(({ kept }) => kept)
        .filter((company) => companyMatches(company, filter))
        .sort(ascending(({ domain }) => domain))
        .slice(0, MATCHES_COUNTED_MAX)
      const companies = found
        .sort(
          descending(
            (company) => heldBy(company, filter.words),
            (company) => heldBy(company, filter.steering)
          )
        )
        .slice(0, filter.limit)
        .map((company) => ({
          company,
          share: filter.words.length === 0 ? 1 : heldBy(company, filter.words) / filter.words.length
        }))
      return { companies, total: found.length }
    }),
  lookUp: (workspaceId, lookup) =>
    read(({ directoryPeople }) =>
      (lookup.by === "fingerprint"
        ? [directoryPeople.get(keyOf(workspaceId, lookup.fingerprint))].filter((row) => row !== undefined)
        : directoryPeople.where("workspace", workspaceId)
      )
        .map(({ kept }) => kept)
        .filter((person) => {
          const { companyKey, nameKey, socialKey } = personKeysOf(person)
          if (lookup.by === "fingerprint") return true
          return lookup.by === "profile"
            ? socialKey === lookup.socialKey
            : nameKey === lookup.nameKey && companyKey !== null && lookup.companyKeys.includes(companyKey)
        })
        .sort(
          ascending(
            ({ workEmail }) => (workEmail === null ? 1 : 0),
            ({ importedAtMillis, observedAtMillis }) => -(observedAtMillis ?? importedAtMillis),
            ({ fingerprint }) => fingerprint
          )
        )
        .slice(0, SAME_PEOPLE_MAX)
    ),
  domainsOf: (workspaceId, nameKey) =>
    read(({ directoryCompanies }) =>
      directoryCompanies
        .where("workspace", workspaceId)
        .filter(({ kept }) => companyKeysOf(kept).nameKey === nameKey)
        .map(({ kept }) => kept.domain)
        .sort()
        .slice(0, SAME_PEOPLE_MAX)
    )
}))

import type { Context } from "effect"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { fold } from "../matching/verdicts.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import { type PlaceKeys, placeKeysOf } from "./Places.js"
import type { DirectoryCompany, DirectoryPerson } from "./Records.js"

type Hashing = Pick<Context.Tag.Service<typeof Crypto>, "mac">

/** As the service matches texts everywhere, on one line with single spaces. */
export const foldLine = (text: string): string => fold(text).replace(/\s+/g, " ").trim()

/** No key is longer, so that every key fits an index; what is longer is matched by its beginning. */
const KEY_CHARS_MAX = 300
/** Folding may make a text longer. */
const FOLDED_CHARS_MAX = 600

const foldOrNull = (text: string | null, charsMax = KEY_CHARS_MAX): string | null =>
  text === null ? null : foldLine(text).slice(0, charsMax).trim() || null

/** A word longer than this, such as a text in a script without spaces, is kept as pieces of it. */
const WORD_CHARS_MAX = 200
/** The pieces overlap by as much as the longest phrase that is ever looked for. */
const OVERLAP_CHARS = 120

const piecesOf = (word: string): ReadonlyArray<string> =>
  word.length <= WORD_CHARS_MAX
    ? [word]
    : Array.from({ length: Math.ceil((word.length - OVERLAP_CHARS) / (WORD_CHARS_MAX - OVERLAP_CHARS)) }, (_, at) =>
        word.slice(at * (WORD_CHARS_MAX - OVERLAP_CHARS), at * (WORD_CHARS_MAX - OVERLAP_CHARS) + WORD_CHARS_MAX)
      )

/** The line with its longest words in pieces. */
const inPieces = (line: string): string => line.split(" ").flatMap(piecesOf).join(" ")

/**
 * A profile, whatever stands around it: the protocol, `www.`, a country's host, a query, a slash at the end. Where many
 * share a page (`profile.php?id=1`), its `id` tells them apart.
 */
export const socialKeyOf = (url: string): string | null => {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url.trim()) ? url.trim() : `https://${url.trim()}`
  try {
    const { host, pathname, searchParams } = new URL(text)
    const site = host.toLowerCase().replace(/^www\./, "")
    const id = searchParams.get("id") ?? ""
    const page = pathname.toLowerCase().replace(/\/+$/, "")
    const profile = `${page}${id === "" ? "" : `?id=${encodeURIComponent(id)}`}`.slice(0, FOLDED_CHARS_MAX)
    return `${/(^|\.)linkedin\.com$/.test(site) ? "linkedin.com" : site}${profile}`
  } catch {
    return null
  }
}

export const nameKeyOf = ({
  firstName,
  fullName,
  lastName
}: Pick<DirectoryPerson, "firstName" | "fullName" | "lastName">): string | null =>
  foldOrNull(fullName ?? (firstName === null || lastName === null ? null : `${firstName} ${lastName}`))

/** A company that is known by its name alone. No domain looks like it. */
export const unnamedDomain = (companyName: string): string => `name:${foldOrNull(companyName) ?? ""}`

export const companyKeyOf = ({
  companyDomain,
  companyName
}: Pick<DirectoryPerson, "companyDomain" | "companyName">): string | null =>
  companyDomain ?? (companyName === null || foldLine(companyName) === "" ? null : unnamedDomain(companyName))

/** What a person is matched by. */
export interface PersonKeys extends PlaceKeys {
  readonly titleFolded: string | null
  readonly nameKey: string | null
  readonly companyKey: string | null
  readonly socialKey: string | null
}

export const personKeysOf = (person: DirectoryPerson): PersonKeys => ({
  ...placeKeysOf(person),
  titleFolded: foldOrNull(person.title, FOLDED_CHARS_MAX),
  nameKey: nameKeyOf(person),
  companyKey: companyKeyOf(person),
  socialKey: person.socialUrl === null ? null : socialKeyOf(person.socialUrl)
})

/** What a company is matched by. */
export interface CompanyKeys extends PlaceKeys {
  readonly nameKey: string | null
  /** The description on the first line, then a specialty on each. */
  readonly aboutFolded: string
  /** That, and its name, industry and place, each on a line. */
  readonly wordsFolded: string
}

export const companyKeysOf = (company: DirectoryCompany): CompanyKeys => {
  const about = [company.description ?? "", ...company.specialties].map(foldLine)
  const facts = [company.name, company.industry, company.city, company.region, company.country]
  return {
    ...placeKeysOf(company),
    nameKey: foldOrNull(company.name),
    aboutFolded: about.join("\n"),
    wordsFolded: [...facts.flatMap((text) => (text === null ? [] : [foldLine(text)])), ...about]
      .map(inPieces)
      .join("\n")
  }
}

/** An address has a domain with a dot; "CTO@Acme" and "@Acme" are words of a title. */
const ADDRESS = /[^@]@[^@]*[.\u3002\uff0e\uff61][^@]/

/** The distinct words of folded texts. What could be an address is none: words outlive the people whose they were. */
export const wordsOf = (texts: ReadonlyArray<string | null>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => text?.split(/[ \n]/) ?? []).filter((word) => word !== "" && !ADDRESS.test(word)))
]

/** That of whoever has this address; the keyed hash by which an erasure finds what is stored of them. */
export const addressFingerprint = addressHashOf

/**
 * What makes a person one: their address, else their profile, else their name at their company. Null: nothing does.
 * Two rows of a list with the same fingerprint are one person.
 */
export const fingerprintOf = (crypto: Hashing, workspaceId: string, person: DirectoryPerson): string | null => {
  if (person.workEmail !== null) return addressFingerprint(crypto, workspaceId, person.workEmail)
  const { companyKey, nameKey, socialKey } = personKeysOf(person)
  const hashed = (text: string) => crypto.mac("person", `${workspaceId}\ndirectory\n${text}`)
  if (socialKey !== null) return hashed(`profile\n${socialKey}`)
  return nameKey === null || companyKey === null ? null : hashed(`name\n${nameKey}\n${companyKey}`)
}

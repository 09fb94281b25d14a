import { addressHashOf } from "../../kernel/people/subjects.js"
import { fold } from "../matching/verdicts.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import { type PlaceKeys, placeKeysOf } from "./Places.js"
import type { DirectoryCompany, DirectoryPerson } from "./Records.js"

type Hashing = Pick<Crypto["Service"], "mac">

/** Folds text as the service does everywhere, on one line with single spaces. */
export const foldLine = (text: string): string => fold(text).replace(/\s+/g, " ").trim()

/** Bounds keys so that they fit an index. Longer texts match by their beginning. */
const KEY_CHARS_MAX = 300
/** Folding may lengthen a text. */
const FOLDED_CHARS_MAX = 600

const foldOrNull = (text: string | null, charsMax = KEY_CHARS_MAX): string | null =>
  text === null ? null : foldLine(text).slice(0, charsMax).trim() || null

/** A longer word, such as text in a script without spaces, is stored in pieces. */
const WORD_CHARS_MAX = 200
/** The overlap of pieces: the longest phrase we search for. */
const OVERLAP_CHARS = 120

const piecesOf = (word: string): ReadonlyArray<string> =>
  word.length <= WORD_CHARS_MAX
    ? [word]
    : Array.from({ length: Math.ceil((word.length - OVERLAP_CHARS) / (WORD_CHARS_MAX - OVERLAP_CHARS)) }, (_, at) =>
        word.slice(at * (WORD_CHARS_MAX - OVERLAP_CHARS), at * (WORD_CHARS_MAX - OVERLAP_CHARS) + WORD_CHARS_MAX)
      )

/** Splits the longest words of a line. */
const inPieces = (line: string): string => line.split(" ").flatMap(piecesOf).join(" ")

/**
 * The key of a profile URL: without protocol, `www.`, country host, query and trailing slash. On a shared page
 * (`profile.php?id=1`) the `id` stays.
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

/** The key of a company known only by name. It never looks like a domain. */
export const unnamedDomain = (companyName: string): string => `name:${foldOrNull(companyName) ?? ""}`

export const companyKeyOf = ({
  companyDomain,
  companyName
}: Pick<DirectoryPerson, "companyDomain" | "companyName">): string | null =>
  companyDomain ?? (companyName === null || foldLine(companyName) === "" ? null : unnamedDomain(companyName))

/** The match keys of a person. */
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

/** The match keys of a company. */
export interface CompanyKeys extends PlaceKeys {
  readonly nameKey: string | null
  /** The description on the first line, then one specialty per line. */
  readonly aboutFolded: string
  /** `aboutFolded`, then name, industry and place, one per line. */
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

/** An address has a domain with a dot. "CTO@Acme" and "@Acme" are words of a title. */
const ADDRESS = /[^@]@[^@]*[.\u3002\uff0e\uff61][^@]/

/** The distinct words of folded texts, without possible addresses, because words outlive the people behind them. */
export const wordsOf = (texts: ReadonlyArray<string | null>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => text?.split(/[ \n]/) ?? []).filter((word) => word !== "" && !ADDRESS.test(word)))
]

/** The fingerprint of an address: the keyed hash by which erasure finds a person's rows. */
export const addressFingerprint = addressHashOf

/**
 * The fingerprint of a person: by address, else by profile, else by name and company. Null: none of them is known. Rows
 * with equal fingerprints are one person.
 */
export const fingerprintOf = (crypto: Hashing, workspaceId: string, person: DirectoryPerson): string | null => {
  if (person.workEmail !== null) return addressFingerprint(crypto, workspaceId, person.workEmail)
  const { companyKey, nameKey, socialKey } = personKeysOf(person)
  const hashed = (text: string) => crypto.mac("person", `${workspaceId}\ndirectory\n${text}`)
  if (socialKey !== null) return hashed(`profile\n${socialKey}`)
  return nameKey === null || companyKey === null ? null : hashed(`name\n${nameKey}\n${companyKey}`)
}

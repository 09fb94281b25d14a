import { cityKeyOf, regionKeyOf } from "../../data/directory/Places.js"
import { bareCompanyName } from "../../kernel/people/companyNames.js"

/** Where published files of companies come from. */
export const OPEN_PUBLISHERS = ["overture", "brreg", "prh", "companies_house"] as const
export type OpenPublisher = (typeof OPEN_PUBLISHERS)[number]

/** A company, or a place of one, as its publisher states it. Null: it states nothing. */
export interface OpenCompany {
  /** The publisher's own id. */
  readonly ref: string
  readonly name: string
  /** Registrable. Null: none is stated. */
  readonly domain: string | null
  /** Its line of business in the publisher's words. */
  readonly category: string | null
  /** The same in English, where the publisher's words are in another language or say less. */
  readonly categoryInEnglish: string | null
  readonly city: string | null
  readonly region: string | null
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode: string
  readonly headcount: number | null
  readonly foundedYear: number | null
  /** The record's page at its publisher. */
  readonly url: string | null
  /** SPDX, where it has such a name. */
  readonly licence: string
  /** To be named wherever it is shown. */
  readonly attribution: string
  /** YYYY-MM-DD. */
  readonly observedOn: string | null
  /** How sure the publisher is that it exists, 0 to 1. */
  readonly score: number
}

/**
 * Why a record is not taken. `unreadable`: it is no record. `a_person`: a sole trader, whose name is a person's.
 * `unknown_licence`: nothing says under which terms we may have it.
 */
export const OPEN_REFUSALS = [
  "unreadable",
  "no_id",
  "no_name",
  "no_country",
  "no_website",
  "others_website",
  "closed",
  "dormant",
  "a_person",
  "unknown_licence"
] as const
export type OpenRefusal = (typeof OPEN_REFUSALS)[number]

/** A record as it stands in the file. */
export type RawRecord = Readonly<Record<string, unknown>>

/** How a publisher's record becomes a company. */
export type ReadRecord = (record: RawRecord) => OpenCompany | OpenRefusal

/** What a company is found and compared by. */
export interface OpenKeys {
  readonly nameKey: string
  readonly cityKey: string | null
  readonly regionKey: string | null
}

export const openKeysOf = ({ city, name, region }: Pick<OpenCompany, "name" | "city" | "region">): OpenKeys => ({
  nameKey: bareCompanyName(name),
  cityKey: city === null ? null : cityKeyOf(city),
  regionKey: region === null ? null : regionKeyOf(region)
})

import { inSmall, lineAt, yearOf } from "../members.js"
import type { ReadRecord } from "../OpenRecords.js"
import { divisionOf } from "./divisions.js"

const ACTIVE = "Active"

/** Standard codes of companies that do nothing. */
const DORMANT = new Set(["99999", "98000"])

/** `62012 - Business and domestic software development`. */
const LINE = /^(\d{4,5})\s*-\s*(.+)$/

const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ["JERSEY", "JE"],
  ["GUERNSEY", "GG"],
  ["ISLE OF MAN", "IM"]
])

/** A company of Companies House's free company data product, a CSV file. It states no website. */
export const readCompaniesHouse: ReadRecord = (company) => {
  const ref = lineAt(company, "CompanyNumber")
  if (ref === null || !/^[A-Z0-9]{8}$/.test(ref)) return "no_id"
  const name = lineAt(company, "CompanyName")
  if (name === null) return "no_name"
  if (lineAt(company, "CompanyStatus") !== ACTIVE) return "closed"
  const [, code = null, line = null] = LINE.exec(lineAt(company, "SICCode.SicText_1") ?? "") ?? []
  if (code !== null && DORMANT.has(code)) return "dormant"
  return {
    ref,
    name,
    domain: null,
    category: line,
    categoryInEnglish: divisionOf(code),
    city: inSmall(lineAt(company, "RegAddress.PostTown")),
    region: inSmall(lineAt(company, "RegAddress.County")),
    countryCode: COUNTRIES.get((lineAt(company, "RegAddress.Country") ?? "").toUpperCase()) ?? "GB",
    headcount: null,
    foundedYear: yearOf(lineAt(company, "IncorporationDate")),
    url: `https://find-and-update.company-information.service.gov.uk/company/${ref}`,
    licence: "OGL-UK-3.0",
    attribution: "Companies House",
    observedOn: null,
    score: 1
  }
}

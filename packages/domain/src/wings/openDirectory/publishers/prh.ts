import { dayOf, inSmall, lineAt, ownDomainAmong, recordsAt, yearOf } from "../members.js"
import type { RawRecord, ReadRecord } from "../OpenRecords.js"

const [FINNISH, ENGLISH] = ["1", "3"]

const inLanguage = (texts: ReadonlyArray<RawRecord>, code: string | undefined, member: string): string | null => {
  const text = texts.find((one) => lineAt(one, "languageCode") === code)
  return text === undefined ? null : lineAt(text, member)
}

/** `Yksityinen elinkeinonharjoittaja`: its name is a person's. */
const PERSONAL = "26"

const isOpen = (one: RawRecord): boolean => lineAt(one, "endDate") === null

/** Bankruptcy, liquidation and the like; `SANE`, restructuring, goes on trading. */
const OVER = new Set(["KONK", "SELTILA"])

/** A company of Finland's YTJ, as PRH publishes it. */
export const readPrh: ReadRecord = (company) => {
  const ref = lineAt(company, "businessId.value") ?? lineAt(company, "businessId")
  if (ref === null || !/^\d{7}-\d$/.test(ref)) return "no_id"
  const names = recordsAt(company, "names")
  const name = names.find((one) => lineAt(one, "type") === "1" && isOpen(one)) ?? names.find(isOpen)
  const written = name === undefined ? null : lineAt(name, "name")
  if (written === null) return "no_name"
  const forms = recordsAt(company, "companyForms").filter(isOpen)
  if (forms.some((form) => lineAt(form, "type") === PERSONAL)) return "a_person"
  const situations = recordsAt(company, "companySituations").filter(isOpen)
  const isOver = situations.some((one) => OVER.has(lineAt(one, "type") ?? ""))
  if (!isOpen(company) || isOver) return "closed"
  const site = lineAt(company, "website.url") ?? lineAt(company, "website")
  const domain = ownDomainAmong(site === null ? [] : [site])
  const lines = recordsAt(company, "mainBusinessLine.descriptions")
  const addresses = recordsAt(company, "addresses")
  const address = addresses.find((one) => lineAt(one, "type") === "1") ?? addresses[0]
  const offices = address === undefined ? [] : recordsAt(address, "postOffices")
  const first = offices[0] === undefined ? null : lineAt(offices[0], "city")
  const inEnglish = inLanguage(lines, ENGLISH, "description")
  const countryCode = address === undefined ? null : lineAt(address, "country")
  return {
    ref,
    name: written,
    domain: domain === "others_website" ? null : domain,
    category: inLanguage(lines, FINNISH, "description") ?? inEnglish,
    categoryInEnglish: inEnglish,
    city: inSmall(inLanguage(offices, FINNISH, "city") ?? first),
    region: null,
    countryCode: countryCode !== null && /^[A-Z]{2}$/.test(countryCode) ? countryCode : "FI",
    headcount: null,
    foundedYear: yearOf(lineAt(company, "registrationDate") ?? lineAt(company, "businessId.registrationDate")),
    url: `https://tietopalvelu.ytj.fi/yritys/${ref}`,
    licence: "CC-BY-4.0",
    attribution: "PRH, YTJ",
    observedOn: dayOf(lineAt(company, "lastModified")),
    score: 1
  }
}

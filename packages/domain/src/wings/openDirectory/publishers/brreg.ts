import { countAt, dayOf, inSmall, isYes, lineAt, ownDomainAmong, yearOf } from "../members.js"
import type { ReadRecord } from "../OpenRecords.js"
import { divisionOf } from "./divisions.js"

const COUNTRY = /^[A-Z]{2}$/

/** `Enkeltpersonforetak`: its name is its owner's. */
const PERSONAL = new Set(["ENK"])

/** A unit of Norway's Enhetsregisteret: an element of its JSON file, or a row of its CSV file. */
export const readBrreg: ReadRecord = (unit) => {
  const ref = lineAt(unit, "organisasjonsnummer")
  if (ref === null || !/^\d{9}$/.test(ref)) return "no_id"
  const name = lineAt(unit, "navn")
  if (name === null) return "no_name"
  if (PERSONAL.has(lineAt(unit, "organisasjonsform.kode") ?? "")) return "a_person"
  const isOver = ["konkurs", "underAvvikling", "underTvangsavviklingEllerTvangsopplosning"].some((path) =>
    isYes(unit, path)
  )
  if (isOver || lineAt(unit, "slettedato") !== null) return "closed"
  const countryCode = lineAt(unit, "forretningsadresse.landkode") ?? "NO"
  if (!COUNTRY.test(countryCode)) return "no_country"
  const site = lineAt(unit, "hjemmeside")
  const domain = ownDomainAmong(site === null ? [] : [site])
  return {
    ref,
    name,
    domain: domain === "others_website" ? null : domain,
    category: lineAt(unit, "naeringskode1.beskrivelse"),
    categoryInEnglish: divisionOf(lineAt(unit, "naeringskode1.kode")),
    city: inSmall(lineAt(unit, "forretningsadresse.poststed")),
    region: inSmall(lineAt(unit, "forretningsadresse.kommune")),
    countryCode,
    headcount: countAt(unit, "antallAnsatte"),
    foundedYear: yearOf(lineAt(unit, "stiftelsesdato") ?? lineAt(unit, "registreringsdatoEnhetsregisteret")),
    url: `https://data.brreg.no/enhetsregisteret/oppslag/enheter/${ref}`,
    licence: "NLOD-2.0",
    attribution: "Enhetsregisteret, Brønnøysundregistrene",
    observedOn: dayOf(lineAt(unit, "registreringsdatoAntallAnsatteEnhetsregisteret")),
    score: 1
  }
}

import { isRecord, lineAt, lineOf, listAt, ownDomainAmong, recordsAt } from "../members.js"
import type { RawRecord, ReadRecord } from "../OpenRecords.js"

/** The licences of the data sets that Overture's places are made of, as its page on attribution lists them (August 2026). */
const LICENCES: ReadonlyMap<string, string> = new Map([
  ["alltheplaces", "CC0-1.0"],
  ["brightquery", "CDLA-Permissive-2.0"],
  ["dac", "CDLA-Permissive-2.0"],
  ["foursquare", "Apache-2.0"],
  ["krick", "CDLA-Permissive-2.0"],
  ["meta", "CDLA-Permissive-2.0"],
  ["microsoft", "CDLA-Permissive-2.0"],
  ["pinmeto", "CDLA-Permissive-2.0"],
  ["renderseo", "CDLA-Permissive-2.0"]
])

const COUNTRY = /^[A-Z]{2}$/

/** `hair_salon` is a hair salon. */
const inWords = (category: string | null): string | null => category?.replaceAll("_", " ") ?? null

/** GeoJSON keeps everything but the id under `properties`. */
const placeIn = (record: RawRecord): RawRecord =>
  isRecord(record["properties"]) ? { id: record["id"], ...record["properties"] } : record

/** The data set that states the place as a whole, and its licence. */
const originOf = (place: RawRecord): { readonly dataset: string; readonly licence: string } | null => {
  const sources = recordsAt(place, "sources")
  const whole = sources.find((source) => (lineAt(source, "property") ?? "") === "") ?? sources[0]
  const dataset = whole === undefined ? null : lineAt(whole, "dataset")
  if (whole === undefined || dataset === null) return null
  const licence = lineAt(whole, "license") ?? LICENCES.get(dataset.toLowerCase())
  return licence === undefined ? null : { dataset, licence }
}

/** A place of Overture Maps: a row of GeoParquet, a line of JSON, or a feature of GeoJSON. */
export const readOverture: ReadRecord = (record) => {
  const place = placeIn(record)
  const ref = lineAt(place, "id")
  if (ref === null) return "no_id"
  const name = lineAt(place, "names.primary")
  if (name === null) return "no_name"
  if (/closed/.test(lineAt(place, "operating_status") ?? "")) return "closed"
  const [address] = recordsAt(place, "addresses")
  const countryCode = address === undefined ? null : lineAt(address, "country")
  if (address === undefined || countryCode === null || !COUNTRY.test(countryCode)) return "no_country"
  const domain = ownDomainAmong(listAt(place, "websites").flatMap((site) => lineOf(site) ?? []))
  if (domain === null) return "no_website"
  if (domain === "others_website") return domain
  const origin = originOf(place)
  if (origin === null) return "unknown_licence"
  const confidence = place["confidence"]
  const updated = recordsAt(place, "sources").flatMap((source) => lineAt(source, "update_time") ?? [])
  return {
    ref,
    name,
    domain,
    category: inWords(
      lineAt(place, "categories.primary") ?? lineAt(place, "taxonomy.primary") ?? lineAt(place, "basic_category")
    ),
    categoryInEnglish: null,
    city: lineAt(address, "locality"),
    // ISO 3166-2, with or without its country.
    region: lineAt(address, "region")?.replace(/^[A-Z]{2}-/, "") ?? null,
    countryCode,
    headcount: null,
    foundedYear: null,
    url: `https://${domain}/`,
    licence: origin.licence,
    attribution: `Overture Maps Foundation (${origin.dataset})`,
    observedOn: updated.toSorted().at(-1)?.slice(0, 10) ?? null,
    score: typeof confidence === "number" && confidence >= 0 && confidence <= 1 ? confidence : 1
  }
}

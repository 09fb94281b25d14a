/** Places as lines of JSON, with the members that Overture's have, so many that a piece of them fits memory. */

export const CITIES: ReadonlyArray<string> = Array.from({ length: 800 }, (_, at) => `Neustadt ${at}`)

export const TYPES: ReadonlyArray<string> = (
  "restaurant cafe bakery hair_salon dentist lawyer accountant gym hotel florist pharmacy bookstore bank school " +
  "bicycle_shop car_dealer auto_repair plumber electrician roofing insurance_agency real_estate_agent software_development " +
  "advertising_agency architect veterinarian optician jewelry_store shoe_store clothing_store furniture_store supermarket " +
  "driving_school language_school travel_agency photographer printing_services cleaning_services tattoo_shop brewery"
).split(" ")

const [COUNTRIES, REGIONS] = [
  ["DE", "AT", "CH"],
  ["DE-BY", "DE-BE", "DE-NW", "AT-9", "CH-ZH"]
] as const
const DATASETS = ["meta", "Microsoft", "Foursquare", "AllThePlaces"]

/** So many places are made at once. */
export const PIECE = 2_000

/** One place; everything follows from its number. */
const placeOf = (at: number) => {
  const city = at % 10 === 0 ? 0 : (at * 31) % CITIES.length
  const type = TYPES[Math.floor(at / 7) % TYPES.length] ?? ""
  const confidence = (at % 100) / 100
  const site = `https://www.company-${Math.floor(at / 1.2)}.de/standort/${at}`
  return {
    id: `08${at.toString(16).padStart(14, "0")}-0000-4000-8000-${at.toString(16).padStart(12, "0")}`,
    version: 3,
    names: { primary: `${type.replaceAll("_", " ")} Nummer ${at}`, common: null, rules: null },
    categories: { primary: type, alternate: [TYPES[(at * 13) % TYPES.length], "shopping"] },
    confidence,
    websites: [site],
    socials: [`https://www.facebook.com/${at}`],
    emails: null,
    phones: [`+4930${String(at).padStart(7, "0")}`],
    brand: null,
    addresses: [
      {
        freeform: `Hauptstraße ${at % 300}`,
        locality: CITIES[city],
        postcode: String(10_000 + (at % 80_000)),
        region: REGIONS[at % REGIONS.length],
        country: at % 20 === 0 ? COUNTRIES[(at / 20) % COUNTRIES.length] : "DE"
      }
    ],
    sources: [
      {
        property: "",
        dataset: DATASETS[at % DATASETS.length],
        record_id: String(at),
        update_time: "2026-10-14T00:00:00.000Z",
        confidence
      }
    ],
    operating_status: "open"
  }
}

export function* overtureLines(count: number): Generator<string> {
  for (let begin = 0; begin < count; begin += PIECE) {
    const length = Math.min(PIECE, count - begin)
    yield Array.from({ length }, (_, at) => `${JSON.stringify(placeOf(begin + at))}\n`).join("")
  }
}

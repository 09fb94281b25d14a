import { assert, describe, it } from "@effect/vitest"
import { countryOfCode } from "../../../src/kernel/people/Countries.js"
import { placeOf } from "../../../src/kernel/places/placeOf.js"
import { isTimezone, zoneNamed } from "../../../src/kernel/places/zones.js"
import {
  areaRegions,
  callingCodes,
  citiesApart,
  cityZones,
  countryZones,
  regionZones
} from "../../../src/kernel/places/zoneTable.js"

type Row = readonly [custom: Readonly<Record<string, string>>, timezone: string | null, country: string | null]

const ROWS: ReadonlyArray<Row> = [
  [{}, null, null],
  [{ country: "Germany" }, "Europe/Berlin", "DE"],
  [{ country: "de" }, "Europe/Berlin", "DE"],
  [{ "Country Code": "DEU" }, "Europe/Berlin", "DE"],
  [{ country: "Nowhere" }, null, null],
  [{ country: "US" }, null, "US"],
  [{ country: "US", state: "NY" }, "America/New_York", "US"],
  [{ country: "US", state: "California" }, "America/Los_Angeles", "US"],
  [{ country: "United States", city: "Austin" }, "America/Chicago", "US"],
  // The region says which city of that name is meant.
  [{ country: "US", city: "Richmond", state: "CA" }, "America/Los_Angeles", "US"],
  [{ country: "US", city: "El Paso", state: "TX" }, "America/Denver", "US"],
  [{ country: "US", city: "Dallas", state: "Texas" }, "America/Chicago", "US"],
  [{ country: "US", phone: "+1 (212) 555-0100" }, "America/New_York", "US"],
  [{ phone: "+1 415 555 0100" }, "America/Los_Angeles", "US"],
  [{ phone: "+1 604 555 0100" }, "America/Vancouver", "CA"],
  [{ phone: "+1 242 555 0100" }, "America/Nassau", "BS"],
  [{ phone: "+1 800 555 0100" }, null, null],
  [{ phone: "0049 30 1234" }, "Europe/Berlin", "DE"],
  [{ phone: "030 1234" }, null, null],
  [{ phone: "+7 701 123 4567" }, "Asia/Almaty", "KZ"],
  [{ phone: "+7 495 123 4567" }, null, "RU"],
  [{ phone: "+55 92 1234 5678" }, "America/Manaus", "BR"],
  // Somebody with a foreign number is where the country says.
  [{ country: "GB", phone: "+1 212 555 0100" }, "Europe/London", "GB"],
  [{ country: "US", phone: "+49 30 1234" }, null, "US"],
  [{ country: "Spain" }, "Europe/Madrid", "ES"],
  [{ country: "Spain", city: "Las Palmas" }, "Atlantic/Canary", "ES"],
  [{ country: "Brazil", city: "São Paulo" }, "America/Sao_Paulo", "BR"],
  [{ country: "AU", region: "QLD" }, "Australia/Brisbane", "AU"],
  [{ country: "CA", city: "Montréal" }, "America/Toronto", "CA"],
  [{ timezone: "Asia/Kathmandu", country: "DE" }, "Asia/Kathmandu", "DE"],
  [{ timezone: "+02:00", country: "DE" }, "Europe/Berlin", "DE"],
  [{ timezone: "Mars/Phobos" }, null, null],
  // What an abbreviation means depends on who writes it.
  [{ timezone: "BST", country: "GB" }, "Europe/London", "GB"],
  [{ timezone: "BST" }, null, null],
  [{ timezone: "EST" }, null, null],
  [{ timezone: "IST", country: "IE" }, "Europe/Dublin", "IE"],
  [{ timezone: "CST", country: "US" }, null, "US"],
  [{ timezone: "CET" }, "CET", null],
  [{ timezone: "UTC" }, "UTC", null],
  [{ country: "Brasil", city: "Manaus" }, "America/Manaus", "BR"],
  [{ country: "España" }, "Europe/Madrid", "ES"],
  [{ country: "Österreich" }, "Europe/Vienna", "AT"],
  [{ city: "Paris" }, null, null]
]

describe("a schedule's zone", () => {
  it("is one of the IANA database, never another abbreviation of the platform's", () => {
    const abbreviations =
      "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST"
    for (const zone of [...abbreviations.split(" "), "bst", "SystemV/AST4", "UTC+2", "+02:00", "AEST", ""]) {
      assert.isFalse(isTimezone(zone), zone)
    }
    for (const zone of [
      ...Intl.supportedValuesOf("timeZone"),
      "US/Eastern",
      "Asia/Calcutta",
      "UTC",
      "GMT",
      "EST",
      "GB"
    ]) {
      assert.isTrue(isTimezone(zone), zone)
    }
  })
})

describe("where a person is", () => {
  for (const [custom, timezone, country] of ROWS) {
    it(`${JSON.stringify(custom)} is ${timezone ?? "no known zone"} of ${country ?? "no known country"}`, () =>
      assert.deepStrictEqual(placeOf({ custom }), { timezone, country }))
  }

  it("every zone of the tables is known to the platform, and every country is one", () => {
    const zones = [countryZones, ...regionZones.values(), ...cityZones.values()].flatMap((table) => [...table.values()])
    for (const zone of zones) assert.isTrue(isTimezone(zone), zone)
    const countries = [
      ...countryZones.keys(),
      ...callingCodes.values(),
      ...regionZones.keys(),
      ...cityZones.keys(),
      ...areaRegions.keys()
    ]
    for (const code of countries) assert.strictEqual(countryOfCode(code)?.code, code)
    assert.isAtLeast(countryZones.size, 230)
  })

  it("every area code is of one region that has a zone, and every city apart of regions that have another", () => {
    for (const [country, areas] of areaRegions) {
      for (const [code, region] of areas) {
        assert.match(code, /^\d{1,3}$/)
        assert.isDefined(regionZones.get(country)?.get(region), `${country} ${region}`)
        if (country === "US") assert.isUndefined(areaRegions.get("CA")?.get(code), code)
      }
    }
    for (const [country, cities] of citiesApart) {
      for (const [city, regions] of cities) {
        const zone = cityZones.get(country)?.get(city)
        assert.isDefined(zone, city)
        for (const region of regions) assert.notStrictEqual(regionZones.get(country)?.get(region), zone, region)
      }
    }
  })

  it("are named as other programs write them, and never by what may mean several", () => {
    for (const [text, zone] of [
      ["us_slash_eastern", "us/eastern"],
      ["America/New York", "America/New_York"],
      ["Europe/Berlin (CET)", "Europe/Berlin"],
      ["Europe\\/Berlin", "Europe/Berlin"],
      ["(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Amsterdam"],
      ["(GMT+00:00) London", "Europe/London"],
      ["(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"],
      ["Pacific Time (US & Canada)", "America/Los_Angeles"],
      ["(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", "Asia/Kolkata"],
      ["(UTC+10:00) Brisbane", "Australia/Brisbane"],
      ["(UTC+01:00) Europe/Berlin", "Europe/Berlin"],
      ["Berlin", "Europe/Berlin"],
      ["Central European Time", "Europe/Berlin"]
    ] as const) {
      assert.strictEqual(zoneNamed(text)?.toLowerCase(), zone.toLowerCase(), text)
    }
    for (const text of [
      "BST",
      "IST",
      "CST",
      "EST",
      "MST",
      "AST",
      "GMT+1",
      "UTC+02:00",
      "+02:00",
      "-5",
      "Z",
      "(UTC+05:00) Berlin",
      "(UTC-03:00) Europe/Berlin",
      "Eastern Standard Time",
      "Central Standard Time",
      "Etc/Unknown",
      "SystemV/EST5",
      "Factory",
      "localtime",
      "Local Time",
      "Time",
      "Unknown",
      "x".repeat(500)
    ]) {
      assert.isNull(zoneNamed(text), text)
    }
  })
})

/** Names for groups of countries, metropolitan areas and states. All are folded. */

const list = (codes: string): ReadonlyArray<string> => codes.split(" ")

const EU = list("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE")
const NORDICS = list("DK FI IS NO SE")
const EUROPE = [...EU, ...list("AD AL BA BY CH FO GB GI IS LI MC MD ME MK NO RS SM UA VA XK")]
const MIDDLE_EAST = list("AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE")
const GCC = list("AE BH KW OM QA SA")
const AFRICA = list(
  "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG " +
    "RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG ZA ZM ZW"
)
const NORTH_AMERICA = list("CA MX US")
const SOUTH_AMERICA = list("AR BO BR CL CO EC GY PE PY SR UY VE")
const CENTRAL_AMERICA = list("BZ CR GT HN NI PA SV")
const SOUTHEAST_ASIA = list("BN ID KH LA MM MY PH SG TH TL VN")
const EAST_ASIA = list("CN HK JP KR MN MO TW")
const SOUTH_ASIA = list("BD BT IN LK MV NP PK")
const ANZ = list("AU NZ")
const LATAM = ["MX", ...CENTRAL_AMERICA, ...SOUTH_AMERICA, ...list("CU DO PR")]
const ASIA = [...EAST_ASIA, ...SOUTHEAST_ASIA, ...SOUTH_ASIA, ...list("KG KZ TJ TM UZ")]

const REGION_CODES: Readonly<Record<string, ReadonlyArray<string>>> = {
  eu: EU,
  "european union": EU,
  europe: EUROPE,
  emea: [...new Set([...EUROPE, ...MIDDLE_EAST, ...AFRICA])],
  dach: list("AT CH DE"),
  "german speaking": list("AT CH DE"),
  "german-speaking": list("AT CH DE"),
  nordic: NORDICS,
  nordics: NORDICS,
  scandinavia: list("DK NO SE"),
  baltic: list("EE LT LV"),
  baltics: list("EE LT LV"),
  benelux: list("BE LU NL"),
  iberia: list("ES PT"),
  "british isles": list("GB IE"),
  "uk and ireland": list("GB IE"),
  "uk & ireland": list("GB IE"),
  cee: list("BG CZ EE HR HU LT LV PL RO SI SK"),
  "central and eastern europe": list("BG CZ EE HR HU LT LV PL RO SI SK"),
  "middle east": MIDDLE_EAST,
  mena: [...new Set([...MIDDLE_EAST, ...list("DZ EG LY MA TN")])],
  gcc: GCC,
  "gulf states": GCC,
  africa: AFRICA,
  "north america": NORTH_AMERICA,
  namer: NORTH_AMERICA,
  "south america": SOUTH_AMERICA,
  "central america": CENTRAL_AMERICA,
  "latin america": LATAM,
  latam: LATAM,
  americas: [...new Set([...NORTH_AMERICA, ...LATAM])],
  anz: ANZ,
  "australia and new zealand": ANZ,
  oceania: ANZ,
  asia: ASIA,
  "southeast asia": SOUTHEAST_ASIA,
  "south east asia": SOUTHEAST_ASIA,
  asean: SOUTHEAST_ASIA,
  "east asia": EAST_ASIA,
  "south asia": SOUTH_ASIA,
  apac: [...ASIA, ...ANZ],
  "asia pacific": [...ASIA, ...ANZ]
}

/** Groups of countries. A Map, because callers' words such as "constructor" are members of a plain object. */
export const REGIONS: ReadonlyMap<string, ReadonlyArray<string>> = new Map(Object.entries(REGION_CODES))

interface Area {
  readonly country: string
  readonly cities: ReadonlyArray<string>
}

const area = (country: string, cities: string): Area => ({ country, cities: cities.split(", ") })

const BAY_AREA = area(
  "US",
  "san francisco, san francisco bay, oakland, berkeley, san jose, palo alto, mountain view, menlo park, redwood city, " +
    "san mateo, sunnyvale, santa clara, cupertino, fremont, south san francisco"
)

const AREA_CITIES: Readonly<Record<string, Area>> = {
  "bay area": BAY_AREA,
  "san francisco bay area": BAY_AREA,
  "san francisco bay": BAY_AREA,
  sf: area("US", "san francisco"),
  "silicon valley": area(
    "US",
    "san jose, palo alto, mountain view, menlo park, sunnyvale, santa clara, cupertino, redwood city"
  ),
  nyc: area("US", "new york, new york city, brooklyn"),
  "new york city": area("US", "new york, new york city, brooklyn"),
  la: area("US", "los angeles, santa monica, pasadena, long beach"),
  "washington dc": area("US", "washington, washington dc, district of columbia"),
  "dallas-fort worth": area("US", "dallas, fort worth, plano, irving, arlington"),
  "research triangle": area("US", "raleigh, durham, chapel hill, cary"),
  "twin cities": area("US", "minneapolis, saint paul, st paul"),
  randstad: area("NL", "amsterdam, rotterdam, utrecht, the hague, den haag, leiden, haarlem, delft"),
  ruhr: area("DE", "essen, dortmund, duisburg, bochum, gelsenkirchen"),
  "rhine-main": area("DE", "frankfurt, frankfurt am main, wiesbaden, mainz, darmstadt, offenbach"),
  "ile-de-france": area("FR", "paris, boulogne-billancourt, courbevoie, puteaux, saint-denis, nanterre")
}

/** Areas by their cities. */
export const AREAS: ReadonlyMap<string, Area> = new Map(Object.entries(AREA_CITIES))

const states = (country: string, pairs: string) =>
  pairs.split(", ").map((pair) => {
    const [code = "", name = ""] = pair.split("=")
    return { country, code, name }
  })

/** States and provinces whose codes follow city names. */
export const STATES = [
  ...states(
    "US",
    "al=alabama, ak=alaska, az=arizona, ar=arkansas, ca=california, co=colorado, ct=connecticut, de=delaware, " +
      "dc=district of columbia, fl=florida, ga=georgia, hi=hawaii, id=idaho, il=illinois, in=indiana, ia=iowa, ks=kansas, " +
      "ky=kentucky, la=louisiana, me=maine, md=maryland, ma=massachusetts, mi=michigan, mn=minnesota, ms=mississippi, " +
      "mo=missouri, mt=montana, ne=nebraska, nv=nevada, nh=new hampshire, nj=new jersey, nm=new mexico, ny=new york, " +
      "nc=north carolina, nd=north dakota, oh=ohio, ok=oklahoma, or=oregon, pa=pennsylvania, ri=rhode island, " +
      "sc=south carolina, sd=south dakota, tn=tennessee, tx=texas, ut=utah, vt=vermont, va=virginia, wa=washington, " +
      "wv=west virginia, wi=wisconsin, wy=wyoming"
  ),
  ...states(
    "CA",
    "ab=alberta, bc=british columbia, mb=manitoba, nb=new brunswick, nl=newfoundland and labrador, ns=nova scotia, " +
      "on=ontario, pe=prince edward island, qc=quebec, sk=saskatchewan"
  )
]

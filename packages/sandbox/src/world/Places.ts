/** A country of the world, which of the name pools its people mostly have, and its cities, the largest first. */
export interface Country {
  readonly name: string
  readonly weight: number
  readonly pool: NamePool
  readonly cities: ReadonlyArray<City>
}

export interface City {
  readonly name: string
  /** State, province or the like, where people say it. */
  readonly state: string | null
}

export type NamePool =
  | "english"
  | "german"
  | "french"
  | "nordic"
  | "dutch"
  | "spanish"
  | "italian"
  | "polish"
  | "indian"
  | "japanese"
  | "korean"
  | "chinese"
  | "arabic"
  | "hebrew"
  | "portuguese"

const country = (name: string, weight: number, pool: NamePool, cities: string): Country => ({
  name,
  weight,
  pool,
  cities: cities.split(", ").map((city) => {
    const [cityName = "", state] = city.split("/")
    return { name: cityName, state: state ?? null }
  })
})

export const COUNTRIES: ReadonlyArray<Country> = [
  country(
    "United States",
    34,
    "english",
    "New York/New York, San Francisco/California, Chicago/Illinois, Los Angeles/California, Boston/Massachusetts, Austin/Texas, Seattle/Washington, Atlanta/Georgia, Denver/Colorado, Dallas/Texas, San Jose/California, Palo Alto/California, Oakland/California, Mountain View/California, Berkeley/California, San Diego/California, Houston/Texas, Miami/Florida, Philadelphia/Pennsylvania, Portland/Oregon, Minneapolis/Minnesota, Phoenix/Arizona, Nashville/Tennessee, Salt Lake City/Utah, Detroit/Michigan, Pittsburgh/Pennsylvania, Charlotte/North Carolina, Raleigh/North Carolina, Columbus/Ohio, Cambridge/Massachusetts"
  ),
  country(
    "United Kingdom",
    10,
    "english",
    "London/England, Manchester/England, Birmingham/England, Edinburgh/Scotland, Leeds/England, Bristol/England, Glasgow/Scotland, Cambridge/England, Oxford/England, Cardiff/Wales, Belfast/Northern Ireland"
  ),
  country(
    "Germany",
    10,
    "german",
    "Berlin/Berlin, Munich/Bavaria, Hamburg/Hamburg, Cologne/North Rhine-Westphalia, Frankfurt/Hesse, Stuttgart/Baden-Württemberg, Düsseldorf/North Rhine-Westphalia, Leipzig/Saxony, Nuremberg/Bavaria, Hanover/Lower Saxony, Karlsruhe/Baden-Württemberg"
  ),
  country("France", 6, "french", "Paris, Lyon, Toulouse, Marseille, Lille, Nantes, Bordeaux, Grenoble"),
  country(
    "Canada",
    5,
    "english",
    "Toronto/Ontario, Montreal/Quebec, Vancouver/British Columbia, Calgary/Alberta, Ottawa/Ontario, Waterloo/Ontario"
  ),
  country("Netherlands", 4, "dutch", "Amsterdam, Rotterdam, Utrecht, Eindhoven, The Hague, Groningen"),
  country(
    "India",
    4,
    "indian",
    "Bengaluru/Karnataka, Mumbai/Maharashtra, Delhi, Hyderabad/Telangana, Pune/Maharashtra, Chennai/Tamil Nadu"
  ),
  country(
    "Australia",
    3,
    "english",
    "Sydney/New South Wales, Melbourne/Victoria, Brisbane/Queensland, Perth/Western Australia, Adelaide/South Australia"
  ),
  country("Spain", 3, "spanish", "Madrid, Barcelona, Valencia, Seville, Bilbao, Málaga"),
  country("Sweden", 3, "nordic", "Stockholm, Gothenburg, Malmö, Uppsala, Linköping"),
  country("Italy", 3, "italian", "Milan, Rome, Turin, Bologna, Florence, Naples"),
  country("Switzerland", 2.5, "german", "Zurich, Geneva, Basel, Bern, Lausanne, Zug"),
  country("Poland", 2, "polish", "Warsaw, Kraków, Wrocław, Gdańsk, Poznań"),
  country("Denmark", 1.5, "nordic", "Copenhagen, Aarhus, Odense, Aalborg"),
  country("Austria", 1.5, "german", "Vienna, Graz, Linz, Salzburg, Innsbruck"),
  country("Belgium", 1.5, "dutch", "Brussels, Antwerp, Ghent, Leuven"),
  country("Ireland", 1.5, "english", "Dublin, Cork, Galway"),
  country("Norway", 1.2, "nordic", "Oslo, Bergen, Trondheim, Stavanger"),
  country("Finland", 1.2, "nordic", "Helsinki, Espoo, Tampere, Turku, Oulu"),
  country("Israel", 1.2, "hebrew", "Tel Aviv, Haifa, Jerusalem, Herzliya"),
  country("Singapore", 1.2, "chinese", "Singapore"),
  country("Japan", 1.2, "japanese", "Tokyo, Osaka, Nagoya, Fukuoka"),
  country("Brazil", 1.2, "portuguese", "São Paulo, Rio de Janeiro, Belo Horizonte, Curitiba"),
  country("Mexico", 0.8, "spanish", "Mexico City, Guadalajara, Monterrey"),
  country("South Korea", 0.8, "korean", "Seoul, Busan, Daejeon"),
  country("Portugal", 0.8, "portuguese", "Lisbon, Porto, Braga"),
  country("United Arab Emirates", 0.8, "arabic", "Dubai, Abu Dhabi, Sharjah"),
  country("New Zealand", 0.6, "english", "Auckland, Wellington, Christchurch"),
  country("Estonia", 0.3, "nordic", "Tallinn, Tartu"),
  country("Iceland", 0.2, "nordic", "Reykjavík")
]

/** Regions of several countries. */
export const REGIONS: Readonly<Record<string, ReadonlyArray<string>>> = {
  dach: ["Germany", "Austria", "Switzerland"],
  "german speaking countries": ["Germany", "Austria", "Switzerland"],
  nordics: ["Sweden", "Denmark", "Norway", "Finland", "Iceland"],
  "nordic countries": ["Sweden", "Denmark", "Norway", "Finland", "Iceland"],
  scandinavia: ["Sweden", "Denmark", "Norway"],
  benelux: ["Netherlands", "Belgium"],
  iberia: ["Spain", "Portugal"],
  "british isles": ["United Kingdom", "Ireland"],
  "north america": ["United States", "Canada", "Mexico"],
  anz: ["Australia", "New Zealand"],
  latam: ["Brazil", "Mexico"],
  "latin america": ["Brazil", "Mexico"]
}

/** Other names of one country. */
export const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
  us: "United States",
  usa: "United States",
  "u.s.": "United States",
  "u.s.a.": "United States",
  "united states of america": "United States",
  america: "United States",
  uk: "United Kingdom",
  "u.k.": "United Kingdom",
  gb: "United Kingdom",
  "great britain": "United Kingdom",
  britain: "United Kingdom",
  deutschland: "Germany",
  osterreich: "Austria",
  schweiz: "Switzerland",
  suisse: "Switzerland",
  holland: "Netherlands",
  "the netherlands": "Netherlands",
  espana: "Spain",
  italia: "Italy",
  sverige: "Sweden",
  danmark: "Denmark",
  norge: "Norway",
  suomi: "Finland",
  polska: "Poland",
  brasil: "Brazil",
  korea: "South Korea",
  uae: "United Arab Emirates"
}

/** Areas around cities of one country. */
export const AREAS: Readonly<Record<string, { readonly country: string; readonly cities: ReadonlyArray<string> }>> = {
  "bay area": {
    country: "United States",
    cities: ["San Francisco", "San Jose", "Palo Alto", "Oakland", "Mountain View", "Berkeley"]
  },
  "silicon valley": { country: "United States", cities: ["San Jose", "Palo Alto", "Mountain View"] },
  "new york city": { country: "United States", cities: ["New York"] },
  nyc: { country: "United States", cities: ["New York"] },
  sf: { country: "United States", cities: ["San Francisco"] },
  "research triangle": { country: "United States", cities: ["Raleigh"] },
  "greater london": { country: "United Kingdom", cities: ["London"] },
  ruhr: { country: "Germany", cities: ["Düsseldorf", "Cologne"] },
  rhineland: { country: "Germany", cities: ["Düsseldorf", "Cologne"] },
  randstad: { country: "Netherlands", cities: ["Amsterdam", "Rotterdam", "Utrecht", "The Hague"] },
  munchen: { country: "Germany", cities: ["Munich"] },
  koln: { country: "Germany", cities: ["Cologne"] },
  nurnberg: { country: "Germany", cities: ["Nuremberg"] },
  wien: { country: "Austria", cities: ["Vienna"] },
  genf: { country: "Switzerland", cities: ["Geneva"] },
  milano: { country: "Italy", cities: ["Milan"] },
  bangalore: { country: "India", cities: ["Bengaluru"] },
  kobenhavn: { country: "Denmark", cities: ["Copenhagen"] },
  goteborg: { country: "Sweden", cities: ["Gothenburg"] }
}

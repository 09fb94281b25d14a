import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import { cumulate, hash, pick, pickWeighted, share } from "./Hash.js"
import { COUNTRIES } from "./Places.js"

/** How a company forms the local part of its people's addresses. */
export const EMAIL_PATTERNS = ["first.last", "flast", "first", "first_last", "firstl", "last.first"] as const

export type EmailPattern = (typeof EMAIL_PATTERNS)[number]

export interface Company {
  readonly index: number
  readonly name: string
  /** Registrable, lower-case ASCII, always under a reserved top-level domain. */
  readonly domain: string
  /** An index into `INDUSTRIES`. */
  readonly industry: number
  /** Indexes into `COUNTRIES` and its cities. */
  readonly country: number
  readonly city: number
  readonly headcount: number
  readonly foundedYear: number
  readonly emailPattern: EmailPattern
  /** Its mail server accepts every address, so that nobody can tell which exist. */
  readonly isCatchAll: boolean
  /** Its people: `firstPerson` and the `peopleCount - 1` after it. */
  readonly firstPerson: number
  readonly peopleCount: number
}

export const COMPANIES_COUNT = 4000

/** The people of a company that sources know: all of a tiny one, fewer and fewer of a large one. */
const peopleOf = (headcount: number): number =>
  Math.max(1, Math.min(headcount, Math.round(1.05 * Math.sqrt(headcount))))

const STARTS =
  "Al Ar Bel Bor Cal Cor Dal Del Dor El Em Fal Fen Gal Gor Hal Hel Il Jor Kal Kel Kor Lan Lor Mar Mel Mor Nal Nor Or Pel Por Quil Ral Rin Sal Sol Sor Tal Tel Tor Ul Val Vel Vin Vor Wel Wil Yor Zal Zen".split(
    " "
  )
const ENDS =
  "aden amar anto aris aven borne brix cera dane dara delle desta dova eira elia enta era esta evo field gate gard ida iden inor iro ista ivo lane lia lume mark mere mont nari neva nix nova ona oria ova pera quo rane ridge rise sera stead tara tera tide vane vera wick wood xa yra".split(
    " "
  )

/** What follows the invented word, by what the industry's name holds; the first that fits. */
const SUFFIXES: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [
    /Software|Internet|Data|IT Services|Security$/,
    ["Software", "Labs", "Systems", "Cloud", "Technologies", "Digital", "AI"]
  ],
  [/Bank|Financ|Invest|Capital|Insurance|Accounting/, ["Capital", "Partners", "Finance", "Group", "Trust"]],
  [/Legal/, ["Legal", "& Partners", "Law"]],
  [
    /Consult|Professional|Human|Staffing|Outsourcing|Research|Training/,
    ["Consulting", "Partners", "Advisory", "People", "Group"]
  ],
  [
    /Advertising|Public Rel|Design|Events|Media|Publish|Movie|Music|Entertain|Sports$/,
    ["Media", "Studio", "Agency", "Collective", "Works"]
  ],
  [/Health|Medic|Pharma|Bio|Wellness|Veterinary|Mental/, ["Health", "Medical", "Bio", "Care", "Therapeutics"]],
  [/Educat|Learning/, ["Academy", "Learning", "Institute"]],
  [
    /Construction|Engineering|Architect|Building|Real Estate/,
    ["Build", "Construction", "Properties", "Engineering", "Homes"]
  ],
  [/Energy|Oil|Utilit|Environment|Waste/, ["Energy", "Power", "Environmental", "Resources"]],
  [/Food|Beverage|Farming|Fisher|Restaurant|Hospitality/, ["Foods", "Kitchen", "Farms", "Hospitality"]],
  [/Retail|Wholesale|Import|Apparel|Luxury|Consumer/, ["Trading", "Goods", "Stores", "Supply", "Brands"]],
  [/Transport|Logist|Truck|Maritime|Rail|Freight|Airline|Travel/, ["Logistics", "Transport", "Lines", "Travel"]],
  [
    /Manufactur|Metal|Mining|Machinery|Shipbuild|Glass|Semiconductor/,
    ["Industries", "Manufacturing", "Works", "Components", "Group"]
  ]
]
const SUFFIXES_OTHER: ReadonlyArray<string> = ["Group", "Services", "Partners", "Network"]

/** Upper bounds of headcount and how many companies in a thousand lie below each. */
const HEADCOUNTS: ReadonlyArray<readonly [number, number]> = [
  [1, 10],
  [11, 50],
  [51, 200],
  [201, 500],
  [501, 1000],
  [1001, 5000],
  [5001, 10_000],
  [10_001, 80_000]
]
const HEADCOUNT_WEIGHTS = cumulate([290, 340, 210, 80, 35, 33, 7, 5])

const COUNTRY_WEIGHTS = cumulate(COUNTRIES.map(({ weight }) => weight))

/** A few industries that outbound work is mostly about come up oftener. */
const INDUSTRY_WEIGHTS = cumulate(INDUSTRIES.map((_, index) => (index === 0 ? 34 : index < 6 ? 4 : index < 22 ? 2 : 1)))

const PATTERN_WEIGHTS = cumulate([46, 22, 14, 5, 8, 5])

const What = {
  industry: 1,
  country: 2,
  city: 3,
  band: 4,
  headcount: 5,
  founded: 6,
  pattern: 7,
  catchAll: 8,
  start: 9,
  end: 10,
  suffix: 11,
  suffixed: 12,
  tld: 13
} as const

const CATCH_ALL_SHARE = 0.18
const NAME_TRIES_MAX = 50

/** Larger cities come first in their country's list and draw more companies. */
const drawCity = (hashed: number, count: number): number => Math.floor(share(hashed) ** 1.7 * count)

const drawHeadcount = (seed: number, index: number): number => {
  const [low, high] = HEADCOUNTS[pickWeighted(hash(seed, What.band, index), HEADCOUNT_WEIGHTS)] ?? [1, 10]
  return Math.floor(low * Math.pow((high + 1) / low, share(hash(seed, What.headcount, index))))
}

const drawFoundedYear = (seed: number, index: number, headcount: number): number => {
  const age = 1 + Math.floor(share(hash(seed, What.founded, index)) ** 1.6 * (headcount > 1000 ? 120 : 45))
  return 2025 - age - (headcount > 200 ? 4 : 0)
}

const drawName = (seed: number, draw: number, industry: string): readonly [string, string] => {
  const word = pick(hash(seed, What.start, draw), STARTS) + pick(hash(seed, What.end, draw), ENDS)
  const suffix = pick(
    hash(seed, What.suffix, draw),
    SUFFIXES.find(([pattern]) => pattern.test(industry))?.[1] ?? SUFFIXES_OTHER
  )
  const label = word.toLowerCase()
  return share(hash(seed, What.suffixed, draw)) < 0.25
    ? [word, label]
    : [`${word} ${suffix}`, label + suffix.toLowerCase().replace(/[^a-z]/g, "")]
}

/** All companies, in order of their index. Domains and names are unique. */
export const makeCompanies = (seed: number): ReadonlyArray<Company> => {
  const companies: Array<Company> = []
  const labels = new Set<string>()
  let firstPerson = 0
  for (let index = 0; index < COMPANIES_COUNT; index++) {
    const industry = pickWeighted(hash(seed, What.industry, index), INDUSTRY_WEIGHTS)
    const country = pickWeighted(hash(seed, What.country, index), COUNTRY_WEIGHTS)
    const headcount = drawHeadcount(seed, index)
    let [name, label] = drawName(seed, index, INDUSTRIES[industry] ?? "")
    for (let attempt = 1; labels.has(label) && attempt <= NAME_TRIES_MAX; attempt++) {
      ;[name, label] = drawName(seed, index + attempt * COMPANIES_COUNT, INDUSTRIES[industry] ?? "")
    }
    if (labels.has(label)) [name, label] = [`${name} ${index}`, `${label}${index}`]
    labels.add(label)
    const peopleCount = peopleOf(headcount)
    companies.push({
      index,
      name,
      domain: `${label}.${hash(seed, What.tld, index) % 3 === 0 ? "example" : "test"}`,
      industry,
      country,
      city: drawCity(hash(seed, What.city, index), COUNTRIES[country]?.cities.length ?? 1),
      headcount,
      foundedYear: drawFoundedYear(seed, index, headcount),
      emailPattern: EMAIL_PATTERNS[pickWeighted(hash(seed, What.pattern, index), PATTERN_WEIGHTS)] ?? "first.last",
      isCatchAll: share(hash(seed, What.catchAll, index)) < CATCH_ALL_SHARE,
      firstPerson,
      peopleCount
    })
    firstPerson += peopleCount
  }
  return companies
}

/** What a company says of itself, in one sentence. */
export const descriptionOf = (company: Company): string => {
  const place = COUNTRIES[company.country]
  const trade = (INDUSTRIES[company.industry] ?? "").toLowerCase()
  const city = place?.cities[company.city]?.name ?? ""
  return `${company.name} works in ${trade} from ${city}, ${place?.name ?? ""}, since ${company.foundedYear}. Headcount: ${company.headcount}.`
}

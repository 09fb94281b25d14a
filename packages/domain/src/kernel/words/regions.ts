/** The parts of what the law of a recipient's country asks a sender to say, in the order in which they are said. */
export const NOTICE_PARTS = ["purpose", "basis", "source", "rights", "contact"] as const
export type NoticePart = (typeof NOTICE_PARTS)[number]

/** Countries whose laws ask for the same words. Which these are is our reading of the laws, and no legal advice. */
export interface Region {
  readonly name: string
  readonly countries: ReadonlyArray<string>
  /** The law that asks, as the words name it; null: they name none. */
  readonly law: string | null
  /** What has to be said. */
  readonly required: ReadonlyArray<NoticePart>
}

export const REGIONS = {
  eea: {
    name: "European Union and EEA",
    countries:
      "AT AX BE BG CY CZ DE DK EE ES FI FR GF GP GR HR HU IE IS IT LI LT LU LV MF MQ MT NL NO PL PT RE RO SE SI SK YT".split(
        " "
      ),
    law: "GDPR",
    required: NOTICE_PARTS
  },
  gb: { name: "United Kingdom", countries: ["GB", "GG", "IM", "JE"], law: "UK GDPR", required: NOTICE_PARTS },
  ch: { name: "Switzerland", countries: ["CH"], law: null, required: ["purpose", "source", "rights", "contact"] },
  us: {
    name: "United States",
    countries: ["US", "PR", "GU", "VI", "AS", "MP", "UM"],
    law: null,
    required: ["purpose", "contact"]
  },
  ca: { name: "Canada", countries: ["CA"], law: null, required: ["purpose", "contact"] },
  au: { name: "Australia", countries: ["AU", "CX", "CC", "NF", "HM"], law: null, required: ["purpose", "contact"] },
  nz: { name: "New Zealand", countries: ["NZ"], law: null, required: ["purpose", "contact"] }
} as const satisfies Readonly<Record<string, Region>>
export type RegionName = keyof typeof REGIONS
export const REGION_NAMES = Object.keys(REGIONS) as ReadonlyArray<RegionName>

/** The strictest: of whoever's country is not known. */
export const STRICTEST: RegionName = "eea"

/** Stands for every country that has no words of its own. It has no words until the workspace writes some. */
export const REST = "rest"

export const isRegion = (name: string): name is RegionName => Object.hasOwn(REGIONS, name)

export const regionOf = (country: string): RegionName | null =>
  REGION_NAMES.find((name) => (REGIONS[name].countries as ReadonlyArray<string>).includes(country)) ?? null

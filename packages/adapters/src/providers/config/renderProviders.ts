import { makeRenderer } from "@outbound/domain/verbs/JsonSchema.js"
import { ProberSettings } from "../open/ProberSettings.js"
import type { Vendor } from "../Vendor.js"
import { BUILT_IN, LISTED_PORT_NAMES, LISTED_PORTS, type ListedPort } from "./ports.js"

const PORT_WORDS: Readonly<Record<ListedPort, string>> = {
  lead_source: "people by title, place, industry and company",
  premium_lead_source: "the same, dearer; asked only with consent",
  company_source: "companies, by any kind of search",
  company_dataset_source: "what is known about one company, one dataset at a time",
  brief_writer: "a few paragraphs about a company, with their sources",
  intent_source: "hiring, funding, news and job changes at a company",
  post_source: "public posts of one platform",
  contact_enricher: "a person's work address, and what else is known about them",
  mobile_finder: "a person's mobile number",
  email_verifier: "whether an address can receive mail",
  site_reader: "the pages of a company's own website; `check_companies` needs a `judge` too"
}

const KNOWN: Readonly<Record<Vendor["known"], string>> = {
  specification: "its own specification",
  documentation: "its documentation",
  third_party: "others' code"
}

const MICROS = 1_000_000

const code = (text: string): string => `\`${text}\``

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => [
  `| ${head.join(" | ")} |`,
  `| ${head.map(() => "---").join(" | ")} |`,
  ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
  ""
]

const price = ({ isOpen, unit, unitMicros }: Vendor): string =>
  isOpen === true ? "free" : `$${unitMicros / MICROS} per ${unit.replaceAll("_", " ")}`

const servedBy = (port: string, vendors: ReadonlyArray<Vendor>): string => {
  const names = [
    ...Object.entries(BUILT_IN).flatMap(([name, { serves }]) =>
      (serves as ReadonlyArray<string>).includes(port) ? [name] : []
    ),
    ...vendors.flatMap(({ name, serves }) => ((serves as ReadonlyArray<string>).includes(port) ? [name] : []))
  ]
  return names.length === 0 ? "no source yet" : names.map(code).join(", ")
}

const portRows = (vendors: ReadonlyArray<Vendor>): ReadonlyArray<ReadonlyArray<string>> => [
  ...LISTED_PORT_NAMES.map((port) => [
    code(port),
    LISTED_PORTS[port].map(code).join(", "),
    PORT_WORDS[port],
    servedBy(port, vendors)
  ]),
  [
    "`sending`",
    "`setup_sending`",
    "mailboxes that a vendor sells and sends from; one name, not a list",
    servedBy("sending", vendors)
  ]
]

/** A vendor's own settings, with their defaults. */
const settingsLines = ({ defaults }: Vendor): ReadonlyArray<string> => {
  const settings = Object.entries(defaults as Readonly<Record<string, unknown>>)
  if (settings.length === 0) return []
  return [
    `Default \`settings\`: ${settings.map(([name, value]) => code(`${name}: ${JSON.stringify(value)}`)).join(", ")}.`,
    ""
  ]
}

const vendorLines = (vendor: Vendor): ReadonlyArray<string> => [
  `### ${vendor.title}`,
  "",
  `${code(vendor.name)}${vendor.baseUrl === "" ? "" : ` at ${code(vendor.baseUrl)}`}. Serves ${vendor.serves.map(code).join(", ")}. ` +
    `${vendor.isOpen === true ? "Costs nothing, and takes no key" : `${price(vendor)} unless you set another price`}${vendor.callsPerMinute === null ? "" : `, at most ${vendor.callsPerMinute} calls a minute`}. Known from ${KNOWN[vendor.known]}.`,
  "",
  ...vendor.limits.map((limit) => `- ${limit}`),
  ...(vendor.limits.length === 0 ? [] : [""]),
  ...settingsLines(vendor)
]

const proberRows = (): ReadonlyArray<ReadonlyArray<string>> => {
  const { properties = {} } = makeRenderer().render(ProberSettings)
  return Object.entries(properties).map(([name, { description = "" }]) => [code(name), description])
}

/** The generated parts of `docs/providers.md`. The text around them is written in the document. */
export const providersParts = (vendors: ReadonlyArray<Vendor>): Readonly<Record<string, ReadonlyArray<string>>> => ({
  ports: table(["port", "asked by", "what it gives", "can be served by"], portRows(vendors)),
  vendors: [
    ...table(
      ["vendor", "serves", "list price", "known from"],
      vendors.map((vendor) => [
        `[${code(vendor.name)}](#${vendor.title
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, "")
          .replaceAll(" ", "-")})`,
        vendor.serves.map(code).join(", "),
        price(vendor),
        `[${KNOWN[vendor.known]}](../packages/adapters/src/providers/${vendor.name}/contract.md)`
      ])
    ),
    ...vendors.flatMap(vendorLines)
  ],
  prober: table(["setting", "meaning"], proberRows())
})

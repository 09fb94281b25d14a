/** The companies and people of the loop with open sources. They are nobody's; their domains can't exist. */

/** Somebody at a company. */
export interface Person {
  readonly name: string
  readonly title: string
  readonly email: string
  /** Whether the list that is imported holds their address; those of the others have to be found. */
  readonly isListed: boolean
  /** What they write back. */
  readonly answers: "interested" | "not_interested" | "out_of_office" | null
}

export interface Company {
  readonly domain: string
  readonly name: string
  readonly about: ReadonlyArray<string>
  readonly people: ReadonlyArray<Person>
}

export const CITY = "Springfield"
export const COUNTRY = "United States"

export const COMPANIES = {
  forge: {
    domain: "northwind-forge.test",
    name: "Northwind Forge",
    about: [
      "Northwind Forge is a maker of anvils and vices for workshops in Illinois.",
      "We build every anvil by hand and deliver to dealers within two weeks.",
      "Our dealers get a discount of 12 percent on orders above twenty pieces."
    ],
    people: [
      ["Ada Adler", "Head of Production", "ada.adler", true, null],
      ["Ben Brandt", "Head of Finance", "ben.brandt", true, null],
      ["Cem Celik", "Head of Sales", "cem.celik", false, "interested"],
      ["Dora Dietz", "Sales Manager", "dora.dietz", false, "not_interested"]
    ]
  },
  works: {
    domain: "bolt-works.test",
    name: "Bolt Works",
    about: [
      "Bolt Works is a supplier of bolts and rivets for bridges and cranes.",
      "We make bolts in four sizes and test each of them before it leaves the hall."
    ],
    people: [
      ["Ida Imhof", "Head of Quality", "iimhof", true, null],
      ["Jan Jansen", "Buyer", "jjansen", true, null],
      ["Emil Ernst", "Head of Sales", "eernst", false, "out_of_office"]
    ]
  },
  labs: {
    domain: "cedar-labs.test",
    name: "Cedar Labs",
    about: [
      "Cedar Labs is a young company that offers sensors for machines of wood.",
      "We help sawmills to see when a blade has to be sharpened."
    ],
    people: [["Fay Falk", "Sales Director", "fay.falk", false, null]]
  }
} as const satisfies Readonly<Record<string, unknown>>

type Row = readonly [name: string, title: string, local: string, isListed: boolean, answers: Person["answers"]]

const companyOf = (one: (typeof COMPANIES)[keyof typeof COMPANIES]): Company => ({
  ...one,
  people: (one.people as ReadonlyArray<Row>).map(([name, title, local, isListed, answers]) => ({
    name,
    title,
    email: `${local}@${one.domain}`,
    isListed,
    answers
  }))
})

export const ALL: ReadonlyArray<Company> = Object.values(COMPANIES).map(companyOf)

export const PEOPLE: ReadonlyArray<Person> = ALL.flatMap(({ people }) => people)

/** Whom the mailboxes write from: its records say that it is authenticated. */
export const SENDER = {
  domain: "harbor-tools.test",
  name: "Alex Example",
  selector: "loop",
  spf: "ip4:127.0.0.1"
} as const

const line = (...cells: ReadonlyArray<string>): string => cells.join(",")

export const peopleCsv = (): string =>
  [
    "name,job title,company,website,email,city,country",
    ...ALL.flatMap(({ domain, name, people }) =>
      people.map((person) =>
        line(person.name, person.title, name, domain, person.isListed ? person.email : "", CITY, COUNTRY)
      )
    )
  ].join("\n")

export const companiesCsv = (): string =>
  [
    "website,name,industry,employees,city,country",
    ...ALL.map(({ domain, name }) => line(domain, name, "Machinery Manufacturing", "80", CITY, COUNTRY))
  ].join("\n")

/** What Overture Maps would publish of the town, as lines of its JSON. */
export const overtureLines = (): string =>
  ["Old Mill Hardware", "Main Street Hardware", "Riverside Hardware"]
    .map((name, at) =>
      JSON.stringify({
        id: `place-${at}`,
        version: 1,
        names: { primary: name, common: null, rules: null },
        categories: { primary: "hardware_store", alternate: null },
        confidence: 0.9,
        websites: [`https://${name.toLowerCase().replaceAll(" ", "-")}.com`],
        socials: null,
        phones: null,
        addresses: [
          { freeform: `Main Street ${at + 1}`, locality: CITY, postcode: "62701", region: "US-IL", country: "US" }
        ],
        sources: [{ property: "", dataset: "meta", record_id: `r${at}`, update_time: null, confidence: 0.9 }],
        operating_status: "open"
      })
    )
    .join("\n")

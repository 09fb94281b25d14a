/** What a page says, and a shorter way to say it that claims nothing else. */
interface Fact {
  readonly said: string
  readonly shorter: string
}

export const FACTS: ReadonlyArray<Fact> = [
  {
    said: "Our forge in Passau builds 4,200 anvils a year for smiths in Bavaria.",
    shorter: "The forge in Passau builds 4,200 anvils a year."
  },
  {
    said: "Since 1998 more than 300 workshops have bought their tools from us.",
    shorter: "Since 1998 more than 300 workshops have bought tools."
  },
  {
    said: "We do not sell to private customers, and ship to dealers in Austria only.",
    shorter: "We do not sell to private customers, ship to dealers in Austria only."
  },
  {
    said: "Berta Huber leads sales, and Carl Maier leads the workshop.",
    shorter: "Berta Huber leads sales, Carl Maier the workshop."
  },
  { said: "We plan to open a showroom in Linz next spring.", shorter: "Plans to open a showroom in Linz next spring." },
  {
    said: "Every anvil carries a guarantee of 30 years against cracks.",
    shorter: "Every anvil carries a guarantee of 30 years against cracks."
  },
  {
    said: "Our software for orders runs on PostgreSQL and is open to dealers.",
    shorter: "Software for orders runs on PostgreSQL."
  },
  {
    said: "In 2024 the group of Bolt acquired a minority share of our company.",
    shorter: "In 2024 the group of Bolt acquired a minority share."
  },
  {
    said: "Smiths without a workshop may rent ours by the hour.",
    shorter: "Smiths without a workshop may rent ours by the hour."
  },
  { said: "We recycle almost all of the steel that is left over.", shorter: "We recycle almost all of the steel." }
]

interface Lie {
  readonly sentence: string
  readonly page: number
  readonly quote: string
}

const number = (text: string): string => text.replace(/\d[\d,]*/, (digits) => `${digits.replaceAll(",", "")}0`)

const WAYS: ReadonlyArray<(fact: Fact) => Lie> = [
  // Another number, or one that nobody named.
  ({ said, shorter }) => ({
    sentence: /\d/.test(shorter) ? number(shorter) : shorter.replace(/\.$/, " for 12 years."),
    page: 1,
    quote: said
  }),
  // Another place or name.
  ({ said, shorter }) => ({
    sentence: shorter.replace(/Passau|Austria|Linz|PostgreSQL|Bolt|Huber|workshops?|steel|anvil/, "Munich"),
    page: 1,
    quote: said
  }),
  // The opposite.
  ({ said, shorter }) => ({
    sentence: / not /.test(shorter)
      ? shorter.replace(" do not ", " ").replace(" not ", " ")
      : `It is not true: ${shorter}`,
    page: 1,
    quote: said
  }),
  // A claim more.
  ({ said, shorter }) => ({ sentence: `${shorter.replace(/\.$/, "")} and leads the market.`, page: 1, quote: said }),
  // A page's sentence that it never had.
  ({ shorter }) => ({ sentence: `${shorter} Customers praise it.`, page: 1, quote: `${shorter} Customers praise it.` }),
  // True words under another sentence.
  ({ shorter }) => ({
    sentence: shorter.replace(/\.$/, " as promised."),
    page: 1,
    quote: "Terms of use apply to everything here."
  }),
  // A page that there is not.
  ({ said, shorter }) => ({ sentence: `${shorter.replace(/\.$/, "")}, says the page.`, page: 9, quote: said }),
  // What was a plan, a part or a condition is told as done.
  ({ said }) => ({
    sentence: said
      .replace("We plan to open", "We opened")
      .replace("almost all", "all")
      .replace("without a workshop", "with a workshop")
      .replace(" only", "")
      .replace("more than 300", "300,000")
      .replace("4,200", "42,000")
      .replace("30 years", "300 years")
      .replace("minority", "majority")
      .replace(
        "Berta Huber leads sales, and Carl Maier leads the workshop",
        "Carl Maier leads sales, and Berta Huber leads the workshop"
      )
      .replace("runs on PostgreSQL", "replaces PostgreSQL"),
    page: 1,
    quote: said
  })
]

/** Ways to lie, each different for each fact. */
export const LIES = 30

export const lieAbout = (fact: Fact, turn: number): Lie => {
  const way = WAYS[turn % WAYS.length]
  if (way === undefined) throw new Error("no way to lie")
  return way(fact)
}

import { readFileSync } from "node:fs"

const textOf = (path: string): string =>
  readFileSync(new URL(`../../../../../docs/corpora/${path}`, import.meta.url), "utf8")

const jsonLines = <A>(path: string): ReadonlyArray<A> =>
  textOf(path)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as A)

/** A company's site, the boards that it leads to, and the title of its one job; null: it has none. */
export interface Site {
  readonly domain: string
  readonly pages: Readonly<Record<string, string | { status: number; headers: Record<string, string>; body: string }>>
  readonly boards: ReadonlyArray<readonly [host: string, path: string, answer: object]>
  readonly owner: string | null
}

export const careersSites = (): ReadonlyArray<Site> => jsonLines("boards/sites.jsonl")

/** A page, and what it is made with. */
export interface MadePage {
  readonly domain: string
  readonly headers: Readonly<Record<string, string>>
  readonly mailHosts: ReadonlyArray<string>
  readonly html: string
  readonly uses: ReadonlyArray<string>
}

export const madePages = (): ReadonlyArray<MadePage> => jsonLines("technologies/pages.jsonl")

/** What a company's page says, a shorter way to say it, and a lie about it. */
export interface Fact {
  readonly company: string
  readonly said: string
  readonly shorter: string
  readonly lie: string
}

/** `heldout`: no rule was changed for it. */
export const facts = (set: "facts" | "heldout"): ReadonlyArray<Fact> =>
  textOf(`briefs/${set}.tsv`)
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [company = "", said = "", shorter = "", lie = ""] = line.split("\t")
      return { company, said, shorter, lie }
    })

/** What is published of a set, with the figures that were measured. */
export const readmeOf = (set: string): string => textOf(`${set}/README.md`)

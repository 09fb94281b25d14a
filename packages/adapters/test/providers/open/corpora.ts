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

/** What a company's page says, true sentences about it, and a lie. */
export interface Fact {
  readonly company: string
  readonly said: string
  readonly shorter: string
  /** The same in other words, where the set has it. */
  readonly reworded: string | null
  readonly lie: string
  /** What kind of lie it is, where the set says so. */
  readonly kind: string | null
}

const rowsOf = (path: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [head = [], ...rows] = textOf(path)
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? "", cell])))
}

/** `heldout` and `kinds`: they were written apart from the rule. */
export const facts = (set: "facts" | "heldout" | "kinds"): ReadonlyArray<Fact> =>
  rowsOf(`briefs/${set}.tsv`).map((row) => ({
    company: row["company"] ?? "",
    said: row["the page says"] ?? "",
    shorter: row["the same, shorter"] ?? "",
    reworded: row["the same, in other words"] ?? null,
    lie: row["a lie"] ?? "",
    kind: row["kind"] ?? null
  }))

/** Sentences of briefs that somebody read beside their pages, and what they found. */
export const readSentences = () =>
  rowsOf("briefs/read.tsv").map((row) => ({
    said: row["the page says"] ?? "",
    sentence: row["the brief says"] ?? "",
    verdict: row["read as"] ?? ""
  }))

/** What is published of a set, with the figures that were measured. */
export const readmeOf = (set: string): string => textOf(`${set}/README.md`)

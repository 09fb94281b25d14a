/** What to look for, so that any lists find somebody: what stands in them most often. */
import { countryCodeOf, countryNameOf } from "@outbound/domain/data/directory/Places.js"
import type { DirectoryCompany, DirectoryPerson } from "@outbound/domain/data/directory/Records.js"
import type { Reader } from "./Lists.js"

/** What different things are counted up to. */
const DIFFERENT_MAX = 200_000

const WORD_CHARS_MIN = 3
const PHRASE_CHARS_MAX = 120

/** Words of titles that say nothing by themselves. */
const FILLERS = new Set(["and", "for", "the", "und", "der", "des", "senior", "junior", "lead", "chief", "vice"])

/** How often each has come, and the first that came most often. */
class Count {
  private readonly counts = new Map<string, number>()

  add(one: string): void {
    const before = this.counts.get(one)
    if (before === undefined && this.counts.size >= DIFFERENT_MAX) return
    this.counts.set(one, (before ?? 0) + 1)
  }

  get most(): string | null {
    let most: string | null = null
    for (const [one, count] of this.counts) if (most === null || count > (this.counts.get(most) ?? 0)) most = one
    return most
  }
}

/** Of two things that go together: the pair that comes most often; where none has both, the one that does. */
class Pairs {
  private readonly both = new Count()
  private readonly first = new Count()
  private readonly second = new Count()

  add(firsts: ReadonlyArray<string>, second: string | null): void {
    for (const first of firsts) {
      this.first.add(first)
      if (second !== null) this.both.add(`${first}\n${second}`)
    }
    if (second !== null) this.second.add(second)
  }

  get most(): { readonly first: string | null; readonly second: string | null } {
    const [first, second] = this.both.most?.split("\n") ?? []
    if (first !== undefined && second !== undefined) return { first, second }
    return this.first.most === null
      ? { first: null, second: this.second.most }
      : { first: this.first.most, second: null }
  }
}

const titleWords = (title: string | null): ReadonlyArray<string> => [
  ...new Set(
    (title ?? "")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= WORD_CHARS_MIN && !FILLERS.has(word))
  )
]

const codeOf = (country: string | null): string | null => (country === null ? null : countryCodeOf(country))

const phrase = (text: string | null): ReadonlyArray<string> =>
  text === null || text.length > PHRASE_CHARS_MAX ? [] : [text]

/** The body of a search, and how a person would say it. */
export interface Search {
  readonly words: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Counts what stands in the rows that it hears of. */
export class Criteria implements Reader {
  private readonly people = new Pairs()
  private readonly industries = new Pairs()
  private readonly specialties = new Pairs()
  private readonly names = new Count()

  readonly person = ({ country, title }: DirectoryPerson): void => this.people.add(titleWords(title), codeOf(country))

  readonly company = ({ country, industry, name, specialties }: DirectoryCompany): void => {
    const code = codeOf(country)
    this.industries.add(phrase(industry), code)
    this.specialties.add(specialties.flatMap(phrase), code)
    for (const one of phrase(name)) this.names.add(one)
  }

  get leads(): Search {
    const { first: word, second: code } = this.people.most
    const country = code === null ? null : countryNameOf(code)
    const where = country === null ? "" : ` in ${country}`
    return {
      words: `people${where}${word === null ? "" : ` with "${word}" in their title`}`,
      body: {
        audience: [word ?? "people", country ?? ""].filter((text) => text !== "").join(" in "),
        ...(word === null ? {} : { titles: [word] }),
        ...(country === null ? {} : { locations: [country] })
      }
    }
  }

  /** Null: the lists don't say enough of any company to ask for it. */
  get companies(): Search | null {
    const industry = this.industries.most
    const specialty = this.specialties.most
    const { first, second: code } = industry.first === null ? specialty : industry
    if (first === null) {
      const name = this.names.most
      return name === null ? null : { words: `companies such as "${name}"`, body: { query: name } }
    }
    const narrowed = {
      mode: "firmographic",
      ...(industry.first === null ? { keywords: [first] } : { industries: [first] }),
      ...(code === null ? {} : { country_codes: [code] }),
      company_headcount: { min: 1 }
    }
    const where = code === null ? "" : ` in ${countryNameOf(code)}`
    return { words: `companies of "${first}"${where}`, body: narrowed }
  }
}

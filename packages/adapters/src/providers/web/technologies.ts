import type { CompanyTechnology } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { Markup } from "../../site/markup.js"
import type { VisitedPage } from "../../site/WebVisitor.js"

/** One technology in the published schema: only these members are used. */
export interface Fingerprint {
  readonly cats?: ReadonlyArray<number>
  readonly scriptSrc?: string | ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly cookies?: Readonly<Record<string, string>>
  readonly dns?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly implies?: string | ReadonlyArray<string>
}

export interface Fingerprints {
  readonly technologies: Readonly<Record<string, Fingerprint>>
  readonly categories: Readonly<Record<string, { readonly name: string }>>
}

interface Pattern {
  readonly test: RegExp
  readonly confidence: number
}

interface Compiled {
  readonly name: string
  readonly category: string | null
  readonly scripts: ReadonlyArray<Pattern>
  readonly headers: ReadonlyArray<readonly [string, Pattern]>
  readonly meta: ReadonlyArray<readonly [string, Pattern]>
  readonly cookies: ReadonlyArray<readonly [string, Pattern]>
  readonly mx: ReadonlyArray<Pattern>
  readonly implies: ReadonlyArray<readonly [string, number]>
}

/** What a site showed. */
export interface Shown {
  readonly pages: ReadonlyArray<{ readonly page: VisitedPage; readonly markup: Markup }>
  /** The hosts that take its mail. */
  readonly mailHosts: ReadonlyArray<string>
}

const CONFIDENCE_MIN = 50
const PATTERN_CHARS_MAX = 500
/** Longer values are cut: patterns of others meet texts of others. */
const VALUE_CHARS_MAX = 500
const TECHNOLOGIES_MAX = 20_000
const SCRIPTS_MAX = 200
const IMPLIED_DEPTH_MAX = 3

/** Repeats within repeats take time without end on some texts. */
const RUNAWAY = /\([^)]*[+*][^)]*\)[+*{]/

const listOf = (value: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : typeof value === "string" ? [value] : value.filter((one) => typeof one === "string")

/** `pattern\;confidence:50\;version:\1`; none for one that can't be used. */
const patternOf = (written: string): ReadonlyArray<Pattern> => {
  const [source = "", ...tags] = written.split("\\;")
  const stated = tags.find((tag) => tag.startsWith("confidence:"))?.slice("confidence:".length)
  const confidence = stated === undefined || Number.isNaN(Number(stated)) ? 100 : Number(stated)
  if (source.length > PATTERN_CHARS_MAX || RUNAWAY.test(source)) return []
  try {
    return [{ test: new RegExp(source, "i"), confidence }]
  } catch {
    return []
  }
}

const membersOf = (
  members: Readonly<Record<string, string | ReadonlyArray<string>>> | undefined
): ReadonlyArray<readonly [string, Pattern]> =>
  Object.entries(members ?? {}).flatMap(([name, value]) =>
    listOf(value).flatMap((written) => patternOf(written).map((pattern) => [name.toLowerCase(), pattern] as const))
  )

/** Ready to be looked for. */
export const compiled = ({ categories, technologies }: Fingerprints): ReadonlyArray<Compiled> =>
  Object.entries(technologies)
    .slice(0, TECHNOLOGIES_MAX)
    .map(([name, one]): Compiled => ({
      name,
      category: categories[String(one.cats?.[0])]?.name ?? null,
      scripts: listOf(one.scriptSrc).flatMap(patternOf),
      headers: membersOf(one.headers),
      meta: membersOf(one.meta),
      cookies: membersOf(one.cookies),
      mx: listOf(one.dns?.["MX"]).flatMap(patternOf),
      implies: listOf(one.implies).map((written) => {
        const [other = "", ...tags] = written.split("\\;")
        const stated = tags.find((tag) => tag.startsWith("confidence:"))?.slice("confidence:".length)
        return [other, stated === undefined ? 100 : Number(stated)] as const
      })
    }))

const cut = (value: string): string => value.slice(0, VALUE_CHARS_MAX)

const confidenceOf = (one: Compiled, seen: Seen): number => {
  let sum = 0
  const add = ({ confidence, test }: Pattern, values: ReadonlyArray<string>) => {
    if (values.some((value) => test.test(value))) sum += confidence
  }
  for (const pattern of one.scripts) add(pattern, seen.scripts)
  for (const [name, pattern] of one.headers) add(pattern, seen.headers.get(name) ?? [])
  for (const [name, pattern] of one.meta) add(pattern, seen.meta.get(name) ?? [])
  for (const [name, pattern] of one.cookies) add(pattern, seen.cookies.get(name) ?? [])
  for (const pattern of one.mx) add(pattern, seen.mailHosts)
  return sum
}

interface Seen {
  readonly scripts: ReadonlyArray<string>
  readonly headers: ReadonlyMap<string, ReadonlyArray<string>>
  readonly meta: ReadonlyMap<string, ReadonlyArray<string>>
  readonly cookies: ReadonlyMap<string, ReadonlyArray<string>>
  readonly mailHosts: ReadonlyArray<string>
}

const grouped = (entries: ReadonlyArray<readonly [string, string]>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const groups = new Map<string, Array<string>>()
  for (const [name, value] of entries) {
    const before = groups.get(name)
    if (before === undefined) groups.set(name, [cut(value)])
    else before.push(cut(value))
  }
  return groups
}

const seenIn = ({ mailHosts, pages }: Shown): Seen => {
  const headers = pages.flatMap(({ page }) =>
    Object.entries(page.headers).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => (one === undefined ? [] : [[name, one] as const]))
    )
  )
  const scripts = pages.flatMap(({ markup, page }) =>
    markup.references
      .filter(({ by }) => by === "embed")
      .flatMap(({ href }) => (URL.canParse(href, page.url) ? [cut(new URL(href, page.url).href)] : []))
  )
  return {
    scripts: [...new Set(scripts)].slice(0, SCRIPTS_MAX),
    headers: grouped(headers),
    meta: grouped(pages.flatMap(({ markup }) => [...markup.meta])),
    cookies: grouped(
      headers
        .filter(([name]) => name === "set-cookie")
        .map(([, value]) => {
          const [, name = "", content = ""] = /^([^=;]+)=([^;]*)/.exec(value) ?? []
          return [name.trim().toLowerCase(), content] as const
        })
    ),
    mailHosts: mailHosts.map((host) => cut(host.toLowerCase()))
  }
}

/** What a site uses, as far as its pages, their headers and its mail hosts show it. */
export const technologiesIn = (
  sets: ReadonlyArray<ReadonlyArray<Compiled>>,
  shown: Shown,
  day: string
): ReadonlyArray<CompanyTechnology> => {
  const seen = seenIn(shown)
  const byName = new Map(sets.flat().map((one) => [one.name, one]))
  const found = new Map<string, Compiled | null>()
  const take = (name: string, confidence: number, depth: number) => {
    if (confidence < CONFIDENCE_MIN || found.has(name) || depth > IMPLIED_DEPTH_MAX) return
    const one = byName.get(name) ?? null
    found.set(name, one)
    for (const [other, itsConfidence] of one?.implies ?? []) take(other, Math.min(confidence, itsConfidence), depth + 1)
  }
  for (const one of sets.flat()) take(one.name, confidenceOf(one, seen), 0)
  return [...found]
    .map(([name, one]) => ({ name, category: one?.category ?? null, firstSeen: null, lastSeen: day }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

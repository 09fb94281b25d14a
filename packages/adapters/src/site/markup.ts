import { Parser } from "htmlparser2"

/** What a page's markup says beside its text. */
export interface Markup {
  /** Addresses that it links, embeds or loads, as written, each with how. */
  readonly references: ReadonlyArray<Reference>
  /** The values of its JSON-LD blocks. */
  readonly data: ReadonlyArray<unknown>
  /** `<meta>`: name or property in lower case, and content. The first of each counts. */
  readonly meta: ReadonlyMap<string, string>
  /** The text of inline scripts, cut. */
  readonly scripts: ReadonlyArray<string>
}

export interface Reference {
  readonly href: string
  /** `embed`: an iframe or a script. `head`: a `<link>`, by its `rel` and `type`. */
  readonly by: "link" | "embed" | "head"
  readonly words: string
  readonly rel: string
  readonly type: string
}

const REFERENCES_MAX = 2_000
const DATA_BLOCKS_MAX = 30
const DATA_CHARS_MAX = 512 * 1024
const SCRIPTS_MAX = 100
const SCRIPT_CHARS_MAX = 4_000
const WORDS_CHARS_MAX = 200
const CHUNK_CHARS = 16 * 1024
/** As when its text is read: the parser's work grows with the square of the depth. */
const DEPTH_MAX = 400

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\s*<!--|-->\s*$/g, ""))
  } catch {
    return null
  }
}

/** Reads a page's markup, in time linear in the page. */
export const markupOf = (html: string): Markup => {
  const references: Array<{ -readonly [K in keyof Reference]: Reference[K] }> = []
  const data: Array<unknown> = []
  const meta = new Map<string, string>()
  const scripts: Array<string> = []
  let script: { isData: boolean; text: string } | null = null
  let link: (typeof references)[number] | null = null
  let depth = 0
  const refer = (href: string | undefined, by: Reference["by"], attributes: Readonly<Record<string, string>> = {}) => {
    if (href === undefined || references.length >= REFERENCES_MAX) return null
    const reference = {
      href: href.trim(),
      by,
      words: "",
      rel: (attributes["rel"] ?? "").toLowerCase(),
      type: (attributes["type"] ?? "").toLowerCase()
    }
    references.push(reference)
    return reference
  }
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      depth += 1
      if (tag === "a") link = refer(attributes["href"], "link")
      if (tag === "iframe" || tag === "embed") refer(attributes["src"] ?? attributes["data-src"], "embed")
      if (tag === "link") refer(attributes["href"], "head", attributes)
      if (tag === "meta") {
        const name = (attributes["name"] ?? attributes["property"] ?? "").toLowerCase()
        if (name !== "" && !meta.has(name)) meta.set(name, attributes["content"] ?? "")
      }
      if (tag === "script") {
        refer(attributes["src"], "embed")
        script = { isData: /ld\+json/i.test(attributes["type"] ?? ""), text: "" }
      }
    },
    onclosetag: (tag) => {
      depth -= 1
      if (tag === "a") link = null
      if (tag !== "script" || script === null) return
      if (script.isData) {
        const value = data.length < DATA_BLOCKS_MAX ? jsonOf(script.text) : null
        if (value !== null) data.push(value)
      } else if (script.text.trim() !== "" && scripts.length < SCRIPTS_MAX) {
        scripts.push(script.text)
      }
      script = null
    },
    ontext: (text) => {
      if (script !== null) {
        const most = script.isData ? DATA_CHARS_MAX : SCRIPT_CHARS_MAX
        if (script.text.length < most) script.text += text.slice(0, most - script.text.length)
      } else if (link !== null && link.words.length < WORDS_CHARS_MAX) link.words += text
    }
  })
  for (let at = 0; at < html.length && depth < DEPTH_MAX; at += CHUNK_CHARS) {
    parser.write(html.slice(at, at + CHUNK_CHARS))
  }
  if (depth < DEPTH_MAX) parser.end()
  return { references, data, meta, scripts }
}

/** Objects of JSON-LD of these types, wherever they stand: at the root, in lists, or in an `@graph`. */
export const ofType = (data: ReadonlyArray<unknown>, types: ReadonlySet<string>): ReadonlyArray<JsonLd> => {
  const found: Array<JsonLd> = []
  const queue: Array<unknown> = [...data]
  for (let at = 0; at < queue.length && at < OBJECTS_MAX; at++) {
    const value = queue[at]
    if (Array.isArray(value)) queue.push(...value.slice(0, OBJECTS_MAX))
    else if (typeof value === "object" && value !== null) {
      const one = value as JsonLd
      const names = [one["@type"]].flat().map((name) => String(name).replace(/^https?:\/\/schema\.org\//, ""))
      if (names.some((name) => types.has(name))) found.push(one)
      for (const member of ["@graph", "itemListElement", "item", "mainEntity", "publisher"]) {
        if (one[member] !== undefined) queue.push(one[member])
      }
    }
  }
  return found
}

export type JsonLd = Readonly<Record<string, unknown>>

const OBJECTS_MAX = 2_000

/** A text member; null if it is none. */
export const textIn = (one: JsonLd, name: string): string | null => {
  const value = [one[name]].flat()[0]
  if (typeof value === "string") return value.trim() === "" ? null : value.trim()
  if (typeof value === "object" && value !== null) {
    const named = (value as JsonLd)["name"] ?? (value as JsonLd)["@value"]
    return typeof named === "string" && named.trim() !== "" ? named.trim() : null
  }
  return typeof value === "number" ? String(value) : null
}

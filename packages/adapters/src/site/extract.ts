import { Parser } from "htmlparser2"

/** A link and its text. */
export interface Link {
  readonly href: string
  readonly words: string
}

export interface Extracted {
  readonly title: string | null
  /** The visible text, one line per block. */
  readonly text: string
  readonly links: ReadonlyArray<Link>
  /** The page's base URL, if it gives one. */
  readonly base: string | null
}

const TEXT_CHARS_MAX = 200_000
const LINKS_MAX = 1_000
const LINK_WORDS_CHARS_MAX = 200
/** No real page is deeper, and the parser's work grows with the square of the depth. */
const DEPTH_MAX = 400
const CHUNK_CHARS = 16 * 1024

/** Invisible elements. */
const UNSEEN: ReadonlySet<string> = new Set(
  "script style noscript template svg math iframe object canvas video audio select datalist title".split(" ")
)

/** Elements without an end tag. */
const VOID: ReadonlySet<string> = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " "
  )
)

/** Inline elements. All others begin and end a line. */
const INLINE: ReadonlySet<string> = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike " +
    "strong sub sup time tt u var wbr img input"
  ).split(" ")
)

/** A row's cells share a line. */
const CELLS: ReadonlySet<string> = new Set(["td", "th"])

const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  attributes["hidden"] !== undefined ||
  attributes["aria-hidden"] === "true" ||
  /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes["style"] ?? "")

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** A page's visible text and its links. Takes time linear in the page; leaves out what exceeds a bound. */
export const extract = (html: string): Extracted => {
  const lines: Array<string> = []
  const links: Array<Link> = []
  const open: Array<{ readonly tag: string; readonly unseen: boolean }> = []
  let [line, title, description] = ["", "", ""]
  let base: string | null = null
  let textChars = 0
  let unseenDepth = 0
  let inTitle = false
  let tooDeep = false
  let link: { href: string; words: string } | null = null

  const endLine = () => {
    const finished = oneLine(line)
    line = ""
    if (finished === "" || textChars >= TEXT_CHARS_MAX) return
    lines.push(finished)
    textChars += finished.length + 1
  }
  const endLink = () => {
    if (link !== null && links.length < LINKS_MAX) links.push({ href: link.href, words: oneLine(link.words) })
    link = null
  }
  const bound = (tag: string) => {
    if (CELLS.has(tag)) line += " "
    else if (!INLINE.has(tag)) endLine()
  }

  const parser = new Parser({
    onopentag: (tag, attributes) => {
      if (tag === "base") base ??= attributes["href"] ?? null
      if (tag === "meta" && attributes["name"]?.toLowerCase() === "description") {
        description = attributes["content"] ?? ""
      }
      if (tag === "title" && title === "") inTitle = true
      bound(tag)
      if (VOID.has(tag)) return
      const unseen = UNSEEN.has(tag) || isHidden(attributes)
      if (unseen) unseenDepth += 1
      open.push({ tag, unseen })
      if (open.length > DEPTH_MAX) tooDeep = true
      if (tag === "a" && attributes["href"] !== undefined) {
        endLink()
        link = { href: attributes["href"], words: "" }
      }
    },
    onclosetag: (tag) => {
      if (tag === "title") inTitle = false
      if (tag === "a") endLink()
      bound(tag)
      if (VOID.has(tag)) return
      if (open.pop()?.unseen === true) unseenDepth -= 1
    },
    ontext: (text) => {
      if (inTitle) title += text
      if (unseenDepth > 0) return
      line += text
      if (link !== null && link.words.length < LINK_WORDS_CHARS_MAX) link.words += text
    }
  })
  for (let at = 0; at < html.length && !tooDeep && textChars < TEXT_CHARS_MAX; at += CHUNK_CHARS) {
    parser.write(html.slice(at, at + CHUNK_CHARS))
  }
  if (!tooDeep) parser.end()
  endLink()
  endLine()
  const described = oneLine(description)
  return {
    title: oneLine(title) === "" ? null : oneLine(title),
    text: (described === "" ? lines : [described, ...lines]).join("\n").slice(0, TEXT_CHARS_MAX),
    links,
    base
  }
}

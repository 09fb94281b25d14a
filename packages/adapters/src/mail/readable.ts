import { Parser } from "htmlparser2"
import sanitizeHtml from "sanitize-html"

/** Longest HTML that we parse; the rest is cut. */
const HTML_CHARS_MAX = 400_000

/** Longest text that we produce. */
const TEXT_CHARS_MAX = 200_000

/** Real mail nests less deeply, and the parser's work grows with the square of the depth. */
const DEPTH_MAX = 200
const CHUNK_CHARS = 16 * 1024

const UNSEEN: ReadonlySet<string> = new Set(
  "head script style noscript template svg math iframe object title".split(" ")
)
const INLINE: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big cite code del dfn em font i img input ins kbd label mark q s samp small span strike strong sub sup tt u var wbr".split(
    " "
  )
)
const VOID: ReadonlySet<string> = new Set("area base br col embed hr img input link meta source track wbr".split(" "))

/** Elements around quoted text. What stands in them beside a `blockquote` may be an answer, typed there. */
const QUOTES =
  /(?:^|\s)(?:gmail_quote|gmail_quote_container|gmail_extra|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|hcb-quote|skiff_quote|sh-quoted-content)(?:\s|$)/

/** Elements that hold no more than the line above a quotation. */
const MARKS = /(?:^|\s)(?:moz-cite-prefix|gmail_attr|zm_zmail_quote_header)(?:\s|$)/
const MARK_IDS: ReadonlySet<string> = new Set(["reply-intro"])

/** How GMX and WEB.DE name theirs. */
const QUOTE_NAME = "quote"

/** Outlook's separators: everything after one is quoted. */
const SEPARATOR_IDS: ReadonlySet<string> = new Set([
  "divRplyFwdMsg",
  "x_divRplyFwdMsg",
  "mail-editor-reference-message-container"
])

/** Mail programs indent a writer's own paragraphs with a `blockquote` too: it shows no border, and names no source. */
const isIndent = ({ cite, class: classes, style, type }: Readonly<Record<string, string | undefined>>): boolean =>
  cite === undefined &&
  type === undefined &&
  (/(?:^|\s)webkit-indent-blockquote(?:\s|$)/.test(classes ?? "") ||
    (!QUOTES.test(classes ?? "") && /border(?:-\w+)?\s*:\s*(?:none|0(?:px)?)\s*(?:;|$)/i.test(style ?? "")))

/** Where a container of a quotation began. */
interface Container {
  readonly lineCount: number
  readonly blockquotes: number
}

interface Opened {
  readonly tag: string
  readonly unseen: boolean
  readonly quote: boolean
  readonly container: Container | null
}

/**
 * The readable text of an HTML message, one line per block. Quoted text is marked with `>`, as in plain text, to tell
 * it from what the sender wrote.
 */
export const textOfHtml = (html: string): string => {
  const lines: Array<string> = []
  const open: Array<Opened> = []
  let line = ""
  let [unseen, quotes, blockquotes, containers, preformatted, chars, tooDeep] = [0, 0, 0, 0, 0, 0, false]
  // Everything after Outlook's separator is quoted text.
  let below = false

  const endLine = (also: boolean) => {
    const said = line.replace(/[^\S\n]+/g, " ").trim()
    line = ""
    if (said === "" && (!also || lines.at(-1) === "")) return
    lines.push(quotes > 0 || below ? `> ${said}` : said)
    chars += said.length + 1
  }

  /** Marks what a container below other text held, if no element in it tells the quoted from an answer. */
  const quoteAll = ({ blockquotes: before, lineCount }: Container) => {
    if (blockquotes > before || lines.slice(0, lineCount).every((said) => said === "" || said.startsWith(">"))) return
    for (let at = lineCount; at < lines.length; at++) {
      const said = lines[at] ?? ""
      if (!said.startsWith(">")) lines[at] = `> ${said}`
    }
  }

  const parser = new Parser({
    onopentag: (tag, attributes) => {
      if (!INLINE.has(tag)) endLine(tag === "br" || tag === "p")
      const id = attributes["id"] ?? ""
      if (SEPARATOR_IDS.has(id)) below = true
      if (VOID.has(tag)) return
      const hides = UNSEEN.has(tag) || /display\s*:\s*none/i.test(attributes["style"] ?? "")
      const classes = attributes["class"] ?? ""
      const isQuotation = tag === "blockquote" && !isIndent(attributes)
      const quote = isQuotation || MARKS.test(classes) || MARK_IDS.has(id)
      const container =
        containers === 0 && !quote && (QUOTES.test(classes) || attributes["name"] === QUOTE_NAME)
          ? { lineCount: lines.length, blockquotes }
          : null
      if (hides) unseen += 1
      if (tag === "pre") preformatted += 1
      if (quote) quotes += 1
      if (isQuotation) blockquotes += 1
      if (container !== null) containers += 1
      open.push({ tag, unseen: hides, quote, container })
      if (open.length > DEPTH_MAX) tooDeep = true
    },
    onclosetag: (tag) => {
      if (!INLINE.has(tag) && !VOID.has(tag)) endLine(tag === "p")
      if (VOID.has(tag)) return
      const closed = open.pop()
      if (closed?.unseen === true) unseen -= 1
      if (closed?.quote === true) quotes -= 1
      if (closed?.tag === "pre") preformatted -= 1
      if (closed?.container != null) {
        endLine(false)
        containers -= 1
        quoteAll(closed.container)
      }
    },
    ontext: (text) => {
      if (unseen > 0) return
      const [first = "", ...others] = preformatted > 0 ? text.split("\n") : [text]
      line += first.replace(/\s+/g, " ")
      for (const other of others) {
        endLine(true)
        line = other.replace(/\s+/g, " ")
      }
    }
  })
  const bounded = html.slice(0, HTML_CHARS_MAX)
  for (let at = 0; at < bounded.length && !tooDeep && chars < TEXT_CHARS_MAX; at += CHUNK_CHARS) {
    parser.write(bounded.slice(at, at + CHUNK_CHARS))
  }
  if (!tooDeep) parser.end()
  endLine(false)
  return lines.join("\n").slice(0, TEXT_CHARS_MAX).trim()
}

/**
 * A stranger's HTML made safe to display: text, lists, tables and links that show their target. It runs nothing, has no
 * styles, loads nothing and doesn't tell the sender that it was read.
 */
export const displayHtml = (html: string): string =>
  sanitizeHtml(html.slice(0, HTML_CHARS_MAX), {
    allowedTags: (
      "p br div span b i em strong u s a ul ol li dl dt dd blockquote pre code hr h1 h2 h3 h4 h5 h6 " +
      "table thead tbody tfoot tr td th"
    ).split(" "),
    allowedAttributes: { a: ["href", "rel"] },
    allowedSchemes: ["http", "https", "mailto"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nestingLimit: DEPTH_MAX,
    transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "noopener noreferrer nofollow" }) }
  })

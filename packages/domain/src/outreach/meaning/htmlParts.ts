import { withoutEntities } from "../../kernel/text/entities.js"
import { hidesByStyle, hidingClasses } from "./hidingStyles.js"

/** A link: what is shown, and where it leads. */
export interface HtmlLink {
  readonly shown: string
  readonly target: string
}

/** What an HTML part holds, told apart by whether a reader sees it. */
export interface HtmlParts {
  readonly visible: string
  /** Text that its style hides. */
  readonly hidden: string
  /** Comments, and texts of attributes that are shown at most on demand. */
  readonly aside: string
  readonly links: ReadonlyArray<HtmlLink>
}

const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "))
/** Their content is no text. */
const RAW = new Set(["script", "style", "template", "noscript"])
const BREAKS = new Set("br p div tr li table h1 h2 h3 h4 h5 h6 blockquote".split(" "))
const SHOWN_ON_DEMAND = ["alt", "title", "aria-label", "content"]

const OPEN_MAX = 500
const LINKS_MAX = 500

interface Open {
  readonly name: string
  readonly isHidden: boolean
  readonly background: string | null
}

/** Where a tag that begins at `at` ends, or -1: never. Quotation marks may hold a `>`. */
const endOfTag = (html: string, at: number): number => {
  const sign = /["'>]/g
  sign.lastIndex = at
  for (;;) {
    const found = sign.exec(html)
    if (found === null) return -1
    if (found[0] === ">") return found.index
    const closing = html.indexOf(found[0], found.index + 1)
    if (closing === -1) return html.indexOf(">", found.index + 1)
    sign.lastIndex = closing + 1
  }
}

const ATTRIBUTE = /([^\s"'<>/=]{1,60})(?:\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]{1,4000})))?/g

/** Of two attributes with one name, the first counts, as in browsers. */
const attributesOf = (inside: string): ReadonlyMap<string, string> =>
  new Map(
    [...inside.matchAll(ATTRIBUTE)]
      .reverse()
      .map(([, name = "", double, single, bare]) => [
        name.toLowerCase(),
        withoutEntities(double ?? single ?? bare ?? "")
      ])
  )

/** Reads an HTML part in one pass. It is lenient, as mail programs are. */
export const htmlParts = (html: string): HtmlParts => {
  const lower = html.toLowerCase()
  const classes = hidingClasses(html)
  const texts = { visible: [] as Array<string>, hidden: [] as Array<string>, aside: [] as Array<string> }
  const links: Array<HtmlLink> = []
  const open: Array<Open> = []
  let link: { readonly target: string; readonly from: number } | null = null
  const text = (given: string) => {
    if (given !== "") (open.at(-1)?.isHidden === true ? texts.hidden : texts.visible).push(withoutEntities(given))
  }
  const closeLink = () => {
    if (link !== null && links.length < LINKS_MAX) {
      links.push({ shown: texts.visible.slice(link.from).join("").trim(), target: link.target })
    }
    link = null
  }
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf("<", at)
    if (tag === -1) break
    text(html.slice(at, tag))
    if (html.startsWith("<!--", tag)) {
      const end = html.indexOf("-->", tag + 4)
      texts.aside.push(withoutEntities(html.slice(tag + 4, end === -1 ? html.length : end)), "\n")
      at = end === -1 ? html.length : end + 3
      continue
    }
    const [, slash = "", given = ""] = /^<(\/?)([a-z][a-z0-9:-]{0,40})/i.exec(html.slice(tag, tag + 50)) ?? []
    const end = given === "" ? -1 : endOfTag(html, tag)
    if (end === -1) {
      text("<")
      at = tag + 1
      if (given !== "") break
      continue
    }
    const name = given.toLowerCase()
    at = end + 1
    if (BREAKS.has(name)) text("\n")
    if (slash !== "") {
      const opened = open.findLastIndex((one) => one.name === name)
      if (opened !== -1) open.length = opened
      if (name === "a") closeLink()
      continue
    }
    const attributes = attributesOf(html.slice(tag + 1 + given.length, end))
    for (const shown of SHOWN_ON_DEMAND) {
      const value = attributes.get(shown)
      if (value !== undefined && value !== "") texts.aside.push(value, "\n")
    }
    if (RAW.has(name)) {
      const close = lower.indexOf(`</${name}`, at)
      at = close === -1 ? html.length : close
      continue
    }
    if (name === "a") {
      closeLink()
      const target = attributes.get("href")
      if (target !== undefined) link = { target, from: texts.visible.length }
    }
    if (VOID.has(name) || open.length >= OPEN_MAX) continue
    const parent = open.at(-1)
    const style = hidesByStyle(name, attributes, classes, parent?.background ?? null)
    open.push({
      name,
      isHidden: parent?.isHidden === true || style.hides,
      background: style.background ?? parent?.background ?? null
    })
  }
  if (at < html.length) text(html.slice(at))
  closeLink()
  return {
    visible: texts.visible.join(""),
    hidden: texts.hidden.join(""),
    aside: texts.aside.join(""),
    links
  }
}

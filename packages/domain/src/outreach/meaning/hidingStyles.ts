/** Which styles keep a text from whoever reads the mail. */

const WHITE = "#ffffff"
const NAMED: Readonly<Record<string, string>> = { white: WHITE, black: "#000000" }

/** A colour in one form; null: it is none that we compare. `transparent` is seen by nobody. */
const colourOf = (value: string): string | null => {
  const text = value.trim().toLowerCase()
  if (text === "transparent") return text
  const [, short] = /^#([0-9a-f]{3})$/.exec(text) ?? []
  if (short !== undefined) return `#${[...short].map((digit) => digit + digit).join("")}`
  if (/^#[0-9a-f]{6}$/.test(text)) return text
  const [, red, green, blue, alpha] =
    /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+([\d.]{1,6}%?))?\s*\)$/.exec(text) ?? []
  if (red === undefined) return NAMED[text] ?? null
  if (alpha !== undefined && Number.parseFloat(alpha) === 0) return "transparent"
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`
}

/** How far two colours are apart, by their furthest part, of 255. */
const apart = (one: string, other: string): number =>
  Math.max(
    ...[1, 3, 5].map((at) =>
      Math.abs(Number.parseInt(one.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16))
    )
  )

/** Nearer colours can't be told apart by a reader. */
const APART_LEAST = 12

/** A style without its comments, in one pass. One that nothing closes is left, as readers do that are lenient. */
const withoutComments = (style: string): string => {
  const kept: Array<string> = []
  let at = 0
  for (;;) {
    const open = style.indexOf("/*", at)
    const close = open === -1 ? -1 : style.indexOf("*/", open + 2)
    if (close === -1) return [...kept, style.slice(at)].join("")
    kept.push(style.slice(at, open))
    at = close + 2
  }
}

const declarationsOf = (style: string): ReadonlyMap<string, string> =>
  new Map(
    withoutComments(style)
      .split(";")
      .flatMap((one) => {
        const colon = one.indexOf(":")
        return colon === -1
          ? []
          : [
              [
                one.slice(0, colon).trim().toLowerCase(),
                one
                  .slice(colon + 1)
                  .replace(/!\s*important/i, "")
                  .trim()
                  .toLowerCase()
              ] as const
            ]
      })
  )

/** Pixels of a length; `em` and others are about twelve. Null: it is none. */
const pixelsOf = (value: string | undefined): number | null => {
  const [, number, unit] = /^(-?[\d.]{1,12})\s*(px|pt|em|rem|ex|ch|cm|mm|in|vw|vh|%)?$/.exec(value ?? "") ?? []
  if (number === undefined) return null
  return Number(number) * (unit === undefined || unit === "px" || unit === "pt" ? 1 : unit === "%" ? 0.12 : 12)
}

/** Letters of at most so many pixels are not read. */
const TINY_PIXELS = 2
/** What is so far off stands on no screen. */
const FAR_PIXELS = 400

const isTiny = (value: string | undefined): boolean => {
  const pixels = pixelsOf(value)
  return pixels !== null && pixels <= TINY_PIXELS
}
const isZero = (value: string | undefined): boolean => pixelsOf(value) === 0
const isFar = (value: string | undefined): boolean => {
  const pixels = pixelsOf(value)
  return pixels !== null && pixels <= -FAR_PIXELS
}

const hides = (style: ReadonlyMap<string, string>): boolean =>
  style.get("display") === "none" ||
  /^(?:hidden|collapse)$/.test(style.get("visibility") ?? "") ||
  style.get("mso-hide") === "all" ||
  Number.parseFloat(style.get("opacity") ?? "1") < 0.05 ||
  isTiny(style.get("font-size")) ||
  isTiny(/(?:^|\s)(-?[\d.]+(?:px|pt|em|rem|%)?)(?:\/|\s)/.exec(style.get("font") ?? "")?.[1]) ||
  isFar(style.get("text-indent")) ||
  (/^(?:absolute|fixed|relative)$/.test(style.get("position") ?? "") &&
    ["left", "top", "right", "bottom"].some((side) => isFar(style.get(side)))) ||
  ["margin-left", "margin-top"].some((side) => isFar(style.get(side))) ||
  (["height", "max-height", "width", "max-width"].some((side) => isZero(style.get(side))) &&
    /hidden|clip/.test(style.get("overflow") ?? style.get("overflow-y") ?? "")) ||
  /rect\(\s*0[^)]{0,40}\)|inset\(\s*(?:50|100)%/.test(`${style.get("clip") ?? ""} ${style.get("clip-path") ?? ""}`) ||
  /scale[xy]?\(\s*0(?:\.0+)?\s*[,)]/.test(style.get("transform") ?? "")

const RULES_MAX = 200

/** The classes and ids whose rules in a `<style>` hide, as `.name` and `#name`. */
export const hidingClasses = (html: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const from = html.toLowerCase().indexOf("<style")
  if (from === -1) return found
  const css = html.slice(from)
  let rules = 0
  for (const [, selectors = "", body = ""] of css.matchAll(/([^{}<>]{1,200})\{([^{}]{0,1000})\}/g)) {
    if ((rules += 1) > RULES_MAX) break
    if (!hides(declarationsOf(body))) continue
    for (const [name] of selectors.matchAll(/[.#][\w-]{1,100}/g)) found.add(name.toLowerCase())
  }
  return found
}

/** Whether an element's own style hides its text, and what its background is. `behind`: the background it stands on. */
export const hidesByStyle = (
  name: string,
  attributes: ReadonlyMap<string, string>,
  classes: ReadonlySet<string>,
  behind: string | null
): { readonly hides: boolean; readonly background: string | null } => {
  const style = declarationsOf(attributes.get("style") ?? "")
  const background = colourOf(
    style.get("background-color") ?? style.get("background")?.split(/\s/)[0] ?? attributes.get("bgcolor") ?? ""
  )
  const under = (background === "transparent" ? null : background) ?? behind ?? WHITE
  const colour = colourOf(style.get("color") ?? (name === "font" ? (attributes.get("color") ?? "") : ""))
  const isUnseen = colour !== null && (colour === "transparent" || apart(colour, under) < APART_LEAST)
  const named = [
    ...(attributes.get("class") ?? "").split(/\s+/).map((one) => `.${one}`),
    `#${attributes.get("id") ?? ""}`
  ]
  return {
    hides:
      attributes.has("hidden") ||
      isUnseen ||
      hides(style) ||
      (name === "font" && attributes.get("size") === "0") ||
      named.some((one) => classes.has(one.toLowerCase())),
    background: background === "transparent" ? null : background
  }
}

/** Which styles keep a text from whoever reads the mail. */

const WHITE = "#ffffff"
const BLACK = "#000000"
const NAMED: Readonly<Record<string, string>> = {
  white: WHITE,
  black: BLACK,
  snow: "#fffafa",
  ghostwhite: "#f8f8ff",
  mintcream: "#f5fffa",
  whitesmoke: "#f5f5f5"
}

/** Below this share of opacity nobody reads. */
const OPACITY_LEAST = 0.05
/** At its ends a lightness of `hsl` is white or black, whatever the hue. */
const LIGHT = 97
const DARK = 3

/** `0.5` and `50%`. */
const shareOf = (text: string): number => Number.parseFloat(text) / (text.endsWith("%") ? 100 : 1)

/** A part of a colour, from 0 to 255. */
const partOf = (text: string): string =>
  Math.min(255, Math.round(text.endsWith("%") ? Number.parseFloat(text) * 2.55 : Number.parseFloat(text)))
    .toString(16)
    .padStart(2, "0")

const FUNCTION =
  /^(rgb|hsl)a?\(\s*(-?[\d.]{1,12}%?)(?:deg)?[\s,]+([\d.]{1,12}%?)[\s,]+([\d.]{1,12}%?)(?:[\s,/]+([\d.]{1,12}%?))?\s*\)$/

/** A colour in one form; null: it is none that we compare. `transparent` is seen by nobody. */
const colourOf = (value: string): string | null => {
  const text = value.trim().toLowerCase()
  if (text === "transparent") return text
  const [, digits] = /^#([0-9a-f]{3,8})$/.exec(text) ?? []
  if (digits !== undefined) {
    const full = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits
    if (full.length === 8 && Number.parseInt(full.slice(6), 16) / 255 < OPACITY_LEAST) return "transparent"
    return full.length === 6 || full.length === 8 ? `#${full.slice(0, 6)}` : null
  }
  const [, kind, first = "", second = "", third = "", alpha] = FUNCTION.exec(text) ?? []
  if (kind === undefined) return NAMED[text] ?? null
  if (alpha !== undefined && shareOf(alpha) < OPACITY_LEAST) return "transparent"
  if (kind === "rgb") return `#${[first, second, third].map(partOf).join("")}`
  const lightness = Number.parseFloat(third)
  return lightness >= LIGHT ? WHITE : lightness <= DARK ? BLACK : null
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

/** Names and values may be written with escapes: `n\\6f ne`. */
const unescaped = (style: string): string =>
  style.replace(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, sign: string | undefined) =>
    code === undefined ? (sign ?? "") : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
  )

const declarationsOf = (style: string): ReadonlyMap<string, string> =>
  new Map(
    unescaped(withoutComments(style))
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

/** Whether one of several lengths, as in `margin: 0 0 0 -9999px`, is far off. */
const isAnyFar = (value: string | undefined): boolean => (value ?? "").split(/[\s,]+/).some(isFar)
/** A box of at most so many pixels. A share of its parent says nothing. */
const isNoBox = (value: string | undefined): boolean =>
  isZero(value) || (value?.endsWith("%") !== true && isTiny(value))
const OVERFLOWS = ["overflow", "overflow-x", "overflow-y"]

const hides = (style: ReadonlyMap<string, string>): boolean =>
  style.get("display") === "none" ||
  /^(?:hidden|collapse)$/.test(style.get("visibility") ?? "") ||
  style.get("mso-hide") === "all" ||
  style.get("content-visibility") === "hidden" ||
  shareOf(style.get("opacity") ?? "1") < OPACITY_LEAST ||
  shareOf(/opacity\(\s*([\d.]{1,12}%?)\s*\)/.exec(style.get("filter") ?? "")?.[1] ?? "1") < OPACITY_LEAST ||
  isZero(style.get("zoom")) ||
  isTiny(style.get("font-size")) ||
  isTiny(/(?:^|\s)(-?[\d.]+(?:px|pt|em|rem|%)?)(?:\/|\s)/.exec(style.get("font") ?? "")?.[1]) ||
  isFar(style.get("text-indent")) ||
  (/^(?:absolute|fixed|relative)$/.test(style.get("position") ?? "") &&
    ["left", "top", "right", "bottom", "inset"].some((side) => isAnyFar(style.get(side)))) ||
  ["margin", "margin-left", "margin-top"].some((side) => isAnyFar(style.get(side))) ||
  isAnyFar(/translate\w{0,2}\(([^)]{0,80})\)/.exec(style.get("transform") ?? "")?.[1]) ||
  ((["height", "max-height", "width", "max-width"].some((side) => isNoBox(style.get(side))) ||
    isZero(style.get("line-height"))) &&
    OVERFLOWS.some((name) => /hidden|clip|auto|scroll/.test(style.get(name) ?? ""))) ||
  /(?:circle|ellipse)\(\s*0/.test(style.get("clip-path") ?? "") ||
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
  const colour = colourOf(
    style.get("-webkit-text-fill-color") ??
      style.get("color") ??
      (name === "font" ? (attributes.get("color") ?? "") : "")
  )
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

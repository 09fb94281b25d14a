/** Characters that exports leave as HTML entities. */

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  commat: "@",
  period: ".",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  shy: "\u00AD",
  zwnj: "\u200C",
  zwj: "\u200D",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  hellip: "…",
  bull: "•",
  middot: "·",
  euro: "€",
  pound: "£",
  copy: "©",
  reg: "®",
  trade: "™",
  szlig: "ß",
  aelig: "æ",
  AElig: "Æ",
  oelig: "œ",
  OElig: "Œ",
  oslash: "ø",
  Oslash: "Ø",
  eth: "ð",
  ETH: "Ð",
  thorn: "þ",
  THORN: "Þ",
  iexcl: "¡",
  iquest: "¿",
  laquo: "«",
  raquo: "»"
}

/** The marks in names such as `eacute` and `Ouml`, as combining characters. */
const MARKS: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  ring: "\u030A",
  caron: "\u030C",
  cedil: "\u0327"
}

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g
const MARKED = /^([A-Za-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)$/

/** An export of an export escapes twice. */
const ROUNDS_MAX = 3

const character = (code: number): string | null =>
  code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && !(code >= 0x7f && code < 0xa0)
    ? String.fromCodePoint(code)
    : null

const named = (name: string): string | null => {
  const [, letter, mark] = MARKED.exec(name) ?? []
  if (letter !== undefined && mark !== undefined) return `${letter}${MARKS[mark] ?? ""}`.normalize("NFC")
  return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? null) : null
}

const once = (text: string): string =>
  text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named(name) ?? entity
    return character(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)) ?? entity
  })

/** The text with its HTML entities as the characters they stand for. What is no entity stays. */
export const withoutEntities = (text: string): string => {
  let read = text
  for (let round = 0; round < ROUNDS_MAX && read.includes("&"); round += 1) {
    const next = once(read)
    if (next === read) return read
    read = next
  }
  return read
}

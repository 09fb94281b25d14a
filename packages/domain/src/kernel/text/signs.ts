/** Characters that a reader can't see for what they are: invisible ones, and letters that imitate another script's. */

export type SignKind = "invisible" | "look_alike"

/** A part of a text: plain (`kind` null), or one character that has to be pointed out. */
export interface TextPart {
  readonly text: string
  readonly kind: SignKind | null
}

/** Texts of these characters alone need no look. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/

/**
 * Controls, format characters (zero-width, bidirectional, tags), fillers, private and unpaired characters. Not: tab,
 * line breaks, and what joins or styles an emoji.
 */
const INVISIBLE =
  /(?!\t|\n|\r\n)(?!(?<=\p{Extended_Pictographic})\uFE0F)(?!\uFE0F\u20E3)(?!(?<=[\p{Extended_Pictographic}\uFE0F\p{Emoji_Modifier}])\u200D\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const SCRIPTS = [
  /\p{Script=Latin}/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Greek}/gu,
  /\p{Script=Armenian}/gu,
  /\p{Script=Cherokee}/gu
]

/** Styled letters that a reader takes for ASCII ones, such as the mathematical and the fullwidth ones. */
const STYLED = /[\u{1D400}-\u{1D7FF}\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u2102-\u2134]/gu
const ASCII_ALONE = /^[A-Za-z0-9]$/

/** Letters of other scripts that no reader tells from a Latin one. */
const TWINS: ReadonlySet<string> = new Set([
  ..."асԁеһіјӏорԛѕԝхуѵАВСЕНІЈКМОРЅТХУԀԚԜӀ",
  ..."οναικρυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
  ..."օոսհցՕՏՍԼ",
  ..."ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ"
])

/** A name with dots that ends in ASCII, as hosts do. It begins where a run of letters does, so that each is read once. */
const HOST = /(?<![\p{L}\p{M}\p{N}_-])[\p{L}\p{M}\p{N}_-]+(?:[.\u3002\uFF0E\uFF61][\p{L}\p{M}\p{N}_-]+)+/gu
const ASCII_END = /[.\u3002\uFF0E\uFF61][a-z0-9-]+$/i
const LABEL = /[\p{L}\p{M}\p{N}_-]+/gu
const LETTER = /\p{L}/gu

interface Found {
  readonly at: number
  readonly text: string
  readonly kind: SignKind
}

/** In a word of several scripts, the letters of all but its most frequent one. Of two as frequent, Latin is the word's. */
const foreignLetters = (word: string, at: number): ReadonlyArray<Found> => {
  const letters = SCRIPTS.map((script) => [...word.matchAll(script)])
  const present = letters.filter((some) => some.length > 0)
  if (present.length < 2) return []
  const main = present.reduce((most, some) => (some.length > most.length ? some : most))
  return present
    .filter((some) => some !== main)
    .flatMap((some) => some.map((match) => ({ at: at + match.index, text: match[0], kind: "look_alike" as const })))
}

/** Of a host, the letters of each part that is written in such letters alone: `аррӏе.com` has no Latin letter before its dot. */
const twinsIn = (host: string, at: number): ReadonlyArray<Found> => {
  if (!ASCII_END.test(host)) return []
  return [...host.matchAll(LABEL)].flatMap((label) => {
    const letters = [...label[0].matchAll(LETTER)]
    return letters.every(([letter]) => TWINS.has(letter))
      ? letters.map((match) => ({ at: at + label.index + match.index, text: match[0], kind: "look_alike" as const }))
      : []
  })
}

const found = (text: string): ReadonlyArray<Found> => {
  if (PLAIN.test(text) && !text.includes("\r")) return []
  const signs: ReadonlyArray<Found> = [
    ...[...text.matchAll(INVISIBLE)].map((match) => ({
      at: match.index,
      text: match[0],
      kind: "invisible" as const
    })),
    ...[...text.matchAll(WORD)].flatMap((match) => (PLAIN.test(match[0]) ? [] : foreignLetters(match[0], match.index))),
    ...[...text.matchAll(STYLED)].flatMap((match) =>
      ASCII_ALONE.test(match[0].normalize("NFKC"))
        ? [{ at: match.index, text: match[0], kind: "look_alike" as const }]
        : []
    ),
    ...[...text.matchAll(HOST)].flatMap((match) => (PLAIN.test(match[0]) ? [] : twinsIn(match[0], match.index)))
  ]
  const sorted = signs.toSorted((a, b) => a.at - b.at)
  return sorted.filter(({ at }, index) => at !== sorted[index - 1]?.at)
}

/** Which kinds of signs a text holds. */
export const signKindsIn = (text: string): ReadonlySet<SignKind> => new Set(found(text).map(({ kind }) => kind))

/** The text in parts; joined, they are the text. */
export const partsOf = (text: string): ReadonlyArray<TextPart> => {
  const parts: Array<TextPart> = []
  let at = 0
  for (const sign of found(text)) {
    if (sign.at > at) parts.push({ text: text.slice(at, sign.at), kind: null })
    parts.push({ text: sign.text, kind: sign.kind })
    at = sign.at + sign.text.length
  }
  return at < text.length || parts.length === 0 ? [...parts, { text: text.slice(at), kind: null }] : parts
}

/** A character's code point as it is written: `U+202E`. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

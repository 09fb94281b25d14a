import { fold } from "@outbound/domain/data/matching/verdicts.js"

/** A shorter quotation can stand anywhere. */
const QUOTE_CHARS_MIN = 20
const QUOTE_CHARS_MAX = 600
/** A longer run of words is no sentence: it is compared word by word, and a page may have one of any length. */
const SENTENCE_CHARS_MAX = 2_000

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Words without a claim of their own: a sentence may have them, or not. Words that place a thing in time are claims. */
const FREE = setOf(
  "a an the it its they their them we our us you your he she his her this these is are be has have do does also so then such " +
    "company business firm organization " +
    "der die das den dem des ein eine einer ist sind wird wir unser unsere sie ihre le la les un une est sont nous notre il elle"
)

/** They say whose a thing is. */
const OWNING = setOf(
  "our its their his her unser unsere unseren unserem unserer unseres ihr ihre ihren notre nos leur leurs nuestro nuestra " +
    "nuestros nuestras ons onze hun"
)

const ARTICLES = setOf(
  "the a an this these der die das den dem des ein eine einer le la les un une el los las de het een"
)

/** With them, an article makes a claim about everybody's. */
const FOREMOST = /est$|ste[nrs]?$|^(?:first|last|main|only|most|chief|sole|best|worst|leading)$/

/** They begin a part of a sentence, and may be left out there. */
const JOINING = setOf("and und et y e och en")

/**
 * Words that turn or weaken what is said, or name its condition, its exception or who says it: where the page has one, the
 * sentence must have it too, and the other way.
 */
const TURNING = setOf(
  "not no never none nothing neither nor without hardly barely few former formerly previously ex until unless if when whenever " +
    "while provided assuming subject depending according say said says claim claims claimed reportedly supposedly those others " +
    "else elsewhere otherwise " +
    "plan plans planned planning hope hopes aim aims want wants intend intends may might could would should will expect expects " +
    "expected almost nearly only except up upto less more least most fewer than before after once first last cannot can't don't " +
    "doesn't isn't aren't won't wasn't no-one unlike against instead rather soon competitor competitors alleged allegedly " +
    "nicht kein keine nie ohne ehemals bald früher falls wenn nur pas jamais sans ne si seulement"
)

/** The words of a text, folded; numbers keep their marks. */
const wordsIn = (text: string): ReadonlyArray<string> =>
  fold(text)
    .replace(/[’‘]/g, "'")
    .match(/\d[\d.,]*\d|\d|[\p{L}\p{M}][\p{L}\p{M}\p{N}'-]*/gu) ?? []

const STEM_CHARS = 4
/** One and several of a thing are the same word. A verb of another time is another. */
const isSame = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= STEM_CHARS && !/\d/.test(one) && (`${one}s` === other || `${other}s` === one))

/** A text on one line, as it is compared. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The quotation as the page has it, within one of its lines; null: the page doesn't say so. */
export const verbatim = (quote: string, pageText: string): string | null => {
  const wanted = oneLine(quote)
  if (wanted.length < QUOTE_CHARS_MIN || wanted.length > QUOTE_CHARS_MAX) return null
  for (const line of pageText.split("\n")) {
    const plain = oneLine(line)
    const at = plain.toLowerCase().indexOf(wanted.toLowerCase())
    if (at < 0 || plain.length !== plain.toLowerCase().length) continue
    // The whole sentence: half of one may say the opposite.
    const before = Math.max(plain.lastIndexOf(". ", at), plain.lastIndexOf("! ", at), plain.lastIndexOf("? ", at))
    const ends = [". ", "! ", "? "].map((mark) => plain.indexOf(mark, at + wanted.length - 1)).filter((end) => end >= 0)
    const end = ends.length === 0 ? plain.length : Math.min(...ends) + 1
    const begin = before < 0 ? 0 : before + 2
    return end - begin > SENTENCE_CHARS_MAX ? null : plain.slice(begin, end)
  }
  return null
}

/** Where a sentence may be cut: at its commas and the like, which numbers may have too. */
const PARTS = /([,;:()–—])(?!\d)|([,;:])\s/

interface Part {
  /** Its words that claim something, but for the word that joins it to the part before. */
  readonly words: ReadonlyArray<string>
  /** What is before it: a clause of its own, another one that is joined to it, or what it depends on. */
  readonly after: "clause" | "joined" | "bound"
}

const partsOf = (text: string, own: ReadonlySet<string>): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let mark = ""
  for (const [at, piece] of text.split(PARTS).entries()) {
    // Between the parts are the marks, one of which is there.
    if (at % 3 !== 0) mark = piece ?? mark
    else {
      const words = wordsIn(piece ?? "").filter((word) => TURNING.has(word) || !(FREE.has(word) || own.has(word)))
      const isJoined = JOINING.has(words[0] ?? "")
      const claims = isJoined ? words.slice(1) : words
      if (claims.length > 0)
        parts.push({ words: claims, after: mark === ";" ? "clause" : isJoined ? "joined" : "bound" })
    }
  }
  return parts
}

/** Whether what the quotation calls somebody's is still theirs: "91 percent of trains" isn't "of our trains". */
const isStillTheirs = (sentence: string, quotation: string, own: ReadonlySet<string>): boolean => {
  const [said, there] = [wordsIn(sentence), wordsIn(quotation)]
  return there.every((word, at) => {
    const owned = there[at + 1]
    if (!OWNING.has(word) || owned === undefined) return true
    const before = said.flatMap((one, place) => (isSame(one, owned) ? [said[place - 1] ?? ""] : []))
    const mayBeArticle = !FOREMOST.test(owned)
    return (
      before.length === 0 ||
      before.some((one) => OWNING.has(one) || own.has(one) || (mayBeArticle && ARTICLES.has(one)))
    )
  })
}

/**
 * Whether a sentence says nothing that its quotation doesn't. What is left out of the middle of a clause is most often what
 * made it true ("half of", "for teaching"), so a sentence has all the words of one or more parts of the quotation that
 * follow each other, in their order, and no others; words without a claim apart. A part that is left out may not be what the
 * rest depends on ("together with Brandt, we own the port"; "the port is ours, apart from the crane"): at the end it begins
 * with a word that joins a clause, and at the beginning a semicolon follows it. Nothing that turns, weakens or limits the
 * claim may be in it, and what is called somebody's is not called everybody's. `names`: how the company is called, which a
 * sentence may put for "we", and with an "'s" for "our".
 */
export const isSupported = (sentence: string, quotation: string, names: ReadonlyArray<string>): boolean => {
  const own = new Set(names.flatMap(wordsIn).flatMap((word) => [word, `${word}'s`]))
  const said = partsOf(sentence, own).flatMap(({ words }) => words)
  const parts = partsOf(quotation, own)
  if (said.length < 2 || !isStillTheirs(sentence, quotation, own)) return false
  const turning = (words: ReadonlyArray<string>) => words.filter((word) => TURNING.has(word)).join(" ")
  if (turning(said) !== turning(parts.flatMap(({ words }) => words))) return false
  return parts.some((first, from) => {
    if (from > 0 && first.after !== "clause") return false
    return parts.slice(from).some((_last, length) => {
      const next = parts[from + length + 1]
      if (next?.after === "bound") return false
      const run = parts.slice(from, from + length + 1).flatMap(({ words }) => words)
      return run.length === said.length && run.every((word, at) => isSame(word, said[at] ?? ""))
    })
  })
}

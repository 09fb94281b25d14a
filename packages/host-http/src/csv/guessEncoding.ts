/**
 * Tells in which encoding lines of a table are that are not UTF-8: the one in which their words are words of a language.
 * A word is one if a single language has all its letters, and its capitals stand where capitals do.
 */
import iconv from "iconv-lite"

/** The letters beyond ASCII that languages write, in lower case. */
const WEST = [
  "äöüß",
  "àâæçéèêëîïôœùûüÿ",
  "áéíñóúü",
  "áâãàçéêíóôõúü",
  "àèéìîòóù",
  "àçèéíïòóúü",
  "éèëïóöüáêç",
  "åäöéü",
  "æøåéóôü",
  "çë",
  "äöõüšž"
]
const CENTRAL = ["ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ", "čćđšž", "äöüß"]
const TURKISH = ["çğıi̇öşüâîû"]
const BALTIC = ["ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž"]
const ICELANDIC = ["áéíóúýþæöð"]
const CYRILLIC = [
  "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
  "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
  "абвгдђежзијклљмнњопрстћуфхцчџш",
  "абвгдеёжзійклмнопрстуўфхцчшыьэюя"
]
const VOWELS = /[аеёиоуыэюяіїєў]/u

type IsWord = (word: string) => boolean

/** Capitals at the beginning, or everywhere; between letters of ASCII alone anything goes, as in "McDonald". */
const hasCase = (word: string): boolean => {
  const letters = [...word]
  return letters.every((letter, at) => {
    const before = letters[at - 1]
    if (before === undefined || !/\p{Lu}/u.test(letter) || !/\p{Ll}/u.test(before)) return true
    return letter <= "z" && before <= "z"
  })
}

/** The alphabets that have all letters of a word. */
const alphabetsOf = (word: string, alphabets: ReadonlyArray<string>): ReadonlyArray<number> => {
  const foreign = [...word.toLowerCase()].filter((letter) => letter > "\u007F")
  return alphabets.flatMap((alphabet, at) => (foreign.every((letter) => alphabet.includes(letter)) ? [at] : []))
}

/** With how few alphabets all words can be written, taking the one of most words first. */
const fewest = (words: ReadonlyArray<ReadonlyArray<number>>): number => {
  let left = words
  let taken = 0
  while (left.length > 0) {
    const counts = new Map<number, number>()
    for (const fitting of left) for (const one of fitting) counts.set(one, (counts.get(one) ?? 0) + 1)
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
    if (most === undefined) return taken
    left = left.filter((fitting) => !fitting.includes(most[0]))
    taken += 1
  }
  return taken
}

const cyrillic: IsWord = (word) =>
  /^\p{sc=Cyrillic}+$/u.test(word) &&
  hasCase(word) &&
  alphabetsOf(word, CYRILLIC).length > 0 &&
  (word.length < 3 || VOWELS.test(word.toLowerCase()))

const greek: IsWord = (word) =>
  /^\p{sc=Greek}+$/u.test(word) &&
  hasCase(word) &&
  !/ς./u.test(word) &&
  (word.length < 3 || /[άέήίόύώΐΰΆΈΉΊΌΎΏ]/u.test(word) || word === word.toUpperCase())

const hebrew: IsWord = (word) => /^[\u05B0-\u05EA"״׳]+$/u.test(word) && !/[ךםןףץ]\p{L}/u.test(word)
const arabic: IsWord = (word) => /^[\u0621-\u0652\u0670-\u06D3]+$/u.test(word) && !/[ةى]\p{L}/u.test(word)
const thai: IsWord = (word) => /^[\u0E01-\u0E2E\u0E40-\u0E44][\u0E01-\u0E3A\u0E40-\u0E4E]*$/u.test(word)
const hangul: IsWord = (word) => /^\p{sc=Hangul}+$/u.test(word)
const japanese: IsWord = (word) => /^(?:[\u3005\u3040-\u30FF\u4E00-\u9FFF]+|[\uFF66-\uFF9F]+)$/u.test(word)

/** The most frequent letters of a script, and what share of its texts they are. */
const COMMON: ReadonlyArray<readonly [script: RegExp, letters: string, share: number]> = [
  [/\p{sc=Cyrillic}/gu, "оеаинтсрвлкм", 0.72],
  [/\p{sc=Greek}/gu, "αοιετσνηυρπκάέήίόύώς", 0.85],
  [/\p{sc=Hebrew}/gu, "יוהלאמרתנבש", 0.72],
  [/\p{sc=Arabic}/gu, "اليمنورتبدةع", 0.75],
  [/\p{sc=Thai}/gu, "ารนอกเงมยลวดทส่้ัีิช", 0.78]
]

/** Signs of the sets' own ranges of words that are in use: what other bytes are taken for lies beyond. */
const inRange =
  (encoding: string, lead: readonly [number, number], trailMin: number): IsWord =>
  (word) =>
    /^\p{sc=Han}+$/u.test(word) &&
    [...word].every((sign) => {
      const [first = 0, second = 0] = iconv.encode(sign, encoding)
      return first >= lead[0] && first <= lead[1] && second >= trailMin
    })

interface Candidate {
  readonly encoding: string
  /** Of encodings of Latin letters, the languages that are written in it. */
  readonly alphabets?: ReadonlyArray<string>
  readonly isWord?: IsWord
  readonly isOld?: boolean
}

/** Of those that read the words equally well, the first counts. */
const CANDIDATES: ReadonlyArray<Candidate> = [
  { encoding: "windows-1252", alphabets: WEST },
  { encoding: "windows-1250", alphabets: CENTRAL },
  { encoding: "windows-1254", alphabets: TURKISH },
  { encoding: "windows-1257", alphabets: BALTIC },
  { encoding: "windows-1252", alphabets: ICELANDIC },
  { encoding: "windows-1251", isWord: cyrillic },
  { encoding: "koi8-r", isWord: cyrillic },
  { encoding: "koi8-u", isWord: cyrillic },
  { encoding: "iso-8859-5", isWord: cyrillic },
  { encoding: "windows-1253", isWord: greek },
  { encoding: "iso-8859-7", isWord: greek },
  { encoding: "windows-1255", isWord: hebrew },
  { encoding: "windows-1256", isWord: arabic },
  { encoding: "windows-874", isWord: thai },
  { encoding: "shift_jis", isWord: japanese },
  { encoding: "euc-kr", isWord: hangul },
  { encoding: "gb18030", isWord: inRange("gb18030", [0xb0, 0xf7], 0xa1) },
  { encoding: "big5", isWord: inRange("big5", [0xa4, 0xf9], 0x40) },
  { encoding: "euc-jp", isWord: japanese },
  { encoding: "macroman", alphabets: WEST, isOld: true },
  { encoding: "cp850", alphabets: WEST, isOld: true },
  { encoding: "cp437", alphabets: WEST, isOld: true },
  { encoding: "iso-8859-2", alphabets: CENTRAL, isOld: true },
  { encoding: "cp852", alphabets: CENTRAL, isOld: true },
  { encoding: "maccenteuro", alphabets: CENTRAL, isOld: true },
  { encoding: "cp857", alphabets: TURKISH, isOld: true },
  { encoding: "cp866", isWord: cyrillic },
  { encoding: "maccyrillic", isWord: cyrillic }
]

const WORDS_MAX = 2_000
const BETWEEN = /[\s,;|"'()<>@/\\.!?:=&+*#_0-9[\]{}-]+/u
/** Signs that texts of every language have around words. */
const AROUND = /^[¿¡’‘“”„«»–—…·°€©®™§。、]+|[’‘“”„«»–—…·°€©®™§。、]+$/gu

interface Scored {
  readonly encoding: string
  /** The share of the words that are words. */
  readonly share: number
  /** How likely they are words of one language: by how few alphabets they have, or by their letters. */
  readonly likeness: number
}

/** Of one script's letters, how its frequent ones stand to what they are in texts. Other scripts: as in texts. */
const likenessOf = (letters: string): number => {
  const found = COMMON.flatMap(([script, common, expected]) => {
    const all = letters.match(script)?.length ?? 0
    return all * 2 < letters.length
      ? []
      : [[...letters.toLowerCase()].filter((one) => common.includes(one)).length / all / expected]
  })
  return Math.min(1, found[0] ?? (/\p{sc=Hangul}/u.test(letters) ? 0.8 : 0.7))
}

/** Hebrew letters stand where KOI8 has its capitals. */
const shouts = (encoding: string, letters: string): boolean =>
  encoding.startsWith("koi8") && letters === letters.toUpperCase()

/** What old programs wrote must read a file with fewer languages than what programs write now. */
const OLD = 0.05

const scored = ({ alphabets, encoding, isOld, isWord }: Candidate, sample: Buffer): Scored => {
  const words = new Set<string>()
  for (const word of iconv.decode(sample, encoding).split(BETWEEN)) {
    if (/[^\p{ASCII}]/u.test(word) && words.size < WORDS_MAX) words.add(word)
  }
  const languages: Array<ReadonlyArray<number>> = []
  const letters = [...words].join("")
  let good = 0
  for (const written of words) {
    const word = written.replace(AROUND, "")
    if (!/[^\p{ASCII}]/u.test(word)) good += 1
    else if (alphabets === undefined) good += (isWord?.(word) ?? false) ? 1 : 0
    else if (/^[\p{L}\p{M}’]+$/u.test(word) && hasCase(word)) {
      const fitting = alphabetsOf(word, alphabets)
      if (fitting.length > 0) good += 1
      if (fitting.length > 0) languages.push(fitting)
    }
  }
  const share = words.size === 0 ? 0 : good / words.size
  return {
    encoding,
    share,
    likeness:
      alphabets === undefined
        ? likenessOf(letters) * (shouts(encoding, letters) ? 0.7 : 1)
        : 2 - Math.max(1, fewest(languages)) / 10 - (isOld === true ? OLD : 0)
  }
}

/** A few words of another language decide nothing. */
const SHARE_ALIKE = 0.02
const SHARE_MIN = 0.5

/** The encoding of these lines. Without words that tell, `windows-1252`. */
export const guessEncoding = (sample: Uint8Array): string => {
  const bytes = Buffer.from(sample)
  const all = CANDIDATES.map((candidate) => scored(candidate, bytes))
  const most = Math.max(...all.map(({ share }) => share))
  if (most < SHARE_MIN) return "windows-1252"
  const [best] = all.filter(({ share }) => share >= most - SHARE_ALIKE).toSorted((a, b) => b.likeness - a.likeness)
  return best?.encoding ?? "windows-1252"
}

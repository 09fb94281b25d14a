import { wordsOf } from "./words.js"

/** Short words that are common in one language and rare in the others, in their normal form. */
const COMMON: Readonly<Record<string, string>> = {
  en: "the and of your you with for has have is are at from this that on we our to in by as an it its",
  de: "der die das und ihre ihrer ihren ihr fur mit von wir ist sind im auf bei zum zur ein eine einen einer den dem des",
  fr: "le la les des du et votre vos pour avec est sont dans une un au aux sur nous vous par",
  es: "el los las del y su sus con para por una un en es son nuestra que",
  it: "il lo gli della dei e con per una un nel nella vostra vostro che sono di",
  nl: "de het een en van uw voor met op is zijn hebben wij onze bij",
  pt: "o os as da do das dos e sua seu com para por uma um em na no nossa",
  pl: "w na z do i jest sie oraz dla nasza od po",
  nordic: "och det att en ett som av for med den er og til pa i vi"
}

const SETS = Object.entries(COMMON).map(([tongue, words]) => [tongue, new Set(words.split(" "))] as const)

/** The language that most of a text's short words belong to; null: they don't say. */
export const tongueOf = (text: string): string | null => {
  const words = wordsOf(text).words.map((word) => word.text)
  const scored = SETS.map(([tongue, set]) => [tongue, words.filter((word) => set.has(word)).length] as const).toSorted(
    ([, a], [, b]) => b - a
  )
  const [first, second] = scored
  return first === undefined || first[1] === 0 || first[1] === second?.[1] ? null : first[0]
}

import { wordsOf, type WordsShown } from "../../calls/approvals/Snapshot.js"
import { NOTICE_PARTS, regionOf, REGIONS } from "../../kernel/words/regions.js"
import { counted, type RiskRule } from "./Risk.js"

const ANCHOR = "words"

type Line = WordsShown["countries"][number]

const people = (words: WordsShown | undefined, which: (line: Line) => boolean): number =>
  (words?.countries ?? []).filter(which).reduce((sum, line) => sum + line.people, 0)

/** Whether the law there asks that people are told where their data come from. */
const asksForSource = ({ country }: Line): boolean => {
  const region = country === null ? null : regionOf(country)
  return region !== null && (REGIONS[region].required as ReadonlyArray<string>).includes(NOTICE_PARTS[2])
}

/** People whose country asks for words, and who get none. */
export const withoutWords: RiskRule = ({ snapshot }) => {
  const words = wordsOf(snapshot)
  const isSilent = words?.place === "off" || words?.is_by_vendor === true
  return counted(
    {
      code: "without_words",
      weight: "look",
      words: ["lead gets no words for their country", "leads get no words for their country"],
      anchor: ANCHOR
    },
    people(words, isSilent ? asksForSource : ({ words_of }) => words_of === null)
  )
}

/** Words that leave out what they have to say. */
export const wordsMissing: RiskRule = ({ snapshot }) =>
  counted(
    {
      code: "words_missing",
      weight: "look",
      words: ["text leaves out what it has to say", "texts leave out what they have to say"],
      anchor: ANCHOR
    },
    wordsOf(snapshot)?.missing.length
  )

/** People whose country nobody knows: they get the strictest words. */
export const countryUnknown: RiskRule = ({ snapshot }) => {
  const words = wordsOf(snapshot)
  if (words?.place === "off" || words?.is_by_vendor === true) return []
  return counted(
    {
      code: "country_unknown",
      weight: "note",
      words: ["lead’s country is unknown", "leads’ countries are unknown"],
      anchor: ANCHOR
    },
    people(words, ({ country }) => country === null)
  )
}

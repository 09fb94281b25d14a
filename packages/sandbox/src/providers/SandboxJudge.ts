import type { Judge, Judgement, JudgeQuestion } from "@outbound/domain/sources/ports/Judge.js"
import { Effect } from "effect"
import { siteOutcomeOf } from "../world/Sites.js"
import { fold } from "../world/Text.js"

/** Words that a question has whatever it asks about. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a about all an and any are as at be by can company could do does for from give has have how if in into is it its " +
    "of offer on or our own provide sell that the their them there they this to use we what which who will with you your"
  ).split(" ")
)

const stem = (word: string): string =>
  word.length > 4 && /(?:s|es|ing)$/.test(word) && !word.endsWith("ss") ? word.replace(/(?:ing|es|s)$/, "") : word

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .map(stem)
      .filter((word) => word !== "" && !EMPTY_WORDS.has(word))
  )

interface Passage {
  readonly excerpt: string
  readonly sourceUrl: string
  /** The share of the question's words that it holds. */
  readonly covers: number
}

/** From this share on, a passage that does not say it leaves it open. */
const UNCLEAR_SHARE = 0.5

const NOT_FOUND: Judgement = { answer: "not_found", excerpt: null, sourceUrl: null }

const passagesOf = ({ pages, question }: JudgeQuestion): ReadonlyArray<Passage> => {
  const asked = [...wordsOf(question)]
  return pages.flatMap(({ text, url }) =>
    text.split("\n").map((excerpt) => {
      const said = wordsOf(excerpt)
      const covered = asked.filter((word) => said.has(word)).length
      return { excerpt, sourceUrl: url, covers: asked.length === 0 ? UNCLEAR_SHARE : covered / asked.length }
    })
  )
}

/** `yes` where one sentence holds every telling word of the question, `unclear` where one holds half of them. */
const byWords = (question: JudgeQuestion): Judgement => {
  const best = passagesOf(question).reduce<Passage | null>(
    (found, passage) => (found === null || passage.covers > found.covers ? passage : found),
    null
  )
  if (best === null || best.covers < UNCLEAR_SHARE) return NOT_FOUND
  const { covers, excerpt, sourceUrl } = best
  return { answer: covers === 1 ? "yes" : "unclear", excerpt, sourceUrl }
}

const judge = (question: JudgeQuestion): Judgement => {
  const outcome = siteOutcomeOf(question.companyDomain)
  if (outcome === null) return byWords(question)
  const [home] = question.pages
  if (home === undefined || outcome === "not-found") return NOT_FOUND
  const excerpt = home.text.slice(home.text.lastIndexOf("\n") + 1)
  return { answer: outcome === "yes" ? "yes" : "unclear", excerpt, sourceUrl: home.url }
}

/** Answers by the words of the question, and at magic sites as their names say. */
export const sandboxJudge: Judge = {
  name: "sandbox_judge",
  costMicros: 500,
  missRate: 0,
  latencyMillis: 400,
  judge: (question) => Effect.sync(() => judge(question))
}

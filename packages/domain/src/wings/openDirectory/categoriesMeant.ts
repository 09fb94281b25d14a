import { namesAny } from "../../data/companies/companyCheck.js"
import { remembered } from "../../data/directory/remembered.js"
import { containsAny } from "../../data/matching/verdicts.js"
import { interpretIndustry } from "../../kernel/people/Industries.js"
import type { OpenCategory } from "./OpenDirectoryStore.js"
import type { OpenCompany } from "./OpenRecords.js"

/** The words that a company's line of business has. */
export const categoryWords = ({ category, categoryInEnglish }: Pick<OpenCompany, "category" | "categoryInEnglish">) =>
  [category, categoryInEnglish].filter((words) => words !== null)

const meaning = remembered((words): string | null => {
  const { industries } = interpretIndustry(words)
  return industries.length === 1 ? (industries[0] ?? null) : null
})

/** The canonical industry, if the words mean exactly one; else the words. */
export const industryOfWords = (words: ReadonlyArray<string>): string | null =>
  words.map(meaning).find((industry) => industry !== null) ?? words.at(-1) ?? null

/** What is asked of lines of business. Empty: nothing. */
export interface BusinessAsked {
  /** Business types, of which one must name the line or be named by it. */
  readonly types: ReadonlyArray<string>
  /** Canonical industries. */
  readonly industries: ReadonlyArray<string>
  /** Of which the line must mention one. */
  readonly keywords: ReadonlyArray<string>
}

/** The lines of business that are meant; null: any. */
export const categoriesMeant = (
  categories: ReadonlyArray<OpenCategory>,
  { industries, keywords, types }: BusinessAsked
): ReadonlyArray<OpenCategory> | null =>
  types.length + industries.length + keywords.length === 0
    ? null
    : categories.filter(({ inEnglish, name }) => {
        const words = categoryWords({ category: name, categoryInEnglish: inEnglish })
        const industry = industryOfWords(words)
        return (
          words.some((one) => namesAny(types, one) === true) &&
          (industries.length === 0 || (industry !== null && industries.includes(industry))) &&
          words.some((one) => containsAny(keywords, one) === true)
        )
      })

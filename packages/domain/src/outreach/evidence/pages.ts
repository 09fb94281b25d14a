import { companyOf } from "../../kernel/people/companyOf.js"
import { ownDomainOf } from "../../kernel/people/Suffixes.js"
import type { Finding } from "../../kernel/sequences/evidence.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import type { DatedPage } from "../../sources/ports/SiteReader.js"
import { type Source, sourceOf, standsIn } from "./standsIn.js"
import { isLegalForm } from "./vocabulary.js"
import { wordsOf } from "./words.js"

/** A page, prepared once for all excerpts of it. */
export interface PreparedPage {
  readonly page: DatedPage
  readonly source: Source
}

export const prepared = (page: DatedPage): PreparedPage => ({
  page,
  source: sourceOf(page.title === null ? page.text : `${page.title}\n${page.text}`)
})

/** Words that stand in many companies' names, and tell none from another. */
const COMMON =
  /^(?:the|group|labs?|software|systems?|solutions?|technolog(?:y|ies)|services?|consulting|digital|media|global|international|partners?|capital|bank|health|energy)$/

/**
 * Whether a page can be about the person's company: it is the company's own, or names it. Where we know neither the company's
 * name nor its domain, any page can.
 */
const isAbout = ({ page, source }: PreparedPage, { companyName, email }: Recipient): boolean => {
  const domain = companyOf(email)
  if (domain !== null && ownDomainOf(new URL(page.url).hostname) === domain) return true
  const names = (companyName === null ? [] : wordsOf(companyName).words.map(({ text }) => text)).filter(
    (word) => !isLegalForm(word)
  )
  const telling = names.filter((word) => !COMMON.test(word))
  const label = domain?.split(".")[0] ?? null
  if (names.length === 0 && label === null) return true
  const [first] = telling
  return (
    (names.length > 0 && source.line.includes(` ${names.join(" ")} `)) ||
    (first !== undefined && first.length >= 4 && source.line.includes(` ${first} `)) ||
    (label !== null && label.length >= 3 && source.line.includes(` ${label} `))
  )
}

/** Looks for an excerpt on a page. */
export const lookOnPage = (of: PreparedPage, excerpt: string, recipient: Recipient): Finding => {
  const from = { readFrom: of.page.url, datedAt: of.page.publishedAt }
  const standing = standsIn(of.source, excerpt)
  if (standing === "absent") return { kind: "absent", reason: "no_words", ...from }
  if (!isAbout(of, recipient)) return { kind: "absent", reason: "about_another", ...from }
  return { kind: "found", reason: standing === "out_of_context" ? standing : null, ...from }
}

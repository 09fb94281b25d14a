import { bareCompanyName } from "@outbound/domain/kernel/people/companyNames.js"
import { type Markup, markupOf, ofType, textIn } from "../../site/markup.js"
import type { VisitedPage } from "../../site/WebVisitor.js"
import { present } from "./texts.js"

const AFFIXES =
  /^(?:get|try|use|join|go|we-?are|hello|team|my)(?=.{4})|(?:hq|app|jobs|careers|inc|gmbh|ltd|labs|io|ai|com|de)$/

const unaffixed = (name: string): string => {
  const short = name.replace(AFFIXES, "")
  return short.length >= 3 ? short : name
}

/** Whether two names are one company's. A name that merely begins with the other is a parent's, or a neighbour's. */
export const isSameName = (one: string, other: string): boolean => {
  const [a, b] = [bareCompanyName(one), bareCompanyName(other)]
  if (a === "" || b === "") return false
  return a === b || unaffixed(a) === unaffixed(b)
}

export const ORGANIZATIONS = new Set([
  "Organization",
  "Corporation",
  "LocalBusiness",
  "NewsMediaOrganization",
  "OnlineBusiness"
])

/** How a company calls itself: its domain, and the names on its pages. */
export const namesOf = (companyDomain: string, pages: ReadonlyArray<Markup>): ReadonlyArray<string> =>
  present([
    companyDomain.split(".")[0],
    companyDomain,
    ...pages.flatMap(({ data, meta }) => [
      meta.get("og:site_name"),
      ...ofType(data, ORGANIZATIONS).flatMap((one) => [textIn(one, "name"), textIn(one, "legalName")])
    ])
  ])

export const isNamed = (name: string, names: ReadonlyArray<string>): boolean =>
  names.some((one) => isSameName(one, name))

export const readPages = (pages: ReadonlyArray<VisitedPage>) =>
  pages.map((page) => ({ page, markup: markupOf(page.html) }))

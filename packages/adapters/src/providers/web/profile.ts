import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type { CompanyProfile } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { type JsonLd, type Markup, ofType, textIn } from "../../site/markup.js"
import type { VisitedPage } from "../../site/WebVisitor.js"
import { isNamed, namesOf, ORGANIZATIONS } from "../open/names.js"

/** A year that the page states as the founding's. */
const FOUNDED = /\b(?:founded|established|gegründet|fondée?|fundada|grundlagt)\b[^.\d]{0,30}\b((?:18|19|20)\d\d)\b/i

const SOCIAL = /^https?:\/\/(?:[a-z]{2,3}\.)?linkedin\.com\/company\/[^/?#]+/i

const yearIn = (text: string | null): number | null => {
  const year = /\b(1[89]\d\d|20\d\d)\b/.exec(text ?? "")?.[1]
  return year === undefined ? null : Number(year)
}

const headcountIn = (one: JsonLd): number | null => {
  const stated = one["numberOfEmployees"]
  const value = typeof stated === "object" && stated !== null ? (stated as JsonLd)["value"] : stated
  const count = Number(value)
  return value !== null && value !== undefined && value !== "" && Number.isSafeInteger(count) && count > 0
    ? count
    : null
}

const addressIn = (one: JsonLd): JsonLd | null => {
  const address = [one["address"]].flat()[0]
  return typeof address === "object" && address !== null ? (address as JsonLd) : null
}

/** Whether structured data are about the company, not about somebody whom the page shows. */
const isOwn = (one: JsonLd, companyDomain: string, names: ReadonlyArray<string>): boolean => {
  const url = textIn(one, "url")
  if (url !== null && registrableDomain(url) === companyDomain) return true
  const name = textIn(one, "name")
  return name !== null && isNamed(name, names)
}

const first = <A>(values: ReadonlyArray<A | null | undefined>): A | null =>
  values.find((value) => value !== null && value !== undefined && value !== "") ?? null

/** What a company's own pages state of it; null: nothing beyond its address. */
export const profileOf = (
  companyDomain: string,
  pages: ReadonlyArray<{ readonly page: VisitedPage; readonly markup: Markup }>
): CompanyProfile | null => {
  const [home] = pages
  if (home === undefined) return null
  const named = namesOf(
    companyDomain,
    pages.map(({ markup }) => ({ ...markup, data: [] }))
  )
  const all = pages.flatMap(({ markup }) => ofType(markup.data, ORGANIZATIONS))
  const own = all.filter((one) => isOwn(one, companyDomain, named))
  const addresses = own.map(addressIn).filter((address) => address !== null)
  const links = [
    ...own.flatMap((one) => [one["sameAs"]].flat().map(String)),
    ...pages.flatMap(({ markup }) => markup.references.filter(({ by }) => by === "link").map(({ href }) => href))
  ]
  const { meta } = home.markup
  const profile: CompanyProfile = {
    name: first([...own.map((one) => textIn(one, "name")), meta.get("og:site_name")]),
    description: first([
      ...own.map((one) => textIn(one, "description")),
      meta.get("description")?.trim(),
      meta.get("og:description")?.trim()
    ]),
    industry: null,
    headcount: first(own.map(headcountIn)),
    foundedYear: first([
      ...own.map((one) => yearIn(textIn(one, "foundingDate"))),
      ...pages.map(({ page }) => yearIn(FOUNDED.exec(page.text)?.[1] ?? null))
    ]),
    country: first(addresses.map((address) => textIn(address, "addressCountry"))),
    city: first(addresses.map((address) => textIn(address, "addressLocality"))),
    socialUrl: first(links.map((href) => SOCIAL.exec(href)?.[0])),
    website: new URL("/", home.page.url).href
  }
  return profile.name === null && profile.description === null && own.length === 0 ? null : profile
}

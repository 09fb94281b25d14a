import type { Brief, BriefDepth } from "@outbound/domain/sources/ports/BriefWriter.js"
import type { CompanyDatasets } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"

const inWords = (items: ReadonlyArray<string>): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`

const MILLION = 1_000_000

const introduction = ({ profile }: CompanyDatasets): string =>
  `${profile.description ?? ""} ${profile.name} was founded in ${profile.foundedYear}, has about ${profile.headcount} employees and its headquarters in ${profile.city}, ${profile.country}.`.trim()

const money = ({ funding, profile }: CompanyDatasets): string => {
  const [last] = funding.rounds
  if (last === undefined || funding.totalUsd === null) return `No outside investors of ${profile.name} are known.`
  return `Investors have put ${funding.totalUsd / MILLION} million USD into it, ${(last.amountUsd ?? 0) / MILLION} million of it in the last round (${last.type}, ${last.date}) with ${inWords(last.investors)}.`
}

const tools = ({ profile, technologies }: CompanyDatasets): string =>
  technologies.length === 0
    ? `What ${profile.name} works with is not known.`
    : `It works with ${inWords(technologies.map(({ name }) => name))}.`

const others = ({ profile, relationships }: CompanyDatasets): string =>
  relationships.length === 0
    ? `No business relations of ${profile.name} are known.`
    : `Known relations: ${inWords(relationships.map(({ companyDomain, kind }) => `${companyDomain} (${kind})`))}.`

/** What is known of a company, in sentences: `fast` says who it is, `deep` also what else is known. */
export const briefOf = (known: CompanyDatasets, depth: BriefDepth): Brief => {
  const { name, socialUrl, website } = known.profile
  const own = [
    { url: website ?? "", title: `${name}: home page` },
    { url: socialUrl ?? "", title: `${name} on the professional network` }
  ]
  if (depth === "fast") return { text: introduction(known), sources: own }
  const evidence = known.relationships.flatMap(({ companyDomain, evidenceUrl }) =>
    evidenceUrl === null ? [] : [{ url: evidenceUrl, title: `${name} and ${companyDomain}` }]
  )
  return {
    text: [introduction(known), money(known), tools(known), others(known)].join("\n\n"),
    sources: [...own, ...evidence]
  }
}

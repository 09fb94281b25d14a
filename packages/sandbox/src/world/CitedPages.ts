import type { DatedPage, PageReading } from "@outbound/domain/sources/ports/SiteReader.js"
import type { FoundSignal, IntentSignalKind } from "@outbound/domain/sources/ports/IntentSource.js"
import { slugIn } from "./Contacts.js"
import { intentOf } from "./Intent.js"
import { readSite } from "./Sites.js"
import { personBySlug, personOf, type World } from "./World.js"

const KINDS: ReadonlyArray<IntentSignalKind> = ["hiring", "technology", "funding", "news", "job_change"]

/** More than any page says. */
const ALL = Number.MAX_SAFE_INTEGER

/** Pages of newspapers and job boards name the company that they are about first: `https://news.example/elera.test/7`. */
const OF_OTHERS: ReadonlySet<string> = new Set(["news.example", "jobs.example"])

/** A trailing slash and what follows a `?` or `#` name no other page. */
const placeOf = (url: string): string => {
  const { hostname, pathname } = new URL(url)
  return `${hostname}${pathname.replace(/\/$/, "")}`
}

/** Whose signals an address can be the evidence of. */
const companyAt = (world: World, url: string): string | null => {
  const { hostname, pathname } = new URL(url)
  if (OF_OTHERS.has(hostname)) return pathname.split("/")[1] ?? null
  const slug = slugIn(url)
  const person = slug === null ? null : personBySlug(world, slug)
  return person === null ? hostname : personOf(world, person).companyDomain
}

/** The signals whose `evidence_url` this is. */
const signalsAt = (world: World, url: string, nowMillis: number): ReadonlyArray<FoundSignal> => {
  const companyDomain = companyAt(world, url)
  if (companyDomain === null) return []
  return KINDS.flatMap((signal) => intentOf(world, { companyDomain, signal, roles: [], limit: ALL }, nowMillis)).filter(
    ({ evidenceUrl }) => evidenceUrl !== null && placeOf(evidenceUrl) === placeOf(url)
  )
}

/** A page of the sandbox's sites by its address. What `find_intent` found says so at the address that it gave as evidence. */
export const readPage = (world: World, domain: string, url: string, nowMillis: number): PageReading => {
  const site = readSite(world, domain, ALL)
  const signals = signalsAt(world, url, nowMillis)
  const page = site._tag === "Read" ? site.pages.find((one) => placeOf(one.url) === placeOf(url)) : undefined
  if (page === undefined && signals.length === 0) {
    return site._tag === "Unreadable" ? site : { _tag: "Unreadable", reason: "refused" }
  }
  const said = [...(page === undefined ? [] : [page.text]), ...signals.map(({ summary }) => summary)]
  const [dated] = page === undefined ? signals : []
  const read: DatedPage = {
    url,
    title: page?.title ?? companyAt(world, url),
    text: said.join("\n"),
    publishedAt: dated?.observedAt ?? null
  }
  return { _tag: "Read", page: page === undefined ? read : { ...read, url: page.url } }
}

import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type { UnreadableReason } from "@outbound/domain/sources/ports/SiteReader.js"
import { Clock, Data, Effect, Semaphore } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { decodeText, mediaTypeOf } from "./Charset.js"
import { extract, type Link } from "./extract.js"
import { failureFrom, FetchFailure, type FetchOptions } from "./Fetch.js"
import { type AllowedServer, makeGate, type Resolve, resolveBy } from "./Gate.js"
import { SITE_LIMITS, type SiteLimits } from "./limits.js"
import { type Arrived, fetchFollowing } from "./Redirects.js"
import { makeManners, type Manners, readRobots } from "./Robots.js"

/** Our name in robots.txt. */
export const ROBOTS_PRODUCT = "OutboundSiteReader"

export interface VisitorConfig {
  /** A page that tells website owners who reads their site, or the operator's contact. */
  readonly aboutUrl: string
  /** Ranges of addresses (CIDR) that may be read although they aren't public. */
  readonly allowedRanges?: ReadonlyArray<string>
  /** Where websites in those ranges answer, over HTTP; no others are read then. Null: at the ports of the web. */
  readonly privatePort?: number | null
  /** Name resolution; default: the machine's name servers. */
  readonly resolve?: Resolve
  readonly limits?: Partial<SiteLimits>
  /** For tests with servers on non-public addresses. */
  readonly testing?: {
    readonly allowedServers: ReadonlyArray<AllowedServer>
    /** Where to look for a domain's site, in this order. */
    readonly originsOf: (companyDomain: string) => ReadonlyArray<string>
  }
}

const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"])
const PLAIN = "text/plain"
const ACCEPT = "text/html, application/xhtml+xml, text/plain;q=0.5"

class NoPage extends Data.TaggedError("NoPage")<{ readonly reason: UnreadableReason }> {}

/** A page as it came, and as people read it. */
export interface VisitedPage {
  /** The final URL, after redirects. */
  readonly url: string
  /** What its links are relative to. */
  readonly at: URL
  readonly title: string | null
  readonly text: string
  readonly links: ReadonlyArray<Link>
  /** The markup; empty for plain text. */
  readonly html: string
  readonly headers: IncomingHttpHeaders
}

/** What to read of a site, the home page first. */
export interface VisitPlan {
  /** The registrable domain. Nothing outside it is read. */
  readonly companyDomain: string
  readonly pagesMax: number
  /** The home page's links that are worth a request, the most promising first. */
  readonly choose: (at: URL, links: ReadonlyArray<Link>, html: string) => ReadonlyArray<URL>
  /** Media types that are taken as they are, beside pages: their text is in `html`. */
  readonly alsoTypes?: ReadonlyArray<string>
  /** Whether the links of further pages are chosen from too. */
  readonly isDeep?: true
}

export type Visit =
  | {
      readonly _tag: "Visited"
      readonly pages: ReadonlyArray<VisitedPage>
      /** Where pages redirected to outside of the domain, which is not followed. */
      readonly strayed: ReadonlyArray<URL>
    }
  | { readonly _tag: "Unreadable"; readonly reason: UnreadableReason }

/** A page that was asked for by its address. */
export type NamedPage =
  | { readonly _tag: "Read"; readonly page: VisitedPage }
  | { readonly _tag: "Unreadable"; readonly reason: UnreadableReason }

/** Reads pages of companies' websites politely. */
export interface WebVisitor {
  readonly visit: (plan: VisitPlan) => Effect.Effect<Visit>
  /** Reads just these pages of a registrable domain, and answers for each in their order. */
  readonly read: (companyDomain: string, urls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<NamedPage>>
}

const originsOf = (companyDomain: string): ReadonlyArray<string> => [
  `https://${companyDomain}`,
  `https://www.${companyDomain}`,
  `http://${companyDomain}`,
  `http://www.${companyDomain}`
]

const reasonOf = (failure: FetchFailure): UnreadableReason =>
  failure.reason === "unsafe" || failure.reason === "elsewhere" ? failure.reason : "unreachable"

const linkBase = (at: URL, base: string | null): URL =>
  base !== null && URL.canParse(base, at.href) ? new URL(base, at) : at

/** The readable page of a response; fails if it isn't text. */
const pageOf = (
  { body, headers, status, url }: Arrived,
  alsoTypes: ReadonlyArray<string>
): Effect.Effect<VisitedPage, NoPage> => {
  const type = mediaTypeOf(headers["content-type"])
  const isRaw = alsoTypes.includes(type)
  if (status !== 200 || !(isRaw || HTML.has(type) || type === PLAIN))
    return Effect.fail(new NoPage({ reason: "refused" }))
  const text = decodeText(body, headers["content-type"])
  const page = { url: url.href, headers }
  if (isRaw) return Effect.succeed({ ...page, title: null, text: "", at: url, links: [], html: text })
  if (type === PLAIN) return Effect.succeed({ ...page, title: null, text, at: url, links: [], html: "" })
  const { base, links, title, text: read } = extract(text)
  return Effect.succeed({ ...page, title, text: read, at: linkBase(url, base), links, html: text })
}

const unseen = (urls: ReadonlyArray<URL>, seen: ReadonlyArray<URL>): ReadonlyArray<URL> => {
  const known = new Set(seen.map(({ href }) => href))
  return urls.filter(({ href }) => !known.has(href))
}

/** What reads one site, politely and within its time. */
const reading = (companyDomain: string, limits: SiteLimits, options: Omit<FetchOptions, "timeoutMillis">) =>
  Effect.gen(function* () {
    const strayed = new Map<string, URL>()
    const until = (yield* Clock.currentTimeMillis) + limits.siteMillisMax
    const millisLeft = Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, until - now))
    const timed = Effect.map(millisLeft, (left): FetchOptions => ({
      ...options,
      timeoutMillis: Math.min(limits.requestMillisMax, left)
    }))
    const manners: Manners = makeManners((origin) =>
      Effect.flatMap(timed, (fetching) =>
        readRobots(origin, ROBOTS_PRODUCT, limits.redirectsMax, { ...fetching, bodyBytesMax: limits.robotsBytesMax })
      )
    )

    const permits = (url: URL): Effect.Effect<void, FetchFailure | NoPage> => {
      const objection = options.gate.objection(url, companyDomain)
      if (objection !== null) {
        if (objection.reason === "elsewhere") strayed.set(url.href, url)
        return Effect.fail(failureFrom(objection))
      }
      return Effect.flatMap(manners.robotsOf(url), (robots) =>
        robots.allows(url)
          ? manners.pause(url, limits.pauseMillisMax)
          : Effect.fail(new NoPage({ reason: "forbidden" }))
      )
    }
    /** Bounded by the site's remaining time, whatever the redirects. */
    const read = (url: URL, alsoTypes: ReadonlyArray<string> = []): Effect.Effect<VisitedPage, FetchFailure | NoPage> =>
      Effect.gen(function* () {
        const fetching = yield* timed
        const left = yield* millisLeft
        const arrived = yield* fetchFollowing(url, limits.redirectsMax, fetching, permits).pipe(
          Effect.timeoutOrElse({ duration: left, orElse: () => Effect.fail(new FetchFailure({ reason: "slow" })) })
        )
        return yield* pageOf(arrived, alsoTypes)
      })
    return { manners, millisLeft, read, strayed }
  })

const unreadable = (
  failure: FetchFailure | NoPage
): { readonly _tag: "Unreadable"; readonly reason: UnreadableReason } => ({
  _tag: "Unreadable",
  reason: failure._tag === "NoPage" ? failure.reason : reasonOf(failure)
})

/** One visit of one site. */
const visit = (
  plan: VisitPlan,
  limits: SiteLimits,
  options: Omit<FetchOptions, "timeoutMillis">,
  origins: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const { choose, companyDomain, pagesMax } = plan
    const { manners, millisLeft, read: readPage, strayed } = yield* reading(companyDomain, limits, options)
    const read = (url: URL) => readPage(url, plan.alsoTypes)

    /** The first address with a website. A bad response counts as the site's answer. */
    const home = (rest: ReadonlyArray<string>): Effect.Effect<VisitedPage, FetchFailure | NoPage> => {
      const [origin, ...others] = rest
      if (origin === undefined) return Effect.fail(new NoPage({ reason: "unreachable" }))
      return Effect.catchIf(
        read(new URL("/", origin)),
        (failure) => failure._tag === "FetchFailure" && reasonOf(failure) === "unreachable" && others.length > 0,
        () => home(others)
      )
    }

    const first = yield* home(origins)
    const pages = new Map([[first.url, first]])
    const { pauseMillis } = yield* manners.robotsOf(new URL(first.url))
    const patient = pauseMillis <= limits.pauseMillisMax
    const chosen = ({ at, html, links }: VisitedPage): ReadonlyArray<URL> =>
      choose(at, links, html).filter((url) => registrableDomain(url.hostname) === companyDomain)
    const candidates = patient ? [...chosen(first)] : []
    // A page that can't be read is skipped, and uses up a try.
    for (let tries = 0; tries < Math.min(candidates.length, (pagesMax - 1) * 2); tries++) {
      const url = candidates[tries]
      if (url === undefined || pages.size >= pagesMax || (yield* millisLeft) === 0) break
      if (pages.has(url.href)) continue
      const further = yield* Effect.option(read(url))
      if (further._tag === "None") continue
      pages.set(further.value.url, further.value)
      if (plan.isDeep === true) candidates.splice(tries + 1, 0, ...unseen(chosen(further.value), candidates))
    }
    return { pages: [...pages.values()], strayed: [...strayed.values()] }
  })

/** Named pages of one site, one after the other. */
const readNamed = (
  companyDomain: string,
  urls: ReadonlyArray<string>,
  limits: SiteLimits,
  options: Omit<FetchOptions, "timeoutMillis">
): Effect.Effect<ReadonlyArray<NamedPage>> =>
  Effect.gen(function* () {
    const { millisLeft, read } = yield* reading(companyDomain, limits, options)
    return yield* Effect.forEach(urls, (url) =>
      Effect.gen(function* () {
        if (!URL.canParse(url) || (yield* millisLeft) === 0)
          return { _tag: "Unreadable", reason: "unreachable" } as const
        return yield* read(new URL(url)).pipe(
          Effect.map((page): NamedPage => ({ _tag: "Read", page })),
          Effect.catch((failure) => Effect.succeed<NamedPage>(unreadable(failure)))
        )
      })
    )
  })

/** Obeys robots.txt, stays on the registrable domain and the public internet. */
export const makeWebVisitor = (config: VisitorConfig): WebVisitor => {
  const limits: SiteLimits = { ...SITE_LIMITS, ...config.limits }
  const { allowedRanges, privatePort = null, resolve = resolveBy(), testing } = config
  const gate = makeGate(resolve, testing?.allowedServers ?? [], allowedRanges, privatePort)
  const originsAt =
    testing?.originsOf ?? (privatePort === null ? originsOf : (domain: string) => [`http://${domain}:${privatePort}`])
  const turns = Semaphore.makeUnsafe(limits.sitesAtOnceMax)
  return {
    visit: (plan) =>
      visit(
        plan,
        limits,
        {
          gate,
          userAgent: `${ROBOTS_PRODUCT}/1.0 (+${config.aboutUrl})`,
          accept: [ACCEPT, ...(plan.alsoTypes ?? [])].join(", "),
          companyDomain: plan.companyDomain,
          bodyBytesMax: limits.bodyBytesMax
        },
        originsAt(plan.companyDomain)
      ).pipe(
        Effect.map((visited): Visit => ({ _tag: "Visited", ...visited })),
        Effect.catch((failure) => Effect.succeed<Visit>(unreadable(failure))),
        turns.withPermits(1)
      ),
    read: (companyDomain, urls) =>
      readNamed(companyDomain, urls, limits, {
        gate,
        userAgent: `${ROBOTS_PRODUCT}/1.0 (+${config.aboutUrl})`,
        accept: ACCEPT,
        companyDomain,
        bodyBytesMax: limits.bodyBytesMax
      }).pipe(turns.withPermits(1))
  }
}

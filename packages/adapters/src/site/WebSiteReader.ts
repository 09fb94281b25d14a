import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type {
  SitePage,
  SiteQuery,
  SiteReader,
  SiteReading,
  UnreadableReason
} from "@outbound/domain/sources/ports/SiteReader.js"
import { Clock, Data, Effect, Semaphore } from "effect"
import { decodeText, mediaTypeOf } from "./Charset.js"
import { rankLinks } from "./choosePages.js"
import { extract, type Link } from "./extract.js"
import { failureFrom, FetchFailure, type FetchOptions } from "./Fetch.js"
import { type AllowedServer, makeGate, type Resolve, resolveBy } from "./Gate.js"
import { SITE_LIMITS, type SiteLimits } from "./limits.js"
import { type Arrived, fetchFollowing } from "./Redirects.js"
import { makeManners, type Manners, readRobots } from "./Robots.js"

/** Our name in robots.txt. */
export const ROBOTS_PRODUCT = "OutboundSiteReader"

export interface SiteReaderConfig {
  /** A page that tells website owners who reads their site. */
  readonly aboutUrl: string
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

/** Its name in the configuration. */
const READER = "web"

const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"])
const PLAIN = "text/plain"
const ACCEPT = "text/html, application/xhtml+xml, text/plain;q=0.5"

/** Fewer letters across all pages can't answer anything. */
const LETTERS_MIN = 20

class NoPage extends Data.TaggedError("NoPage")<{ readonly reason: UnreadableReason }> {}

interface ReadPage {
  readonly page: SitePage
  readonly at: URL
  readonly links: ReadonlyArray<Link>
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
const pageOf = ({ body, headers, status, url }: Arrived): Effect.Effect<ReadPage, NoPage> => {
  const type = mediaTypeOf(headers["content-type"])
  if (status !== 200 || !(HTML.has(type) || type === PLAIN)) return Effect.fail(new NoPage({ reason: "refused" }))
  const text = decodeText(body, headers["content-type"])
  if (type === PLAIN) return Effect.succeed({ page: { url: url.href, title: null, text }, at: url, links: [] })
  const { base, links, title, text: read } = extract(text)
  return Effect.succeed({ page: { url: url.href, title, text: read }, at: linkBase(url, base), links })
}

/** One visit: one site, one question. */
const visit = (
  query: SiteQuery,
  limits: SiteLimits,
  options: Omit<FetchOptions, "timeoutMillis">,
  origins: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const { companyDomain, pagesMax, question } = query
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
      if (objection !== null) return Effect.fail(failureFrom(objection))
      return Effect.flatMap(manners.robotsOf(url), (robots) =>
        robots.allows(url)
          ? manners.pause(url, limits.pauseMillisMax)
          : Effect.fail(new NoPage({ reason: "forbidden" }))
      )
    }
    /** Bounded by the site's remaining time, whatever the redirects. */
    const read = (url: URL): Effect.Effect<ReadPage, FetchFailure | NoPage> =>
      Effect.gen(function* () {
        const fetching = yield* timed
        const left = yield* millisLeft
        const arrived = yield* fetchFollowing(url, limits.redirectsMax, fetching, permits).pipe(
          Effect.timeoutOrElse({ duration: left, orElse: () => Effect.fail(new FetchFailure({ reason: "slow" })) })
        )
        return yield* pageOf(arrived)
      })

    /** The first address with a website. A bad response counts as the site's answer. */
    const home = (rest: ReadonlyArray<string>): Effect.Effect<ReadPage, FetchFailure | NoPage> => {
      const [origin, ...others] = rest
      if (origin === undefined) return Effect.fail(new NoPage({ reason: "unreachable" }))
      return Effect.catchIf(
        read(new URL("/", origin)),
        (failure) => failure._tag === "FetchFailure" && reasonOf(failure) === "unreachable" && others.length > 0,
        () => home(others)
      )
    }

    const first = yield* home(origins)
    const pages = new Map([[first.page.url, first.page]])
    const { pauseMillis } = yield* manners.robotsOf(new URL(first.page.url))
    const patient = pauseMillis <= limits.pauseMillisMax
    const candidates = rankLinks(first.at, first.links, question).filter(
      (url) => registrableDomain(url.hostname) === companyDomain
    )
    // A page that can't be read is skipped, and uses up a try.
    for (const url of patient ? candidates.slice(0, (pagesMax - 1) * 2) : []) {
      if (pages.size >= pagesMax || (yield* millisLeft) === 0) break
      if (pages.has(url.href)) continue
      const further = yield* Effect.option(read(url))
      if (further._tag === "Some") pages.set(further.value.page.url, further.value.page)
    }
    return [...pages.values()]
  })

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Reads companies' websites politely: obeys robots.txt, stays on the registrable domain and the public internet. */
export const makeSiteReader = (config: SiteReaderConfig): SiteReader => {
  const limits: SiteLimits = { ...SITE_LIMITS, ...config.limits }
  const gate = makeGate(config.resolve ?? resolveBy(), config.testing?.allowedServers ?? [])
  const turns = Semaphore.makeUnsafe(limits.sitesAtOnceMax)
  return {
    name: READER,
    costMicros: 0,
    missRate: 0.1,
    latencyMillis: 2_000,
    read: (query) =>
      visit(
        query,
        limits,
        {
          gate,
          userAgent: `${ROBOTS_PRODUCT}/1.0 (+${config.aboutUrl})`,
          accept: ACCEPT,
          companyDomain: query.companyDomain,
          bodyBytesMax: limits.bodyBytesMax
        },
        (config.testing?.originsOf ?? originsOf)(query.companyDomain)
      ).pipe(
        Effect.map((pages): SiteReading => {
          const telling = pages.filter((page) => page.text.trim() !== "")
          return telling.reduce((letters, page) => letters + lettersIn(page.text), 0) < LETTERS_MIN
            ? { _tag: "Unreadable", reason: "no_text" }
            : { _tag: "Read", pages: telling }
        }),
        Effect.catch((failure) =>
          Effect.succeed<SiteReading>({
            _tag: "Unreadable",
            reason: failure._tag === "NoPage" ? failure.reason : reasonOf(failure)
          })
        ),
        Effect.catchDefect((cause) =>
          Effect.fail(new ProviderFailure({ provider: READER, reason: "transient", cause }))
        ),
        turns.withPermits(1)
      )
  }
}

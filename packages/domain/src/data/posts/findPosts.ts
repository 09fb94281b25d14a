import { Effect, Option, Result } from "effect"
import { type Handler, type Plan, planWithin, served, wouldSpend } from "../../calls/Handler.js"
import { plus, times, zero } from "../../kernel/money/Credits.js"
import {
  type FoundPost,
  type Platform,
  PLATFORMS,
  type PostPage,
  type PostQuery,
  type PostSource,
  type Profile,
  type ProfilePosts,
  type ProfileQuery,
  type ProfileTarget
} from "../../sources/ports/PostSource.js"
import { refusalOfParts, type SourceError } from "../../sources/refusals.js"
import { type ClosedGates, closedReason, released, Releases } from "../../calls/releases/Releases.js"
import { CANDIDATES_MAX, FIND_POSTS_LIMIT_DEFAULT, type FindPosts, POST_CHARS_MAX } from "../../verbs/FindPosts.js"
import { POST_PRICE, SCOPED_BASE_PRICE } from "../../verbs/prices.js"
import type { RequestOf, ResultOf } from "../../verbs/Verb.js"
import { profileScopeOf } from "../../verbs/posts/profileScope.js"
import { isRelevant, RELEVANCE_CHECK, termsOf } from "../../verbs/posts/relevance.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import { askSources, incredible } from "../../sources/Waterfall.js"
import { credibleCount, cutTo } from "../companies/credibleCompany.js"
import { credibleParagraphs, credibleText, credibleTimestamp, credibleUrl } from "../people/Credible.js"

// Source data is third-party text. Implausible parts are removed here, before it is checked, shown or charged for.

/** The most posts to read of one answer. */
const LISTED_MAX = 1000

const credibleProfile = ({ handle, name, url }: Profile): Profile => ({
  name: credibleText(name),
  handle: credibleText(handle)?.replace(/^@/, "") ?? null,
  url: credibleUrl(url)
})

/** Empty if the post has no text or no URL. */
const crediblePost = (post: FoundPost): ReadonlyArray<FoundPost> => {
  const text = credibleParagraphs(post.text)
  const url = credibleUrl(post.url)
  if (text === null || url === null) return []
  return [
    {
      url,
      author: credibleProfile(post.author),
      text: cutTo(POST_CHARS_MAX, text),
      postedAt: credibleTimestamp(post.postedAt),
      likes: credibleCount(post.likes),
      comments: credibleCount(post.comments),
      shares: credibleCount(post.shares)
    }
  ]
}

/** The page without implausible data, each post once; null if nothing is left. */
export const crediblePage = (page: PostPage): PostPage | null => {
  const posts = page.posts.slice(0, LISTED_MAX).flatMap(crediblePost)
  if (posts.length === 0 && page.posts.length > 0) return null
  return { posts: [...new Map(posts.map((post) => [post.url, post])).values()], isComplete: page.isComplete === true }
}

const isSomebody = ({ handle, url }: Profile): boolean => handle !== null || url !== null

/** Null if the answer is implausible. Candidates must be usable in another request. */
export const credibleProfilePosts = (answer: ProfilePosts): ProfilePosts | null => {
  switch (answer.kind) {
    case "nobody":
      return answer
    case "ambiguous": {
      const people = answer.candidates.slice(0, LISTED_MAX).map(credibleProfile).filter(isSomebody)
      const distinct = [...new Map(people.map((one) => [`${one.handle} ${one.url}`, one])).values()]
      return distinct.length === 0 ? null : { kind: "ambiguous", candidates: distinct.slice(0, CANDIDATES_MAX) }
    }
    case "found": {
      const profile = credibleProfile(answer.profile)
      const page = crediblePage(answer.page)
      return page === null || !isSomebody(profile) ? null : { kind: "found", profile, page }
    }
  }
}

interface Answer {
  readonly posts: ReadonlyArray<FoundPost>
  readonly candidates: ReadonlyArray<Profile>
  readonly isComplete: boolean
}

/** One platform's result. None: no source answered. */
interface PlatformAnswer {
  readonly platform: Platform
  readonly answer: Option.Option<Answer>
  /** Why no source answered. */
  readonly refusal: SourceError | null
}

const NOBODY: Answer = { posts: [], candidates: [], isComplete: true }

const askPlatform = (
  platform: Platform,
  sources: ReadonlyArray<PostSource>,
  query: PostQuery | ProfileQuery,
  ask: (source: PostSource) => Effect.Effect<Answer, ProviderFailure>
): Effect.Effect<PlatformAnswer> =>
  askSources(
    { kind: "post_source", sources, request: { platform, query } },
    (source) => Effect.asSome(ask(source)),
    ({ candidates, posts }) => posts.length + candidates.length > 0
  ).pipe(
    Effect.map(({ answer }) => ({ platform, answer, refusal: null })),
    Effect.catch((refusal) => Effect.succeed({ platform, answer: Option.none(), refusal }))
  )

/** Leaves out older posts and, if a start is given, undated ones. */
const isSince = (sinceMillis: number | null, { postedAt }: FoundPost): boolean =>
  sinceMillis === null || (postedAt !== null && Date.parse(postedAt) >= sinceMillis)

const byKeyword = (
  platform: Platform,
  sources: ReadonlyArray<PostSource>,
  query: PostQuery
): Effect.Effect<PlatformAnswer> => {
  const terms = termsOf(query.query)
  return askPlatform(platform, sources, query, (source) =>
    Effect.flatMap(source.search(query), (found) => {
      const page = crediblePage(found)
      if (page === null) return Effect.fail(incredible(source))
      const posts = page.posts.filter((post) => isSince(query.sinceMillis, post) && isRelevant(terms, post.text))
      return Effect.succeed({ posts, candidates: [], isComplete: page.isComplete })
    })
  )
}

const isBy = (profile: Profile, { author }: FoundPost): boolean =>
  author.handle === null || profile.handle === null || author.handle.toLowerCase() === profile.handle.toLowerCase()

const ofProfile = (
  platform: Platform,
  sources: ReadonlyArray<PostSource>,
  query: ProfileQuery
): Effect.Effect<PlatformAnswer> =>
  askPlatform(platform, sources, query, (source) =>
    Effect.flatMap(source.ofProfile(query), (found) => {
      const answer = credibleProfilePosts(found)
      switch (answer?.kind) {
        case undefined:
          return Effect.fail(incredible(source))
        case "nobody":
          return Effect.succeed(NOBODY)
        case "ambiguous":
          return Effect.succeed({ posts: [], candidates: answer.candidates, isComplete: true })
        case "found": {
          const { page, profile } = answer
          const posts = page.posts.filter((post) => isSince(query.sinceMillis, post) && isBy(profile, post))
          return Effect.succeed({ posts, candidates: [], isComplete: page.isComplete })
        }
      }
    })
  )

type Post = ResultOf<typeof FindPosts>["posts"][number]

/** Newest first, undated last. Ties keep the order of the platforms. */
const newestFirst = (a: Post, b: Post): number => {
  if (a.posted_at !== b.posted_at) return (a.posted_at ?? "") < (b.posted_at ?? "") ? 1 : -1
  return PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform)
}

/** The wire form of all platforms' posts, each once, at most `limit`. */
const shownPosts = (answers: ReadonlyArray<PlatformAnswer>, query: string, limit: number): ReadonlyArray<Post> => {
  const matched = termsOf(query).map(({ text }) => text)
  const posts = answers.flatMap(({ answer, platform }) =>
    Option.isNone(answer)
      ? []
      : answer.value.posts.map(({ author, comments, likes, postedAt, shares, text, url }): Post => ({
          platform,
          url,
          author,
          text,
          posted_at: postedAt,
          engagement: { likes, comments, shares },
          matched_terms: matched
        }))
  )
  return [...new Map(posts.map((post) => [post.url, post])).values()].sort(newestFirst).slice(0, limit)
}

const VERB = "find_posts"

type Request = RequestOf<typeof FindPosts>
type PlatformStatus = ResultOf<typeof FindPosts>["platform_status"][number]

interface FindPostsPlan extends Plan {
  readonly limit: number
  /** Null: a keyword search. */
  readonly target: ProfileTarget | null
  /** The platforms to search and their sources. */
  readonly sources: ReadonlyMap<Platform, ReadonlyArray<PostSource>>
  /** Platforms left out because they are closed here or have no source. */
  readonly left: ReadonlyArray<PlatformStatus>
}

/** The platforms the request names. Empty: all available ones. */
const namedIn = ({ platforms, scope }: Request): ReadonlyArray<Platform> => {
  if (scope.type !== "profile") return [...new Set(platforms)]
  const found = profileScopeOf(scope)
  return "field" in found ? [] : [found.platform]
}

const targetOf = ({ scope }: Request): ProfileTarget | null => {
  if (scope.type !== "profile") return null
  const found = profileScopeOf(scope)
  return "field" in found ? null : found.target
}

const unavailable = (platform: Platform, reason: "no_provider" | "not_released"): PlatformStatus => ({
  platform,
  status: "unavailable",
  reason
})

/** A named platform must be released. Unnamed ones are skipped if closed. */
const searched = (request: Request, closed: ClosedGates, all: ReadonlyArray<PostSource>) =>
  Result.gen(function* () {
    const named = namedIn(request)
    const { type } = request.scope
    yield* released(closed, VERB, [type, ...named])
    const meant = named.length === 0 ? PLATFORMS : named
    const open = meant.filter((platform) => closedReason(closed, VERB, platform) === null)
    if (open.length === 0) yield* released(closed, VERB, meant)
    const sourcesOf = (platform: Platform) =>
      // No source resolves a company to profiles.
      type === "company" ? [] : all.filter((source) => source.platform === platform)
    const sources = new Map(open.map((platform) => [platform, sourcesOf(platform)] as const))
    yield* served(VERB, [...sources.values()].flat(), all)
    const left = meant.flatMap((platform) => {
      if (!open.includes(platform)) return [unavailable(platform, "not_released")]
      return sourcesOf(platform).length === 0 ? [unavailable(platform, "no_provider")] : []
    })
    return { sources: new Map([...sources].filter(([, own]) => own.length > 0)), left }
  })

const statusOf = ({ answer, platform, refusal }: PlatformAnswer): PlatformStatus =>
  Option.match(answer, {
    onNone: () => ({
      platform,
      status: "unavailable",
      reason: "upstream_error",
      ...(refusal?.code === "provider_unavailable" ? { retry_after_seconds: refusal.details.retry_after_seconds } : {})
    }),
    onSome: ({ isComplete }) =>
      isComplete
        ? { platform, status: "complete", reason: null }
        : { platform, status: "partial", reason: "not_searched_completely" }
  })

export const findPosts = Effect.map(Releases, (closed): Handler<typeof FindPosts, FindPostsPlan> => ({
  plan: (request, { providers }) =>
    Result.gen(function* () {
      const { left, sources } = yield* searched(request, closed, providers.postSources)
      const limit = request.limit ?? FIND_POSTS_LIMIT_DEFAULT
      const target = targetOf(request)
      const most = plus(times(POST_PRICE, limit), target === null ? zero : SCOPED_BASE_PRICE)
      return { ...(yield* planWithin(request, most)), limit, target, sources, left }
    }),
  would: (request, plan) =>
    Effect.succeed({ candidate_sources: [...plan.sources.values()].flat().length, ...wouldSpend(request, plan) }),
  perform: (request, call) =>
    Effect.gen(function* () {
      const { left, limit, sources, target } = call.plan
      const window = { sinceMillis: request.since ?? null, limit }
      const query = request.scope.type === "keyword" ? request.scope.query : ""
      const answers = yield* Effect.forEach(
        sources,
        ([platform, own]) =>
          target === null
            ? byKeyword(platform, own, { ...window, query, platforms: [...sources.keys()] })
            : ofProfile(platform, own, { ...window, target }),
        { concurrency: PLATFORMS.length }
      )
      const refusals = answers.flatMap(({ refusal }) => refusal ?? [])
      const refused = refusalOfParts(refusals, answers.length)
      if (refused !== null) return yield* Effect.fail(refused)
      const posts = shownPosts(answers, query, limit)
      const candidates = answers.flatMap(({ answer, platform }) =>
        Option.isSome(answer) ? answer.value.candidates.map((one) => ({ platform, ...one })) : []
      )
      const statuses = [...answers.map(statusOf), ...left]
      // The base price pays for reading the requested profile.
      const isLookedAt =
        target !== null && candidates.length === 0 && answers.some(({ answer }) => Option.isSome(answer))
      return yield* call.settle({
        result: {
          posts,
          platform_status: PLATFORMS.flatMap((platform) => statuses.filter((one) => one.platform === platform)),
          ...(candidates.length === 0 ? {} : { candidates }),
          relevance_check: RELEVANCE_CHECK
        },
        charge: plus(times(POST_PRICE, posts.length), isLookedAt ? SCOPED_BASE_PRICE : zero)
      })
    })
}))

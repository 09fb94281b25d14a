import { Effect, Either, Option } from "effect"
import type { Handler, Plan } from "../../calls/Handler.js"
import { planWithin, served, wouldSpend } from "../../calls/planning.js"
import { plus, times, zero } from "../../kernel/money/Credits.js"
import { type Platform, PLATFORMS, type PostSource, type ProfileTarget } from "../../sources/ports/PostSource.js"
import { refusalOfParts } from "../../sources/refusals.js"
import { closedReason, released, Releases, type ClosedGates } from "../../calls/releases/Releases.js"
import { FIND_POSTS_LIMIT_DEFAULT, type FindPosts } from "../../verbs/FindPosts.js"
import { SCOPED_BASE_PRICE, POST_PRICE } from "../../verbs/prices.js"
import type { RequestOf, ResultOf } from "../../verbs/Verb.js"
import { profileScopeOf } from "../../verbs/posts/profileScope.js"
import { RELEVANCE_CHECK } from "../../verbs/posts/relevance.js"
import { byKeyword, ofProfile, type PlatformAnswer, shownPosts } from "./search.js"

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
  Either.gen(function* () {
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

const statusOf = ({ answer, platform }: PlatformAnswer): PlatformStatus =>
  Option.match(answer, {
    onNone: () => ({ platform, status: "unavailable", reason: "upstream_error" }),
    onSome: ({ isComplete }) =>
      isComplete
        ? { platform, status: "complete", reason: null }
        : { platform, status: "partial", reason: "not_searched_completely" }
  })

export const findPosts = Effect.map(Releases, (closed): Handler<typeof FindPosts, FindPostsPlan> => ({
  plan: (request, { providers }) =>
    Either.gen(function* () {
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

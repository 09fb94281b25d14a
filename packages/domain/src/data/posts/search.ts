import { Effect, Option } from "effect"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import {
  type FoundPost,
  type Platform,
  PLATFORMS,
  type PostQuery,
  type PostSource,
  type Profile,
  type ProfileQuery
} from "../../sources/ports/PostSource.js"
import type { SourceError } from "../../sources/refusals.js"
import { incredible, askSources } from "../../sources/Waterfall.js"
import type { FindPosts } from "../../verbs/FindPosts.js"
import type { ResultOf } from "../../verbs/Verb.js"
import { crediblePage, credibleProfilePosts } from "./crediblePosts.js"
import { isRelevant, termsOf } from "../../verbs/posts/relevance.js"

interface Answer {
  readonly posts: ReadonlyArray<FoundPost>
  readonly candidates: ReadonlyArray<Profile>
  readonly isComplete: boolean
}

/** One platform's result. None: no source answered. */
export interface PlatformAnswer {
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
    Effect.catchAll((refusal) => Effect.succeed({ platform, answer: Option.none(), refusal }))
  )

/** Leaves out older posts and, if a start is given, undated ones. */
const isSince = (sinceMillis: number | null, { postedAt }: FoundPost): boolean =>
  sinceMillis === null || (postedAt !== null && Date.parse(postedAt) >= sinceMillis)

export const byKeyword = (
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

export const ofProfile = (
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
export const shownPosts = (
  answers: ReadonlyArray<PlatformAnswer>,
  query: string,
  limit: number
): ReadonlyArray<Post> => {
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

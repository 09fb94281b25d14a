import { assert } from "@effect/vitest"
import { crediblePage, credibleProfilePosts } from "@outbound/domain/data/posts/findPosts.js"
import type {
  PostPage,
  PostQuery,
  PostSource,
  ProfilePosts,
  ProfileQuery
} from "@outbound/domain/sources/ports/PostSource.js"
import type { Effect } from "effect"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { portSuite } from "./portSuite.js"
import { type Fixture, isNewestFirst, keepsAll } from "./sources.js"

/** Posts by words, or those of one profile. */
export type PostRequest = { readonly search: PostQuery } | { readonly ofProfile: ProfileQuery }

export type PostResult = PostPage | ProfilePosts

export type PostSourceFixture = Fixture<PostRequest, PostResult>

const isPage = (result: PostResult): result is PostPage => "posts" in result

const pageOf = (result: PostResult): PostPage | null =>
  isPage(result) ? result : result.kind === "found" ? result.page : null

export const postSourceSuite = portSuite<PostSource, PostRequest, PostResult>({
  kind: "post_source",
  ask: (source, request): Effect.Effect<PostResult, ProviderFailure> =>
    "search" in request ? source.search(request.search) : source.ofProfile(request.ofProfile),
  holds: (result, { request, says }) => {
    keepsAll(result, isPage(result) ? crediblePage(result) : credibleProfilePosts(result), says)
    const { limit, sinceMillis } = "search" in request ? request.search : request.ofProfile
    const posts = pageOf(result)?.posts ?? []
    assert.isAtMost(posts.length, limit, `${says}: the limit`)
    isNewestFirst(
      posts.map(({ postedAt }) => postedAt),
      says
    )
    for (const { author, postedAt } of posts) {
      assert.isFalse(author.handle?.startsWith("@") ?? false, `${says}: a handle`)
      if (sinceMillis !== null && postedAt !== null) assert.isAtLeast(Date.parse(postedAt), sinceMillis, says)
    }
  }
})

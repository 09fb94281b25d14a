import type { Platform, PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import { Clock, Effect } from "effect"
import { postsOfProfile, searchPosts } from "../world/Posts.js"
import { world } from "../world/World.js"

const source = (platform: Platform, declared: Omit<PostSource, "platform" | "search" | "ofProfile">): PostSource => ({
  ...declared,
  platform,
  search: (query) => Effect.map(Clock.currentTimeMillis, (now) => searchPosts(world(), platform, query, now)),
  ofProfile: (query) => Effect.map(Clock.currentTimeMillis, (now) => postsOfProfile(world(), platform, query, now))
})

/** What the people of the sandbox's world write, one source per platform. */
export const sandboxPosts: ReadonlyArray<PostSource> = [
  source("social", { name: "sandbox_posts_social", costMicros: 4_000, missRate: 0.1, latencyMillis: 80 }),
  source("x", { name: "sandbox_posts_x", costMicros: 3_000, missRate: 0.1, latencyMillis: 60 }),
  source("reddit", { name: "sandbox_posts_reddit", costMicros: 2_000, missRate: 0.2, latencyMillis: 70 }),
  source("youtube", { name: "sandbox_posts_youtube", costMicros: 2_000, missRate: 0.3, latencyMillis: 90 })
]

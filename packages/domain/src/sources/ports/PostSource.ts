import type { Effect } from "effect"
import type { ProviderFailure, Source } from "./Source.js"

/** `social` is the professional network. */
export const PLATFORMS = ["social", "x", "reddit", "youtube"] as const
export type Platform = (typeof PLATFORMS)[number]

export interface Profile {
  readonly name: string | null
  /** Without a leading `@`. */
  readonly handle: string | null
  readonly url: string | null
}

export interface FoundPost {
  readonly url: string
  readonly author: Profile
  readonly text: string
  /** RFC 3339. */
  readonly postedAt: string | null
  readonly likes: number | null
  readonly comments: number | null
  readonly shares: number | null
}

export interface PostPage {
  /** Newest first. */
  readonly posts: ReadonlyArray<FoundPost>
  /** False: the source knows that its search was partial, for instance limited to recent days. */
  readonly isComplete: boolean
}

interface PostWindow {
  /** The oldest time to return, in epoch milliseconds. Null: any age. */
  readonly sinceMillis: number | null
  readonly limit: number
}

export interface PostQuery extends PostWindow {
  /** Words, and phrases in double quotes. A source may return posts that don't hold them all. */
  readonly query: string
  /** All platforms of this search, the source's own included. They share `limit`. */
  readonly platforms: ReadonlyArray<Platform>
}

/** Whose posts: a handle or other known name, or a profile URL. */
export type ProfileTarget =
  | { readonly by: "handle"; readonly handle: string }
  | { readonly by: "url"; readonly url: string }

export interface ProfileQuery extends PostWindow {
  readonly target: ProfileTarget
}

/** `ambiguous`: several people have the name. `nobody`: none has. */
export type ProfilePosts =
  | { readonly kind: "found"; readonly profile: Profile; readonly page: PostPage }
  | { readonly kind: "ambiguous"; readonly candidates: ReadonlyArray<Profile> }
  | { readonly kind: "nobody" }

/** Finds public posts on one platform. */
export interface PostSource extends Source {
  readonly platform: Platform
  readonly search: (query: PostQuery) => Effect.Effect<PostPage, ProviderFailure>
  readonly ofProfile: (query: ProfileQuery) => Effect.Effect<ProfilePosts, ProviderFailure>
}

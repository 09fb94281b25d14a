import type { Effect } from "effect"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { Source } from "./Source.js"

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
  /** The newest first. */
  readonly posts: ReadonlyArray<FoundPost>
  /** False: the source knows that it could not look everywhere, as where it reaches back a few days only. */
  readonly isComplete: boolean
}

interface PostWindow {
  /** Nothing older, epoch milliseconds. Null: however old. */
  readonly sinceMillis: number | null
  readonly limit: number
}

export interface PostQuery extends PostWindow {
  /** Words, and phrases in double quotes. A source may find more than holds them all. */
  readonly query: string
  /** Every platform that this search asks, the source's own among them; `limit` is for all of them together. */
  readonly platforms: ReadonlyArray<Platform>
}

/** Whose posts: by handle (or whatever name the caller knows them by), or by the address of their profile. */
export type ProfileTarget =
  { readonly by: "handle"; readonly handle: string } | { readonly by: "url"; readonly url: string }

export interface ProfileQuery extends PostWindow {
  readonly target: ProfileTarget
}

/** `ambiguous`: several people go by that name. `nobody`: none does. */
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

import { termsOf } from "@outbound/domain/verbs/posts/relevance.js"
import type { FoundPost, PostPage, PostSource, Profile } from "@outbound/domain/sources/ports/PostSource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { gather } from "../pages.js"
import { addressOf, maybe, maybeNumbers, maybeTexts } from "../shape.js"
import { pageBody, readCharged } from "./endpoints.js"
import { allOf, type Filter, leaf } from "./filters.js"
import type { CrustdataSettings } from "./settings.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per post. */
const POST_CREDITS = 0.5

const PAGES_MAX = 3

const DATE = "date_posted"
const PROFILE_URL = "actor.professional_network_url"

const Post = Schema.Struct({
  ...maybeTexts("share_url", "text", "date_posted"),
  actor: maybe(Schema.Struct({ name: maybe(Schema.String), professional_network_url: maybe(Schema.String) })),
  engagement: maybe(Schema.Struct(maybeNumbers("total_reactions", "total_comments", "num_shares")))
})

const PostsPage = Schema.Struct({ posts: Schema.Array(Post), next_cursor: maybe(Schema.String) })

/** The last part of a profile URL: `/in/pat-doe`. */
const handleOf = (url: string | null): string | null => {
  if (url === null || !URL.canParse(url)) return null
  return new URL(url).pathname.split("/").findLast((part) => part !== "") ?? null
}

/** The vendor's form of a profile URL. With a trailing slash or a query it finds nobody. */
const keptForm = (url: string): string => {
  const address = addressOf(url) ?? url
  if (!URL.canParse(address)) return address
  const { hostname, pathname } = new URL(address)
  const host = /^([a-z]{2,3}\.)?linkedin\.com$/.test(hostname) ? "www.linkedin.com" : hostname
  return `https://${host}${pathname.replace(/\/+$/, "")}`
}

const profileOf = (url: string | null, name: string | null): Profile => ({ name, handle: handleOf(url), url })

const postOf = ({ actor, date_posted, engagement, share_url, text }: typeof Post.Type): FoundPost | null => {
  const url = addressOf(share_url)
  if (url === null || text === null || text.trim() === "") return null
  return {
    url,
    author: profileOf(addressOf(actor?.professional_network_url ?? null), actor?.name ?? null),
    text,
    postedAt: date_posted,
    likes: engagement?.total_reactions ?? null,
    comments: engagement?.total_comments ?? null,
    shares: engagement?.num_shares ?? null
  }
}

const millisOf = ({ postedAt }: FoundPost): number => {
  const millis = postedAt === null ? Number.NaN : Date.parse(postedAt)
  return Number.isNaN(millis) ? Number.NEGATIVE_INFINITY : millis
}

interface Window {
  readonly sinceMillis: number | null
  readonly limit: number
}

export const makePosts = (parts: VendorParts<CrustdataSettings>): PostSource => {
  const { settings } = parts
  const sortField = settings.post_sort_field

  const search = (filter: Filter | null, { limit, sinceMillis }: Window): Effect.Effect<PostPage, ProviderFailure> => {
    const since = sinceMillis === null ? null : new Date(sinceMillis).toISOString().slice(0, 10)
    const filters = allOf([filter, since === null ? null : leaf(DATE, "=>", since)])
    return Effect.map(
      gather({
        first: "",
        pagesMax: PAGES_MAX,
        itemsMax: limit,
        ask: (cursor: string, missing) =>
          Effect.map(
            readCharged(
              parts,
              PostsPage,
              "/social_post/search",
              {
                ...pageBody(filters, cursor, missing),
                ...(sortField === null ? {} : { sorts: [{ field: sortField, order: "desc" }] })
              },
              ({ posts }) => posts.length * POST_CREDITS
            ),
            ({ next_cursor, posts }) => ({ items: posts, next: next_cursor })
          )
      }),
      ({ isMore, items }) => ({
        posts: items
          .flatMap((post) => postOf(post) ?? [])
          .filter((post) => sinceMillis === null || post.postedAt === null || millisOf(post) >= sinceMillis)
          .sort((a, b) => millisOf(b) - millisOf(a)),
        // If sorted newest first, posts beyond the limit were not wanted anyway.
        isComplete: !isMore || (sortField === DATE && items.length >= limit)
      })
    )
  }

  return {
    ...parts.declared("post_source", { units: 10 * POST_CREDITS, missRate: 0.3, latencyMillis: 2_500 }),
    platform: "social",
    search: ({ query, ...window }) => {
      const terms = termsOf(query).map(({ text }) => text)
      return search(allOf((terms.length === 0 ? [query] : terms).map((text) => leaf("text", "[.]", text))), window)
    },
    ofProfile: ({ target, ...window }) => {
      const url = keptForm(
        target.by === "url" ? target.url : `${settings.profile_url_before_handle}${encodeURIComponent(target.handle)}`
      )
      return Effect.map(search(leaf(PROFILE_URL, "=", url), window), (page) => ({
        // No posts doesn't prove that the person doesn't exist.
        kind: "found" as const,
        profile: profileOf(url, page.posts[0]?.author.name ?? null),
        page
      }))
    }
  }
}

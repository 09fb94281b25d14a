import type { FoundPost, PostPage, PostSource, ProfilePosts } from "@outbound/domain/sources/ports/PostSource.js"
import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { classifiedWithSaying } from "../saying.js"
import { listOf, maybe, maybeTexts, Numeric } from "../shape.js"
import { defineVendor, NoSettings, overHttp, type VendorFacts } from "../Vendor.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"

const FACTS = {
  name: "youtube",
  title: "YouTube Data API",
  baseUrl: "https://www.googleapis.com/youtube/v3",
  callsPerMinute: null,
  unit: "unit",
  unitMicros: 0,
  serves: ["post_source"],
  terms: "YouTube API Services Terms of Service; a key costs nothing, 10,000 units a day",
  limits: [
    "Needs a key of a Google Cloud project, which costs nothing. A search costs 100 of its 10,000 units a day, a channel's videos three.",
    "Posts are videos: their title and description. Shares are not told.",
    "When the day's units are used up, it rests until midnight in California."
  ],
  known: "specification"
} as const satisfies VendorFacts

const SEARCH_UNITS = 100
const READ_UNITS = 1
const PAGE_MAX = 50

const Snippet = maybe(
  Schema.Struct(maybeTexts("publishedAt", "channelId", "channelTitle", "title", "description", "customUrl"))
)

const Found = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: maybe(Schema.Struct(maybeTexts("videoId"))) })),
  nextPageToken: maybe(Schema.String)
})

const Videos = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      snippet: Snippet,
      statistics: maybe(Schema.Struct({ likeCount: maybe(Numeric), commentCount: maybe(Numeric) }))
    })
  )
})

/** `items` is left out where there is no such channel. */
const Channels = Schema.Struct({
  kind: Schema.String,
  items: listOf(
    Schema.Struct({
      id: Schema.String,
      snippet: Snippet,
      contentDetails: maybe(Schema.Struct({ relatedPlaylists: maybe(Schema.Struct(maybeTexts("uploads"))) }))
    })
  )
})

const Playlist = Schema.Struct({
  items: Schema.Array(Schema.Struct({ contentDetails: maybe(Schema.Struct(maybeTexts("videoId"))) })),
  nextPageToken: maybe(Schema.String)
})

const reasonsIn = (json: unknown): ReadonlyArray<string> => {
  const error = isJsonObject(json) ? json["error"] : null
  const errors = isJsonObject(error) ? error["errors"] : null
  return Array.isArray(errors) ? errors.flatMap((one) => (isJsonObject(one) ? [String(one["reason"])] : [])) : []
}

const QUOTA = new Set(["quotaExceeded", "dailyLimitExceeded"])
const TOO_FAST = new Set(["rateLimitExceeded", "userRateLimitExceeded"])
const TOO_FAST_SECONDS = 60

/** The time of day in California, in seconds. */
const californian = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  hourCycle: "h23",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
})

/** The seconds until its day ends. */
export const secondsToMidnight = (nowMillis: number): number => {
  const parts = Object.fromEntries(californian.formatToParts(nowMillis).map(({ type, value }) => [type, Number(value)]))
  return 86_400 - ((parts["hour"] ?? 0) * 3_600 + (parts["minute"] ?? 0) * 60 + (parts["second"] ?? 0))
}

/** Everything that it refuses is a 403: the reason tells which. A wrong key is a 400. */
const classify = (answer: VendorAnswer): Classified | null => {
  const reasons = reasonsIn(answer.json)
  if (reasons.some((reason) => QUOTA.has(reason))) {
    return {
      reason: "rate_limited",
      retryAfterSeconds: secondsToMidnight(Date.now()),
      cause: "the day's units are used up"
    }
  }
  if (reasons.some((reason) => TOO_FAST.has(reason)))
    return { reason: "rate_limited", retryAfterSeconds: TOO_FAST_SECONDS }
  if (answer.status === 400 && /api key/i.test(answer.text.slice(0, 2_000)))
    return { reason: "account", cause: "it refuses the key" }
  return classifiedWithSaying(answer)
}

const postOf = ({ id, snippet, statistics }: (typeof Videos.Type)["items"][number]): FoundPost | null => {
  if (snippet === null || snippet.title === null) return null
  const channel = snippet.channelId
  return {
    url: `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`,
    author: {
      name: snippet.channelTitle,
      handle: null,
      url: channel === null ? null : `https://www.youtube.com/channel/${encodeURIComponent(channel)}`
    },
    text: [snippet.title, snippet.description ?? ""].filter((part) => part.trim() !== "").join("\n\n"),
    postedAt: snippet.publishedAt,
    likes: statistics?.likeCount ?? null,
    comments: statistics?.commentCount ?? null,
    shares: null
  }
}

const millisOf = ({ postedAt }: FoundPost): number => (postedAt === null ? 0 : Date.parse(postedAt) || 0)

/** How a channel is asked for, by its address; null: it is no channel's. */
const channelIn = (address: string): Readonly<Record<string, string>> | null => {
  if (!URL.canParse(address)) return null
  const { hostname, pathname } = new URL(address)
  if (!/(?:^|\.)youtube\.com$/.test(hostname)) return null
  const [first = "", second = ""] = pathname.split("/").filter((part) => part !== "")
  if (first.startsWith("@")) return { forHandle: first }
  if (first === "channel" && second !== "") return { id: second }
  return first === "user" && second !== "" ? { forUsername: second } : null
}

/** Videos as posts. */
export const youtube = defineVendor({
  ...FACTS,
  settings: NoSettings,
  make: overHttp(FACTS, { authorize: (key) => ({ query: { key } }), classify }, ({ declared, http, spend }) => {
    const spent = <A>(units: number) => Effect.tap<A, void, never, never>(() => spend(units))

    /** The videos of these ids, newest first. */
    const videos = (ids: ReadonlyArray<string>, sinceMillis: number | null) =>
      ids.length === 0
        ? Effect.succeed([])
        : http.get(Videos, "/videos", { part: "snippet,statistics", id: ids.join(","), maxResults: PAGE_MAX }).pipe(
            spent(READ_UNITS),
            Effect.map(({ items }) =>
              items
                .flatMap((video) => postOf(video) ?? [])
                .filter((post) => sinceMillis === null || millisOf(post) >= sinceMillis)
                .sort((a, b) => millisOf(b) - millisOf(a))
            )
          )

    const post: PostSource = {
      ...declared("post_source", { units: SEARCH_UNITS, missRate: 0.3, latencyMillis: 1_500 }),
      platform: "youtube",
      search: ({ limit, query, sinceMillis }) =>
        Effect.gen(function* () {
          const found = yield* http
            .get(Found, "/search", {
              part: "snippet",
              type: "video",
              order: "date",
              q: query,
              maxResults: Math.min(limit, PAGE_MAX),
              publishedAfter: sinceMillis === null ? null : new Date(sinceMillis).toISOString()
            })
            .pipe(spent(SEARCH_UNITS))
          const posts = yield* videos(
            found.items.flatMap(({ id }) => id?.videoId ?? []),
            sinceMillis
          )
          return {
            posts: posts.slice(0, limit),
            isComplete: limit <= PAGE_MAX || found.nextPageToken === null
          } satisfies PostPage
        }),
      ofProfile: ({ limit, sinceMillis, target }) =>
        Effect.gen(function* () {
          const asked =
            target.by === "handle" ? { forHandle: `@${target.handle.replace(/^@/, "")}` } : channelIn(target.url)
          if (asked === null) return { kind: "nobody" } satisfies ProfilePosts
          const channels = yield* http
            .get(Channels, "/channels", { part: "snippet,contentDetails", ...asked })
            .pipe(spent(READ_UNITS))
          const [channel] = channels.items
          if (channel === undefined) return { kind: "nobody" } satisfies ProfilePosts
          const uploads = channel.contentDetails?.relatedPlaylists?.uploads ?? null
          const listed =
            uploads === null
              ? { items: [], nextPageToken: null }
              : yield* http
                  .get(Playlist, "/playlistItems", {
                    part: "contentDetails",
                    playlistId: uploads,
                    maxResults: Math.min(limit, PAGE_MAX)
                  })
                  .pipe(spent(READ_UNITS))
          const posts = yield* videos(
            listed.items.flatMap(({ contentDetails }) => contentDetails?.videoId ?? []),
            sinceMillis
          )
          return {
            kind: "found",
            profile: {
              name: channel.snippet?.title ?? null,
              handle: channel.snippet?.customUrl?.replace(/^@/, "") ?? null,
              url: `https://www.youtube.com/channel/${encodeURIComponent(channel.id)}`
            },
            page: { posts: posts.slice(0, limit), isComplete: limit <= PAGE_MAX || listed.nextPageToken === null }
          } satisfies ProfilePosts
        })
    }
    return {
      sources: { post_source: post },
      // The cheapest question there is.
      account: Effect.as(
        http.get(Schema.Struct({ kind: Schema.String }), "/videoCategories", { part: "snippet", regionCode: "US" }),
        { left: null, missing: [] }
      )
    }
  })
})

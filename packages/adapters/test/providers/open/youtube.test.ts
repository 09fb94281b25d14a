import { assert, it } from "@effect/vitest"
import { vendorSuite, type VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import { Effect, Redacted, Result } from "effect"
import { secondsToMidnight, youtube } from "../../../src/providers/youtube/YouTube.js"
import { watchRequests } from "../published/watch.js"
import { makeOpenWorld } from "./OpenWorld.js"

watchRequests(["youtube"])

const video = (id: string, publishedAt: string) => ({
  id,
  snippet: { publishedAt, channelId: "UC1", channelTitle: "Acme", title: `Anvil ${id}`, description: "Hit it." },
  statistics: { viewCount: "100", likeCount: "7", commentCount: "2" }
})

const post = (id: string, postedAt: string) => ({
  url: `https://www.youtube.com/watch?v=${id}`,
  author: { name: "Acme", handle: null, url: "https://www.youtube.com/channel/UC1" },
  text: `Anvil ${id}\n\nHit it.`,
  postedAt,
  likes: 7,
  comments: 2,
  shares: null
})

const [OLDER, NEWER] = ["2026-05-04T10:00:00Z", "2026-05-05T10:00:00Z"]

const videos = {
  request: { method: "GET", path: "/youtube/v3/videos", query: { part: "snippet,statistics", id: "a,b" } },
  answer: { json: { items: [video("a", OLDER), video("b", NEWER)] } }
}

const refused = (reason: string) => ({
  error: { code: 403, message: "no", errors: [{ reason, domain: "youtube.quota" }] }
})

const fixtures: VendorFixtures = {
  post_source: {
    cases: [
      {
        says: "videos by words, the newest first",
        request: {
          search: {
            query: "anvils",
            platforms: ["youtube"],
            sinceMillis: Date.parse("2026-05-01T00:00:00Z"),
            limit: 10
          }
        },
        exchanges: [
          {
            request: {
              method: "GET",
              path: "/youtube/v3/search",
              query: {
                part: "snippet",
                type: "video",
                order: "date",
                q: "anvils",
                maxResults: "10",
                publishedAfter: "2026-05-01T00:00:00.000Z"
              }
            },
            answer: { json: { items: [{ id: { kind: "youtube#video", videoId: "a" } }, { id: { videoId: "b" } }] } }
          },
          videos
        ],
        expected: { posts: [post("b", NEWER), post("a", OLDER)], isComplete: true },
        spent: 101
      },
      {
        says: "the videos of a channel, by its handle",
        request: { ofProfile: { target: { by: "handle", handle: "acme" }, sinceMillis: Date.parse(NEWER), limit: 10 } },
        exchanges: [
          {
            request: { method: "GET", path: "/youtube/v3/channels", query: { forHandle: "@acme" } },
            answer: {
              json: {
                kind: "youtube#channelListResponse",
                items: [
                  {
                    id: "UC1",
                    snippet: { title: "Acme", customUrl: "@acme" },
                    contentDetails: { relatedPlaylists: { uploads: "UU1" } }
                  }
                ]
              }
            }
          },
          {
            request: { method: "GET", path: "/youtube/v3/playlistItems", query: { playlistId: "UU1" } },
            answer: { json: { items: [{ contentDetails: { videoId: "a" } }, { contentDetails: { videoId: "b" } }] } }
          },
          videos
        ],
        expected: {
          kind: "found",
          profile: { name: "Acme", handle: "acme", url: "https://www.youtube.com/channel/UC1" },
          page: { posts: [post("b", NEWER)], isComplete: true }
        },
        spent: 3
      },
      {
        says: "nobody, of a channel that there is not",
        request: {
          ofProfile: { target: { by: "url", url: "https://youtube.com/channel/UC9" }, sinceMillis: null, limit: 5 }
        },
        exchanges: [
          {
            request: { method: "GET", path: "/youtube/v3/channels", query: { id: "UC9" } },
            answer: { json: { kind: "youtube#channelListResponse", pageInfo: { totalResults: 0 } } }
          }
        ],
        expected: { kind: "nobody" }
      },
      {
        says: "nobody, of an address that is no channel's",
        request: { ofProfile: { target: { by: "url", url: "https://x.example/acme" }, sinceMillis: null, limit: 5 } },
        expected: { kind: "nobody" }
      }
    ],
    wire: {
      hasEffect: false,
      failures: [
        {
          says: "is asked too fast",
          answer: { status: 403, json: refused("rateLimitExceeded") },
          reason: "rate_limited",
          retryAfterSeconds: 60
        },
        { says: "has no units left", answer: { status: 403, json: refused("quotaExceeded") }, reason: "rate_limited" },
        { says: "is not switched on", answer: { status: 403, json: refused("accessNotConfigured") }, reason: "account" }
      ]
    }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/youtube/v3/videoCategories" },
        answer: { json: { kind: "youtube#videoCategoryListResponse", items: [] } }
      }
    ],
    expected: { left: null, missing: [] },
    failures: [
      {
        says: "a wrong key",
        answer: {
          status: 400,
          json: { error: { code: 400, message: "API key not valid. Please pass a valid API key." } }
        },
        reason: "account"
      }
    ]
  }
}

vendorSuite(youtube, fixtures)

it("its day ends at midnight in California, in summer and in winter", () => {
  assert.strictEqual(secondsToMidnight(Date.parse("2026-07-01T06:59:00Z")), 60)
  assert.strictEqual(secondsToMidnight(Date.parse("2026-12-01T07:00:00Z")), 3_600)
})

it.effect("when its units are used up it says when they come again, and finds nothing", () =>
  Effect.gen(function* () {
    const world = yield* makeOpenWorld()
    world.put("youtube", "/search", {
      status: 403,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(refused("quotaExceeded"))
    })
    const { sources } = yield* Result.getOrThrow(youtube.decode({}))(
      {
        baseUrl: world.at("youtube"),
        credential: Redacted.make("key"),
        callsPerMinute: null,
        unitMicros: 0,
        declared: {}
      },
      world.beside
    )
    const search = (sources.post_source as PostSource).search({
      query: "anvil",
      platforms: ["youtube"],
      limit: 5,
      sinceMillis: null
    })
    const failure = yield* Effect.flip(search)
    assert.strictEqual(failure.reason, "rate_limited")
    assert.closeTo(failure.retryAfterSeconds ?? 0, secondsToMidnight(Date.now()), 60)
  })
)

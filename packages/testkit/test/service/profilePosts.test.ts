import { assert, layer as describeLayer } from "@effect/vitest"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { FoundPost } from "@outbound/domain/sources/ports/PostSource.js"
import { Effect } from "effect"
import { resultOf, SUITE } from "../../src/contracts/service/support.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { makeClient } from "../../src/service/Client.js"
import { over } from "../../src/service/Service.js"

const postBy = (handle: string | null, day: number, isDated = true): FoundPost => ({
  url: `https://x.example/${handle ?? "nobody"}/${day}`,
  author: { name: "Ada", handle, url: null },
  text: "Hello",
  postedAt: isDated ? `2026-11-0${day}T12:00:00.000Z` : null,
  likes: null,
  comments: null,
  shares: null
})

/** A profile in its own case, whose posts name the author in others, or not at all; one is somebody else's. */
const providers: ProviderSet = {
  ...noProviders,
  postSources: [
    {
      name: "posts",
      costMicros: 1,
      missRate: 0,
      latencyMillis: 1,
      platform: "x",
      search: () => Effect.die("it was not to be asked"),
      ofProfile: () =>
        Effect.succeed({
          kind: "found",
          profile: { name: "Ada", handle: "AdaByron", url: null },
          page: {
            posts: [
              postBy("ADABYRON", 4),
              postBy("adabyron", 3),
              postBy(null, 2),
              postBy("bob", 1),
              postBy("adabyron", 9, false)
            ],
            isComplete: true
          }
        })
    }
  ]
}

describeLayer(over(MemoryLayer.layer, providers), SUITE)("the posts of a profile", (it) => {
  const found = (since?: string) =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const scope = { type: "profile", platform: "x", handle: "adabyron" }
      const answer = yield* client.call("find_posts", { scope, ...(since === undefined ? {} : { since }) })
      const posts: ReadonlyArray<{ readonly url: string }> = resultOf(answer).posts
      return { days: posts.map(({ url }) => Number(url.at(-1))), charged: answer.svc.credits_charged }
    })

  it.effect("are theirs however the handle is written; nobody else's are shown or paid for", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found(), { days: [4, 3, 2, 9], charged: "3" })
    })
  )

  it.effect("begin with the moment that was asked for, without those whose moment nobody knows", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found("2026-11-03T12:00:00.000Z"), { days: [4, 3], charged: "2" })
      assert.deepStrictEqual(yield* found("2026-11-03T12:00:00.001Z"), { days: [4], charged: "1.5" })
    })
  )
})

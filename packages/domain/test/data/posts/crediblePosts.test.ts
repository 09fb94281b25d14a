import { assert, describe, it } from "@effect/vitest"
import { crediblePage, credibleProfilePosts } from "../../../src/data/posts/findPosts.js"
import { profileScopeOf } from "../../../src/verbs/posts/profileScope.js"
import type { FoundPost } from "../../../src/sources/ports/PostSource.js"

const post: FoundPost = {
  url: "https://x.example/ada/1",
  author: { name: "Ada", handle: "@ada", url: "https://x.example/ada" },
  text: " One.\r\nTwo. ",
  postedAt: "2026-01-02T03:04:05Z",
  likes: 1,
  comments: -1,
  shares: Number.NaN
}

const page = (...posts: ReadonlyArray<FoundPost>) => crediblePage({ posts, isComplete: true })

describe("a page of posts", () => {
  it("holds each post once, with what makes no sense left out", () => {
    assert.deepStrictEqual(page(post, post, { ...post, url: "javascript:alert(1)" })?.posts, [
      {
        url: "https://x.example/ada/1",
        author: { name: "Ada", handle: "ada", url: "https://x.example/ada" },
        text: "One.\nTwo.",
        postedAt: "2026-01-02T03:04:05.000Z",
        likes: 1,
        comments: null,
        shares: null
      }
    ])
  })

  it("of which nothing is left is not believed, and an empty one is", () => {
    assert.isNull(page({ ...post, text: "\u0000" }, { ...post, url: "nowhere" }))
    assert.deepStrictEqual(page()?.posts, [])
  })

  it("shows no endless text", () => {
    assert.strictEqual(page({ ...post, text: "x".repeat(20_000) })?.posts[0]?.text.length, 10_000)
  })
})

describe("candidates", () => {
  it("are those that can be asked for again, each once and at most 10", () => {
    const named = (handle: string | null) => ({ name: "Ada", handle, url: null })
    const ask = (handles: ReadonlyArray<string | null>) =>
      credibleProfilePosts({ kind: "ambiguous", candidates: handles.map(named) })
    assert.deepStrictEqual(ask(["a", null, "a", "b"]), { kind: "ambiguous", candidates: [named("a"), named("b")] })
    assert.isNull(ask([null]))
    const many = ask(Array.from({ length: 30 }, (_, index) => `ada-${index}`))
    assert.strictEqual(many?.kind === "ambiguous" ? many.candidates.length : 0, 10)
  })
})

describe("the scope of a profile", () => {
  it("tells its platform by the url where that is known", () => {
    for (const [url, platform] of [
      ["https://www.x.com/ada", "x"],
      ["https://twitter.com/ada", "x"],
      ["https://de.linkedin.com/in/ada", "social"],
      ["https://old.reddit.com/user/ada", "reddit"],
      ["https://www.youtube.com/@ada", "youtube"]
    ] as const) {
      assert.deepStrictEqual(profileScopeOf({ url }), { platform, target: { by: "url", url } })
    }
    const url = "https://acme.example/in/ada"
    assert.deepStrictEqual(profileScopeOf({ url, platform: "social" }), {
      platform: "social",
      target: { by: "url", url }
    })
  })

  it("takes a handle with or without its sign", () => {
    for (const handle of ["ada", "@ada", " @ada "]) {
      assert.deepStrictEqual(profileScopeOf({ handle, platform: "x" }), {
        platform: "x",
        target: { by: "handle", handle: "ada" }
      })
    }
  })
})

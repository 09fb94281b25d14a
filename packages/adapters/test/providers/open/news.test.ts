import { assert, describe, it } from "@effect/vitest"
import {
  type FoundSignal,
  type IntentSignalKind,
  type IntentSource,
  NOWHERE
} from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { feeds } from "../../../src/providers/feeds/Feeds.js"
import { gdelt } from "../../../src/providers/gdelt/Gdelt.js"
import { newsTypeOf } from "../../../src/providers/open/newsType.js"
import type { Vendor } from "../../../src/providers/Vendor.js"
import { madeIn, makeOpenWorld, type OpenWorld, page } from "./OpenWorld.js"

const asking = (signal: IntentSignalKind = "news") => ({ companyDomain: "acme.example", signal, roles: [], limit: 50 })

const make = (world: OpenWorld, vendor: Vendor) =>
  Effect.map(madeIn(world, vendor, {}, world.at("gdelt")), ({ sources }) => sources.intent_source as IntentSource)

const told = (found: ReadonlyArray<FoundSignal> | typeof NOWHERE) =>
  found === NOWHERE ? found : found.map(({ newsType, observedAt, title }) => [title, observedAt, newsType])

const xml = (body: string, type = "application/rss+xml") => ({ headers: { "content-type": type }, body })

const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme</title>
<item><title>Acme raises $12 million in Series A</title><link>/news/1</link><pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate>
<description>&lt;p&gt;For anvils.&lt;/p&gt;</description></item>
<item><title>An old story</title><link>/news/2</link><pubDate>Wed, 04 May 2016 10:00:00 GMT</pubDate></item>
<item><title>A story without a day</title><link>/news/3</link></item></channel></rss>`

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title><entry><title>Acme opens new office</title>
<link href="https://acme.example/a"/><updated>2026-05-04T10:00:00Z</updated></entry></feed>`

describe("a company's own feed", () => {
  it.effect("is found on its page, of any age, without entries that have no date", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page("Hi", `<link rel="alternate" type="application/rss+xml" href="/news.xml">`))
      world.put("acme.example", "/news.xml", xml(RSS))
      const found = yield* (yield* make(world, feeds)).check(asking())
      assert.deepStrictEqual(told(found), [
        ["Acme raises $12 million in Series A", "2026-05-04T10:00:00.000Z", "funding"],
        ["An old story", "2016-05-04T10:00:00.000Z", "other"]
      ])
      assert.strictEqual(
        (found as ReadonlyArray<FoundSignal>)[0]?.summary,
        "Acme raises $12 million in Series A: For anvils."
      )
      assert.match((found as ReadonlyArray<FoundSignal>)[0]?.evidenceUrl ?? "", /^http:\/\/acme\.example:\d+\/news\/1$/)
    })
  )

  it.effect("is found where feeds usually are, in Atom and in other encodings", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page("Hi"))
      world.put("acme.example", "/feed", xml(ATOM, "application/atom+xml; charset=utf-8"))
      assert.deepStrictEqual(told(yield* (yield* make(world, feeds)).check(asking())), [
        ["Acme opens new office", "2026-05-04T10:00:00.000Z", "expansion"]
      ])
      const latin = RSS.replace("An old story", "Eröffnet").replace('<?xml version="1.0"?>', "")
      world.put("acme.example", "/feed", {
        headers: { "content-type": "application/rss+xml; charset=iso-8859-1" },
        body: Buffer.from(latin, "latin1")
      })
      const [, second] = told(yield* (yield* make(world, feeds)).check(asking())) as ReadonlyArray<
        ReadonlyArray<unknown>
      >
      assert.deepStrictEqual(second?.[0], "Eröffnet")
    })
  )

  it.effect("that there is none, or that is elsewhere or no feed, is no place for news", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const source = yield* make(world, feeds)
      world.put("acme.example", "/", page("Hi"))
      assert.strictEqual(yield* source.check(asking()), NOWHERE)
      world.put(
        "acme.example",
        "/",
        page("Hi", `<link rel="alternate" type="application/rss+xml" href="https://o.example/f">`)
      )
      assert.strictEqual(yield* source.check(asking()), NOWHERE)
      world.put("acme.example", "/", page("Hi", `<link rel="alternate" type="application/rss+xml" href="/f">`))
      world.put("acme.example", "/f", xml("<html>Maintenance</html>"))
      assert.strictEqual(yield* source.check(asking()), NOWHERE)
    })
  )

  it.effect("without a dated entry, or with none of two years, is no place for news", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const source = yield* make(world, feeds)
      world.put("acme.example", "/", page("Hi", `<link rel="alternate" type="application/rss+xml" href="/f">`))
      world.put("acme.example", "/f", xml(RSS.replaceAll(/<pubDate>.*?<\/pubDate>/g, "")))
      assert.strictEqual(yield* source.check(asking()), NOWHERE)
      world.put("acme.example", "/f", xml(RSS))
      yield* TestClock.setTime(Date.parse("2028-05-03T00:00:00Z"))
      assert.lengthOf(told(yield* source.check(asking())) as ReadonlyArray<unknown>, 2)
      yield* TestClock.setTime(Date.parse("2028-05-04T00:00:00Z"))
      assert.strictEqual(yield* source.check(asking()), NOWHERE)
    })
  )

  it.effect("of a site behind a challenge can't be read", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", {
        status: 403,
        headers: { "content-type": "text/html" },
        body: page("Just a moment")
      })
      const failure = yield* Effect.flip((yield* make(world, feeds)).check(asking()))
      assert.deepStrictEqual([failure.reason, failure.concluded], ["invalid", "unreadable"])
    })
  )
})

describe("a story in the world's news", () => {
  const articles = (...titles: ReadonlyArray<string>) => ({
    articles: titles.map((title, at) => ({
      url: `https://news.example/${at}`,
      title,
      seendate: `2026110${at + 1}T101500Z`,
      domain: "news.example"
    }))
  })

  it.effect("counts only if its headline has the company's exact name", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page("Hi", `<meta property="og:site_name" content="Acme Anvils">`))
      world.put(
        "gdelt",
        "/doc/doc",
        articles("Acme Anvils raises $5 million in seed funding", "Acmeist poetry", "Anvils fall")
      )
      const source = yield* make(world, gdelt)
      const expected = [["Acme Anvils raises $5 million in seed funding", "2026-11-01T10:15:00Z", "funding"]]
      assert.deepStrictEqual(told(yield* source.check(asking())), expected)
      assert.deepStrictEqual(
        told(yield* source.check(asking("funding"))),
        expected.map(([title = "", at = ""]) => [title, at, null])
      )
      const asked = new URL(world.asked.find(({ host }) => host === "gdelt")?.path ?? "", "http://x")
      assert.deepStrictEqual(Object.fromEntries(asked.searchParams), {
        query: '"acme.example"',
        mode: "ArtList",
        format: "json",
        sort: "DateDesc",
        timespan: "3months",
        maxrecords: "75"
      })
    })
  )

  it.effect("is none where there is none; a sentence instead of JSON is told for what it is", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page("Hi"))
      const nothing = { headers: { "cache-control": "no-store" }, body: "{}" }
      world.put("gdelt", "/doc/doc", nothing)
      const source = yield* make(world, gdelt)
      assert.deepStrictEqual(yield* source.check(asking()), [])
      const failing = (status: number, body: string) => {
        world.put("gdelt", "/doc/doc", { status, body })
        return Effect.flip(source.check(asking()))
      }
      const limited = yield* failing(429, "Please limit requests to one every 5 seconds")
      assert.deepStrictEqual([limited.reason, limited.retryAfterSeconds], ["rate_limited", 5])
      assert.strictEqual((yield* failing(200, "Timespan is too short.")).reason, "transient")
      assert.strictEqual((yield* failing(200, "<html>Maintenance</html>")).reason, "transient")
      assert.strictEqual((yield* failing(200, '{"articles": 7}')).reason, "transient")
    })
  )
})

describe("what a headline is about", () => {
  it.each([
    ["Acme raises €20m Series B led by Bolt", "funding"],
    ["Acme appoints Jane Doe as CEO", "leadership"],
    ["Acme acquires Bolt", "acquisition"],
    ["Acme to cut 200 jobs", "layoffs"],
    ["Acme cuts 200 jobs", "layoffs"],
    ["Acme partners with Bolt", "partnership"],
    ["Acme named a leader in anvils", "recognition"],
    ["Introducing Anvil 3", "product"],
    ["How to hit iron", "other"]
  ] as const)("%s: %s", (headline, type) => assert.strictEqual(newsTypeOf(headline), type))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ROBOTS_PRODUCT } from "../../src/site/WebVisitor.js"
import { DOMAIN, html, outcomeOf, read, readPages, serve, status, text, textOf } from "./TestSite.js"

const HOME = html(
  "<h1>Acme</h1><p>We make anvils for everybody.</p>" +
    '<nav><a href="/login">Sign in</a> <a href="/blog">Blog</a> <a href="/trial">Try it</a> <a href="/about">About</a>' +
    ' <a href="/pricing#top">Pricing</a> <a href="pricing">Pricing</a> <a href="/deck.pdf">Deck</a>' +
    ' <a href="https://other.test/pricing">Friends</a> <a href="mailto:a@acme.test">Mail</a></nav>',
  "<title>Acme &amp; Sons</title>"
)
const PAGE = html("<p>Something to read on this page, in a sentence.</p>")

describe("the pages that are read", () => {
  it.live("are the home page, then those that share words with the question, then where companies tell", () =>
    Effect.gen(function* () {
      const paths = { "/": HOME, "/trial": PAGE, "/about": PAGE, "/pricing": PAGE, "/blog": PAGE, "/login": PAGE }
      const site = yield* serve(paths)
      const reading = yield* read(site)
      assert.deepStrictEqual(outcomeOf(reading), ["/", "/trial", "/about", "/pricing", "/blog"])
      assert.strictEqual(reading._tag === "Read" && reading.pages[0]?.title, "Acme & Sons")
      assert.include(textOf(reading), "We make anvils for everybody.")
      assert.deepStrictEqual(outcomeOf(yield* read(site, { pagesMax: 2 })), ["/", "/trial"])
      assert.isFalse(
        site.asked.some((what) => /login|pdf|other/.test(what)),
        site.asked.join()
      )
    })
  )

  it.live("are asked for by a name that says who reads, with nothing kept open after", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/": PAGE })
      yield* read(site)
      assert.deepStrictEqual([...site.agents], [`${ROBOTS_PRODUCT}/1.0 (+https://outbound.test/docs)`])
      assert.deepStrictEqual(site.asked, ["acme.test /robots.txt", "acme.test /"])
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.isAtMost(site.openSockets(), 1)
    })
  )

  it.live("pass over one that is missing, slow, or of another kind", () =>
    Effect.gen(function* () {
      const home = html(
        '<p>Words, words, and more words.</p><a href="/a">free</a><a href="/b">trial</a><a href="/c">c</a><a href="/d">d</a>'
      )
      const site = yield* serve({
        "/": home,
        "/a": () => undefined,
        "/b": status(500),
        "/c": (_request, response) => {
          response.setHeader("content-type", "application/pdf")
          response.end("%PDF")
        },
        "/d": PAGE
      })
      assert.deepStrictEqual(outcomeOf(yield* read(site)), ["/", "/d"])
    })
  )

  it.live("are those that could be read when the time for the site is over", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/": HOME })
      const stuck = yield* serve({ "/": HOME, "/trial": () => undefined, "/about": () => undefined })
      assert.deepStrictEqual(outcomeOf(yield* read(site)), ["/"])
      const limits = { requestMillisMax: 30_000, siteMillisMax: 2_000 }
      const before = Date.now()
      assert.deepStrictEqual(outcomeOf(yield* read(stuck, { limits })), ["/"])
      assert.isBelow(Date.now() - before, 20_000)
    })
  )
})

describe("robots.txt", () => {
  const site = (robots: Parameters<typeof serve>[0][string]) =>
    serve({ "/robots.txt": robots, "/": HOME, "/about": PAGE, "/pricing": PAGE, "/trial": PAGE })

  it.live("keeps us out of where it says so, and of nothing else", () =>
    Effect.gen(function* () {
      const partly = yield* site(text(`User-agent: *\nDisallow: /pri*ing$\nDisallow: /trial\nAllow: /`))
      assert.deepStrictEqual(outcomeOf(yield* read(partly)), ["/", "/about"])
      assert.isFalse(
        partly.asked.some((what) => /pricing|trial/.test(what)),
        partly.asked.join()
      )
      const whole = yield* site(text("User-agent: *\nDisallow: /"))
      assert.strictEqual(outcomeOf(yield* read(whole)), "forbidden")
      assert.deepStrictEqual(whole.asked, ["acme.test /robots.txt"])
    })
  )

  it.live("speaks to us by our name before it speaks to everybody", () =>
    Effect.gen(function* () {
      const us = yield* site(text(`User-agent: *\nAllow: /\n\nUser-agent: ${ROBOTS_PRODUCT}\nDisallow: /`))
      assert.strictEqual(outcomeOf(yield* read(us)), "forbidden")
      const others = yield* site(
        text("User-agent: *\nDisallow: /\n\nUser-agent: outboundsitereader\nAllow: /about\nAllow: /$\nDisallow: /")
      )
      assert.deepStrictEqual(outcomeOf(yield* read(others)), ["/", "/about"])
    })
  )

  it.live("that is missing allows everything, one that can't be had nothing", () =>
    Effect.gen(function* () {
      for (const code of [404, 410, 403]) {
        assert.isArray(outcomeOf(yield* read(yield* site(status(code)))), String(code))
      }
      for (const code of [500, 503, 429]) {
        assert.strictEqual(outcomeOf(yield* read(yield* site(status(code)))), "forbidden", String(code))
      }
      assert.strictEqual(
        outcomeOf(yield* read(yield* site(() => undefined), { limits: { siteMillisMax: 700 } })),
        "unreachable"
      )
    })
  )

  it.live("with long pauses between requests is granted them: one page alone", () =>
    Effect.gen(function* () {
      const slow = yield* site(text("User-agent: *\nCrawl-delay: 30"))
      assert.deepStrictEqual(outcomeOf(yield* read(slow)), ["/"])
      const brief = yield* site(text("User-agent: *\nCrawl-delay: 0.1"))
      const before = Date.now()
      assert.deepStrictEqual(outcomeOf(yield* read(brief, { pagesMax: 3 })), ["/", "/trial", "/about"])
      assert.isAtLeast(Date.now() - before, 190)
    })
  )

  it.live("of any content is read in bounded time", () =>
    Effect.gen(function* () {
      const nasty = `User-agent: *\n${"Disallow: /*a*a*a*a*a*a*a*a*a*a*a*b\n".repeat(10_000)}`
      const before = Date.now()
      assert.isArray(outcomeOf(yield* read(yield* site(text(nasty)))))
      assert.isBelow(Date.now() - before, 20_000)
    })
  )
})

describe("redirects", () => {
  it.live("are followed within the company's domain, a few of them, and the page is where they end", () =>
    Effect.gen(function* () {
      const site = yield* serve({
        "/": status(301, { location: "/en" }),
        "/en": status(302, { location: "./en/home" }),
        "/en/home": PAGE
      })
      assert.deepStrictEqual(outcomeOf(yield* read(site)), ["/en/home"])
    })
  )

  it.live("to another name of the company are asked for their own robots.txt", () =>
    Effect.gen(function* () {
      const site = yield* serve({
        "/": (request, response) => {
          if (request.headers.host?.startsWith("www.") === true) return PAGE(request, response)
          status(308, { location: `http://www.${request.headers.host ?? ""}/` })(request, response)
        }
      })
      const reading = yield* read(site)
      assert.strictEqual(reading._tag === "Read" && new URL(reading.pages[0]?.url ?? "").hostname, "www.acme.test")
      assert.deepStrictEqual(site.asked, [
        "acme.test /robots.txt",
        "acme.test /",
        "www.acme.test /robots.txt",
        "www.acme.test /"
      ])
    })
  )

  it.live("in circles, or on and on, end", () =>
    Effect.gen(function* () {
      const circle = yield* serve({ "/": status(302, { location: "/b" }), "/b": status(302, { location: "/" }) })
      assert.strictEqual(outcomeOf(yield* read(circle)), "unreachable")
      assert.lengthOf(circle.asked, 3)
      const chain = yield* serve(
        Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => [
            index === 0 ? "/" : `/${index}`,
            status(302, { location: `/${index + 1}` })
          ])
        )
      )
      assert.strictEqual(outcomeOf(yield* read(chain)), "unreachable")
      assert.lengthOf(chain.asked, 7)
    })
  )

  it.live.each([
    ["http://127.0.0.1:{port}/inside", "unsafe"],
    ["http://169.254.169.254/latest/meta-data/", "unsafe"],
    ["http://[::1]:{port}/inside", "unsafe"],
    ["http://user:pass@acme.test:{port}/inside", "unsafe"],
    ["http://acme.test:22/", "unsafe"],
    ["file:///etc/passwd", "unsafe"],
    ["javascript:alert(1)", "unsafe"],
    ["http://localhost:{port}/inside", "elsewhere"],
    ["http://rival.test:{port}/inside", "elsewhere"],
    ["//rival.test:{port}/inside", "elsewhere"]
  ] as const)("to %s are not followed: %s", ([location, reason]) =>
    Effect.gen(function* () {
      const port = { current: 0 }
      const site = yield* serve({
        "/": (request, response) =>
          status(302, { location: location.replace("{port}", String(port.current)) })(request, response),
        "/inside": PAGE
      })
      port.current = site.port
      assert.strictEqual(outcomeOf(yield* read(site)), reason)
      assert.deepStrictEqual(site.asked, ["acme.test /robots.txt", "acme.test /"])
    })
  )
})

describe("addresses", () => {
  it.live("inside are not connected to, under whatever name", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/": PAGE })
      assert.strictEqual(
        outcomeOf(yield* read(site, { allowed: false, origins: () => ["http://acme.test"] })),
        "unsafe"
      )
      for (const address of ["10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"]) {
        const resolve = () => Promise.resolve([{ address, family: 4 }])
        assert.strictEqual(outcomeOf(yield* read(site, { resolve })), "unsafe", address)
      }
      for (const address of ["::1", "::ffff:127.0.0.1", "fd00:ec2::254", "64:ff9b::7f00:1"]) {
        const resolve = () => Promise.resolve([{ address, family: 6 }])
        assert.strictEqual(outcomeOf(yield* read(site, { resolve })), "unsafe", address)
      }
      assert.deepStrictEqual(site.asked, [])
    })
  )

  it.live("that change between two look-ups are looked at each time, and only what was looked at is connected to", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/": HOME, "/trial": PAGE, "/about": PAGE, "/pricing": PAGE })
      let lookups = 0
      const resolve = () => {
        lookups += 1
        return Promise.resolve([{ address: lookups <= 3 ? "127.0.0.1" : "10.0.0.1", family: 4 }])
      }
      assert.deepStrictEqual(outcomeOf(yield* read(site, { resolve })), ["/", "/trial"])
      assert.deepStrictEqual(site.asked, ["acme.test /robots.txt", "acme.test /", "acme.test /trial"])
      // One look-up for each connection: there is no second one that could answer differently.
      assert.isAtLeast(lookups, site.asked.length)
      let first = true
      const rebinding = () => {
        const address = first ? "127.0.0.1" : "169.254.169.254"
        first = false
        return Promise.resolve([{ address, family: 4 }])
      }
      const rebound = yield* serve({ "/": PAGE })
      assert.strictEqual(outcomeOf(yield* read(rebound, { resolve: rebinding })), "unsafe")
      assert.deepStrictEqual(rebound.asked, ["acme.test /robots.txt"])
    })
  )

  it.live("that do not exist or do not answer make a site unreachable, after every place to look was tried", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/": PAGE })
      assert.strictEqual(outcomeOf(yield* read(site, { resolve: () => Promise.resolve([]) })), "unreachable")
      const failing = () => Promise.reject(new Error("SERVFAIL"))
      assert.strictEqual(outcomeOf(yield* read(site, { resolve: failing })), "unreachable")
      const never = () => new Promise<never>(() => undefined)
      assert.strictEqual(outcomeOf(yield* read(site, { resolve: never })), "unreachable")
      const resolve = (hostname: string) =>
        Promise.resolve(hostname.startsWith("www.") ? [{ address: "127.0.0.1", family: 4 }] : [])
      const origins = ({ port }: { readonly port: number }) => [
        `http://acme.test:${port}`,
        `http://www.acme.test:${port}`
      ]
      assert.deepStrictEqual(outcomeOf(yield* read(site, { resolve, origins })), ["/"])
    })
  )
})

describe("pages that are named", () => {
  it.live("each is read as any page, with its own date, or says why it can't be; nothing else is read", () =>
    Effect.gen(function* () {
      const dated = '<meta property="article:published_time" content="2024-05-01T08:00:00+02:00">'
      const site = yield* serve({
        "/robots.txt": text("User-agent: *\nDisallow: /private\n"),
        "/news": html("<h1>Acme</h1><p>Acme opens a second site.</p>", dated),
        "/job": html(
          "<p>We hire.</p>",
          '<script type="application/ld+json">{"@type":"JobPosting","datePosted":"2026-02-03"}</script>'
        ),
        "/empty": html(""),
        "/away": status(302, { location: "https://other.test/news" }),
        "/private": PAGE
      })
      const at = (path: string) => `http://${DOMAIN}:${site.port}${path}`
      const paths = ["/news", "/job", "/empty", "/away", "/private", "/missing"]
      const readings = yield* readPages(site, [...paths.map(at), "http://other.test/", "no address"])
      assert.deepStrictEqual(
        readings.map((one) => (one._tag === "Read" ? one.page.publishedAt : one.reason)),
        [
          "2024-05-01T06:00:00.000Z",
          "2026-02-03T00:00:00.000Z",
          "no_text",
          "elsewhere",
          "forbidden",
          "refused",
          "elsewhere",
          "unreachable"
        ]
      )
      assert.notInclude(site.asked, "acme.test /")
      assert.notInclude(site.asked, "acme.test /private")
    })
  )

  it.live("an address that is not public is not asked", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/news": PAGE })
      const [reading] = yield* readPages(site, [`http://${DOMAIN}:${site.port}/news`], { allowed: false })
      assert.deepStrictEqual(reading, { _tag: "Unreadable", reason: "unsafe" })
      assert.isEmpty(site.asked)
    })
  )
})

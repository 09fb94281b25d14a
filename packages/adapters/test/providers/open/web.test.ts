import { assert, describe, it } from "@effect/vitest"
import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { Judge } from "@outbound/domain/sources/ports/Judge.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Result } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AskModel, Beside } from "../../../src/providers/Beside.js"
import { isSupported, verbatim } from "../../../src/providers/web/support.js"
import { web } from "../../../src/providers/web/Web.js"
import { madeIn, makeOpenWorld, type OpenWorld, page } from "./OpenWorld.js"

const make = (world: OpenWorld, beside: Partial<Beside> = {}, settings: object = {}) =>
  Effect.map(madeIn(world, web, settings, "", beside), ({ account, sources }) => ({
    account,
    brief: sources.brief_writer as BriefWriter,
    datasets: sources.company_dataset_source as CompanyDatasetSource
  }))

const ABOUT = `<h1>Acme</h1><p>Acme is a maker of anvils for smiths in Bavaria.</p>
<p>We build every anvil by hand in our forge in Passau. Read more about our cookies here and there.</p><p>Call us!</p>`

describe("a brief", () => {
  it.effect("without a model is the pages' own words, each with its page", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="/about">About</a>${ABOUT}`))
      world.put("acme.example", "/about", page("<p>Acme was founded in 1998 and serves 300 forges.</p>"))
      const { brief } = yield* make(world)
      const { sources, text } = Option.getOrThrow(yield* brief.write({ companyDomain: "acme.example", depth: "fast" }))
      assert.strictEqual(
        text,
        "Acme is a maker of anvils for smiths in Bavaria. [1] We build every anvil by hand in our forge in Passau. [1] " +
          "Acme was founded in 1998 and serves 300 forges. [2]"
      )
      assert.deepStrictEqual(
        sources.map(({ url }) => new URL(url).pathname),
        ["/", "/about"]
      )
    })
  )

  it.effect("of a site that says nothing or forbids is none, and one that refuses can't be read", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("empty.example", "/", page("<p>Hi.</p>"))
      world.put("closed.example", "/robots.txt", {
        headers: { "content-type": "text/plain" },
        body: "User-agent: *\nDisallow: /"
      })
      world.put("closed.example", "/", page(ABOUT))
      world.put("walled.example", "/", { status: 403, headers: { "content-type": "text/html" }, body: page(ABOUT) })
      const { brief } = yield* make(world)
      for (const companyDomain of ["empty.example", "closed.example"]) {
        assert.isTrue(Option.isNone(yield* brief.write({ companyDomain, depth: "fast" })), companyDomain)
      }
      const { concluded } = yield* Effect.flip(brief.write({ companyDomain: "walled.example", depth: "fast" }))
      assert.strictEqual(concluded, "unreadable")
    })
  )

  it.effect("falls back to the pages' own words where the model fails, or writes nothing that a page says", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(ABOUT))
      const models: ReadonlyArray<AskModel> = [
        () => Effect.fail(new ProviderFailure({ provider: "judge", reason: "transient" })),
        () => Effect.succeed("I can't do that."),
        () =>
          Effect.succeed(
            JSON.stringify({ sentences: [{ sentence: "Acme leads.", page: 1, quote: "Acme leads the world market." }] })
          )
      ]
      for (const model of models) {
        const { brief } = yield* make(world, { model })
        const { text } = Option.getOrThrow(yield* brief.write({ companyDomain: "acme.example", depth: "fast" }))
        assert.include(text, "Acme is a maker of anvils for smiths in Bavaria. [1]")
      }
    })
  )

  it.effect("leaves out what the judge does not find in the page", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(ABOUT))
      const quotes = [
        "Acme is a maker of anvils for smiths in Bavaria.",
        "We build every anvil by hand in our forge in Passau."
      ]
      const sentences = quotes.map((quote) => ({ sentence: quote, page: 1, quote }))
      const judge: Judge = {
        name: "judge",
        costMicros: 0,
        missRate: 0,
        latencyMillis: 1,
        judge: ({ question }) =>
          Effect.succeed({ answer: question.includes("Passau") ? "yes" : "not_found", excerpt: null, sourceUrl: null })
      }
      const { brief } = yield* make(world, { judge, model: () => Effect.succeed(JSON.stringify({ sentences })) })
      const { text } = Option.getOrThrow(yield* brief.write({ companyDomain: "acme.example", depth: "deep" }))
      assert.strictEqual(text, `${quotes[1]} [1]`)
    })
  )
})

it.effect("a sentence of the page is kept though the model quotes its neighbour too", () =>
  Effect.gen(function* () {
    const world = yield* makeOpenWorld()
    const [one, other] = ["Anvils are forged in Passau since 1998.", "Tools are bought from Linz."]
    world.put("acme.example", "/", page(`<p>${one} ${other}</p>`))
    const sentences = [one, other, "Anvils are bought from Linz."].map((sentence) => ({
      sentence,
      page: 1,
      quote: `${one} ${other}`
    }))
    const { brief } = yield* make(world, { model: () => Effect.succeed(JSON.stringify({ sentences })) })
    const { text } = Option.getOrThrow(yield* brief.write({ companyDomain: "acme.example", depth: "deep" }))
    assert.strictEqual(text, `${one} [1] ${other} [1]`)
  })
)

describe("what supports a sentence", () => {
  const QUOTE = "We plan to open a second forge in Passau in 2027, but not a third one."
  it.each([
    ["We plan to open a second forge in Passau in 2027, but not a third one.", true],
    ["Acme plans to open a second forge in Passau, but not a third.", false],
    ["We open a second forge in Passau in 2027.", false],
    ["We plan to open a second forge in Munich in 2027, but not a third one.", false],
    ["We plan to open a second forge in Passau in 2028, but not a third one.", false]
  ] as const)("%s: %s", (sentence, isSo) => {
    assert.strictEqual(isSupported(sentence, QUOTE, ["acme"]), isSo)
  })

  it.each([
    ["91 percent of our trains were on time.", "91 percent of trains were on time.", false],
    ["91 percent of our trains were on time.", "91 percent of the trains were on time.", true],
    ["91 percent of our trains were on time.", "91 percent of Acme's trains were on time.", true],
    ["91 percent of our trains were on time.", "91 percent of Bolt's trains were on time.", false],
    [
      "Measured by revenue, Denmark is our largest market.",
      "Measured by revenue, Denmark is the largest market.",
      false
    ],
    [
      "Measured by revenue, Denmark is our largest market.",
      "Measured by revenue, Denmark is its largest market.",
      true
    ],
    ["Our kites fly in storms.", "Kites fly in storms.", false],
    ["The harbour is deep, and our cranes are new.", "The harbour is deep.", true]
  ] as const)("leaves what is somebody's theirs: %s %s: %s", (quote, sentence, isSo) => {
    assert.strictEqual(isSupported(sentence, quote, ["acme"]), isSo)
  })

  it("is the page's whole sentence, whatever part of it is quoted", () => {
    assert.strictEqual(verbatim("a second forge in Passau in 2027", `Hello there. ${QUOTE} Bye.`), QUOTE)
    assert.strictEqual(verbatim("a third forge in Passau in 2027", QUOTE), null)
    assert.strictEqual(verbatim("forge", QUOTE), null)
  })
})

describe("a profile", () => {
  const data = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

  it.effect("is what the company's own pages state, and nothing of others that they show", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const own = {
        "@type": "Organization",
        name: "Acme GmbH",
        url: "https://www.acme.example/",
        description: "Anvils for smiths.",
        foundingDate: "1998-04-01",
        numberOfEmployees: { "@type": "QuantitativeValue", value: 120 },
        address: { addressLocality: "Passau", addressCountry: "DE" },
        sameAs: ["https://x.example/acme", "https://www.linkedin.com/company/acme-anvils/"]
      }
      const customer = { "@type": "Organization", name: "Bolt AG", foundingDate: "1900", numberOfEmployees: 9_000 }
      world.put("acme.example", "/", page("<p>Hello</p>", data(customer) + data({ "@graph": [own] })))
      const { datasets } = yield* make(world)
      assert.deepStrictEqual(
        Option.getOrThrow(yield* datasets.lookups.profile?.("acme.example") ?? Effect.succeedNone),
        {
          name: "Acme GmbH",
          description: "Anvils for smiths.",
          industry: null,
          headcount: 120,
          foundedYear: 1998,
          country: "DE",
          city: "Passau",
          socialUrl: "https://www.linkedin.com/company/acme-anvils",
          website: `http://acme.example:${world.port}/`
        }
      )
    })
  )

  it.effect("of a site that refuses can't be read, nor technologies unless its mail hosts show some", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", { status: 403, headers: { "content-type": "text/html" }, body: page("Wait") })
      const ask = (hosts: ReadonlyArray<string>) =>
        Effect.flatMap(make(world, { mailHosts: () => Effect.succeed(hosts) }), ({ datasets: { lookups } }) =>
          Effect.all([
            Effect.result(lookups.profile?.("acme.example") ?? Effect.succeedNone),
            Effect.result(lookups.technologies?.("acme.example") ?? Effect.succeedNone)
          ])
        )
      const conclusion = (one: Result.Result<unknown, ProviderFailure>) =>
        Result.isFailure(one) ? one.failure.concluded : null
      const [profile, technologies] = yield* ask([])
      assert.deepStrictEqual([conclusion(profile), conclusion(technologies)], ["unreadable", "unreadable"])
      const [, shown] = yield* ask(["aspmx.l.google.com"])
      assert.isTrue(Result.isSuccess(shown) && Option.isSome(shown.success))
    })
  )

  it.effect("of a page that states nothing is none", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", "<p>Hello</p>")
      const { datasets } = yield* make(world)
      assert.isTrue(Option.isNone(yield* datasets.lookups.profile?.("acme.example") ?? Effect.succeedNone))
    })
  )
})

describe("technologies", () => {
  const ask = (datasets: CompanyDatasetSource, domain: string) =>
    Effect.map(datasets.lookups.technologies?.(domain) ?? Effect.succeedNone, (found) =>
      Option.getOrElse(found, () => []).map(({ name }) => name)
    )

  it.effect("are read from a file of the operator's too, and what in it can't be used harms nothing", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "fingerprints-")))
      const path = join(folder, "technologies.json")
      const file = {
        categories: { 1: { name: "Forges" } },
        technologies: {
          Anvilware: { cats: [1], scriptSrc: "anvil\\.js\\;version:\\1", implies: "Hammer" },
          Weak: { cats: [1], scriptSrc: "anvil\\;confidence:20" },
          Broken: { scriptSrc: "(" },
          Endless: { scriptSrc: "(a+)+$" }
        }
      }
      yield* Effect.promise(() => writeFile(path, JSON.stringify(file)))
      const world = yield* makeOpenWorld()
      world.put(
        "acme.example",
        "/",
        page(`<script src="/anvil.js"></script><script src="/${"a".repeat(400)}!"></script>`)
      )
      const own = yield* make(world, {}, { fingerprints: path })
      assert.deepStrictEqual(yield* ask(own.datasets, "acme.example"), ["Anvilware", "Hammer"])
      const missing = yield* make(world, {}, { fingerprints: join(folder, "none.json") })
      assert.deepStrictEqual((yield* missing.account).missing, [
        "the file of fingerprints can't be read; our own are used"
      ])
      yield* Effect.promise(() => rm(folder, { recursive: true }))
    })
  )
})

it("settings that can't be meant are refused", () => {
  const wrong = [{ allow_private_targets: ["10.0.0.0"] }, { allow_private_targets: ["all"] }, { contact: "two words" }]
  for (const settings of wrong) assert.strictEqual(web.decode(settings)._tag, "Failure", JSON.stringify(settings))
  assert.strictEqual(
    web.decode({ allow_private_targets: ["127.0.0.0/8", "fd00::/8"], contact: "a@b.example" })._tag,
    "Success"
  )
})

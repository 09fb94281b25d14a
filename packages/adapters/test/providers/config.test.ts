import { assert, describe, it } from "@effect/vitest"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import { Effect, Redacted, Result, Schema } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { checkProviders } from "../../src/providers/config/checkProviders.js"
import { makeLive, ownKeyVendors } from "../../src/providers/config/makeLive.js"
import { near } from "../../src/providers/config/near.js"
import { readProviders } from "../../src/providers/config/readProviders.js"
import { declaredOf, defineVendor, type Vendor } from "../../src/providers/Vendor.js"
import { makeVendorHttp } from "../../src/providers/VendorHttp.js"
import { VENDORS } from "../../src/providers/vendors.js"
import { web } from "../../src/providers/web/Web.js"
import { nameServer } from "../site/TestNameServer.js"
import { outcomeOf } from "../site/TestSite.js"

const NO_LEADS = { people: [], totalFound: 0, places: [] }

const SECRET = "s3cret-value-of-the-environment"
const LITERAL = "sk-literal-that-must-not-be-shown"
const ENVIRONMENT = { FIRST_KEY: SECRET, CHAT_KEY: "chat-secret", BROKEN_KEY: "two words" }

const Account = Schema.Struct({ left: Schema.Number })

const verifying: Vendor = defineVendor({
  name: "million_checks",
  title: "Million Checks",
  baseUrl: "https://api.checks.example/v1",
  callsPerMinute: 60,
  unit: "credit",
  unitMicros: 500,
  serves: ["email_verifier", "lead_source", "premium_lead_source"],
  limits: [],
  known: "documentation",
  settings: Schema.Struct({
    region: Schema.Literals(["eu", "us"]).pipe(Schema.withDecodingDefault(Effect.succeed("eu" as const)))
  }),
  make: (config) =>
    Effect.map(
      makeVendorHttp({
        name: "million_checks",
        baseUrl: config.baseUrl,
        credential: config.credential,
        authorize: (key) => ({ headers: { "x-key": key } }),
        callsPerMinute: config.callsPerMinute
      }),
      (http) => {
        const declared = { costMicros: config.unitMicros, missRate: 0.1, latencyMillis: 900 }
        const verifier: EmailVerifier = {
          ...declaredOf(config, "million_checks", "email_verifier", declared),
          verify: () => Effect.succeed({ status: "valid", isCatchAllDomain: false })
        }
        const leads: LeadSource = {
          ...declaredOf(config, "million_checks", "lead_source", declared),
          search: () => Effect.succeed(NO_LEADS)
        }
        return {
          sources: { email_verifier: verifier, lead_source: leads, premium_lead_source: leads },
          account: Effect.map(http.read(Account, { method: "GET", path: "/account" }), ({ left }) => ({
            left,
            missing: left < 10 ? ["fewer than 10 credits"] : []
          }))
        }
      }
    )
})

const sending: Vendor = defineVendor({
  name: "post_bird",
  title: "Post Bird",
  baseUrl: "https://api.bird.example",
  callsPerMinute: null,
  unit: "message",
  unitMicros: 0,
  serves: ["mobile_finder"],
  limits: [],
  known: "third_party",
  settings: Schema.Struct({ pier: Schema.optional(Schema.String) }),
  unserved: ({ pier }) => (pier === "closed" ? { mobile_finder: "settings.pier open" } : {}),
  make: () => Effect.succeed({ sources: {}, account: Effect.succeed({ left: null, missing: [] }) })
})

const read = (file: unknown) =>
  readProviders(typeof file === "string" ? file : JSON.stringify(file), ENVIRONMENT, [verifying, sending, web])

const good = (baseUrl = "https://api.checks.example/v2/") => ({
  ports: {
    email_verifier: ["prober", "million_checks"],
    lead_source: ["million_checks"],
    premium_lead_source: ["million_checks"],
    site_reader: ["web"]
  },
  vendors: {
    million_checks: {
      key: "env:FIRST_KEY",
      base_url: baseUrl,
      unit_usd: 0.002,
      calls_per_minute: null,
      declared: { email_verifier: { cost_usd: 0.001, miss_rate: 0.3 } },
      settings: { region: "us" }
    },
    post_bird: { key: null }
  },
  prober: { smtp_port: 2525 },
  upstreams: { models: { base_url: baseUrl, key: "env:CHAT_KEY", fields: ["temperature", "top_p"] } },
  chat: [{ model: "big", tier: "large", upstream: "models", upstream_model: "big-1", context_length: 8192 }],
  judge: { upstream: "models", model: "small-1", timeout_seconds: 5 }
})

const mistakesIn = (file: unknown): ReadonlyArray<string> =>
  Result.match(read(file), { onFailure: (mistakes) => mistakes, onSuccess: () => [] })

const configured = (baseUrl?: string) =>
  Result.getOrThrowWith(read(good(baseUrl)), (mistakes) => new Error(mistakes.join("\n")))

describe("the providers' configuration", () => {
  it("is read whole, with its secrets from the environment", () => {
    const { chat, judge, ports, prober, upstreams, vendors } = configured()
    assert.deepStrictEqual(ports.email_verifier, ["prober", "million_checks"])
    assert.deepStrictEqual(ports.post_source, [])
    const [first] = vendors
    assert.strictEqual(first?.config.credential && Redacted.value(first.config.credential), SECRET)
    assert.deepInclude(first?.config, {
      baseUrl: "https://api.checks.example/v2",
      callsPerMinute: null,
      unitMicros: 2_000,
      declared: { email_verifier: { costMicros: 1_000, missRate: 0.3 } }
    })
    assert.isNull(vendors[1]?.config.credential)
    assert.strictEqual(prober.smtpPort, 2525)
    assert.strictEqual(upstreams[0]?.limitField, "max_tokens")
    assert.deepStrictEqual(upstreams[0]?.fields, new Set(["temperature", "top_p"]))
    assert.deepStrictEqual(chat, [
      {
        model: "big",
        tier: "large",
        targets: [{ upstream: "models", upstreamModel: "big-1", order: 0, weight: 1, secondsMax: null }],
        contextLength: 8_192
      }
    ])
    assert.deepInclude(judge, { upstream: "models", timeoutSeconds: 5 })
  })

  it("names every mistake at once, with its place and how to mend it, and no secret", () => {
    const mistakes = mistakesIn({
      ports: { email_verifier: ["milion_checks", "web", "prober", "prober"], mobile_finder: ["post_bird"] },
      vendors: {
        million_checks: {
          key: LITERAL,
          unit_usd: 1,
          declared: { post_source: {} },
          settings: { region: "mars", colour: "red" }
        },
        apolo: { key: null },
        post_bird: { key: "env:BROKEN_KEY", base_url: "ftp://bird.example", speed: 3 }
      },
      upstreams: { models: { base_url: "https://models.example/v1", key: "env:UNSET_KEY" } },
      chat: [
        { model: "big", tier: "large", upstream: "model", upstream_model: "big-1" },
        { model: "big", tier: "large", upstream: "models", upstream_model: "big-2" }
      ],
      prober: { smtp_port: 0 },
      judge: { upstream: "models" },
      portz: {}
    })
    for (const [index, expected] of [
      "portz: there is no such member. Is ports meant?",
      /^vendors\.post_bird\.base_url: must be an http/,
      "vendors.post_bird.speed: unknown field",
      /^vendors\.post_bird\.key: names the variable BROKEN_KEY/,
      /^prober\.smtp_port: must be/,
      "judge.model: is required",
      'ports.email_verifier.0: there is no "milion_checks". Is million_checks meant?',
      "ports.email_verifier.1: web does not serve email_verifier; it serves site_reader, brief_writer, company_dataset_source",
      "ports.email_verifier.3: prober is listed twice",
      /^vendors\.million_checks\.key: must be a reference to the environment, such as env:VENDOR_KEY/,
      /^vendors\.million_checks\.declared\.post_source: million_checks does not serve post_source; it serves/,
      /^vendors\.million_checks\.settings\.region: must be one of eu, us/,
      "vendors.million_checks.settings.colour: unknown field",
      'vendors.apolo: there is no vendor "apolo". Known: million_checks, post_bird, web.',
      "upstreams.models.key: names the variable UNSET_KEY, which is not set",
      'chat.0.upstream: there is no upstream "model". Is models meant?',
      "chat.1.model: big is listed twice"
    ].entries()) {
      const said = mistakes.filter((one) => (typeof expected === "string" ? one === expected : expected.test(one)))
      assert.strictEqual(said.length, 1, `${index}: ${String(expected)} in\n${mistakes.join("\n")}`)
    }
    assert.strictEqual(mistakes.length, 17, mistakes.join("\n"))
    assert.notInclude(mistakes.join("\n"), LITERAL)
    assert.notInclude(mistakes.join("\n"), SECRET)
  })

  it("a model has one upstream or a list, in its order or by order and weight", () => {
    const upstreams = { near: { base_url: "http://127.0.0.1:1/v1", key: null } }
    const both = { ...upstreams, far: { base_url: "https://far.example/v1", key: null } }
    const chat = (...entries: ReadonlyArray<unknown>) => ({
      upstreams: both,
      chat: entries.map((entry, index) => ({ model: `m${index}`, tier: "mini", ...(entry as object) }))
    })
    const listed = chat({
      upstreams: [
        { upstream: "near", upstream_model: "a", timeout_seconds: 20 },
        { upstream: "far", upstream_model: "b" },
        { upstream: "far", upstream_model: "c", order: 1, weight: 3 }
      ]
    })
    assert.deepStrictEqual(Result.getOrThrow(read(listed)).chat[0]?.targets, [
      { upstream: "near", upstreamModel: "a", order: 0, weight: 1, secondsMax: 20 },
      { upstream: "far", upstreamModel: "b", order: 1, weight: 1, secondsMax: null },
      { upstream: "far", upstreamModel: "c", order: 1, weight: 3, secondsMax: null }
    ])
    const mistaken = chat(
      {},
      { upstream: "near", upstreams: [{ upstream: "near", upstream_model: "a" }] },
      { upstreams: [] },
      { upstreams: [{ upstream: "nea", upstream_model: "a", weight: 0 }, { upstream: "far", shade: 1 }, 7] },
      {
        upstreams: [
          { upstream: "far", upstream_model: "a" },
          { upstream: "far", upstream_model: "a" }
        ]
      }
    )
    assert.sameMembers(
      [...mistakesIn(mistaken)],
      [
        "chat.0.upstream: is required, unless the model has a list of upstreams",
        "chat.0.upstream_model: is required, unless the model has a list of upstreams",
        "chat.1.upstream: must not stand beside upstreams; move it into the list",
        "chat.2.upstreams: must have at least 1 item",
        "chat.3.upstreams.0.weight: must be from 1 to 1000",
        'chat.3.upstreams.0.upstream: there is no upstream "nea". Is near meant?',
        "chat.3.upstreams.1.upstream_model: is required",
        "chat.3.upstreams.1.shade: unknown field",
        "chat.3.upstreams.2: must be an object",
        "chat.4.upstreams.1: far a is listed twice"
      ]
    )
  })

  it("looks for mistakes in what is beside a mistake, in the same list and the same entry", () => {
    const mistakes = mistakesIn({
      ports: { email_verifier: [7, "milion_checks", "million_checks"], lead_sources: [], sending: ["post_bird"] },
      vendors: {
        million_checks: { key: "env:UNSET_KEY", unit_usd: -1, declared: { post_source: {} }, settings: { colour: 1 } }
      },
      upstreams: { models: { base_url: "nowhere", key: LITERAL, fields: ["seed", "a b"] } },
      chat: [3, { model: "big", tier: "huge", upstream: "model", upstream_model: "big-1" }],
      judge: { upstream: "model", model: 7 }
    })
    const expected = [
      "ports.email_verifier.0: must be a string",
      'ports.email_verifier.1: there is no "milion_checks". Is million_checks meant?',
      "ports.lead_sources: there is no such port. Is lead_source meant?",
      "ports.sending: must be a string",
      "vendors.million_checks.unit_usd: must be from 0 to 1000",
      "vendors.million_checks.key: names the variable UNSET_KEY, which is not set",
      "vendors.million_checks.declared.post_source: million_checks does not serve post_source; it serves email_verifier, lead_source, premium_lead_source",
      "vendors.million_checks.settings.colour: unknown field",
      "upstreams.models.base_url: must be an http(s) address without user, query and fragment",
      "upstreams.models.fields.1: must be the name of a request field",
      "upstreams.models.key: must be a reference to the environment, such as env:VENDOR_KEY, or null; the secret itself does not belong into this file",
      "chat.0: must be an object",
      "chat.1.tier: must be one of large, small, mini",
      'chat.1.upstream: there is no upstream "model". Is models meant?',
      "judge.model: must be a string",
      'judge.upstream: there is no upstream "model". Is models meant?'
    ]
    assert.sameMembers([...mistakes], expected)
  })

  it("says of a listed vendor without an entry what to write", () => {
    assert.deepStrictEqual(mistakesIn({ ports: { mobile_finder: ["post_bird"] } }), [
      'ports.mobile_finder.0: post_bird has no entry in vendors; add "post_bird": { "key": "env:NAME" }, or "key": null for own keys only'
    ])
    assert.deepStrictEqual(mistakesIn({ vendors: { post_bird: { key: "env:BROKEN_KEY" } } }), [
      "vendors.post_bird.key: names the variable BROKEN_KEY, which holds more than one printable word"
    ])
  })

  it("says of a listed vendor that does not serve the port as it is set what to set", () => {
    const listing = (pier: string) => ({
      ports: { mobile_finder: ["post_bird"] },
      vendors: { post_bird: { key: null, settings: { pier } } }
    })
    assert.deepStrictEqual(mistakesIn(listing("open")), [])
    assert.deepStrictEqual(mistakesIn(listing("closed")), [
      "ports.mobile_finder.0: post_bird serves mobile_finder only with vendors.post_bird.settings.pier open; set it, or take it off the list"
    ])
  })

  it.effect("every vendor serves with its default settings what it says it does, but for what it names", () =>
    Effect.forEach(VENDORS, (vendor) =>
      Effect.gen(function* () {
        const unserved = vendor.unserved({})
        const { sources } = yield* Result.getOrThrow(vendor.decode({}))({
          baseUrl: vendor.baseUrl,
          credential: null,
          callsPerMinute: null,
          unitMicros: vendor.unitMicros,
          declared: {}
        })
        const expected = vendor.serves.filter((port) => unserved[port] === undefined)
        assert.sameMembers(Object.keys(sources), expected, vendor.name)
      })
    )
  )

  it("divides a host's limits among its processes, and leaves each of them something", () => {
    const vendors = {
      predict_leads: { key: "env:PAIR", calls_per_minute: 50 },
      apollo: { key: "env:ONE", calls_per_minute: 2 },
      reoon: { key: "env:ONE" }
    }
    const file = JSON.stringify({ vendors })
    const read = readProviders(file, { PAIR: "a-key:a-token", ONE: "a-key" }, VENDORS, 4)
    const { prober, vendors: made } = Result.getOrThrowWith(read, (mistakes) => new Error(mistakes.join("\n")))
    assert.deepStrictEqual(
      made.map(({ config }) => config.callsPerMinute),
      [12, 1, null]
    )
    assert.deepInclude(prober, { hostPaceMillis: 400, connectionsPerHost: 1, connectionsMax: 16 })
  })

  it("says of a credential that has not the vendor's form how it is written, and nothing of it", () => {
    const file = JSON.stringify({ vendors: { predict_leads: { key: "env:PAIR" } } })
    const read = (PAIR: string) => readProviders(file, { PAIR }, VENDORS)
    assert.isTrue(Result.isSuccess(read("a-key:a-token")))
    assert.deepStrictEqual(
      read(SECRET),
      Result.fail(["vendors.predict_leads.key: names a variable whose value must be written key:token"])
    )
  })

  it.each(["", "{", "[]", "null", '{"ports": []}', '{"vendors": 3}', `{"vendors": {"post_bird": "${LITERAL}"}}`])(
    "of %s it says that it has not the form, and shows nothing of it",
    (text) => {
      const mistakes = mistakesIn(text)
      assert.strictEqual(mistakes.length, 1, mistakes.join("\n"))
      assert.notInclude(mistakes.join("\n"), LITERAL)
    }
  )

  it("finds the names that may be meant", () => {
    const known = ["crustdata", "prospeo", "google_places", "zero_bounce"]
    assert.deepStrictEqual(near("crustData", known), ["crustdata"])
    assert.deepStrictEqual(near("zerobounce", known), ["zero_bounce"])
    assert.deepStrictEqual(near("places", known), ["google_places"])
    assert.deepStrictEqual(near("x", known), [])
  })
})

/** Answers as the vendor and the upstream do, below one address. */
const answering = (answer: (request: IncomingMessage) => readonly [number, unknown]) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<ReturnType<typeof createServer>>((resolve) => {
            const made = createServer((request, response) => {
              const [status, body] = answer(request)
              response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
            }).listen(0, "127.0.0.1", () => resolve(made))
          })
      ),
      (made) =>
        Effect.promise(() => {
          made.closeAllConnections()
          return new Promise((resolve) => made.close(resolve))
        })
    ),
    (made) => `http://127.0.0.1:${(made.address() as AddressInfo).port}`
  )

const LIVE = { aboutUrl: "https://outbound.example", directory: {}, wings: {}, known: null, memory: null }

describe("what a configuration makes", () => {
  it.effect("is a set with the sources of each port in their order, and the vendors that keys can be brought for", () =>
    Effect.gen(function* () {
      const file = configured()
      const { set, vendors } = yield* makeLive(file, LIVE)
      assert.deepStrictEqual(
        set.emailVerifiers.map(({ costMicros, missRate, name }) => [name, costMicros, missRate]),
        [
          ["prober", 0, 0.4],
          ["million_checks", 1_000, 0.3]
        ]
      )
      assert.deepStrictEqual(
        set.leadSources.map(({ costMicros, tier }) => [costMicros, tier]),
        [
          [2_000, undefined],
          [2_000, "premium"]
        ]
      )
      assert.deepStrictEqual(
        [set.siteReaders.length, set.judges.length, set.chatModels.map(({ model }) => model), set.sending],
        [1, 1, ["big"], null]
      )
      assert.deepStrictEqual(
        set.followUps.map(({ name }) => name),
        ["prober"]
      )
      assert.strictEqual(vendors.length, 3)
      assert.deepStrictEqual(ownKeyVendors(file), [
        { name: "million_checks", title: "Million Checks", hasServiceKey: true }
      ])
    })
  )

  it.live("finds websites by the name servers that it names", () =>
    Effect.gen(function* () {
      const { address } = yield* nameServer({ "acme.test": ["10.1.2.3"] })
      const file = configured()
      const prober = { ...file.prober, resolvers: [address] }
      const { set } = yield* makeLive({ ...file, prober }, LIVE)
      const readings = yield* Effect.forEach(set.siteReaders, (reader) =>
        reader.read({ companyDomain: "acme.test", question: "Is there a free trial?", pagesMax: 1 })
      )
      // Other name servers don't know the name.
      assert.deepStrictEqual(readings.map(outcomeOf), ["unsafe"])
    })
  )

  it.effect("counts tokens at once, so that the first chat holds nobody up", () =>
    Effect.gen(function* () {
      const { set } = yield* makeLive(configured(), LIVE)
      const counted = set.chatModels.map(({ tokens }) => tokens.count(["hello world"]))
      assert.deepStrictEqual(counted, [2])
    })
  )

  it.effect("is asked, at no cost, whether it works and what is left", () =>
    Effect.gen(function* () {
      let left = 100
      let isRefused = false
      let models: object = { data: [{ id: "big-1" }, { id: "small-1" }] }
      const at = yield* answering(({ headers, url }) => {
        if (url === "/account" && headers["x-key"] === SECRET) return isRefused ? [401, {}] : [200, { left }]
        if (url === "/models" && headers.authorization === "Bearer chat-secret") {
          return isRefused ? [403, {}] : [200, models]
        }
        return [500, {}]
      })
      const file = { ...configured(at), ports: { ...configured().ports, email_verifier: ["million_checks"] } }
      const live = yield* makeLive(file, LIVE)
      const vendor = { name: "million_checks", kind: "vendor", unit: "credit" } as const
      const bird = { name: "post_bird", kind: "vendor", unit: "message", state: "works", left: null, says: [] } as const
      const upstream = { name: "models", kind: "upstream", left: null, unit: null } as const
      const terms = ["terms: each site's robots.txt (RFC 9309), which is obeyed"]
      assert.deepStrictEqual(yield* checkProviders(file, live), [
        { ...vendor, state: "works", left: 100, says: [] },
        bird,
        { name: "web", kind: "vendor", unit: "page", state: "works", left: null, says: terms },
        { ...upstream, state: "works", says: [] }
      ])
      left = 0
      assert.deepInclude(yield* checkProviders(file, live), {
        ...vendor,
        state: "warning",
        left: 0,
        says: ["the account is empty", "fewer than 10 credits"]
      })
      models = { data: Array.from({ length: 200_000 }, (_, index) => ({ id: `a-model-of-some-name-${index}` })) }
      assert.deepInclude((yield* checkProviders(file, live))[3], {
        state: "untested",
        says: ["its list of models is too long"]
      })
      isRefused = true
      const said = yield* checkProviders(file, live)
      assert.deepInclude(said[0], { state: "fails", left: null })
      assert.match(said[0]?.says[0] ?? "", /^it refuses the key/)
      assert.deepInclude(said[3], { state: "fails", says: ["it refuses the key"] })
    })
  )
})

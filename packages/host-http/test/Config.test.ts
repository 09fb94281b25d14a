import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { readConfig } from "../src/Config.js"
import { renderReference, unknownVariables, VARIABLES } from "../src/ConfigVariables.js"

const REFERENCE = fileURLToPath(new URL("../../../docs/configuration.md", import.meta.url))

const SECRET = "0123456789abcdef0123456789abcdef"

const mistakes = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readConfig(environment)), (error) => error.mistakes)

describe("configuration", () => {
  it.effect("needs nothing", () =>
    Effect.gen(function* () {
      const config = yield* readConfig({ OUTBOUND_PORT: "", DATABASE_URL: " " })
      assert.strictEqual(config.baseUrl, "http://localhost:8080")
      assert.strictEqual(config.host, "127.0.0.1")
      assert.strictEqual(config.database.dataDir, ".outbound")
      assert.isTrue(Option.isNone(config.database.url))
      assert.strictEqual(config.logLevel, "Info")
      assert.strictEqual(config.workers, Math.max(1, Math.min(availableParallelism() - 1, 4)))
    })
  )

  it.effect("takes what is set", () =>
    Effect.gen(function* () {
      const config = yield* readConfig({
        OUTBOUND_PORT: "9000",
        OUTBOUND_BASE_URL: "https://outbound.example/",
        OUTBOUND_UNRELEASED: "verify_email, find_posts.reddit,",
        DATABASE_URL: "postgres://u:p@db/outbound",
        OUTBOUND_SECRET: SECRET
      })
      assert.strictEqual(config.port, 9000)
      assert.strictEqual((yield* readConfig({ OUTBOUND_WORKERS: "64" })).workers, 64)
      for (const wrong of ["0", "65", "two", "1.5"]) {
        const expected = [`OUTBOUND_WORKERS: "${wrong}" is not a number from 1 to 64`]
        assert.deepStrictEqual(yield* mistakes({ OUTBOUND_WORKERS: wrong }), expected)
      }
      assert.strictEqual(config.baseUrl, "https://outbound.example")
      assert.deepStrictEqual(config.unreleased, ["verify_email", "find_posts.reddit"])
      assert.strictEqual(Redacted.value(Option.getOrThrow(config.database.secret)), SECRET)
    })
  )

  it.effect("takes blocklists of domains and of addresses, and none by default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readConfig({})).blocklists, [])
      const { blocklists } = yield* readConfig({
        OUTBOUND_BLOCKLISTS: "domain:DBL.example.org , address:zen.example.org"
      })
      assert.deepStrictEqual(blocklists, [
        { of: "domain", zone: "dbl.example.org" },
        { of: "address", zone: "zen.example.org" }
      ])
      const many = Array.from({ length: 21 }, (_, at) => `domain:l${at}.example.org`).join(",")
      for (const wrong of [
        "dbl.example.org",
        "name:dbl.example.org",
        "domain:x",
        "domain:a.org,",
        "domain:a.org:b",
        many
      ]) {
        assert.match((yield* mistakes({ OUTBOUND_BLOCKLISTS: wrong })).join(), /^OUTBOUND_BLOCKLISTS: .* is not a list/)
      }
    })
  )

  it.effect("takes hosts of private networks where CRMs may be, and none by default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readConfig({})).crmHosts, [])
      const { crmHosts } = yield* readConfig({
        OUTBOUND_CRM_HOSTS: "twenty, Twenty_server.internal,10.0.5.0/24, 10.0.0.7, fd12::/16, 3com.internal"
      })
      assert.deepStrictEqual(crmHosts, [
        "twenty",
        "Twenty_server.internal",
        "10.0.5.0/24",
        "10.0.0.7",
        "fd12::/16",
        "3com.internal"
      ])
      const many = Array.from({ length: 51 }, (_, at) => `crm${at}.internal`).join(",")
      for (const wrong of [
        "10.0.0.0/33",
        "10.0.5",
        "0x7f.1",
        "http://twenty",
        "twenty:3000",
        "*.internal",
        "a,,b",
        many
      ]) {
        assert.match((yield* mistakes({ OUTBOUND_CRM_HOSTS: wrong })).join(), /^OUTBOUND_CRM_HOSTS: .* is not a list/)
      }
    })
  )

  it.effect("takes a mail server and a payment provider, and no secret of theirs is told", () =>
    Effect.gen(function* () {
      const mail = { OUTBOUND_MAIL_FROM: "The service <outbound@example.com>" }
      for (const [url, server, username] of [
        ["smtps://jo%40acme.test:a%2Fb@mail.test", { host: "mail.test", port: 465, security: "tls" }, "jo@acme.test"],
        ["smtp://jo:a%2Fb@mail.test:2525/", { host: "mail.test", port: 2525, security: "starttls" }, "jo"],
        ["smtp://localhost:1025", { host: "localhost", port: 1025, security: "none" }, ""]
      ] as const) {
        const { serviceMail } = yield* readConfig({ ...mail, OUTBOUND_SMTP_URL: url })
        const { password, ...rest } = Option.getOrThrow(serviceMail)
        assert.deepStrictEqual(rest, {
          server,
          username,
          from: { address: "outbound@example.com", name: "The service" }
        })
        assert.strictEqual(Redacted.value(password), username === "" ? "" : "a/b")
      }
      const wrong = yield* mistakes({
        OUTBOUND_SMTP_URL: "https://jo:hunter2@mail.test",
        OUTBOUND_MAIL_FROM: "nobody",
        OUTBOUND_STRIPE_SECRET_KEY: "hunter2",
        OUTBOUND_STRIPE_WEBHOOK_SECRET: "sk_hunter2"
      })
      assert.strictEqual(wrong.length, 4)
      assert.notInclude(wrong.join(), "hunter2")
      const alone = yield* mistakes({ OUTBOUND_SMTP_URL: "smtp://localhost" })
      assert.match(alone.join(), /^OUTBOUND_MAIL_FROM: is required/)
      const { serviceMail, stripe } = yield* readConfig({ OUTBOUND_STRIPE_SECRET_KEY: "sk_test_x" })
      assert.isTrue(Option.isNone(serviceMail))
      assert.isTrue(Option.isNone(Option.getOrThrow(stripe).webhookSecret))
    })
  )

  it.effect("reports every mistake at once, and no secret with them", () =>
    Effect.gen(function* () {
      const given = {
        OUTBOUND_PORT: "http",
        OUTBOUND_BASE_URL: "localhost",
        OUTBOUND_PROVIDERS: "sandbx",
        OUTBOUND_UNRELEASED: "find_leads, find_companies.nothing",
        OUTBOUND_METRICS_PORT: "70000",
        OUTBOUND_LOG_LEVEL: "loud",
        DATABASE_URL: "mysql://u:hunter2@db",
        OUTBOUND_SECRET: "hunter2"
      }
      const found = yield* mistakes(given)
      assert.sameMembers(
        found.map((text) => text.split(":")[0]),
        Object.keys(given)
      )
      assert.include(found.join("\n"), "OUTBOUND_UNRELEASED: unknown: find_companies.nothing. Known: find_leads, ")
      assert.notInclude(found.join("\n"), "hunter2")
      assert.include(
        found.join("\n"),
        'OUTBOUND_PROVIDERS: "sandbx" is not sandbox, or the path of a JSON file such as ./providers.json'
      )
    })
  )

  it.effect("wants the secret where the database is one's own", () =>
    Effect.gen(function* () {
      const [only, ...others] = yield* mistakes({ DATABASE_URL: "postgres://db/outbound" })
      assert.match(only ?? "", /^OUTBOUND_SECRET: is required with DATABASE_URL/)
      assert.strictEqual(others.length, 0)
    })
  )

  it("is documented: every variable, as the code has it", async () => {
    // Written anew by running this file with `--update`.
    await expect(renderReference()).toMatchFileSnapshot(REFERENCE)
    assert.strictEqual(new Set(VARIABLES.map(({ name }) => name)).size, VARIABLES.length)
  })

  it("names a setting that it does not know, and what was probably meant", () => {
    assert.deepStrictEqual(unknownVariables(["OUTBOUND_PROT", "OUTBOUND_DATABASE_URL", "OUTBOUND_COLOUR", "PATH"]), [
      "OUTBOUND_PROT is not a setting, so it is ignored. Did you mean OUTBOUND_PORT?",
      "OUTBOUND_DATABASE_URL is not a setting, so it is ignored. Did you mean DATABASE_URL?",
      "OUTBOUND_COLOUR is not a setting, so it is ignored."
    ])
    const others = ["OUTBOUND_URL", "OUTBOUND_API_KEY", "OUTBOUND_SERVICE_HOST", "OUTBOUND_PORT_8080_TCP_ADDR"]
    assert.deepStrictEqual(unknownVariables([...others, ...VARIABLES.map(({ name }) => name)]), [])
  })
})

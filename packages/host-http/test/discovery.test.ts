import { assert, describe, it } from "@effect/vitest"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { get } from "node:http"
import { Effect, Layer, References } from "effect"
import { layer as httpHost } from "../src/HttpHost.js"
import { contactOf } from "../src/discovery/securityText.js"
import { catalog, registryEntry, serverCard } from "../src/discovery/ServerCard.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"

const host = (securityContact: string | null) =>
  httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, securityContact }).pipe(
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(layerMemory),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

const BASE = "https://outbound.test"

const reading = Effect.map(
  HttpServer,
  ({ port }) =>
    (path: string, headers: Record<string, string> = {}, method = "GET") =>
      Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method, redirect: "manual" })
        return { status: response.status, headers: response.headers, body: await response.text() }
      })
)

const linksOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\]\((https:\/\/outbound\.test[^)]+)\)/g)].map(([, link = ""]) => link)

/** As `fetch` doesn't send it: with the dots of a path. */
const raw = (path: string) =>
  Effect.flatMap(HttpServer, ({ port }) =>
    Effect.callback<number>((resume) => {
      get({ port, path }, (response) => {
        response.resume()
        resume(Effect.succeed(response.statusCode ?? 0))
      })
    })
  )

/** What the schemas of SEP-2127 and of the MCP registry ask of both documents. */
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
const described = {
  name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
  title: { type: "string", minLength: 1, maxLength: 100 },
  description: { type: "string", minLength: 1, maxLength: 100 },
  version: { type: "string", maxLength: 255 },
  websiteUrl: { type: "string", format: "uri" },
  remotes: {
    type: "array",
    items: {
      type: "object",
      required: ["type", "url"],
      additionalProperties: false,
      properties: {
        type: { const: "streamable-http" },
        url: { type: "string", pattern: "^https?://[^\\s]+$" },
        headers: {
          type: "array",
          items: {
            type: "object",
            required: ["name"],
            additionalProperties: false,
            properties: {
              name: { type: "string" },
              description: { type: "string" },
              isRequired: { type: "boolean" },
              isSecret: { type: "boolean" },
              placeholder: { type: "string" }
            }
          }
        }
      }
    }
  }
}
const schemaOf = (pattern: string) => ({
  type: "object",
  required: ["$schema", "name", "description", "version", "remotes"],
  additionalProperties: false,
  properties: { $schema: { type: "string", pattern }, ...described }
})
const isCard = ajv.compile(
  schemaOf("^https://static\\.modelcontextprotocol\\.io/schemas/v1/server-card\\.schema\\.json$")
)
const isEntry = ajv.compile(
  schemaOf("^https://static\\.modelcontextprotocol\\.io/schemas/\\d{4}-\\d\\d-\\d\\d/server\\.schema\\.json$")
)

const ADDRESSES = [
  BASE,
  "http://localhost:8080",
  "http://127.0.0.1:8080",
  "http://[::1]:8080",
  "https://a.b.example.co"
]

describe("what is found without a credential", () => {
  it.effect("the index for programs names every verb and every page, and each link leads somewhere", () =>
    Effect.gen(function* () {
      const read = yield* reading
      const index = yield* read("/llms.txt")
      assert.strictEqual(index.status, 200)
      assert.match(index.headers.get("content-type") ?? "", /^text\/plain; charset=utf-8$/)
      assert.match(index.body, /^# outbound\n\n> .+\n/)
      const links = linksOf(index.body)
      for (const { name } of verbList) assert.include(links, `${BASE}/docs/reference/${name}.md`)
      for (const name of ["tutorial", "guides/approvals", "guides/mcp", "http"]) {
        assert.include(links, `${BASE}/docs/${name}.md`)
      }
      assert.isAbove(links.length, verbList.length + 20)
      for (const link of links) assert.strictEqual((yield* read(new URL(link).pathname)).status, 200, link)
      assert.include(index.body, `${BASE}/llms-full.txt`)
      assert.notInclude(index.body, "sign-up")
    }).pipe(Effect.provide(host(null)))
  )

  it.effect("the full text holds the pages themselves", () =>
    Effect.gen(function* () {
      const read = yield* reading
      const full = (yield* read("/llms-full.txt")).body
      for (const { name, summary } of verbList) {
        assert.include(full, `<!-- ${BASE}/docs/reference/${name}.md -->`)
        assert.include(full, summary)
      }
      for (const title of ["# Approvals", "# The sandbox", "# Errors"]) assert.include(full, `\n${title}\n`)
    }).pipe(Effect.provide(host(null)))
  )

  it.effect("each page is text, its own links lead to pages, and the calls have this service's address", () =>
    Effect.gen(function* () {
      const read = yield* reading
      const page = yield* read("/docs/reference/verify_email.md")
      assert.strictEqual(page.headers.get("content-type"), "text/markdown; charset=utf-8")
      assert.include(page.body, `curl -X POST ${BASE}/v1/verify_email`)
      const guide = yield* read("/docs/README.md")
      for (const [, target = ""] of guide.body.matchAll(/\]\(([^()\s#]+\.md)/g)) {
        assert.strictEqual((yield* read(new URL(target, `${BASE}/docs/README.md`).pathname)).status, 200, target)
      }
      for (const path of [
        "/docs/../package.json.md",
        "/docs/../../README.md",
        "/docs/none.md",
        "/docs/a/../README.md"
      ]) {
        assert.strictEqual(yield* raw(path), 404, path)
      }
    }).pipe(Effect.provide(host(null)))
  )

  it.effect("an unchanged document is not sent again, every site may read it, and nobody writes to it", () =>
    Effect.gen(function* () {
      const read = yield* reading
      for (const path of ["/llms.txt", "/mcp/server-card", "/.well-known/ai-catalog.json", "/docs/README.md"]) {
        const first = yield* read(path, { origin: "https://elsewhere.test" })
        assert.strictEqual(first.headers.get("access-control-allow-origin"), "*")
        assert.strictEqual(first.headers.get("cache-control"), "public, max-age=3600")
        const again = yield* read(path, { "if-none-match": first.headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.status, again.body], [304, ""])
        const written = yield* read(path, {}, "POST")
        assert.deepStrictEqual([written.status, written.headers.get("allow")], [405, "GET, HEAD"])
      }
    }).pipe(Effect.provide(host(null)))
  )

  it.effect("the catalog leads to the card, and the card to the tools", () =>
    Effect.gen(function* () {
      const read = yield* reading
      for (const path of ["/.well-known/ai-catalog.json", "/.well-known/mcp/catalog.json"]) {
        const found = yield* read(path)
        assert.strictEqual(found.headers.get("content-type"), "application/ai-catalog+json")
        const { entries, specVersion } = JSON.parse(found.body) as ReturnType<typeof catalog>
        assert.deepStrictEqual([specVersion, entries.length], ["1.0", 1])
        assert.strictEqual(entries[0]?.identifier, "urn:air:outbound.test:mcp:outbound")
        const card = yield* read(new URL(entries[0]?.url ?? "").pathname, { accept: entries[0]?.type ?? "" })
        assert.strictEqual(card.headers.get("content-type"), "application/mcp-server-card+json")
        const { name, remotes } = JSON.parse(card.body) as ReturnType<typeof serverCard>
        assert.deepStrictEqual([name, remotes[0]?.url], ["test.outbound/outbound", `${BASE}/mcp`])
      }
    }).pipe(Effect.provide(host(null)))
  )

  it.each(ADDRESSES)("card, catalog and registry entry of %s are as their schemas say", (baseUrl) => {
    assert.isTrue(isCard(serverCard(baseUrl)), JSON.stringify(isCard.errors))
    assert.isTrue(isEntry(registryEntry(baseUrl)), JSON.stringify(isEntry.errors))
    assert.match(catalog(baseUrl).entries[0]?.identifier ?? "", /^urn:air:[a-z0-9.-]+:mcp:outbound$/)
  })

  it.effect("security.txt is there where the operator named a contact, and runs out within a year", () =>
    Effect.gen(function* () {
      const found = yield* (yield* reading)("/.well-known/security.txt")
      assert.strictEqual(found.status, 200)
      assert.match(found.body, /^Contact: mailto:security@acme\.example$/m)
      assert.include(found.body, `Canonical: ${BASE}/.well-known/security.txt`)
      const expires = Date.parse(/^Expires: (.+)$/m.exec(found.body)?.[1] ?? "")
      assert.isTrue(expires > Date.now() && expires < Date.now() + 365 * 86_400_000)
    }).pipe(Effect.provide(host("mailto:security@acme.example")))
  )

  it.effect("and is absent where none is named", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* (yield* reading)("/.well-known/security.txt")).status, 404)
    }).pipe(Effect.provide(host(null)))
  )

  it("a contact is an address of mail or an https page, and nothing that breaks a line", () => {
    assert.strictEqual(contactOf("security@acme.example"), "mailto:security@acme.example")
    assert.strictEqual(contactOf("mailto:a@acme.example"), "mailto:a@acme.example")
    assert.strictEqual(contactOf("https://acme.example/security"), "https://acme.example/security")
    for (const wrong of [
      "",
      "acme",
      "http://acme.example",
      "https://",
      "a@b.c\nContact: d@e.f",
      "ftp://x.y",
      "a b@c.de"
    ]) {
      assert.isUndefined(contactOf(wrong), wrong)
    }
  })

  it.effect("the bare address and the reference lead to all of it", () =>
    Effect.gen(function* () {
      const read = yield* reading
      const root = yield* read("/")
      assert.strictEqual(root.status, 303)
      const targets = [...(root.headers.get("link") ?? "").matchAll(/<([^>]+)>/g)].map(([, target = ""]) => target)
      assert.sameMembers(targets, ["/llms.txt", "/openapi.json", "/docs", "/.well-known/ai-catalog.json"])
      for (const target of targets) assert.strictEqual((yield* read(target)).status, 200, target)
      const reference = (yield* read("/docs")).body
      for (const link of ["/llms.txt", "/docs/README.md"]) assert.include(reference, `href="${link}"`)
    }).pipe(Effect.provide(host(null)))
  )
})

import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { readProviders } from "../../src/providers/config/readProviders.js"
import { providersParts } from "../../src/providers/config/renderProviders.js"
import { VENDORS } from "../../src/providers/vendors.js"
import { exampleVendor } from "./ExampleVendor.js"
import { formatted } from "../../../testkit/test/docs/formatted.js"

const DOCUMENT = fileURLToPath(new URL("../../../../docs/providers.md", import.meta.url))
const EXAMPLE = fileURLToPath(new URL("./ExampleVendor.ts", import.meta.url))

const EXAMPLE_LINES_MAX = 100

/** As it stands beside a vendor's folder of its own. */
const exampleText = (): string => readFileSync(EXAMPLE, "utf8").trimEnd().replaceAll("../../src/providers/", "../")

const part = (name: string): RegExp => new RegExp(`(<!-- ${name}: from the code -->\\n)[\\s\\S]*?(<!-- end -->)`)

const rendered = (document: string): string => {
  const parts = { ...providersParts(VENDORS), example: ["```ts", exampleText(), "```"] }
  return Object.entries(parts).reduce(
    (text, [name, lines]) =>
      text.replace(part(name), (_, begin: string, end: string) => `${begin}\n${lines.join("\n").trimEnd()}\n\n${end}`),
    document
  )
}

describe("docs/providers.md", () => {
  it("says of ports, vendors and settings what the code says", async () => {
    // Written anew by running this file with `--update`.
    const document = readFileSync(DOCUMENT, "utf8")
    for (const name of [...Object.keys(providersParts(VENDORS)), "example"]) assert.match(document, part(name), name)
    const text = await formatted(rendered(document))
    await expect(text).toMatchFileSnapshot(DOCUMENT)
  })

  it("shows a configuration that can be read", () => {
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, "utf8")) ?? []
    const named = [...example.matchAll(/env:(\w+)/g)].map(([, name]) => [name ?? "", "a-secret"] as const)
    const read = readProviders(example, Object.fromEntries(named), [...VENDORS, exampleVendor])
    assert.deepStrictEqual(Result.isFailure(read) ? read.failure : [], [])
  })

  it("shows how to add a vendor in less than a hundred lines", () => {
    assert.isBelow(exampleText().split("\n").length, EXAMPLE_LINES_MAX)
  })
})

describe("the vendor that it shows", () => {
  const made = (answer: readonly [number, object]) =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const one = createServer((_, response) => {
                response.writeHead(answer[0], { "content-type": "application/json" }).end(JSON.stringify(answer[1]))
              }).listen(0, "127.0.0.1", () => resolve(one))
            })
        ),
        (one) =>
          Effect.promise(() => {
            one.closeAllConnections()
            return new Promise((resolve) => one.close(resolve))
          })
      )
      const { make } = { make: Result.getOrThrow(exampleVendor.decode({})) }
      const { account, sources } = yield* make({
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        credential: Redacted.make("a-secret"),
        callsPerMinute: null,
        unitMicros: 4_000,
        declared: {}
      })
      return { account, verify: sources.email_verifier?.verify("ada@corp.example") ?? Effect.die("serves it") }
    })

  it.effect.each([
    ["deliverable", "valid"],
    ["undeliverable", "invalid"],
    ["risky", "unknown"]
  ])("takes %s for %s", ([said, status]) =>
    Effect.gen(function* () {
      const { verify } = yield* made([200, { result: said }])
      assert.deepStrictEqual(yield* verify, { status: status as "valid", isCatchAllDomain: false })
    })
  )

  it.effect("says what is left, and whose fault a failure is", () =>
    Effect.gen(function* () {
      const standing = yield* made([200, { credits: 7, suspended: true }])
      assert.deepStrictEqual(yield* standing.account, { left: 7, missing: ["the account is suspended"] })
      const empty = yield* made([420, {}])
      assert.strictEqual((yield* Effect.flip(empty.verify)).reason, "account")
    })
  )
})

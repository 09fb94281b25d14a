import { assert, describe, it } from "@effect/vitest"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { readConfigured, reportProviders } from "../../src/main/Providers.js"
import { only, running } from "../support/Program.js"
import { written } from "../support/written.js"

/** The commands of the guide, without what sets variables before them. */
const guideCommands = (): ReadonlyArray<string> => {
  const guide = readFileSync(new URL("../../../../docs/guides/start-without-a-vendor.md", import.meta.url), "utf8")
  return [...guide.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.trim().split("\n"))
    .flatMap((line) => /outbound (.*)$/.exec(line)?.[1] ?? [])
}

describe("outbound providers, with vendors", () => {
  it.effect("the commands of the guide for a start without a vendor make a file that serves every port but three", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-open-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true }))
      )
      const path = join(folder, "providers.json")
      const environment = { OUTBOUND_PROVIDERS: path }
      const run = yield* running([], { environment, providers: reportProviders })
      const commands = guideCommands().map((line) => line.replaceAll("./providers.json", path))
      const ownCommands = commands.filter((line) => line.startsWith("providers"))
      assert.deepStrictEqual(
        ownCommands.map((line) => line.split(" ").slice(0, 2).join(" ")),
        ["providers init", "providers list", "providers check"]
      )
      const [init = "", list = ""] = ownCommands
      assert.isTrue((yield* run(init)).isGood)
      const report = only(yield* run(`${list} --json`))
      const ports = report["ports"] as ReadonlyArray<{ port: string; sources: ReadonlyArray<unknown> }>
      assert.sameMembers(
        ports.filter(({ sources }) => sources.length === 0).map(({ port }) => port),
        ["premium_lead_source", "mobile_finder", "post_source"]
      )
      // A file that is there is somebody's.
      const before = readFileSync(path, "utf8")
      const again = yield* run(init)
      assert.isFalse(again.isGood)
      assert.include(again.complaint ?? "", "exists already")
      assert.strictEqual(readFileSync(path, "utf8"), before)
      // What is commented out fits, once it is not.
      writeFileSync(path, before.replaceAll("// ,", ",").replaceAll(/\/\/ (?=")/g, ""))
      const whole = yield* readConfigured({ providers: path }, { YOUTUBE_KEY: "a-key" })
      assert.deepStrictEqual([whole?.ports.post_source, whole?.judge?.model], [["youtube"], "your-model"])
    })
  )

  it.effect(
    "tells what each port is served by, what works, and what is missing; exit code 1 where something fails",
    () =>
      Effect.gen(function* () {
        const path = yield* written(
          JSON.stringify({
            ports: { email_verifier: ["prober"], site_reader: ["web"] },
            prober: { helo_name: "[127.0.0.1]", resolvers: ["127.0.0.1:9"], dns_millis: 50 },
            upstreams: { local: { base_url: "http://127.0.0.1:9/v1", key: null } },
            chat: [{ model: "big", tier: "large", upstream: "local", upstream_model: "big-1" }]
          })
        )
        const environment = { OUTBOUND_PROVIDERS: path }
        const run = yield* running([], { environment, providers: reportProviders })
        const listed = only(yield* run("providers list --json"))
        const ports = listed["ports"] as ReadonlyArray<{ port: string; sources: ReadonlyArray<{ name: string }> }>
        const named = Object.fromEntries(ports.map(({ port, sources }) => [port, sources.map(({ name }) => name)]))
        assert.deepInclude(named, { email_verifier: ["prober"], site_reader: ["web"], lead_source: [] })
        assert.strictEqual(listed["configuration"], path)

        const checked = yield* run("providers check --json")
        assert.isFalse(checked.isGood)
        const report = JSON.parse(checked.out[0] ?? "")
        assert.isFalse(report.ok)
        const states = report.checks.map((one: { name: string; state: string }) => [one.name, one.state])
        assert.deepStrictEqual(states, [
          ["web", "works"],
          ["prober", "fails"],
          ["local", "fails"]
        ])
        assert.include(
          report.notes.join(),
          "check_companies is not available in live workspaces: no judge is configured."
        )
        assert.include((yield* run("providers check")).out.join(), "FAILS: it can't be reached")
      })
  )

  it.effect("writes how a vendor answered, without the key, and refuses an address that nobody would verify", () =>
    Effect.gen(function* () {
      const server = yield* makeReplayServer
      server.on({ request: { method: "GET", path: "/credits" }, answer: { json: { credits: 5, of: "Grace Hopper" } } })
      const path = yield* written(
        JSON.stringify({
          ports: { email_verifier: ["million_verifier"] },
          vendors: { million_verifier: { base_url: server.url, key: "env:CASSETTE_KEY" } }
        })
      )
      const environment = { OUTBOUND_PROVIDERS: path }
      yield* Effect.acquireRelease(
        Effect.sync(() => (process.env["CASSETTE_KEY"] = "a-secret")),
        () => Effect.sync(() => delete process.env["CASSETTE_KEY"])
      )
      const run = yield* running([], { environment, providers: reportProviders })
      const folder = join(dirname(path), "cassettes")
      const file = join(folder, "million_verifier.json")
      assert.deepStrictEqual(only(yield* run(`providers check --record ${folder} --json`))["recorded"], [file])
      const text = readFileSync(file, "utf8")
      assert.notMatch(text, /a-secret|Hopper/)
      assert.deepInclude(JSON.parse(text).asked[0], { ask: "account", outcome: { left: 5, missing: [] } })
      assert.match((yield* run(`providers check --record ${path}/x`)).complaint ?? "", /can't be written/)
      assert.match((yield* run("providers check --verify a@b.test")).complaint ?? "", /--verify needs --record FOLDER/)
    })
  )

  it.effect("says what only a dearer source serves, and of whom nothing was asked", () =>
    Effect.gen(function* () {
      const path = yield* written(
        JSON.stringify({ ports: { premium_lead_source: ["prospeo"] }, vendors: { prospeo: { key: null } } })
      )
      const run = yield* running([], { environment: { OUTBOUND_PROVIDERS: path }, providers: reportProviders })
      const said = (yield* run("providers check")).out.join()
      assert.include(said, "find_leads finds nobody in live workspaces without premium sources")
      assert.notInclude(said, "find_leads is not available")
      assert.match(said, /prospeo +not tested: only workspaces with their own key use it/)
    })
  )
})

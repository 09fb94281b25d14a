import { assert, describe, it } from "@effect/vitest"
import { CallNotes } from "@outbound/domain/sources/CallNotes.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { admitted, anAttempt, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { readConfigured, reportProviders } from "../../src/main/Providers.js"
import { only, running } from "../support/Program.js"

/** A file in a folder of its own, for as long as the test runs. */
const written = (text: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-providers-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const path = join(folder, "providers.json")
      writeFileSync(path, text)
      return path
    }
  )

const MISTAKEN = `{ "ports": { "email_verifier": ["probr"] }, "vendorz": {} }`

/** The commands of the guide, without what sets variables before them. */
const guideCommands = (): ReadonlyArray<string> => {
  const guide = readFileSync(new URL("../../../../docs/guides/start-without-a-vendor.md", import.meta.url), "utf8")
  return [...guide.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.trim().split("\n"))
    .flatMap((line) => /outbound (.*)$/.exec(line)?.[1] ?? [])
}

describe("outbound providers", () => {
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

  it.effect("names every mistake of the file, and works without one", () =>
    Effect.gen(function* () {
      const path = yield* written(MISTAKEN)
      const run = yield* running([], { environment: { OUTBOUND_PROVIDERS: path }, providers: reportProviders })
      const { complaint, isGood } = yield* run("providers check --json")
      assert.isFalse(isGood)
      assert.include(complaint ?? "", "vendorz: there is no such member")
      assert.include(complaint ?? "", `ports.email_verifier.0: there is no "probr". Is prober meant?`)
      assert.match((yield* Effect.flip(readConfigured({ providers: `${path}.not` }))).message, /ENOENT/)
      assert.isNull(yield* readConfigured({ providers: "sandbox" }))
      const bare = yield* running([], { providers: reportProviders })
      assert.strictEqual(only(yield* bare("providers check --json"))["ok"], true)
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

  it.effect("with a file workspaces are made live unless said otherwise", () =>
    Effect.gen(function* () {
      const run = yield* running([], { environment: { OUTBOUND_PROVIDERS: "./providers.json" } })
      yield* run("workspace create --name A --owner-email ann@acme.test --json")
      yield* run("workspace create --name B --owner-email ann@acme.test --kind sandbox --json")
      const { workspaces } = only(yield* run("workspace list --json"))
      assert.deepStrictEqual(
        (workspaces as ReadonlyArray<{ kind: string }>).map(({ kind }) => kind),
        ["live", "sandbox"]
      )
    })
  )
})

describe("outbound margins and outbound request", () => {
  it.effect("tell what calls were charged and what they cost at vendors", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const { workspace_id: id } = only(
        yield* run("workspace create --name A --owner-email ann@acme.test --kind live --json")
      )
      const { api_key: secret } = only(yield* run(`key create --workspace ${id} --name K --json`))
      const notes = new CallNotes()
      notes.spend({ vendor: "prospero", unit: "credit", amount: 2, micros: 18_000 })
      notes.witness("prober", { said: "250 ok" })
      const call = yield* Effect.gen(function* () {
        const journal = yield* CallJournal
        const crypto = yield* Crypto
        const nowMillis = yield* Clock.currentTimeMillis
        const one = yield* admitted(anAttempt(crypto.sha256Hex(String(secret)), { nowMillis }))
        yield* journal.settle(settlementOf(one, { notes: notes.kept()!, settledAtMillis: nowMillis }))
        return one
      }).pipe(Effect.provide(run.services))
      const vendor = { vendor: "prospero", unit: "credit", calls: 1, credits_charged: "1", units: 2, cost_usd: 0.018 }
      const margins = only(yield* run(`margins --since 7d --workspace ${id} --json`))
      assert.deepInclude(margins, {
        cost_usd: 0.018,
        verbs: [{ verb: "verify_email", calls: 1, credits_charged: "1", cost_usd: 0.018, vendors: [vendor] }],
        jobs_of_unknown_outcome: []
      })
      const shown = only(yield* run(`request ${call.requestId} --json`))
      assert.deepInclude(shown, {
        verb: "verify_email",
        credits_charged: "1",
        costs: [{ vendor: "prospero", unit: "credit", units: 2, answers: 1, cost_usd: 0.018 }],
        evidence: [{ source: "prober", facts: { said: "250 ok" } }],
        jobs_of_unknown_outcome: []
      })
      const unknown = yield* run("request 7")
      assert.isFalse(unknown.isGood)
      assert.strictEqual(unknown.complaint, "There is no such call: 7.")
      assert.deepStrictEqual(unknown.out, [])
      assert.match((yield* run("margins")).complaint ?? "", /^--since is required/)
    })
  )
})

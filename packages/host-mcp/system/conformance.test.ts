import { assert, describe, it } from "@effect/vitest"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { baseUrl, withHost } from "../test/support/Host.js"
import { keyed } from "./support/Keyed.js"

const MILLIS_MAX = 240_000

interface Check {
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly errorMessage?: string
  readonly details?: { readonly untestable?: boolean }
}

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js"
)
const globSync = new URL("support/globSync.mjs", import.meta.url).href

/** Runs the whole suite, server side, for a revision; the checks of each scenario. */
const run = (url: string, revision: string) =>
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "outbound-conformance-"))
    try {
      const server = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder]
      const args = ["--import", globSync, suite, ...server]
      const options = { timeout: MILLIS_MAX, maxBuffer: 64 * 1024 * 1024 }
      const output = await new Promise<string>((resolve) =>
        execFile(process.execPath, args, options, (_error, out, err) => resolve(`${out}\n${err}`))
      )
      const scenarios = readdirSync(folder).map((name) => {
        const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as ReadonlyArray<Check>
        return [name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, ""), checks] as const
      })
      if (scenarios.length === 0) throw new Error(`the suite did not run:\n${output}`)
      return new Map(scenarios)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

/** What a server of tools, without resources, prompts, completions, logging and the suite's own tools, is asked. */
const APPLIES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2025-06-18": ["server-initialize", "server-session-lifecycle", "ping", "tools-list"],
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "dns-rebinding-protection"
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "server-sse-multiple-streams",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input"
  ]
}

/** Of scenarios that apply, what is about things that there are none of here. */
const ABOUT_OTHERS = [
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints"
]

/** What calls the suite's own tools (`test_simple_text`, …), or asks for what is no tool. */
const OF_OTHER_SERVERS =
  /^(logging|completion|tools-call|json-schema|elicitation|resources|prompts|http-custom-header|input-required-result)-/

describe("the official conformance suite, server side", () => {
  it.live.each(Object.keys(APPLIES))("finds no failure in what applies to a server of tools, at %s", (revision) =>
    withHost(
      Effect.scoped(
        Effect.gen(function* () {
          const { apiKey } = yield* makeClient()
          const url = yield* keyed(yield* baseUrl, apiKey)
          const scenarios = yield* run(`${url}/mcp`, revision)
          const failures = (checks: ReadonlyArray<Check>) =>
            checks.filter(({ details, id, status }) => {
              return status === "FAILURE" && details?.untestable !== true && !ABOUT_OTHERS.includes(id)
            })
          for (const name of APPLIES[revision] ?? []) {
            const checks = scenarios.get(name)
            assert.isDefined(checks, name)
            assert.deepStrictEqual(failures(checks ?? []), [], name)
            assert.isNotEmpty(checks)
          }
          for (const name of scenarios.keys()) {
            if (APPLIES[revision]?.includes(name) !== true) assert.match(name, OF_OTHER_SERVERS)
          }
        })
      )
    )
  )
})

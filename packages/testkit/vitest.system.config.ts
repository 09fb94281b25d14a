import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { fileURLToPath } from "node:url"
import base, { globalSetup, WORKERS } from "./vitest.config.js"

const { projects: _, ...shared } = base.test ?? {}

/** What Node compiled of the program: a third of what a command takes of a processor, and hundreds are started. */
const COMPILED = fileURLToPath(new URL("../../.outbound/compiled", import.meta.url))

/** What measures time or memory, or calls so much at once that a busy service refuses: neighbours would be measured too. */
const ALONE = [
  "packages/adapters/system/work/TakeOver.test.ts",
  "packages/host-http/system/databaseRestart.test.ts",
  "packages/host-http/system/hangUp.test.ts",
  "packages/host-http/system/memory.test.ts",
  "packages/host-http/system/notices.test.ts",
  "packages/host-http/system/personFiles.test.ts",
  "packages/host-http/system/restart.test.ts",
  "packages/testkit/system/harness.test.ts",
  "packages/host-mcp/system/loop.test.ts"
]

const system = (name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration => ({
  extends: true,
  test: { ...test, name, globalSetup }
})

/**
 * The tests that start real servers and many processes. They wait most of their time, for leases, mail and restarts, so
 * four files run at a time, each with servers, ports and directories of its own, and `.ci/run` has the other tests compute
 * meanwhile. Those that measure follow, one by one.
 * Finding none is a failure, because then nothing was shown.
 */
export default defineConfig({
  ...base,
  test: {
    ...shared,
    isolate: true,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    execArgv: [],
    passWithNoTests: false,
    projects: [
      system("system", {
        include: ["packages/*/system/**/*.test.ts"],
        exclude: ALONE,
        maxWorkers: 4,
        env: { NODE_COMPILE_CACHE: COMPILED, TEST_LANES_BEFORE: String(WORKERS) }
      }),
      system("alone", { include: ALONE, maxWorkers: 1 })
    ]
  }
})

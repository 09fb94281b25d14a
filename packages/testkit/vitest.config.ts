import { fileURLToPath } from "node:url"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import type { InlineConfig } from "vitest/node"
import { isQuick, isThorough } from "./src/thorough.js"
import { LongestFirst } from "./vitest.sequencer.js"
import { ONLY_IN_CI } from "./vitest.share.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

export const globalSetup = [`${root}packages/adapters/test/support/globalSetup.ts`]

/** On two processors: one waits for PostgreSQL a third of its time. */
export const WORKERS = 3

const project = (name: string, packages: string, rest: InlineConfig = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: [`packages/${packages}/test/**/*.test.{ts,tsx}`],
    exclude: ["**/dist/**", "**/node_modules/**", ...(isQuick ? ONLY_IN_CI : [])],
    ...rest
  }
})

/** Tests run from the sources; what was compiled is never what they see. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      {
        find: /^@outbound\/(domain|adapters|client|sandbox|testkit|host-http|host-mcp|examples)\/(.*)\.js$/,
        replacement: `${root}packages/$1/src/$2`
      }
    ]
  },
  test: {
    // For what hangs. No test is to fail because the machine was busy for a while.
    testTimeout: isThorough ? 300_000 : 120_000,
    hookTimeout: 180_000,
    setupFiles: [`${root}packages/testkit/vitest.setup.ts`],
    // Files of one process share what they import: loading it took half of the time. Nothing may keep a test's state.
    isolate: false,
    pool: "forks",
    maxWorkers: WORKERS,
    // Effect makes much garbage that lives for a moment: with room for it, the collector runs less often.
    execArgv: ["--max-semi-space-size=64"],
    sequence: { sequencer: LongestFirst },
    projects: [
      // These packages may not import what speaks to a database. Processes pass from file to file of one project only.
      project("pure", "{domain,testkit}", { sequence: { groupOrder: 1 } }),
      project("postgres", "!(domain|testkit)", { globalSetup })
    ]
  }
})

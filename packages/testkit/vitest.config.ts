import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Tests run from the sources; what `tsc -b` built is never what they see. */
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
    include: ["packages/*/test/**/*.test.{ts,tsx}"],
    globalSetup: [`${root}packages/adapters/test/support/globalSetup.ts`],
    // For what hangs. No test is to fail because the machine was busy for a while.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    setupFiles: [`${root}packages/testkit/vitest.setup.ts`],
    // Files of one process share what they import: loading it took half of the time. Nothing may keep a test's state.
    isolate: false,
    pool: "forks",
    poolOptions: { forks: { maxForks: 2 } }
  }
})

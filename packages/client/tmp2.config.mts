import { defineConfig } from "vitest/config"
const root = "/work/wt/e4/"
export default defineConfig({
  root,
  resolve: { alias: [{ find: /^@outbound\/(domain|adapters|client|sandbox|testkit|host-http|host-mcp|examples)\/(.*)\.js$/, replacement: `${root}packages/$1/src/$2` }] },
  test: { testTimeout: 60000, hookTimeout: 60000, setupFiles: [`${root}packages/testkit/vitest.setup.ts`], isolate: false, pool: "forks", maxWorkers: 2, include: ["packages/client/tmp.probe.mts"] }
})

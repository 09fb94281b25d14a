import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.js"

/**
 * The tests that start real servers and many processes. They share ports and processors, so one file runs at a time;
 * finding none is a failure, because then nothing was shown.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: ["packages/*/system/**/*.test.ts"],
      isolate: true,
      testTimeout: 300_000,
      hookTimeout: 300_000,
      fileParallelism: false,
      passWithNoTests: false
    }
  })
)

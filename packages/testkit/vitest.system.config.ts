import { defineConfig, mergeConfig } from "vitest/config"
import base, { globalSetup } from "./vitest.config.js"

const { projects: _, ...shared } = base.test ?? {}

/**
 * The tests that start real servers and many processes. They share ports and processors, so one file runs at a time;
 * finding none is a failure, because then nothing was shown.
 */
export default mergeConfig(
  { ...base, test: shared },
  defineConfig({
    test: {
      globalSetup,
      include: ["packages/*/system/**/*.test.ts"],
      isolate: true,
      testTimeout: 300_000,
      hookTimeout: 300_000,
      fileParallelism: false,
      passWithNoTests: false
    }
  })
)

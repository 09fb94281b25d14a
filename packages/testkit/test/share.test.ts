import { assert, describe, it } from "@effect/vitest"
import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ONLY_IN_CI } from "../vitest.share.js"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const found = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => /(^|\/)(dist|node_modules)$/.test(path) })

describe("what npm test runs, and what only CI runs", () => {
  it("is every test between them: all lie where vitest looks for tests", () => {
    const tests = found("packages/**/*.test.{ts,tsx}").filter((path) => !/^packages\/[^/]+\/(test|system)\//.test(path))
    assert.deepStrictEqual(tests, [])
  })

  it.each(ONLY_IN_CI.map((pattern) => [pattern]))("%s names tests that exist", (pattern) => {
    assert.isAbove(found(pattern).filter((path) => /\.test\.tsx?$/.test(path)).length, 0)
  })

  it("leaves a person most files, and every one that needs no database", () => {
    const onlyInCi = new Set(ONLY_IN_CI.flatMap(found))
    const tests = found("packages/*/test/**/*.test.{ts,tsx}")
    assert.isAbove(tests.filter((path) => !onlyInCi.has(path)).length, tests.length / 2)
    assert.deepStrictEqual(
      [...onlyInCi].filter((path) => /^packages\/(domain|testkit)\//.test(path)),
      []
    )
  })
})

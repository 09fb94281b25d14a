import { assert, it } from "@effect/vitest"
import { SPANS } from "@outbound/domain/kernel/telemetry.js"
import { readFileSync } from "node:fs"

const operating = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8")

it("operators can look up every span", () => {
  const missing = SPANS.filter((name) => !operating.includes(`\`${name}\``))
  assert.deepStrictEqual(missing, [])
})

import { assert, it } from "@effect/vitest"
import { directionOfRules } from "../../../src/control/rules/directionOfRules.js"
import { DEFAULT_RULES, type WorkspaceRules } from "../../../src/kernel/workspaces/WorkspaceRules.js"

/** For each rule a looser and a stricter value. */
const LOOSE: WorkspaceRules = {
  authentication: "warn",
  unverifiedMaxPercent: null,
  verificationMaxAgeDays: 91,
  roleAddresses: "allow",
  evidence: "none",
  attentionAbove: null
}
const STRICT: WorkspaceRules = {
  authentication: "require",
  unverifiedMaxPercent: 10,
  verificationMaxAgeDays: 90,
  roleAddresses: "leave_out",
  evidence: "mark",
  attentionAbove: 100
}
const NAMES = Object.keys(DEFAULT_RULES) as ReadonlyArray<keyof WorkspaceRules>

it("each rule by itself tightens one way and loosens the other, and nothing changed is neither", () => {
  assert.strictEqual(directionOfRules(LOOSE, LOOSE), "none")
  for (const name of NAMES) {
    const stricter = { ...LOOSE, [name]: STRICT[name] }
    assert.strictEqual(directionOfRules(LOOSE, stricter), "tighten", name)
    assert.strictEqual(directionOfRules(stricter, LOOSE), "loosen", name)
  }
})

it("a change that loosens one rule loosens, whatever else it tightens", () => {
  for (const name of NAMES) {
    assert.strictEqual(
      directionOfRules({ ...LOOSE, [name]: STRICT[name] }, { ...STRICT, [name]: LOOSE[name] }),
      "loosen"
    )
  }
})

it("lists of values run from the loosest to the strictest", () => {
  const marked = { ...LOOSE, evidence: "mark" } as const
  const required = { ...LOOSE, evidence: "require" } as const
  assert.strictEqual(directionOfRules(marked, required), "tighten")
  assert.strictEqual(directionOfRules(required, marked), "loosen")
  assert.strictEqual(
    directionOfRules({ ...LOOSE, unverifiedMaxPercent: 10 }, { ...LOOSE, unverifiedMaxPercent: 11 }),
    "loosen"
  )
  assert.strictEqual(directionOfRules({ ...LOOSE, attentionAbove: 10 }, { ...LOOSE, attentionAbove: 9 }), "tighten")
})

import { WIRE_CODES } from "@outbound/domain/kernel/errors/Wire.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { ARGUMENT_CHARS_MAX, PROMPTS, promptOf } from "../src/prompts/Prompts.js"
import { toolVerbs } from "../src/tools/Tools.js"

const TOOLS = new Set(toolVerbs(verbList).map(({ name }) => name))
const SKILL = readFileSync(fileURLToPath(new URL("../../../docs/guides/skill/SKILL.md", import.meta.url)), "utf8")

/** Words like `find_leads`: of a tool, a member or a code, as they are written in texts for models. */
const NAMES = /\b[a-z]+(?:_[a-z]+)+\b/g

const filled = (name: string) =>
  promptOf(
    name,
    Object.fromEntries((PROMPTS.find((one) => one.name === name)?.arguments ?? []).map((one) => [one.name, "x"]))
  ).messages[0]?.content.text ?? ""

const OF_REQUESTS = [
  "dry_run",
  "budget_credits",
  "idempotency_key",
  "confirmation_token",
  "approval_url",
  "retry_after_seconds"
]
const OF_ANSWERS = ["credits_estimate", "credits_charged", "would_exceed", "next_cursor"]
const KNOWN = new Set<string>([...TOOLS, ...WIRE_CODES, ...OF_REQUESTS, ...OF_ANSWERS])

describe("texts for models", () => {
  it.each([...PROMPTS.map(({ name }) => [`prompt ${name}`, filled(name)] as const), ["the skill", SKILL] as const])(
    "%s names only what there is",
    (_, text) => {
      assert.isNotEmpty(text)
      assert.deepStrictEqual(
        [...new Set(text.match(NAMES) ?? [])].filter((name) => !KNOWN.has(name)),
        []
      )
    }
  )

  it("who asks for what a human decides says so", () => {
    for (const name of ["launch_campaign", "read_replies"]) assert.match(filled(name), /I decide there, not here/)
  })

  it("the refusals of the loop all have a next step", () => {
    const text = filled("what_now")
    for (const code of WIRE_CODES.filter((one) =>
      /^(approval|confirmation|rate|provider|insufficient|operation|run_budget)/.test(one)
    )) {
      assert.include(text, code)
    }
  })

  it("what is too long, empty or unknown is refused by name", () => {
    assert.throws(() => promptOf("find_people", { audience: "x".repeat(ARGUMENT_CHARS_MAX + 1) }), /Longer than/)
    assert.throws(() => promptOf("find_people", { audience: "  " }), /Missing argument: audience/)
    assert.throws(() => promptOf("toString"), /Unknown prompt/)
  })

  it("the skill has what a loader reads of it, and is short", () => {
    const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(SKILL) ?? []
    assert.match(head, /^name: outbound$/m)
    assert.match(head, /^description: .{40,1024}$/m)
    assert.isBelow(SKILL.length, 6_000)
  })
})

import { assert, describe, it } from "vitest"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { describe as describeTool, toolVerbs } from "../src/tools/Tools.js"

const tools = toolVerbs(verbList).map((verb) => ({ verb, tool: describeTool(verb) }))

/** What every client reads into its model's context before anything is done, for each tool. */
const TOKENS_PER_TOOL_MAX = 1_100

/** These tools, and no others (contract: surfaces, mcp). */
const NAMES = [
  "find_leads",
  "find_companies",
  "find_intent",
  "find_posts",
  "enrich",
  "enrich_company",
  "verify_email",
  "setup_sending",
  "create_campaign",
  "add_leads",
  "launch_campaign",
  "list_campaigns",
  "get_campaign",
  "list_leads",
  "get_replies",
  "get_reply",
  "set_lead_status",
  "reply_to_thread",
  "get_usage",
  "get_operation",
  "get_request",
  "check_companies",
  "get_me"
]

/** Acts that change and cost nothing more when they are repeated without an Idempotency-Key. */
const REPEATABLE_ACTS: ReadonlyArray<string> = ["set_lead_status"]

describe("the list of tools", () => {
  it("calls idempotent what reads, and no act whose repetition is charged, or asks a human, again", () => {
    for (const { tool, verb } of tools) {
      const expected = verb.mode === "read" || REPEATABLE_ACTS.includes(verb.name)
      assert.strictEqual(tool.annotations.idempotentHint, expected, verb.name)
    }
  })

  it("holds the tools of the interface, and no others", () => {
    assert.sameMembers(
      tools.map(({ tool }) => tool.name),
      NAMES
    )
  })

  it(`costs its reader less than ${TOKENS_PER_TOOL_MAX} tokens a tool`, () => {
    const tokens = countTokens(JSON.stringify({ tools: tools.map(({ tool }) => tool) }))
    assert.isBelow(tokens / tools.length, TOKENS_PER_TOOL_MAX)
  })

  it.each(tools.map(({ tool, verb }) => [verb.name, tool, verb] as const))(
    "%s says its price, who approves it and when it may be tried again",
    (_, { description }, verb) => {
      assert.match(description, /\bfree\b|\bcredits?\b|\bcosts?\b/i)
      assert.match(description, /Retry only `rate_limited`/)
      assert.strictEqual(description.includes("A human must approve"), verb.approval !== "none")
      assert.strictEqual(description.includes("Needs an `idempotency_key`"), verb.idempotency === "required")
      if (verb.scope !== null) assert.include(description, `\`${verb.scope}\``)
      assert.notMatch(description, /Idempotency-Key|Svc-Run-Id|\b(?:GET|POST|PATCH) \/v1/)
    }
  )

  it.each(tools.map(({ tool }) => [tool.name, tool] as const))("%s has plain objects for schemas", (_, tool) => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      assert.strictEqual(schema.type, "object")
      assert.notProperty(schema, "$ref")
      const text = JSON.stringify(schema)
      for (const [, name = ""] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) assert.property(schema.$defs, name)
      assert.notInclude(text, "#/components")
    }
    for (const keyword of ["anyOf", "oneOf", "allOf", "not"]) assert.notProperty(tool.inputSchema, keyword)
    assert.isFalse(tool.inputSchema["additionalProperties"])
    assert.hasAnyKeys(tool.inputSchema.properties, ["idempotency_key"])
  })

  it("hints at what is true: only reads are read-only, and what sends or buys reaches the world outside", () => {
    for (const { tool, verb } of tools) {
      const { destructiveHint, openWorldHint, readOnlyHint } = tool.annotations
      assert.strictEqual(readOnlyHint, verb.mode === "read", verb.name)
      if (readOnlyHint) assert.isFalse(destructiveHint || openWorldHint, verb.name)
      if (verb.approval !== "none") assert.isTrue(openWorldHint, verb.name)
    }
  })
})

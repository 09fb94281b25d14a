import { assert, describe, it } from "vitest"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import { answerSchemaOf, describe as describeTool, INSTRUCTIONS, toolVerbs } from "../src/tools/Tools.js"

const tools = toolVerbs(verbList).map((verb) => ({ verb, tool: describeTool(verb) }))

/** What every client reads into its model's context before anything is done, for each tool. */
const TOKENS_PER_TOOL_MAX = 480

/** What every dry run returns around its own words. */
const OF_PLANS: ReadonlySet<string> = new Set([
  "advisory",
  "evaluated_at",
  "verb",
  "plan_version",
  "input_version",
  "credits_estimate",
  "would_exceed",
  "warnings"
])

/** The names of all members of these schemas, at any depth. */
const membersOf = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<string> =>
  schemas.flatMap(({ anyOf = [], items, oneOf = [], properties = {} }) => [
    ...Object.keys(properties).filter((name) => !OF_PLANS.has(name)),
    ...membersOf([...anyOf, ...oneOf, ...Object.values(properties), ...(items === undefined ? [] : [items])])
  ])

/** These tools, and no others (contract: surfaces, mcp). */
const NAMES = [
  "find_leads",
  "find_companies",
  "find_intent",
  "find_posts",
  "enrich",
  "enrich_company",
  "verify_email",
  "verify_emails",
  "enrich_people",
  "find_intent_of_list",
  "get_operation_results",
  "cancel_operation",
  "setup_sending",
  "create_campaign",
  "add_leads",
  "launch_campaign",
  "pause_campaign",
  "list_campaigns",
  "get_campaign",
  "list_leads",
  "forecast_campaign",
  "list_mailboxes",
  "get_sending_health",
  "get_replies",
  "list_saved_answers",
  "get_reply",
  "set_lead_status",
  "add_suppressions",
  "reply_to_thread",
  "get_usage",
  "get_operation",
  "get_request",
  "check_companies",
  "get_me"
]

/** Acts that change and cost nothing more when they are repeated without an Idempotency-Key. */
const REPEATABLE_ACTS: ReadonlyArray<string> = [
  "add_suppressions",
  "cancel_operation",
  "pause_campaign",
  "set_lead_status"
]

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
    "%s says its price, who approves it and whether it needs a key",
    (_, { description }, verb) => {
      assert.match(description, /\bfree\b|\bcredits?\b|\bcosts?\b/i)
      assert.strictEqual(/\ba human must approve\b/i.test(description), verb.approval !== "none")
      assert.strictEqual(description.includes("Needs an `idempotency_key`"), verb.idempotency === "required")
      assert.notMatch(description, /Idempotency-Key|Svc-Run-Id|\b(?:GET|POST|PATCH) \/v1/)
    }
  )

  it("says once what holds for all tools: when to retry, what keys, runs and dry runs do, and that only humans approve", () => {
    for (const word of [
      "rate_limited",
      "provider_unavailable",
      "idempotency_key",
      "run_id",
      "dry_run",
      "approval_url"
    ]) {
      assert.include(INSTRUCTIONS, word)
    }
    assert.isBelow(countTokens(INSTRUCTIONS), 400)
  })

  it("says what svc and error hold: clients warn of objects without members", () => {
    for (const { tool, verb } of tools) {
      const full = answerSchemaOf(verb).properties
      for (const name of ["svc", "error"]) {
        const { properties = {}, type } = tool.outputSchema.properties[name] ?? {}
        assert.strictEqual(type, "object")
        assert.isNotEmpty(properties, `${verb.name}: ${name}`)
        assert.includeMembers(Object.keys(full[name]?.properties ?? {}), Object.keys(properties))
        for (const member of Object.values(properties)) assert.isString(member.type)
      }
    }
  })

  it("names every member of an answer, at any depth", () => {
    for (const { tool, verb } of tools) {
      const words = new Set(tool.outputSchema.properties["result"]?.description?.match(/\w+/g))
      const { $defs = {}, properties } = answerSchemaOf(verb)
      for (const name of membersOf([properties["result"] ?? {}, ...Object.values($defs)])) {
        assert.isTrue(words.has(name), `${verb.name}: ${name}`)
      }
    }
  })

  it.each(tools.map(({ tool }) => [tool.name, tool] as const))("%s has plain objects for schemas", (_, tool) => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      assert.strictEqual(schema.type, "object")
      assert.notProperty(schema, "$ref")
      const text = JSON.stringify(schema)
      for (const [, name = ""] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) assert.property(schema.$defs, name)
      assert.notInclude(text, "#/components")
    }
    for (const keyword of ["anyOf", "oneOf", "allOf", "not"]) assert.notProperty(tool.inputSchema, keyword)
    assert.notMatch(JSON.stringify(tool.inputSchema), /"\$ref"|"additionalProperties"/)
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

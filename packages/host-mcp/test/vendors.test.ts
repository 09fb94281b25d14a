import { callEntries } from "@outbound/testkit/contracts/service/wellFormed.js"
import type { Json } from "@outbound/domain/kernel/canonical.js"
import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import { verbList, verbs } from "@outbound/domain/verbs/verbs.js"
import { SchemaAST as AST } from "effect"
import { assert, describe, it } from "vitest"
import { describe as describeTool, toolVerbs } from "../src/tools/Tools.js"
import { isObject } from "../src/http/Messages.js"
import { VENDORS } from "./support/Vendors.js"

const tools = toolVerbs(verbList).map(describeTool)

const [GEMINI = "", ANTHROPIC = "", OPENAI = "", STRICT = ""] = Object.keys(VENDORS)
const A: JsonSchema = { type: "object", properties: { b: { type: "string" } } }

/** What clients put before a tool's name, so that it fits with it. */
const PREFIX = "mcp__outbound_"

describe.each(Object.entries(VENDORS))("%s", (_, check) => {
  it.each(tools.map((tool) => [tool.name, tool] as const))("take %s, also under a client's prefix", (_, tool) => {
    assert.deepStrictEqual(check(tool), [])
    assert.deepStrictEqual(check({ ...tool, name: `${PREFIX}_${tool.name}` }), [])
  })
})

/** A schema with one mistake, and who refuses it. */
const REFUSED: ReadonlyArray<
  readonly [what: string, inputSchema: JsonSchema, by: ReadonlyArray<keyof typeof VENDORS>]
> = [
  [
    "alternatives that only require",
    { type: "object", properties: { a: { ...A, anyOf: [{ required: ["b"] }] } } },
    [GEMINI, ANTHROPIC, OPENAI, STRICT]
  ],
  ["alternatives at the root", { ...A, anyOf: [A] }, [GEMINI, ANTHROPIC, OPENAI, STRICT]],
  ["an object without members", { type: "object", properties: { a: { type: "object" } } }, [GEMINI, STRICT]],
  ["a member that is required and not there", { ...A, required: ["c"] }, [GEMINI, ANTHROPIC, OPENAI]],
  ["an array of anything", { type: "object", properties: { a: { type: "array" } } }, [GEMINI, OPENAI]],
  ["several types", { type: "object", properties: { a: { type: ["string", "null"] } } }, [GEMINI, STRICT]],
  ["a choice of numbers", { type: "object", properties: { a: { type: "integer", enum: [1] } } }, [GEMINI]],
  [
    "a reference",
    { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A } },
    [GEMINI, ANTHROPIC, STRICT]
  ],
  ["a closed object", { ...A, additionalProperties: false }, [GEMINI]],
  [
    "a bound that leaves itself out",
    { type: "object", properties: { a: { type: "number", exclusiveMinimum: 0 } } },
    [GEMINI]
  ],
  ["a name that can't be quoted", { type: "object", properties: { "a b": { type: "string" } } }, [ANTHROPIC]],
  ["one of several", { type: "object", properties: { a: { oneOf: [A] } } }, [GEMINI, STRICT]],
  ["a preset", { type: "object", properties: { a: { type: "string", default: "x" } } }, [STRICT]]
]

describe("a schema", () => {
  it.each(REFUSED)("with %s is found out", (_, inputSchema, by) => {
    const found = Object.keys(VENDORS).filter((vendor) => {
      return VENDORS[vendor]!({ name: "a_tool", description: "", inputSchema }).length > 0
    })
    assert.sameMembers(found, [...by])
  })

  it("under a name or with a description that is too long is found out", () => {
    const [name, description] = ["a".repeat(65), "a".repeat(1_025)]
    const by = (tool: { readonly name: string; readonly description: string }) =>
      Object.keys(VENDORS).filter((vendor) => VENDORS[vendor]!({ ...tool, inputSchema: A }).length > 0)
    assert.deepStrictEqual(by({ name, description: "" }), [GEMINI, ANTHROPIC, OPENAI])
    assert.deepStrictEqual(by({ name: "a", description }), [OPENAI])
  })
})

/** Whether a value is what a model is told that it may be. */
const fits = (value: Json, schema: JsonSchema): boolean => {
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false
  if (schema.type === "array")
    return Array.isArray(value) && value.every((one) => fits(one as Json, schema.items ?? {}))
  if (schema.type === "integer") return Number.isInteger(value)
  if (schema.type !== "object") return typeof value === schema.type
  const { properties = {}, required = [] } = schema
  return (
    isObject(value) &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) => fits(member as Json, properties[name] ?? { enum: [] }))
  )
}

describe("what a model is told of a tool's input", () => {
  const examples = callEntries.flatMap(([name, [, input]]) => {
    const tool = tools.find((one) => one.name === name)
    return tool === undefined ? [] : [[name, tool, input] as const]
  })

  it.each(examples)(
    "allows a good call of %s, and what the documentation shows of it",
    (name, { inputSchema }, input) => {
      assert.isTrue(fits(input, inputSchema))
      const shown = AST.resolveAt<ReadonlyArray<unknown>>("examples")(verbs[name].request.ast) ?? []
      for (const example of shown) assert.isTrue(fits(example as Json, inputSchema), JSON.stringify(example))
    }
  )

  it("says in words what its types can't", () => {
    const schemaOf = (name: string) => tools.find((one) => one.name === name)!.inputSchema.properties
    assert.include(schemaOf("find_posts")["scope"]?.description, "type profile needs platform and handle, or url.")
    assert.include(schemaOf("enrich")["person"]?.description, "Needs full_name and company_domain, or")
    assert.include(schemaOf("verify_emails")["emails"]?.description, "At most 10000.")
    assert.include(schemaOf("get_replies")["limit"]?.description, "Default: 50.")
    const recipient = schemaOf("add_leads")["leads"]?.items?.properties
    assert.include(recipient?.["custom"]?.description, "Other names may be used too.")
  })
})

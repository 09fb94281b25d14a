import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { assert, describe, it } from "vitest"
import { describe as describeTool, INSTRUCTIONS, toolVerbs } from "../src/tools/Tools.js"

/**
 * What published linters of tools hold against servers, as rules of ours: `mcp-linter`, `mcp-lint`, `mcplint-cli`, `mcpolish` and
 * `mcp-token-lint` on PyPI, `mcp-lint`, `mcp-tool-lint` and `oh-my-mcp` on npm (their pages of November 2026). None of them is
 * a dependency. Three rules of theirs are not followed: `additionalProperties: false` on every object (OpenAI's strict mode
 * asks for it, other models refuse the keyword: decision 0105), a default for each optional argument (a default is the
 * service's), and less than 300 characters a description (the price and what a human approves are in it).
 */
const tools = toolVerbs(verbList).map(describeTool)

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
const NAME_CHARS_MAX = 64
const TITLE_CHARS_MAX = 40
const DESCRIPTION_WORDS = { min: 8, max: 130 }
const DESCRIPTION_CHARS_MAX = 1_024
const ARGUMENTS_MAX = 20
const DEPTH_MAX = 5
const TOKENS_MAX = 25_000
/** Two descriptions that share more of their words are mistaken for each other. */
const OVERLAP_MAX = 0.6

interface Argument {
  readonly path: string
  readonly name: string
  readonly schema: JsonSchema
  readonly depth: number
}

const argumentsIn = (schema: JsonSchema, path = "", depth = 1): ReadonlyArray<Argument> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    { path: `${path}${name}`, name, schema: member, depth },
    ...argumentsIn(member, `${path}${name}.`, depth + 1),
    ...(member.items === undefined ? [] : argumentsIn(member.items, `${path}${name}[].`, depth + 2))
  ])

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z]{4,}/g))

const overlap = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared / (one.size + other.size - shared)
}

/** What says what an argument is, where it has no description of its own. */
const isExplained = (tool: (typeof tools)[number], { name, schema }: Argument): boolean =>
  schema.description !== undefined ||
  schema.enum !== undefined ||
  schema.items?.enum !== undefined ||
  schema.properties !== undefined ||
  SELF_SAID.has(name) ||
  tool.description.includes(name) ||
  INSTRUCTIONS.includes(name)

/** Names that are their own description, with their bounds in the schema. */
const SELF_SAID: ReadonlySet<string> = new Set(
  "min max full_name first_name last_name company_name title body timezone start_hour end_hour".split(" ")
)

describe("tools, by the rules of published linters", () => {
  it("have names that every client takes: lower case, 64 characters at most, each once", () => {
    for (const { name } of tools) {
      assert.match(name, NAME)
      assert.isAtMost(name.length, NAME_CHARS_MAX)
    }
    assert.strictEqual(new Set(tools.map(({ name }) => name)).size, tools.length)
  })

  it("have a title, and titles are told apart", () => {
    const titles = tools.map(({ title }) => title)
    for (const title of titles) assert.isTrue(title.length > 2 && title.length <= TITLE_CHARS_MAX, title)
    assert.strictEqual(new Set(titles).size, titles.length)
  })

  it("have a description that says what they do in whole sentences, neither a word nor a page", () => {
    for (const { description, name } of tools) {
      const words = description.split(/\s+/).length
      assert.isAtLeast(words, DESCRIPTION_WORDS.min, name)
      assert.isAtMost(words, DESCRIPTION_WORDS.max, name)
      assert.isAtMost(description.length, DESCRIPTION_CHARS_MAX, name)
      assert.match(description, /^[A-Z].*\.$/s, name)
      assert.notMatch(description, /TODO|FIXME|lorem|<[a-z]+>/i, name)
    }
  })

  it("are not mistaken for each other by their first sentences", () => {
    const first = tools.map(({ description, name }) => ({ name, words: wordsOf(description.split(". ")[0] ?? "") }))
    for (const [at, one] of first.entries()) {
      for (const other of first.slice(at + 1)) {
        assert.isAtMost(overlap(one.words, other.words), OVERLAP_MAX, `${one.name} and ${other.name}`)
      }
    }
  })

  it("hide no instruction: no control, zero-width or bidirectional character", () => {
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    assert.notMatch(JSON.stringify(tools), /[\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/)
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s: each argument has a type and is explained",
    (_, tool) => {
      const found = argumentsIn(tool.inputSchema as JsonSchema)
      assert.isAtMost(Object.keys(tool.inputSchema.properties).length, ARGUMENTS_MAX)
      assert.deepStrictEqual(
        found.filter((argument) => !isExplained(tool, argument)).map(({ path }) => path),
        []
      )
      for (const { depth, name, path, schema } of found) {
        // A variable of a campaign has a dot.
        assert.match(name, /^[a-z][a-z0-9_.]*$/, path)
        assert.isAtMost(depth, DEPTH_MAX, path)
        assert.isTrue(schema.type !== undefined || schema.enum !== undefined || schema.anyOf !== undefined, path)
        assert.notProperty(schema, "$ref", path)
        if (schema.type === "array") assert.isDefined(schema.items, path)
      }
    }
  )

  it("require only arguments that exist, and never by a flag on the argument", () => {
    const schemas = tools.flatMap(({ inputSchema, name }) => [
      { name, schema: inputSchema as JsonSchema },
      ...argumentsIn(inputSchema as JsonSchema).map(({ path, schema }) => ({ name: `${name}.${path}`, schema }))
    ])
    for (const { name, schema } of schemas) {
      if ("required" in schema) assert.isArray(schema.required, name)
      for (const member of schema.required ?? []) assert.property(schema.properties, member, name)
    }
  })

  it("have all four hints, and none that contradicts another", () => {
    for (const { annotations, name } of tools) {
      for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const) {
        assert.isBoolean(annotations[hint], `${name}: ${hint}`)
      }
      if (annotations.readOnlyHint) assert.isFalse(annotations.destructiveHint, name)
      if (/^(add|cancel|create|launch|pause|reply|set)_/.test(name)) assert.isFalse(annotations.readOnlyHint, name)
    }
  })

  it("cost a model less than 25,000 tokens in all", () => {
    assert.isBelow(countTokens(JSON.stringify({ tools })), TOKENS_MAX)
  })
})

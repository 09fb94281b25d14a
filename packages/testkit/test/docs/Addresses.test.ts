import { assert, describe, it } from "@effect/vitest"
import { WIRE } from "@outbound/domain/kernel/errors/Wire.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))

const pages = [
  "README.md",
  ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith(".md") && !/^docs\/(decisions|corpora|CHANGELOG)/.test(name))
]

/** Addresses of ours that are no verbs. */
const OTHERS = new Set(["POST /v1/chat/completions", "POST /v1/llm/chat/completions", "GET /v1/traces"])

const ROUTES = Object.values(verbs).map(({ route: { method, path } }) => ({
  method,
  // What a page writes for a member of the path: `:id`, `{request_id}`, `REQUEST_ID`, an example.
  path: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)
}))

const ADDRESS = /\b(GET|POST|PATCH|PUT|DELETE) (\/v1\/[\w/:{}<>.-]*[\w}>])/g

describe("what the pages say of the interface", () => {
  it("names addresses that exist, with their methods", () => {
    const said = pages.flatMap((page) =>
      [...readFileSync(`${ROOT}${page}`, "utf8").matchAll(ADDRESS)].map(([all, method = "", path = ""]) => ({
        all,
        method,
        page,
        path
      }))
    )
    assert.isAbove(said.length, 50)
    assert.deepStrictEqual(
      said.flatMap(({ all, method, page, path }) =>
        OTHERS.has(all) || ROUTES.some((route) => route.method === method && route.path.test(path))
          ? []
          : [`${page}: ${all}`]
      ),
      []
    )
  })

  it("counts the tools in the README as they are", () => {
    const tools = Object.values(verbs).filter(({ tool }) => tool !== null)
    assert.include(readFileSync(`${ROOT}README.md`, "utf8"), `| ${tools.length} MCP tools at \`/mcp\``)
  })

  it("names verbs and codes in the skill that exist", () => {
    const skill = readFileSync(`${ROOT}docs/guides/skill/SKILL.md`, "utf8")
    const called = [...skill.matchAll(/^\d\. (.*)$/gm)].flatMap(([, line = ""]) =>
      [...line.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name)
    )
    assert.isAbove(called.length, 12)
    assert.deepStrictEqual(
      called.filter((name) => name !== "audience" && !(name in verbs)),
      []
    )
    const refused = [...skill.matchAll(/^\| (`[a-z_`, ]+)\|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => code)
    )
    assert.isAbove(refused.length, 15)
    assert.deepStrictEqual(
      refused.filter((code) => !(code in WIRE)),
      []
    )
  })
})

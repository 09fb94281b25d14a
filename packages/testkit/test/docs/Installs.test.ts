import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))

/** Pages, help and messages, unit files, manifests. Records of decisions say what was once. */
const SAID = /\.(md|tsx?|mjs|json|ya?ml|service|toml|sh|py|example)$|(^|\/)Dockerfile$/
const LEFT_OUT = /(^|\/)(node_modules|dist|generated)\/|^docs\/(decisions|corpora)\/|package-lock\.json$/

/** A name of ours, as a registry would be asked for it: not a file, a folder or an address. */
const OURS = String.raw`(?:outbound|outbound-(?:mcp|loop|service)|@outbound/[\w-]+)(?:@[\w.^~-]+)?(?![\w./@-])`
const FETCHES = [
  String.raw`\b(?:npx|bunx|pnpx|uvx|pipx)\s+(?:-\S+\s+)*${OURS}`,
  String.raw`\b(?:npm|pnpm|yarn|bun|pip3?|uv)\s+(?:-\S+\s+)*(?:i|install|add|exec|x|dlx|create|init)\s(?:[^\n\`"';|&]*\s)?${OURS}`,
  // As the configuration of an MCP client writes it.
  String.raw`"command"\s*:\s*"(?:npx|bunx|uvx)"[^}]*"${OURS}"`
].map((source) => new RegExp(source, "g"))

const fetchesIn = (text: string): ReadonlyArray<string> =>
  FETCHES.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found))

const files = [
  ...readdirSync(join(ROOT, "packages"), { recursive: true, encoding: "utf8" }).map((name) => `packages/${name}`),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
  ...readdirSync(ROOT)
].filter((name) => SAID.test(name) && !LEFT_OUT.test(name) && join(ROOT, name) !== fileURLToPath(import.meta.url))

describe("nothing of ours is in a registry, and what has our name there is a stranger's", () => {
  it("no package of ours has the stranger's name, and the program's command keeps ours", () => {
    const manifests = readdirSync(join(ROOT, "packages")).map(
      (name) =>
        JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")) as {
          readonly name: string
          readonly bin?: Readonly<Record<string, string>>
        }
    )
    const others = manifests.filter(({ name }) => !/^@outbound\/[a-z-]+$/.test(name))
    assert.deepStrictEqual(
      others.map(({ bin, name }) => [name, Object.keys(bin ?? {})]),
      [["outbound-service", ["outbound"]]]
    )
  })

  it("no page, help text, unit file or manifest asks a registry for it", () => {
    assert.isAbove(files.length, 1_000)
    assert.deepStrictEqual(
      files.flatMap((name) =>
        fetchesIn(readFileSync(join(ROOT, name), "utf8")).map(
          (found) => `${relative(ROOT, join(ROOT, name))}: ${found}`
        )
      ),
      []
    )
  })

  it.each([
    "npx outbound start",
    "npx --yes outbound@latest start",
    "npm install --global outbound",
    "npx -y outbound-service start",
    "npm install --global outbound-service@0.1.0",
    "npm i outbound",
    "npm install @outbound/client effect",
    "pnpm add effect @outbound/client",
    "npm exec @outbound/examples -- --approve",
    "pip install outbound",
    '{ "command": "npx", "args": ["-y", "@outbound/host-mcp"] }'
  ])("%s asks one", (line) => {
    assert.lengthOf(fetchesIn(line), 1)
  })

  it.each([
    "npm run outbound -- key create",
    "npm install --global ./packed/outbound-service-0.1.0.tgz",
    "npm install ./packed/*.tgz effect@4.1.0",
    "git clone https://example.com/outbound outbound",
    "npx openapi-typescript http://localhost:8080/openapi.json -o outbound.ts",
    "docker build -t outbound ."
  ])("%s asks none for ours", (line) => {
    assert.lengthOf(fetchesIn(line), 0)
  })
})

import { verbList } from "@outbound/domain/verbs/verbs.js"
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { openApiDocument } from "../src/openapi/Document.js"

const folder = mkdtempSync(join(tmpdir(), "outbound-contract-"))
const file = join(folder, "openapi.json")
writeFileSync(file, JSON.stringify(openApiDocument(verbList, "https://outbound.example"), null, 2))
writeFileSync(join(folder, "spectral.json"), JSON.stringify({ extends: ["spectral:oas"] }))
afterAll(() => rmSync(folder, { recursive: true }))

const require = createRequire(import.meta.url)

/** The program of a package, as its manifest names it. */
const programOf = (name: string, command: string): string => {
  const manifest = require.resolve(`${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly bin: Record<string, string> }
  return join(dirname(manifest), bin[command] ?? "")
}

/** A check that asks the network would say something else elsewhere: then it ends as failed. */
const OFFLINE = `import net from "node:net"
net.Socket.prototype.connect = () => { process.stderr.write("the network was asked"); process.exit(97) }`

/** Runs a linter where nothing but its own recommended rules can be found. */
const lint = (program: string, args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number | string | null; readonly words: string }>((resolve) => {
    execFile(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(OFFLINE)}`, program, ...args],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
      (error, out, complaints) => resolve({ code: error?.code ?? 0, words: `${out}${complaints}` })
    )
  })

describe("the published document passes, without an exception and without asking the network,", () => {
  it("Redocly's recommended rules", async () => {
    const { code, words } = await lint(programOf("@redocly/cli", "redocly"), [
      "lint",
      file,
      "--extends=recommended",
      "--format=json"
    ])
    assert.strictEqual(code, 0, words)
    const { problems, totals } = JSON.parse(words.slice(words.indexOf("{"), words.lastIndexOf("}") + 1))
    assert.deepStrictEqual(problems, [])
    assert.deepInclude(totals, { errors: 0, warnings: 0, ignored: 0 })
  })

  it("Spectral's recommended rules", async () => {
    const { code, words } = await lint(programOf("@stoplight/spectral-cli", "spectral"), [
      "lint",
      file,
      "--ruleset=spectral.json",
      "--fail-severity=hint",
      "--format=json"
    ])
    assert.strictEqual(code, 0, words)
    assert.deepStrictEqual(JSON.parse(words.slice(words.indexOf("["), words.indexOf("]") + 1)), [])
  })
})

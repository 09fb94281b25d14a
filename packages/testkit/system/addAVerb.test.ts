import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { copied, ROOT, typesOf } from "./copied.js"

const run = promisify(execFile)

/** The line before a block says where it goes: into a new file, or after a line of one. */
const BLOCK = /In (?:(a new file)\s+)?`([^`]+)`(?:, after `([^`]+)`)?:\n\n```ts\n([^]*?)\n```/g

interface Step {
  readonly file: string
  /** Null: the file is new. */
  readonly after: string | null
  readonly text: string
}

const stepsOf = (page: string): ReadonlyArray<Step> =>
  [...page.matchAll(BLOCK)].map(([, isNew, file = "", after, text = ""]) => ({
    file,
    after: isNew === undefined ? (after ?? "") : null,
    text
  }))

const taken = async (root: string, { after, file, text }: Step): Promise<void> => {
  const path = join(root, file)
  if (after === null) {
    await writeFile(path, `${text}\n`)
    return
  }
  const lines = (await readFile(path, "utf8")).split("\n")
  const at = lines.findIndex((line) => line.includes(after))
  assert.isAtLeast(at, 0, `${file} has no line with ${after}`)
  await writeFile(path, [...lines.slice(0, at + 1), text, ...lines.slice(at + 1)].join("\n"))
}

it("the guide to add a verb, taken at its word, makes one that compiles and keeps what it guarantees", async () => {
  const page = await readFile(join(ROOT, "docs/guides/add-a-verb.md"), "utf8")
  const steps = stepsOf(page)
  assert.isAtLeast(steps.length, 11)
  assert.strictEqual(steps.length, page.match(/^```ts$/gm)?.length, "every block says where it goes")
  const root = await copied()
  try {
    await cp(join(ROOT, "package.json"), join(root, "package.json"))
    for (const step of steps) await taken(root, step)
    assert.strictEqual(
      await typesOf(
        root,
        ["domain", "testkit", "adapters"].map((name) => `packages/${name}`)
      ),
      ""
    )
    const vitest = join(ROOT, "node_modules", ".bin", "vitest")
    const files = ["listRuns", "access"].map((name) => `packages/testkit/test/service/${name}.test.ts`)
    const config = ["run", "--config", "packages/testkit/vitest.config.ts", "--project", "pure"]
    const { stdout } = await run(vitest, [...config, ...files], { cwd: root, env: { ...process.env, NO_COLOR: "1" } })
    assert.match(stdout, /Test Files +2 passed/)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}, 600_000)

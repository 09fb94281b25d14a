import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cp, readFile, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { copied, packages, ROOT } from "./copied.js"

const run = promisify(execFile)

/** What the scripts look at besides the packages. */
const BESIDE = ["package.json", "package-lock.json", "LICENSE", "docs"]
/** It makes both bundles, and looks at all types. */
const PACKING_MILLIS_MAX = 900_000
const INSTALLED = "node_modules/.package-lock.json"

const packed = async (root: string, folder: string): Promise<ReadonlyMap<string, string>> => {
  await run(process.execPath, [join(root, "packages/testkit/scripts/run.mjs"), "pack", join(root, folder)], {
    cwd: root,
    maxBuffer: 1 << 26
  })
  const files = await readdir(join(root, folder))
  return new Map(files.map((file) => [file.replace(/-\d.*$/, ""), join(root, folder, file)]))
}

/** A file of a tarball. */
const fileOf = async (tarball: string | undefined, path: string): Promise<string> =>
  (await run("tar", ["-xzOf", tarball ?? "", `package/${path}`], { maxBuffer: 1 << 26 })).stdout

const namesOf = async (tarball: string | undefined): Promise<string> =>
  (await run("tar", ["-tzf", tarball ?? ""], { maxBuffer: 1 << 26 })).stdout

/** Other text in a file, with a time that is older than all that was made of it. */
const edited = async (path: string, from: string, to: string): Promise<void> => {
  const text = await readFile(path, "utf8")
  assert.include(text, from)
  await writeFile(path, text.replace(from, to))
  await utimes(path, new Date(0), new Date(0))
}

describe("npm run pack", () => {
  it(
    "makes anew what is stale: sources, types, both bundles and pages, and leaves out what is gone",
    { timeout: PACKING_MILLIS_MAX },
    async () => {
      const root = await copied()
      const at = (path: string) => join(root, path)
      try {
        // What the compiler knows is there already, with the names that things have there.
        const filter = (path: string) => !path.endsWith(".tsbuildinfo")
        const kept = { recursive: true, preserveTimestamps: true, filter }
        for (const name of [...BESIDE, ...packages.map((one) => `packages/${one}/dist`)]) {
          await cp(join(ROOT, name), at(name), kept)
        }
        await symlink(join(ROOT, INSTALLED), at(INSTALLED))
        // As a build left it whose source somebody removed since.
        for (const end of ["js", "js.map", "d.ts", "d.ts.map"]) {
          await writeFile(at(`packages/client/dist/src/Gone.${end}`), "")
        }
        await writeFile(at("packages/client/src/New.ts"), "export const isNew = 1\n")
        await edited(at("packages/client/src/Headers.ts"), "export const ", "export const later = 1\n\nexport const ")
        await edited(at("packages/host-http/src/commands/program.ts"), "sales loop", "sales loop of later")
        await edited(at("packages/testkit/src/harness/inMemory.ts"), '"Refused"', '"RefusedLater"')
        await edited(at("docs/questions.md"), "# Questions", "# Questions of later")
        const made = await packed(root, "tarballs")

        const client = made.get("outbound-client")
        assert.notInclude(await namesOf(client), "Gone")
        for (const end of ["js", "d.ts"]) assert.include(await namesOf(client), `package/dist/src/New.${end}\n`)
        assert.include(await fileOf(client, "dist/src/Headers.js"), "later")
        assert.include(await fileOf(client, "dist/src/Headers.d.ts"), "later")
        assert.include(await fileOf(made.get("outbound-testkit"), "dist/harness/inMemory.js"), "RefusedLater")
        const program = made.get("outbound-service")
        assert.match(await fileOf(program, "dist/program/docs/questions.md"), /^# Questions of later/)
        const scripts = (await namesOf(program)).split("\n").filter((name) => /dist\/program\/[^/]+\.js$/.test(name))
        const texts = await Promise.all(scripts.map((name) => fileOf(program, name.slice("package/".length))))
        assert.isTrue(texts.some((text) => text.includes("sales loop of later")))
      } finally {
        await rm(root, { recursive: true, force: true })
      }
    }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
const run = promisify(execFile)

const LEFT_OUT = new Set(["node_modules", "dist"])

const foldersIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const packages = await foldersIn(join(ROOT, "packages"))
const placesOf = (root: string): ReadonlyArray<string> =>
  packages.flatMap((name) =>
    ["src", "test", "system", "bench"].map((part) => join(root, "packages", name, part, "wings"))
  )
const wings = new Set((await Promise.all(placesOf(ROOT).map(foldersIn))).flat())

/** The repository's sources, with the packages of others as they are installed and its own beside each other. */
const copied = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), "outbound-wings-"))
  await cp(join(ROOT, "tsconfig.base.json"), join(root, "tsconfig.base.json"))
  const within = join(ROOT, "packages") + sep
  await cp(join(ROOT, "packages"), join(root, "packages"), {
    recursive: true,
    filter: (path) =>
      !path
        .slice(within.length)
        .split(sep)
        .some((part) => LEFT_OUT.has(part))
  })
  const linked = async (from: string, to: string): Promise<void> => {
    await mkdir(to, { recursive: true })
    for (const name of await readdir(from)) {
      if (name !== "@outbound" && !name.startsWith(".")) await symlink(join(from, name), join(to, name))
    }
  }
  await linked(join(ROOT, "node_modules"), join(root, "node_modules"))
  await mkdir(join(root, "node_modules", "@outbound"))
  for (const name of packages) {
    await symlink(join(root, "packages", name), join(root, "node_modules", "@outbound", name))
    const own = join(ROOT, "packages", name, "node_modules")
    if ((await readdir(own).catch(() => [])).length > 0) await linked(own, join(root, "packages", name, "node_modules"))
  }
  return root
}

/** A list of wings without the imports from this one's folder, and without what they brought in. */
const without = (list: string, wing: string): string => {
  const imports = new RegExp(`^import (?:type )?(?:\\* as (\\w+)|\\{([^}]*)\\}) from "\\./${wing}/[^"]+"\\n`, "gm")
  const names = [...list.matchAll(imports)].flatMap(([, all = "", some = ""]) =>
    all === "" ? some.split(",").map((name) => name.trim()) : [`${all}\\.\\w+`]
  )
  return names.reduce(
    (text, name) => text.replaceAll(new RegExp(`,\\s*(?:\\.{3})?${name}\\b|(?:\\.{3})?\\b${name}\\b,?`, "g"), ""),
    list.replaceAll(imports, "")
  )
}

/** Deletes a wing's folders in every package and its lines in every list. Says how many lists knew it. */
const deleted = async (root: string, wing: string): Promise<number> => {
  let lists = 0
  for (const place of placesOf(root)) {
    await rm(join(place, wing), { recursive: true, force: true })
    for (const name of await readdir(place).catch(() => [])) {
      if (!/\.tsx?$/.test(name)) continue
      const text = await readFile(join(place, name), "utf8")
      const rest = without(text, wing)
      if (rest === text) continue
      lists += 1
      await writeFile(join(place, name), rest)
    }
  }
  return lists
}

describe("a wing can be deleted", () => {
  it.each([...wings].map((wing) => [wing]))(
    "%s: without its folders and its lines, everything else builds",
    async (wing) => {
      const root = await copied()
      try {
        assert.isAtLeast(await deleted(root, wing), 1)
        const types = join(ROOT, "node_modules", ".bin", "tsc")
        const projects = packages.filter((name) => name !== "outbound").map((name) => join("packages", name))
        const { stdout } = await run(types, ["-b", ...projects], { cwd: root }).catch(
          (failed: { readonly stdout: string }) => failed
        )
        assert.strictEqual(stdout, "")
      } finally {
        await rm(root, { recursive: true, force: true })
      }
    }
  )
})

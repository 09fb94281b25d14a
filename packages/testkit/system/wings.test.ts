import { assert, describe, it } from "@effect/vitest"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copied, foldersIn, packages, ROOT, typesOf } from "./copied.js"

const placesOf = (root: string): ReadonlyArray<string> =>
  packages.flatMap((name) =>
    ["src", "test", "system", "bench"].map((part) => join(root, "packages", name, part, "wings"))
  )
const wings = new Set((await Promise.all(placesOf(ROOT).map(foldersIn))).flat())

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
        const projects = packages.filter((name) => name !== "outbound").map((name) => join("packages", name))
        assert.strictEqual(await typesOf(root, projects), "")
      } finally {
        await rm(root, { recursive: true, force: true })
      }
    }
  )
})

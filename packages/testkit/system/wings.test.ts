import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
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

/** Puts everything back, as old as it is in the repository: the compiler looks again at what was changed alone. */
const restored = async (root: string): Promise<void> => {
  for (const place of placesOf(root)) {
    const from = join(ROOT, relative(root, place))
    if ((await readdir(from).catch(() => [])).length > 0) {
      await cp(from, place, { recursive: true, preserveTimestamps: true })
    }
  }
}

/** All that there is, on a machine that has much else to do. */
const COMPILING_MILLIS_MAX = 900_000

describe("a wing can be deleted", () => {
  const projects = packages.filter((name) => name !== "outbound").map((name) => join("packages", name))
  let root: string

  // The whole is what was built; after that the compiler looks, for each wing, at what knew it.
  beforeAll(async () => {
    root = await copied()
    assert.strictEqual(await typesOf(root, projects), "")
  }, COMPILING_MILLIS_MAX)
  afterAll(() => rm(root, { recursive: true, force: true }))

  it.each([...wings].map((wing) => [wing]))(
    "%s: without its folders and its lines, everything else builds",
    async (wing) => {
      try {
        assert.isAtLeast(await deleted(root, wing), 1)
        assert.strictEqual(await typesOf(root, projects), "")
      } finally {
        await restored(root)
      }
    }
  )
})

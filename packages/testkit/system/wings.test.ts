import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LISTS_OF_VENDORS, TESTS_OF_VENDORS, vendorOf } from "../test/architecture/Wings.js"
import { copied, foldersIn, packages, ROOT, typesOf } from "./copied.js"

const placesOf = (root: string): ReadonlyArray<string> =>
  packages.flatMap((name) =>
    ["src", "test", "system", "bench"].map((part) => join(root, "packages", name, part, "wings"))
  )
const wings = [...new Set((await Promise.all(placesOf(ROOT).map(foldersIn))).flat())]

const PROVIDERS = "packages/adapters/src/providers"
const vendors = (await foldersIn(join(ROOT, PROVIDERS))).filter(
  (name) => vendorOf(`${PROVIDERS}/${name}/contract.md`) !== undefined
)

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

/** Deletes the folders of all vendors and of our own sources, their lines in their lists, and what tests them. */
const withoutVendors = async (root: string): Promise<void> => {
  for (const vendor of vendors) await rm(join(root, PROVIDERS, vendor), { recursive: true })
  for (const tests of TESTS_OF_VENDORS) await rm(join(root, tests), { recursive: true })
  for (const name of LISTS_OF_VENDORS) {
    const list = vendors.reduce(without, await readFile(join(root, name), "utf8"))
    assert.match(list, /= (?:\[\s*\]|\{\s*\})/, name)
    await writeFile(join(root, name), list)
  }
}

/** All that there is, on a machine that has much else to do. */
const COMPILING_MILLIS_MAX = 900_000

/**
 * One look at the types of what is left without any shows it for each: nothing but the lists imports a wing or a vendor, and
 * none imports another (`npm run check`), so what is left asks for nothing of one that is gone, however many others stay.
 */
describe("wings and vendors can be deleted", () => {
  const projects = packages.filter((name) => name !== "outbound").map((name) => join("packages", name))
  let root: string

  // The whole is what was built; after that the compiler looks at what knew them.
  beforeAll(async () => {
    root = await copied()
    assert.strictEqual(await typesOf(root, projects), "")
  }, COMPILING_MILLIS_MAX)
  afterAll(() => rm(root, { recursive: true, force: true }))

  it("without their folders and their lines, everything else builds", async () => {
    for (const wing of wings) assert.isAtLeast(await deleted(root, wing), 1, wing)
    await withoutVendors(root)
    assert.strictEqual(await typesOf(root, projects), "")
  })
})

/** What is left of a copy of the repository without wings and vendors. */
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LISTS_OF_VENDORS, TESTS_OF_VENDORS, vendorOf } from "../test/architecture/Wings.js"
import { foldersIn, packages, ROOT } from "./copied.js"

/** Where wings' folders are, and their lists. */
const placesOf = (root: string): ReadonlyArray<string> =>
  packages.flatMap((name) =>
    ["src", "test", "system", "bench"].map((part) => join(root, "packages", name, part, "wings"))
  )

export const wings = [...new Set((await Promise.all(placesOf(ROOT).map(foldersIn))).flat())]

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
    if (!/= (?:\[\s*\]|\{\s*\})/.test(list)) throw new Error(`${name} names more than what was deleted`)
    await writeFile(join(root, name), list)
  }
}

/** Deletes every wing and every vendor. */
export const withoutAny = async (root: string): Promise<void> => {
  for (const wing of wings) if ((await deleted(root, wing)) === 0) throw new Error(`no list knows the wing ${wing}`)
  await withoutVendors(root)
}

/** What tests read beside the packages. */
const BESIDE = [".oxfmtrc.json", "AGENTS.md", "README.md", "docs", "package.json", "package-lock.json"]

/** These are about the whole repository: its pages and its lists of faults name wings and vendors. */
const ABOUT_THE_WHOLE = [
  "docs/Background.test.ts",
  "docs/Links.test.ts",
  "docs/Reliability.test.ts",
  "docs/StateMachines.test.ts",
  "mutation/mutation.test.ts",
  "plantedFaults.test.ts",
  "share.test.ts"
]

/** How tests of such a copy are run. */
export const testsOf = async (root: string, given: ReadonlyArray<string>) => {
  for (const name of BESIDE) await symlink(join(ROOT, name), join(root, name))
  for (const name of ABOUT_THE_WHOLE) await rm(join(root, "packages/testkit/test", name))
  return {
    program: join(ROOT, "node_modules", ".bin", "vitest"),
    args: ["run", "--config", "packages/testkit/vitest.config.ts", ...given]
  }
}

/**
 * Makes the packages as they are published: one tarball each, in a folder. Every package of ours is public, and its
 * manifest stands as it is published; npm itself leaves out what its `files` don't name.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { Failure, root, say } from "./host.mjs"
import { npm } from "./npm.mjs"

const FOLDER = ".outbound/packages"

/** The most that a package may weigh, packed: what nobody needs would be noticed. Those that aren't named: 512 KB. */
const KILOBYTES_MAX = {
  "@outbound/adapters": 1_600,
  "@outbound/domain": 4_864,
  "@outbound/host-http": 1_152,
  "@outbound/testkit": 3_072,
  "outbound-service": 6_784
}
const KILOBYTES_MAX_ELSE = 512

const names = () =>
  readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "package.json")))

/** `npm run pack [-- FOLDER]`. Says what it made and how large each is. */
export const pack = async ([folder = FOLDER]) => {
  const into = resolve(root, folder)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  for (const name of names()) copyFileSync(join(root, "LICENSE"), join(root, "packages", name, "LICENSE"))
  const { code, output } = await npm([
    "pack",
    "--json",
    "--ignore-scripts",
    `--pack-destination=${into}`,
    ...names().map((name) => `./packages/${name}`)
  ])
  if (code !== 0) throw new Failure(`npm pack ended with code ${code}:\n${output}`, "Mend what npm names, and repeat.")
  const packed = JSON.parse(output.slice(output.indexOf("[\n"), output.lastIndexOf("]") + 1))
  const heavy = packed.filter(({ name, size }) => size > (KILOBYTES_MAX[name] ?? KILOBYTES_MAX_ELSE) * 1024)
  for (const { name, filename, size, entryCount } of packed) {
    say(`${name}: ${filename}, ${Math.ceil(size / 1024)} KB, ${entryCount} files`)
  }
  if (heavy.length > 0) {
    throw new Failure(
      `Heavier than they may be: ${heavy.map(({ name }) => name).join(", ")}.`,
      "Look at what npm pack lists, leave out what nobody needs, or raise the bound in pack.mjs."
    )
  }
  say(`${packed.length} packages are in ${into}.`)
}

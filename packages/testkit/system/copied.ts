/** A copy of the repository that a test may change. */
import { execFile } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** Whether this is run from its source or compiled. */
export const ROOT = fileURLToPath(import.meta.url).split(`${sep}packages${sep}testkit${sep}`)[0] ?? ""
const run = promisify(execFile)

/** Of what was made from the sources: the declarations, and what the compiler knows of each file. */
const COMPILED = /\.(d\.ts|tsbuildinfo)$/

/** In it the compiler keeps what it knows of a project. */
const KNOWN = "tsconfig.tsbuildinfo"

/** The packages of others are links, whose files the compiler names by where they are: from another place, by other words. */
const rebased = async (root: string, path: string): Promise<void> => {
  const text = await readFile(join(root, path), "utf8")
  const renamed = text.replaceAll(
    /"((?:\.\.\/)+node_modules)\/(?!@outbound\/)/g,
    (_, installed: string) => `"${relative(dirname(join(root, path)), join(ROOT, dirname(path), installed))}/`
  )
  await writeFile(join(root, path), renamed)
}

export const foldersIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

export const packages = await foldersIn(join(ROOT, "packages"))

/**
 * The repository's sources, with the packages of others as they are installed and its own beside each other. Their types are
 * those of the last build, so that the compiler looks at what is changed.
 */
export const copied = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), "outbound-wings-"))
  await cp(join(ROOT, "tsconfig.base.json"), join(root, "tsconfig.base.json"))
  const within = join(ROOT, "packages") + sep
  await cp(join(ROOT, "packages"), join(root, "packages"), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => {
      const parts = path.slice(within.length).split(sep)
      if (parts.includes("node_modules") || (parts[0] === "outbound" && parts.includes("dist"))) return false
      return !parts.includes("dist") || COMPILED.test(path) || statSync(path).isDirectory()
    }
  })
  const projects = packages.flatMap((name) =>
    ["", "test", "system", "bench"].map((part) => join("packages", name, part))
  )
  for (const path of projects.map((project) => join(project, "dist", KNOWN))) {
    if (existsSync(join(root, path))) await rebased(root, path)
  }
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

/** What the compiler says of these projects of a copy. Nothing: they are right. */
export const typesOf = async (root: string, projects: ReadonlyArray<string>): Promise<string> => {
  const types = join(ROOT, "node_modules", ".bin", "tsc")
  const { stdout } = await run(types, ["-b", "--checkers", "1", ...projects], { cwd: root }).catch(
    (failed: { readonly stdout: string }) => failed
  )
  return stdout
}

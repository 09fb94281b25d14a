/** A copy of the repository that a test may change. */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
const run = promisify(execFile)

const LEFT_OUT = new Set(["node_modules", "dist"])

export const foldersIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

export const packages = await foldersIn(join(ROOT, "packages"))

/** The repository's sources, with the packages of others as they are installed and its own beside each other. */
export const copied = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), "outbound-wings-"))
  await cp(join(ROOT, "tsconfig.base.json"), join(root, "tsconfig.base.json"))
  const within = join(ROOT, "packages") + sep
  await cp(join(ROOT, "packages"), join(root, "packages"), {
    recursive: true,
    preserveTimestamps: true,
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

/** What the compiler says of these projects of a copy. Nothing: they are right. */
export const typesOf = async (root: string, projects: ReadonlyArray<string>): Promise<string> => {
  const types = join(ROOT, "node_modules", ".bin", "tsc")
  const { stdout } = await run(types, ["-b", ...projects], { cwd: root }).catch(
    (failed: { readonly stdout: string }) => failed
  )
  return stdout
}

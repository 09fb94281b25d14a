/**
 * A lockfile that holds for every platform. A registry that mirrors only some platforms' builds of a package makes npm
 * leave the others out of the lockfile, and `npm ci` refuses that everywhere; so they are written down here, as the
 * package that wants them pins them. What they are for stands in their names.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Failure, root } from "./host.mjs"

const LOCKFILE = join(root, "package-lock.json")
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"]
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"]
const LIBRARIES = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" }

const entryFor = (name, version, wantedBy) => {
  const words = name.split(/[/-]/)
  const os = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.find((word) => PROCESSORS.includes(word))
  const library = words.map((word) => LIBRARIES[word]).find((word) => word !== undefined)
  if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
    throw new Failure(
      `${name}@${version} is missing from the lockfile, and its name does not show its platform.`,
      "Install it from a registry that has it, or remove the package that needs it."
    )
  }
  return {
    version,
    cpu: [cpu],
    ...(wantedBy.dev === true ? { dev: true } : {}),
    ...(os === "linux" && library !== undefined ? { libc: [library] } : {}),
    optional: true,
    os: [os]
  }
}

/** Writes down what npm left out. Answers how many entries that were. */
export const completeLockfile = () => {
  const lock = JSON.parse(readFileSync(LOCKFILE, "utf8"))
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(
        ([name]) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages)
      )
      .map(([name, version]) => [`node_modules/${name}`, entryFor(name, version, entry)])
  )
  if (missing.length === 0) return 0
  const packages = [...Object.entries(lock.packages), ...missing].sort(([one], [other]) =>
    one.localeCompare(other, "en")
  )
  writeFileSync(LOCKFILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, undefined, 2)}\n`)
  return missing.length
}

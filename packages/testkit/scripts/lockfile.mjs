/**
 * A lockfile that holds for every platform. A registry that mirrors only some platforms' builds of a package makes npm
 * leave the others out of the lockfile, and `npm ci` refuses that everywhere; so they are written down here, as the
 * package that wants them pins them. What they are for is in their names. Every package has its hash: without one, npm
 * would install whatever a registry has under that name.
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

/** The hash of what the registry published. `ask` runs npm. */
const integrityOf = async (name, version, ask) => {
  const { code, output } = await ask(["view", `${name}@${version}`, "dist.integrity"])
  const [hash] = /sha512-[\w+/]+={0,2}/.exec(output) ?? []
  if (code !== 0 || hash === undefined) {
    throw new Failure(
      `The registry does not say what ${name}@${version} holds (dist.integrity).`,
      "Lock from a registry that has it, or remove the package that needs it."
    )
  }
  return hash
}

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)

const isUnhashed = ([path, entry]) =>
  path.includes("node_modules/") && entry.link !== true && entry.integrity === undefined

/** Writes down what npm left out: packages, and hashes. Answers how many packages that were. */
export const completeLockfile = async (ask) => {
  const lock = JSON.parse(readFileSync(LOCKFILE, "utf8"))
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(
        ([name]) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages)
      )
      .map(([name, version]) => [`node_modules/${name}`, entryFor(name, version, entry)])
  )
  const packages = [...Object.entries(lock.packages), ...missing].sort(([one], [other]) =>
    one.localeCompare(other, "en")
  )
  const unhashed = packages.filter(isUnhashed)
  if (missing.length === 0 && unhashed.length === 0) return 0
  for (const [path, entry] of unhashed) {
    const { version, ...rest } = entry
    const at = packages.findIndex(([one]) => one === path)
    packages[at] = [path, { version, integrity: await integrityOf(nameOf(path), version, ask), ...rest }]
  }
  writeFileSync(LOCKFILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, undefined, 2)}\n`)
  return missing.length
}

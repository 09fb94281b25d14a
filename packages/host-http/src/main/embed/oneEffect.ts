import { createRequire } from "node:module"
import { join } from "node:path"

/** The version of the library that a file there would import. Null: none. */
export const effectOf = (file: string | URL): string | null => {
  try {
    const { version } = createRequire(file)("effect/package.json") as { readonly version?: unknown }
    return typeof version === "string" ? version : null
  } catch {
    return null
  }
}

/** What is wrong if a program and ours import two versions. Null: nothing is. */
export const skewOf = (theirs: string | null, ours: string | null): string | null =>
  theirs === null || ours === null || theirs === ours
    ? null
    : `This program imports effect ${theirs}, and outbound effect ${ours}: neither sees the other's services. Install effect@${ours} alone (npm ls effect).`

let isSaid = false

/** Says so once, in one line, before a layer of the one meets the other. Programs that use promises alone never need it. */
export const sayOfSkew = (program: string = join(process.cwd(), "program.js")): void => {
  const skew = isSaid ? null : skewOf(effectOf(program), effectOf(import.meta.url))
  isSaid ||= skew !== null
  if (skew !== null) process.emitWarning(skew, { code: "OUTBOUND_TWO_EFFECTS" })
}

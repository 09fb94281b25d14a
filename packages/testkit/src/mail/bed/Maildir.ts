import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A message as it lies in a Maildir. */
export interface StoredMail {
  readonly raw: string
  /** The header's first value by this name, unfolded; empty where it has none. */
  readonly header: (name: string) => string
}

const unfolded = (raw: string): string => (raw.split(/\r?\n\r?\n/, 1)[0] ?? "").replace(/\r?\n[ \t]+/g, " ")

export const parseMail = (raw: string): StoredMail => ({
  raw,
  header: (name) => new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(unfolded(raw))?.[1]?.trim() ?? ""
})

/** Everything in a Maildir, read or not. A file that is moved while we look is found where it is then. */
export const readMaildir = (directory: string): ReadonlyArray<StoredMail> => {
  const found = new Map<string, StoredMail>()
  for (const folder of ["new", "cur", "new"].map((name) => join(directory, name))) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder)) {
      const base = name.split(":")[0] ?? name
      const path = join(folder, name)
      if (!found.has(base) && existsSync(path)) found.set(base, parseMail(readFileSync(path, "utf8")))
    }
  }
  return [...found.values()]
}

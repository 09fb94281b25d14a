import { readFile, stat } from "node:fs/promises"
import type { Fingerprints } from "./technologies.js"
import { isJsonObject } from "../VendorHttp.js"

/** The published sets are a few megabytes. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads a file of the operator's: `{"technologies": {…}, "categories": {…}}`, or the technologies alone. Throws for what
 * is neither.
 */
export const readFingerprints = async (path: string): Promise<Fingerprints> => {
  if ((await stat(path)).size > FILE_BYTES_MAX) throw new Error("it is too large")
  const read: unknown = JSON.parse(await readFile(path, "utf8"))
  if (!isJsonObject(read)) throw new Error("it holds no technologies")
  const technologies = isJsonObject(read["technologies"]) ? read["technologies"] : read
  const categories = isJsonObject(read["categories"]) ? read["categories"] : {}
  const usable = Object.entries(technologies).filter(([, one]) => isJsonObject(one))
  if (usable.length === 0) throw new Error("it holds no technologies")
  return { technologies: Object.fromEntries(usable), categories } as unknown as Fingerprints
}

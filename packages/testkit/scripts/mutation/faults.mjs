/** All faults of the files that keep the promises, numbered, and a sample of them. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../host.mjs"
import { MODULES } from "./modules.mjs"
import { faultsOf } from "./operators.mjs"

const isSource = (path) => path.endsWith(".ts")

const filesOf = (root, path) =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true })
        .map((name) => `${path}/${name}`)
        .filter(isSource)
    : [path]

/** The files whose module or path has all of the words. */
export const chosenFiles = (root, words) => {
  const files = new Map()
  for (const [module, paths] of Object.entries(MODULES)) {
    for (const file of paths.flatMap((path) => filesOf(root, path))) {
      if (words.every((word) => module === word || file.includes(word))) files.set(file, files.get(file) ?? module)
    }
  }
  if (files.size === 0) {
    throw new Failure(`No module or file has "${words.join(" ")}".`, `Modules: ${Object.keys(MODULES).join(", ")}.`)
  }
  return [...files.keys()].toSorted()
}

const lineAt = (text, start) => text.slice(0, start).split("\n").length

/** On one line, and no longer than one reads. */
const short = (text) => text.replace(/\s+/g, " ").trim()

/** What stays of a statement around what is changed in it. */
const AROUND_CHARS = 40

/** Statements are long, and what is changed in them is a word. */
const aroundChange = (before, after) => {
  let first = 0
  while (first < before.length && before[first] === after[first]) first += 1
  let last = 0
  const most = Math.min(before.length, after.length) - first
  while (last < most && before.at(-1 - last) === after.at(-1 - last)) last += 1
  const cut = (text) =>
    text.slice(Math.max(0, first - AROUND_CHARS), Math.max(first, text.length - last) + AROUND_CHARS).trim()
  return [cut(before), cut(after)]
}

const shortOf = ({ kind }, before, after) => (kind.startsWith("SQL") ? aroundChange(before, after) : [before, after])

export const faultsIn = async (root, files) => {
  const { parseSync } = await import("oxc-parser")
  let id = 0
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8")
    const { errors, program } = parseSync(file, text, { preserveParens: true, showSemanticErrors: false })
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
    const alike = new Map()
    return faultsOf(text, program).map((fault) => {
      const [before, after] = shortOf(fault, short(text.slice(fault.start, fault.end)), short(fault.text))
      const found = { ...fault, id: (id += 1), file, line: lineAt(text, fault.start), before, after }
      const nth = (alike.get(knownBy(found)) ?? 0) + 1
      alike.set(knownBy(found), nth)
      return { ...found, nth }
    })
  })
}

/** What a survivor is known by in the list of equivalents, whatever line it moves to. `nth`: of several alike in a file. */
export const knownBy = ({ after, before, file, nth = 1 }) =>
  `${file}: ${before} → ${after}${nth === 1 ? "" : ` (${nth})`}`

/** A repeatable order for a seed: each fault by a hash of both. */
const rankOf = (seed, text) => createHash("sha256").update(`${seed} ${text}`).digest("hex")

export const groupBy = (items, keyOf) => {
  const groups = new Map()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Files loaded for a sample cost most of its time, so it takes several faults of each of a few files. */
export const sampleOf = (faults, seed, { countMax, filesMax }) => {
  const byFile = groupBy(faults, ({ file }) => file)
  // By their faults: a large file is as likely to be chosen as any of its faults.
  const order = faults
    .map((fault) => [rankOf(seed, `file ${fault.id}`), fault.file])
    .toSorted((one, other) => (one[0] < other[0] ? -1 : 1))
  const files = [...new Set(order.map(([, file]) => file))].slice(0, filesMax)
  const each = Math.ceil(countMax / files.length)
  return files.flatMap((file) =>
    byFile
      .get(file)
      .toSorted((one, other) => (rankOf(seed, String(one.id)) < rankOf(seed, String(other.id)) ? -1 : 1))
      .slice(0, each)
  )
}

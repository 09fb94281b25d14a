/** What was measured of each file of which all faults were tried: kept by `--learn`, and shown by `survivors`. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bin, root } from "../host.mjs"
import { groupBy, knownBy } from "./faults.mjs"
import { MODULES } from "./modules.mjs"

const MEASURED = join(root, "packages/testkit/scripts/mutation/measured.json")

/** Writes what was found into the checkout, by file, as the formatter wants it. */
export const keepSorted = (path, found) => {
  writeFileSync(path, JSON.stringify(Object.fromEntries(Object.entries(found).toSorted())))
  spawnSync(process.execPath, [bin("oxfmt"), path], { cwd: root })
}

const measured = () => (existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, "utf8")) : {})

const told = (fault) => `${fault.line} ${fault.kind}: ${knownBy(fault).slice(fault.file.length + 2)}`

/** Without its line, which moves. */
const withoutLine = (text) => text.slice(text.indexOf(" ") + 1)

/**
 * Those of these faults that no test noticed when their file was measured last. Of a file that has other faults than it had
 * then, all: what was measured is of another text.
 */
export const leftOf = (open, all) => {
  const known = measured()
  const tellings = new Map()
  for (const [file, of] of groupBy(all, ({ file }) => file)) {
    const before = known[file]
    if (before?.faults !== of.length) continue
    const now = new Set(of.map((fault) => withoutLine(told(fault))))
    const left = before.left.map(withoutLine)
    if (left.every((text) => now.has(text))) tellings.set(file, new Set(left))
  }
  return open.filter((fault) => tellings.get(fault.file)?.has(withoutLine(told(fault))) ?? true)
}

/** `all`: every fault of the files. `open`: without those that are named as ones that change nothing. */
export const keepMeasured = (outcomes, { all, open }, date) => {
  const known = measured()
  const allOf = groupBy(all, ({ file }) => file)
  const outcomesOf = groupBy(outcomes, ({ file }) => file)
  for (const [file, { length: tried }] of groupBy(open, ({ file }) => file)) {
    const of = outcomesOf.get(file) ?? []
    if (of.some(({ outcome }) => outcome === "not tried")) continue
    const left = of.filter(({ outcome }) => outcome !== "noticed")
    const faults = allOf.get(file).length
    known[file] = { faults, noticed: tried - left.length, equivalent: faults - tried, date, left: left.map(told) }
  }
  keepSorted(MEASURED, known)
}

const scoreOf = ({ equivalent, faults, noticed }) =>
  `${((100 * noticed) / Math.max(1, faults - equivalent)).toFixed(1)} %`

const sumOf = (found) => ({
  faults: found.reduce((sum, { faults }) => sum + faults, 0),
  noticed: found.reduce((sum, { noticed }) => sum + noticed, 0),
  equivalent: found.reduce((sum, { equivalent }) => sum + equivalent, 0)
})

/** Prints what no test noticed when its file was measured last, and a line for each module. */
export const showMeasured = (files) => {
  const known = measured()
  for (const file of files) {
    for (const text of known[file]?.left ?? [])
      console.log(`${file}:${text.length > 300 ? `${text.slice(0, 300)} …` : text}`)
  }
  for (const [module, paths] of Object.entries(MODULES)) {
    const own = files.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)))
    const found = own.filter((file) => known[file] !== undefined).map((file) => known[file])
    if (found.length === 0) continue
    const sum = sumOf(found)
    const dates = found.map(({ date }) => date).toSorted()
    console.log(
      `${module}: ${found.length} of ${own.length} files, ${sum.faults} faults, ${sum.noticed} noticed, ` +
        `${sum.equivalent} change nothing, ${scoreOf(sum)}, ${dates[0]} to ${dates.at(-1)}`
    )
  }
}

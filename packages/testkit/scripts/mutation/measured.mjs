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

/** `all`: every fault of the files; what is no outcome is named as one that changes nothing. */
export const keepMeasured = (outcomes, all, date) => {
  const known = measured()
  const allOf = groupBy(all, ({ file }) => file)
  for (const [file, of] of groupBy(outcomes, ({ file }) => file)) {
    if (of.some(({ outcome }) => outcome === "not tried")) continue
    const left = of.filter(({ outcome }) => outcome !== "noticed")
    const faults = allOf.get(file).length
    known[file] = {
      faults,
      noticed: of.length - left.length,
      equivalent: faults - of.length,
      date,
      left: left.map((fault) => `${fault.line} ${fault.kind}: ${knownBy(fault).slice(file.length + 2)}`)
    }
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

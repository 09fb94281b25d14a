/**
 * `npm run bench -- cases`: whether what others describe is treated as they say. `BENCH_CASES` is a folder with messages, with files of people, or
 * with what clients of MCP and OAuth send, or one with such folders in it. Files and requests go to a running service. Exits 1 if one does not hold.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { listCases } from "./cases/lists.js"
import { mailCases } from "./cases/mail.js"
import type { Outcome } from "./cases/outcome.js"
import { protocolCases } from "./cases/protocol.js"
import { row } from "./Report.js"

const root = process.env["BENCH_CASES"]
if (root === undefined) {
  console.error("Set BENCH_CASES to a folder with cases.json, with .csv files, or with such folders.")
  process.exit(2)
}

const isOfMessages = (folder: string): boolean =>
  (JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as ReadonlyArray<object>).some((one) => "file" in one)

const outcomesOf = async (folder: string): Promise<ReadonlyArray<Outcome>> => {
  if (existsSync(join(folder, "cases.json"))) {
    if (isOfMessages(folder)) return mailCases(folder)
    const { left, outcomes } = await protocolCases(folder)
    console.log(`Left to tests, as they need more than a request: ${left.length} (${left.join(", ")})`)
    return outcomes
  }
  return readdirSync(folder).some((name) => name.endsWith(".csv")) ? listCases(folder) : []
}

const outcomes: Array<Outcome> = []
for (const folder of [
  root,
  ...readdirSync(root, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [join(root, one.name)] : []))
]) {
  const found = await outcomesOf(folder)
  if (found.length > 0) console.log(`${basename(folder)}: ${found.length}`)
  outcomes.push(...found)
}

const counts = new Map<string, { held: number; all: number }>()
for (const { failures, id, kind } of outcomes) {
  if (failures.length > 0) console.log(`${id}: ${failures.join("; ")}`)
  const { all, held } = counts.get(kind) ?? { held: 0, all: 0 }
  counts.set(kind, { held: held + (failures.length === 0 ? 1 : 0), all: all + 1 })
}
const held = [...counts.values()].reduce((sum, one) => sum + one.held, 0)
console.log(row(["kind", "hold", "of"]))
console.log(row(["---", "---:", "---:"]))
for (const [kind, one] of counts) console.log(row([kind, String(one.held), String(one.all)]))
console.log(row(["**all**", String(held), String(outcomes.length)]))
if (held < outcomes.length || outcomes.length === 0) process.exitCode = 1

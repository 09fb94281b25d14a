/**
 * Files of people as others export them, imported by the commands of a running service: each row is counted, each that is left
 * out is named by its line with what is wrong and what helps, nobody who stands in a file is lost, and nobody is added.
 */
import { decodeTable } from "@outbound/host-http/csv/decodeTable.js"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { messagesBeside } from "./mail.js"
import type { Outcome } from "./outcome.js"
import { type Service, withService } from "./Service.js"

interface Report {
  readonly rows: number
  readonly added: number
  readonly updated?: number
  readonly known: number
  readonly empty: number
  readonly unusable: number
  readonly people_added?: number
  readonly domains_added?: number
  readonly unusable_rows?: ReadonlyArray<{ readonly line: number; readonly reason: string; readonly remedy: string }>
}

const HIDDEN = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g

/** Addresses as anybody sees them in a text. What stands in a cell with more words than an address needs no finding. */
const addressesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    [...text.replace(HIDDEN, "").matchAll(/[^\s<>,;"':()*@/]+@[^\s<>,;"':()@/]+\.[a-z]+/gi)].map(([found]) =>
      found.toLowerCase()
    )
  )
]

const reportOf = (out: string): Report | null => {
  try {
    return JSON.parse(out) as Report
  } catch {
    return null
  }
}

/** What isn't accounted for. `addedOf`: how many rows became somebody or something. */
const unaccounted = (report: Report): ReadonlyArray<string> => {
  const sum = report.added + (report.updated ?? 0) + report.known + report.empty + report.unusable
  const named = new Set(report.unusable_rows?.map(({ line }) => line))
  return [
    ...(sum === report.rows ? [] : [`${report.rows} rows, but ${sum} are accounted for`]),
    ...(report.unusable_rows === undefined || named.size === report.unusable ? [] : ["a row left out is not named"]),
    ...(report.unusable_rows?.every(({ reason, remedy }) => reason !== "" && remedy !== "") === false
      ? ["a mistake without a reason or a remedy"]
      : [])
  ]
}

const suppressionOf = async (service: Service, workspace: string, file: string): Promise<ReadonlyArray<string>> => {
  const { code, err, out } = await service.command("suppression", "import", "--workspace", workspace, "--json", file)
  const report = reportOf(out)
  // A file whose meaning isn't certain may be refused, with its columns named.
  if (report === null) return code !== 0 && /column/i.test(err + out) ? [] : [`said nothing usable: ${err}${out}`]
  const { text } = decodeTable(readFileSync(file))
  const lines = text.split(/\r\n|\n|\r/)
  const leftOut = new Set(report.unusable_rows?.flatMap(({ line }) => addressesIn(lines[line - 1] ?? "")))
  const seen = addressesIn(text).filter((one) => !leftOut.has(one))
  const again = join(service.folder, "again.csv")
  writeFileSync(again, ["email", ...seen].join("\n"))
  const check = await service.command("suppression", "import", "--workspace", workspace, "--dry-run", "--json", again)
  const lost = reportOf(check.out)
  return [
    ...unaccounted(report),
    ...(seen.length === 0 || lost?.added === 0 ? [] : [`somebody of ${seen.join(", ")} is not on the list`]),
    ...((report.people_added ?? 0) <= addressesIn(text).length ? [] : ["somebody was added who stands nowhere"])
  ]
}

const directoryOf = async (service: Service, workspace: string, file: string): Promise<ReadonlyArray<string>> => {
  const { code, err, out } = await service.command(
    "directory",
    "import",
    "--workspace",
    workspace,
    "--ignore-unknown",
    "--json",
    file
  )
  const report = reportOf(out)
  if (report === null) return code !== 0 && /column/i.test(err + out) ? [] : [`said nothing usable: ${err}${out}`]
  return unaccounted(report)
}

export const listCases = (folder: string): Promise<ReadonlyArray<Outcome>> =>
  withService(async (service) => {
    const names = readdirSync(folder).toSorted()
    const outcomes: Array<Outcome> = [...(await messagesBeside(folder, names))]
    for (const name of names.filter((one) => one.endsWith(".csv"))) {
      const made = await service.command(
        "workspace",
        "create",
        "--name",
        name,
        "--owner-email",
        "ann@acme.test",
        "--kind",
        "sandbox",
        "--credits",
        "0",
        "--json"
      )
      const workspace = String((JSON.parse(made.out) as { workspace_id: string }).workspace_id)
      const file = join(folder, name)
      const isDirectory = /^[dh]/.test(name)
      const failures = isDirectory
        ? await directoryOf(service, workspace, file)
        : await suppressionOf(service, workspace, file)
      outcomes.push({ id: name, kind: isDirectory ? "people for the directory" : "people not to write to", failures })
    }
    return outcomes
  })

/**
 * `docs/benchmarks.md`, of which each bench writes its own section, between two markers, and leaves the others as they
 * are.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"

const REPORT = join(import.meta.dirname, "../../../../docs/benchmarks.md")

const HEAD = `# Benchmarks

\`npm run bench\` writes this page; each bench writes its own section (\`npm run bench -- <name>\`). Compare the ratios, not the
absolute figures: those depend on the machine, which the load generator, the servers and PostgreSQL share.
`

/** The report with the section in place of its former self, or at its end. */
export const placed = (report: string, name: string, section: string): string => {
  const from = `<!-- bench: ${name} -->`
  const until = `<!-- end of bench: ${name} -->`
  const text = `${from}\n\n${section.trim()}\n\n${until}`
  const start = report.indexOf(from)
  if (start < 0) return `${report.trimEnd()}\n\n${text}\n`
  const end = report.indexOf(until, start)
  if (end < 0) throw new Error(`docs/benchmarks.md has no end of the section ${name}`)
  return report.slice(0, start) + text + report.slice(end + until.length)
}

/** Prints the table, and keeps the section around it where that is asked for (`--write`). */
export const tell = (name: string, table: string, section: string): void => {
  console.log(`${table}\n`)
  if (!process.argv.includes("--write")) return
  writeFileSync(REPORT, placed(existsSync(REPORT) ? readFileSync(REPORT, "utf8") : HEAD, name, section))
}

/** What the figures were measured on. */
export const machine = `${cpus().length} CPUs (${cpus()[0]?.model ?? "unknown"}), Node ${process.version}`

export const n = (value: number, digits = 0): string => value.toFixed(digits)

export const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

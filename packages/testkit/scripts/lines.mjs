/**
 * `npm run lines`: how many lines the product has, and of how many of them a reader must know what they say. `-- COMMIT` counts an
 * earlier one, `-- files KIND` names the files of a kind.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./host.mjs"

const SOURCE = /^packages\/([^/]+)\/.+\.(?:ts|tsx|mjs)$/

/** Packages and folders that no production program has. */
const DEVELOPMENT = /^packages\/(?:testkit|examples)\/|^packages\/[^/]+\/(?:test|system|bench)\/|vitest/

/** What a wing's folders are, in whichever package. */
const WING = /^packages\/[^/]+\/src\/wings\/([^/]+)\/./

/** A vendor's folder, which one line of `vendors.ts` knows. What vendors share is of the core. */
const VENDOR = /^packages\/adapters\/src\/providers\/(?!(?:config|open|recording|sending)\/)([^/]+)\/./

/** Words, phrases and tables: what they hold is looked up, and says nothing of how the program works. */
const DATA = [
  /^packages\/client\/src\/words\//,
  /^packages\/host-http\/src\/unsubscribe\/words\/[a-z]{2}\.ts$/,
  /^packages\/domain\/src\/outreach\/meaning\/(?:model\/)?(?:intentPhrases|phrases|unsubscribePhrases|concepts|conceptNames)\.ts$/,
  /^packages\/domain\/src\/outreach\/replies\/(?:absencePhrases|receiptPhrases)\.ts$/,
  /^packages\/domain\/src\/kernel\/(?:people\/IndustryNames|places\/zoneTable|words\/noticeTexts|words\/languages)\.ts$/,
  /^packages\/sandbox\/src\/world\/(?:Names|Places|CountryCodes)\.ts$/
]

/** What a file counts as, and for a wing or a vendor its name. */
export const kindOf = (path) => {
  if (DEVELOPMENT.test(path)) return { kind: "development" }
  const [, wing] = WING.exec(path) ?? []
  if (wing !== undefined) return { kind: "wings", name: wing }
  const [, vendor] = VENDOR.exec(path) ?? []
  if (vendor !== undefined) return { kind: "vendors", name: vendor }
  return { kind: DATA.some((pattern) => pattern.test(path)) ? "data" : "core" }
}

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 })

/** The lines of every source file: of the work tree, or of a commit. */
const counted = (commit) => {
  const lines =
    commit === undefined
      ? git("ls-files", "-co", "--exclude-standard", "packages")
          .split("\n")
          .filter((path) => SOURCE.test(path))
          .flatMap((path) => {
            try {
              return [[path, readFileSync(join(root, path), "utf8").split("\n").length - 1]]
            } catch (error) {
              if (error.code === "ENOENT") return []
              throw error
            }
          })
      : git("grep", "-c", "", commit, "--", "packages")
          .split("\n")
          .map((line) => /^[^:]+:(.+):(\d+)$/.exec(line))
          .flatMap((found) => (found !== null && SOURCE.test(found[1]) ? [[found[1], Number(found[2])]] : []))
  return lines.map(([path, count]) => ({ path, count, ...kindOf(path) }))
}

/** Sums by a key, the greatest first. */
const sums = (files, keyOf) => {
  const by = new Map()
  for (const file of files) by.set(keyOf(file), (by.get(keyOf(file)) ?? 0) + file.count)
  return [...by].sort(([, a], [, b]) => b - a)
}

const total = (files) => files.reduce((sum, { count }) => sum + count, 0)

const table = (head, rows) => {
  const all = [
    head,
    ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell)))
  ]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const shown = all.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
  )
  return shown.map((row) => row.join("  ")).join("\n")
}

const folderOf = ({ path }) => {
  const [, name, , ...inner] = path.split("/")
  return `${name}/${inner.length > 1 ? inner[0] : ""}`
}

const KINDS = ["core", "wings", "vendors", "data"]

/** Everything that is said of the whole. */
export const report = (files) => {
  const product = files.filter(({ kind }) => kind !== "development")
  const of = (kind) => product.filter((file) => file.kind === kind)
  const packages = sums(product, ({ path }) => path.split("/")[1]).map(([name]) => name)
  const within = (name) => (file) => file.path.startsWith(`packages/${name}/`)
  return [
    table(
      ["lines", ...KINDS, "all"],
      [
        ...packages.map((name) => [
          name,
          ...KINDS.map((kind) => total(of(kind).filter(within(name)))),
          total(product.filter(within(name)))
        ]),
        ["all", ...KINDS.map((kind) => total(of(kind))), total(product)],
        ["tests, benches, scripts", "", "", "", "", total(files.filter(({ kind }) => kind === "development"))]
      ]
    ),
    table(
      ["wing", "lines"],
      sums(of("wings"), ({ name }) => name)
    ),
    table(
      ["vendor", "lines"],
      sums(of("vendors"), ({ name }) => name)
    ),
    table(["core, by folder", "lines"], sums(of("core"), folderOf))
  ].join("\n\n")
}

/** `npm run lines` */
export const lines = ([first, kind]) => {
  if (first !== "files") return void console.log(report(counted(first)))
  for (const { count, path } of counted().filter((file) => file.kind === kind)) console.log(`${count}\t${path}`)
}

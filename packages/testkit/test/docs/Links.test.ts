import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { anchors, headings, withoutCode } from "./headings.js"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const DOCS = join(ROOT, "docs")
const DECISIONS = join(DOCS, "decisions")

const markdownIn = (folder: string, deep: boolean): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: deep, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name))

const PAGES = [...markdownIn(ROOT, false), ...markdownIn(DOCS, true)].sort()

interface Link {
  readonly page: string
  readonly target: string
  /** The file that it leads to. */
  readonly file: string
  readonly anchor: string
}

/** Links inside the repository: of text, of pictures, and the files that a text names in code. */
const linksOf = (page: string): ReadonlyArray<Link> => {
  // What a page tells to make is no link yet.
  const text = withoutCode(readFileSync(page, "utf8")).replaceAll(/In a new file\s+`[^`]+`/g, "")
  const inText = [...text.replaceAll(/`[^`\n]*`/g, "").matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)]
  const written = inText.map(([, target = ""]) => target).filter((target) => !/^[a-z]+:/.test(target))
  const named = [...text.matchAll(/`((?:docs|packages)\/[\w./-]+\.(?:md|svg|png|tsx?|mjs|sh|csv))`/g)]
  return [...written, ...named.map(([, path = ""]) => `/${path}`)].map((target) => {
    const [path = "", anchor = ""] = target.split("#")
    const from = path.startsWith("/") ? join(ROOT, path) : resolve(dirname(page), path)
    return { page, target, file: path === "" ? page : from, anchor }
  })
}

const shown = (path: string): string => relative(ROOT, path)

const wrong = ({ anchor, file, page, target }: Link): ReadonlyArray<string> => {
  const say = (what: string) => [`${shown(page)}: ${target} ${what}`]
  if (relative(ROOT, file).startsWith("..")) return say("leads out of the repository")
  if (!existsSync(file)) return say("leads nowhere")
  if (anchor === "") return []
  if (statSync(file).isDirectory() || !file.endsWith(".md")) return say("has an anchor, but no page")
  return anchors(readFileSync(file, "utf8")).has(anchor) ? [] : say("names no heading of that page")
}

describe("the documentation", () => {
  it("has no link that leads nowhere", () => {
    const links = PAGES.flatMap(linksOf)
    assert.isAbove(links.length, PAGES.length)
    assert.deepStrictEqual(links.flatMap(wrong), [])
  })

  it("can be reached from README.md, every page of it", () => {
    const reached = new Set([join(ROOT, "README.md")])
    for (const page of reached) {
      for (const { file } of linksOf(page)) if (file.endsWith(".md") && existsSync(file)) reached.add(file)
    }
    const lost = PAGES.filter((page) => page.startsWith(DOCS) && !reached.has(page))
    assert.deepStrictEqual(lost.map(shown), [])
  })

  it("numbers its decisions one by one, and lists each under its title", () => {
    const records = markdownIn(DECISIONS, false)
      .filter((path) => basename(path) !== "README.md")
      .sort()
    const index = readFileSync(join(DECISIONS, "README.md"), "utf8")
    for (const [position, path] of records.entries()) {
      const name = basename(path)
      const number = String(position + 1).padStart(4, "0")
      assert.match(name, new RegExp(`^${number}-[a-z0-9-]+\\.md$`), "numbers are used once, without gaps")
      const [, title] = /^# (.*)$/m.exec(readFileSync(path, "utf8")) ?? []
      assert.isTrue(title?.startsWith(`${number}. `), `${name} begins with its number and title`)
      const row = index.split("\n").find((line) => line.includes(`](${name})`)) ?? ""
      assert.include(row, title?.slice(number.length + 2) ?? "", `docs/decisions/README.md lists ${name}`)
    }
  })

  it("keeps each bench's figures between marks of their own", () => {
    const text = readFileSync(join(DOCS, "benchmarks.md"), "utf8")
    const marks = [...text.matchAll(/^<!-- (bench|end of bench): ([\w-]+) -->$/gm)].map(([, kind, name]) => [
      kind,
      name
    ])
    const names = marks.filter(([kind]) => kind === "bench").map(([, name]) => name)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(
      marks,
      names.flatMap((name) => [
        ["bench", name],
        ["end of bench", name]
      ])
    )
    assert.strictEqual(headings(text).length, names.length + 1, "nothing else has a section there")
  })
})

/** The pages of documentation that lie beside the program, as they were written. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Beside the published program; in a checkout, from the sources and from what is compiled of them. */
const PLACES = ["docs/", "../../../../docs/", "../../../../../docs/"]

/** What only people who change the code read, and what isn't written by us. */
const APART = /^(?:decisions|corpora)\//

const place = (): string | null => {
  const folders = PLACES.map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return folders.find((folder) => existsSync(`${folder}tutorial.md`)) ?? null
}

/** A link that leads to no page of ours would lead nowhere: its words stay. */
const withoutStrays = (text: string, name: string, names: ReadonlySet<string>): string =>
  text.replace(/(!?)\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, picture: string, words: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole
    const { pathname } = new URL(target, `http://docs/${name}`)
    return picture === "" && names.has(pathname.slice(1)) ? whole : words
  })

/** The pages by name, such as `guides/mcp.md`. None where a program was installed without them. */
export const readDocPages = (made: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const folder = place()
  const listed = folder === null ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" })
  const names = listed.map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith(".md"))
  const kept = names.filter((name) => !APART.test(name) && !made.has(name))
  const all = new Set([...kept, ...made.keys()])
  const written = kept.map((name) => [name, readFileSync(`${folder}${name}`, "utf8")] as const)
  return new Map([...written, ...made].map(([name, text]) => [name, withoutStrays(text, name, all)]))
}

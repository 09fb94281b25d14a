import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

/** What is known of each vendor's interface says from where and from when. `within`: where their folders are. */
export const knownOf = (
  within: string,
  vendors: ReadonlyArray<{ readonly name: string; readonly title: string }>
): void => {
  it.each(vendors.map(({ name, title }) => [name, title] as const))(
    "%s: says from where, from when, and what was never tried",
    (name, title) => {
      const text = readFileSync(new URL(`../../src/${within}/${name}/contract.md`, import.meta.url), "utf8")
      assert.isTrue(text.startsWith(`# ${title}: what is known of its interface\n`), text.split("\n", 1)[0])
      const [, source = ""] = text.split("\n\n")
      assert.match(source, /^Sources?: .*\b20\d\d\b/s)
      assert.match(
        source.replace(/\s+/g, " "),
        /Not tried against an account\.|Tried against an account in \w+ 20\d\d\./
      )
      const rows = text.split("\n").filter((line) => line.startsWith("|"))
      assert.isAtLeast(rows.length, 5)
    }
  )
}

import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { CRMS } from "../../src/crm/crms.js"
import { VENDORS } from "../../src/providers/vendors.js"

const contractOf = (name: string): string =>
  readFileSync(
    new URL(
      `../../src/${CRMS.some((crm) => crm.name === name) ? "crm" : "providers"}/${name}/contract.md`,
      import.meta.url
    ),
    "utf8"
  )

describe("what is known of each vendor", () => {
  it.each([...VENDORS, ...CRMS].map(({ name, title }) => [name, title] as const))(
    "%s: says from where, from when, and what was never tried",
    (name, title) => {
      const text = contractOf(name)
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
})

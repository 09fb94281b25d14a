import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"

const ROOT = new URL("../../../../", import.meta.url)

/** Files whose names may be cited: tests, contract suites and scripts. */
const files = readdirSync(new URL("packages", ROOT), { recursive: true, encoding: "utf8" }).filter(
  (path) => !/(^|\/)(node_modules|dist)\//.test(path)
)

const stands = (name: string): boolean => files.some((path) => `/packages/${path}`.endsWith(`/${name}`))

/** The file names in the last column of each table: `x.test.ts`, `dir/x.test.ts`, or a suite by its bare name. */
const cited = (page: string): ReadonlyArray<string> =>
  page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => [...(line.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ""))

it("every test that the page of reliability names exists", () => {
  const names = cited(readFileSync(new URL("docs/reliability.md", ROOT), "utf8"))
  assert.isAbove(names.length, 20)
  const missing = names.filter((name) => {
    if (name.startsWith("packages/")) return !stands(name)
    return !(/\.\w+$/.test(name) ? stands(name) : stands(`${name}.ts`) || stands(`${name}.test.ts`))
  })
  assert.deepStrictEqual(missing, [])
})

import { verbList } from "@outbound/domain/verbs/verbs.js"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, expect, it } from "vitest"
import { verbPages } from "../src/openapi/VerbPages.js"
import { formatted } from "../../testkit/test/docs/formatted.js"

const FOLDER = fileURLToPath(new URL("../../../docs/reference/", import.meta.url))

const pages = verbPages(verbList)

describe("docs/reference says what the list of verbs says", () => {
  // Written anew by running this file with `--update`.
  it.each([...pages])("%s", async (name, text) => {
    const file = `${FOLDER}${name}`
    await expect(await formatted(text)).toMatchFileSnapshot(file)
  })

  it("and holds no page of anything else", () => {
    assert.sameMembers(readdirSync(FOLDER), [...pages.keys()])
  })

  it("with every error of a verb leading to where it is explained", () => {
    const explained = new Set([...(pages.get("errors.md") ?? "").matchAll(/^## (\w+)$/gm)].map(([, code]) => code))
    for (const [name, text] of pages) {
      for (const [, code] of text.matchAll(/errors\.md#(\w+)/g)) assert.include([...explained], code, name)
    }
  })
})

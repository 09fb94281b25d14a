import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../", import.meta.url))
const LIST: string = new URL("../scripts/mutantFaults.mjs", import.meta.url).href

interface PlantedFault {
  readonly guarantee: string
  readonly file: string
  readonly find: string
}

describe("the faults that `npm run mutants` plants", () => {
  it("are each in their file exactly once, so that none proves nothing after its line was rewritten", async () => {
    const { FAULTS } = (await import(LIST)) as { readonly FAULTS: ReadonlyArray<PlantedFault> }
    assert.isAbove(FAULTS.length, 100)
    const stale = FAULTS.filter(({ file, find }) => readFileSync(ROOT + file, "utf8").split(find).length !== 2)
    assert.deepStrictEqual(stale, [])
  })
})

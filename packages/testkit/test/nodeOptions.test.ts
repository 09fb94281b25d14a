import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { NODE_OPTIONS } from "../src/files/nodeOptions.js"

it("the image and the unit give Node the options that every measurement is taken with", () => {
  for (const file of ["Dockerfile", "outbound.service"]) {
    const text = readFileSync(new URL(`../../outbound/deploy/${file}`, import.meta.url), "utf8")
    assert.include(text.split(/[\s\\]+/), `NODE_OPTIONS=${NODE_OPTIONS}`, file)
  }
})

import { describe } from "@effect/vitest"
import { VENDORS } from "../../src/providers/vendors.js"
import { knownOf } from "./knownOf.js"

describe("what is known of each vendor", () => {
  knownOf("providers", VENDORS)
})

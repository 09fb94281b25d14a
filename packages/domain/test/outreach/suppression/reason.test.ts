import { assert, it } from "@effect/vitest"
import * as FC from "fast-check"
import { SUPPRESSION_SOURCES, suppressionReason } from "../../../src/outreach/suppression/SuppressionStore.js"

it("any source forbids, and a person's own no counts before their owner's", () =>
  FC.assert(
    FC.property(FC.subarray([...SUPPRESSION_SOURCES]), (sources) => {
      const own = sources.filter((source) => source !== "owner_import")
      const expected = own.length > 0 ? "opted_out" : sources.length > 0 ? "platform_blocked" : null
      assert.strictEqual(suppressionReason(sources), expected)
    })
  ))

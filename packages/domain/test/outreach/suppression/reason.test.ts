import { assert, it } from "@effect/vitest"
import { FastCheck as FC } from "effect"
import { SUPPRESSION_SOURCES, suppressionReason } from "../../../src/outreach/suppression/SuppressionStore.js"

it.prop(
  "any source forbids, and a person's own no counts before their owner's",
  [FC.subarray([...SUPPRESSION_SOURCES])],
  ([sources]) => {
    const own = sources.filter((source) => source !== "owner_import")
    const expected = own.length > 0 ? "opted_out" : sources.length > 0 ? "platform_blocked" : null
    assert.strictEqual(suppressionReason(sources), expected)
  }
)

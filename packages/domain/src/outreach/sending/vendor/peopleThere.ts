import { Effect } from "effect"
import { ProviderFailure } from "../../../sources/ports/ProviderFailure.js"
import type { PeopleThere } from "../../../sources/ports/VendorScheduled.js"
import type { Turn } from "./VendorRecord.js"

/** Most pages of a campaign's people that one turn reads: ours are at most 5,000, and others may add people. */
const PEOPLE_PAGES_MAX = 200

/** All people of a vendor's campaign. */
export const peopleThere = ({ ask, vendor: { name } }: Turn, ref: string) =>
  Effect.gen(function* () {
    const everybody: Array<PeopleThere["people"][number]> = []
    let cursor: string | null = null
    for (let pages = 0; pages < PEOPLE_PAGES_MAX; pages += 1) {
      const from: string | null = cursor
      const page: PeopleThere = yield* ask((vendor) => vendor.everybody(ref, from))
      everybody.push(...page.people)
      cursor = page.cursor
      if (cursor === null) return everybody
    }
    // An incomplete list proves nothing about people who are not on it.
    const cause = "it lists people without an end"
    return yield* Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause }))
  })

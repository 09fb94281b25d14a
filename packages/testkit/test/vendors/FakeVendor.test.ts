import { Effect } from "effect"
import { vendorScheduledContract } from "../../src/contracts/providers/vendorScheduled.js"
import { makeFakeVendor } from "../../src/vendors/FakeVendor.js"

vendorScheduledContract(
  "fake",
  Effect.sync(() => {
    const { provider, world } = makeFakeVendor()
    return { provider, world, readable: (text: string) => text }
  })
)

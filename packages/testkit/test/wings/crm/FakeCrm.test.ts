import { Effect } from "effect"
import { crmContract } from "../../../src/wings/crm/vendorContract.js"
import { makeFakeCrm } from "../../../src/wings/crm/vendors/FakeCrm.js"

crmContract(
  "in memory",
  Effect.sync(() => ({
    ...makeFakeCrm(),
    hasDomains: true,
    hasStages: true,
    hasAlternates: true,
    namesOwners: true,
    tellsDeleted: false
  }))
)

import { Effect } from "effect"
import { crmContract } from "../../src/contracts/providers/crm.js"
import { makeFakeCrm } from "../../src/vendors/crm/FakeCrm.js"

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

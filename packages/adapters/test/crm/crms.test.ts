import { describe } from "@effect/vitest"
import { SECRET } from "@outbound/testkit/contracts/providers/sources.js"
import { crmContract, type CrmHarness } from "@outbound/testkit/contracts/providers/crm.js"
import { CrmWorld } from "@outbound/testkit/vendors/crm/CrmWorld.js"
import { hubspotOver } from "@outbound/testkit/vendors/crm/HubSpotWorld.js"
import { pipedriveOver } from "@outbound/testkit/vendors/crm/PipedriveWorld.js"
import type { Answer, Received } from "@outbound/testkit/vendors/Exchange.js"
import { serveVendor } from "@outbound/testkit/vendors/ServedVendor.js"
import { Effect, Redacted } from "effect"
import { type CrmDefinition, makeCrm } from "../../src/crm/CrmHttp.js"
import { heldAnswers, watchRequests } from "../providers/published/watch.js"
import { hubspot } from "../../src/crm/hubspot/HubSpot.js"
import { pipedrive } from "../../src/crm/pipedrive/Pipedrive.js"

watchRequests(["hubspot"])

type Wire = Omit<NonNullable<CrmHarness["wire"]>, "served" | "refused">

/** A CRM of this kind over real HTTP, spoken to by its adapter. */
const served = (
  definition: CrmDefinition,
  over: (world: CrmWorld, token: string) => (request: Received) => Answer,
  has: Pick<CrmHarness, "hasDomains" | "hasStages">,
  wire: Wire
) =>
  Effect.gen(function* () {
    const world = new CrmWorld()
    const vendor = yield* serveVendor(over(world, SECRET))
    const open = yield* makeCrm({ ...definition, callsPerMinute: 100_000 }, vendor.url)
    const crm = open(Redacted.make(SECRET))
    const refused = open(Redacted.make("another-secret"))
    return { crm, world, ...has, wire: { ...wire, served: vendor, refused } }
  })

describe("CRMs over HTTP", () => {
  crmContract(
    "hubspot",
    Effect.zipRight(
      heldAnswers("hubspot"),
      served(
        hubspot,
        hubspotOver,
        { hasDomains: true, hasStages: true },
        {
          reads: ["POST", "/contacts/search"],
          writes: ["POST", "/objects/notes"],
          creates: ["POST", "/objects/contacts"]
        }
      )
    )
  )

  crmContract(
    "pipedrive",
    served(
      pipedrive,
      pipedriveOver,
      { hasDomains: false, hasStages: false },
      { reads: ["GET", "/deals"], writes: ["POST", "/notes"], creates: ["POST", "/persons"] }
    )
  )
})

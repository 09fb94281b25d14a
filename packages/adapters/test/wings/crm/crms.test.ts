import { assert, describe, it } from "@effect/vitest"
import { SECRET } from "@outbound/testkit/contracts/providers/sources.js"
import { crmContract, type CrmHarness } from "@outbound/testkit/wings/crm/vendorContract.js"
import { CrmWorld } from "@outbound/testkit/wings/crm/vendors/CrmWorld.js"
import { hubspotOver } from "@outbound/testkit/wings/crm/vendors/HubSpotWorld.js"
import { pipedriveOver } from "@outbound/testkit/wings/crm/vendors/PipedriveWorld.js"
import type { Answer, Received } from "@outbound/testkit/vendors/Exchange.js"
import type { ServedVendor } from "@outbound/testkit/vendors/ServedVendor.js"
import type { Crm } from "@outbound/domain/wings/crm/Crm.js"
import { Effect } from "effect"
import type { CrmDefinition } from "../../../src/wings/crm/CrmHttp.js"
import { hubspot } from "../../../src/wings/crm/hubspot/HubSpot.js"
import { pipedrive } from "../../../src/wings/crm/pipedrive/Pipedrive.js"
import { heldAnswers, watchRequests } from "../../providers/published/watch.js"
import { servedCrm, servedSalesforce, servedTwenty } from "./served.js"

watchRequests(["hubspot"])

type Wire = Omit<NonNullable<CrmHarness["wire"]>, "served" | "refused">
type Facts = Omit<CrmHarness, "crm" | "world" | "wire">

interface There {
  readonly crm: Crm
  readonly refused: Crm
  readonly served: ServedVendor
  readonly world: CrmWorld
}

const harness = ({ crm, refused, served, world }: There, facts: Facts, wire: Wire): CrmHarness => ({
  crm,
  world,
  ...facts,
  wire: { ...wire, served, refused }
})

/** A CRM of this kind, whose key alone opens an account. */
const byKey = (definition: CrmDefinition, over: (world: CrmWorld, token: string) => (request: Received) => Answer) =>
  Effect.gen(function* () {
    const world = new CrmWorld()
    return { world, ...(yield* servedCrm(definition, over(world, SECRET))) }
  })

describe("CRMs over HTTP", () => {
  crmContract(
    "hubspot",
    Effect.andThen(
      heldAnswers("hubspot"),
      Effect.map(byKey(hubspot, hubspotOver), (there) =>
        harness(
          there,
          { hasDomains: true, hasStages: true, hasAlternates: true, namesOwners: true, tellsDeleted: false },
          {
            reads: ["POST", "/contacts/search"],
            writes: ["POST", "/objects/notes"],
            creates: ["POST", "/objects/contacts"]
          }
        )
      )
    )
  )

  crmContract(
    "pipedrive",
    Effect.map(byKey(pipedrive, pipedriveOver), (there) =>
      harness(
        there,
        { hasDomains: false, hasStages: false, hasAlternates: true, namesOwners: true, tellsDeleted: false },
        { reads: ["GET", "/deals"], writes: ["POST", "/notes"], creates: ["POST", "/persons"] }
      )
    )
  )

  for (const marketing of ["refused", "silent"] as const) {
    it.effect(`Pipedrive, without its marketing product (${marketing}), tells its people all the same`, () =>
      Effect.gen(function* () {
        const { crm, world } = yield* byKey(pipedrive, (there, token) => pipedriveOver(there, token, marketing))
        world.person(["ann@customer.test"], { ownerId: "7" })
        const { records } = yield* crm.page({ cursor: "persons:", sinceMillis: null })
        assert.deepStrictEqual(
          records.map(({ emails, fields, ownerRef }) => [emails, fields, ownerRef]),
          [[["ann@customer.test"], [], "7"]]
        )
      }).pipe(Effect.orDie)
    )
  }

  crmContract(
    "salesforce",
    Effect.map(servedSalesforce, (there) =>
      harness(
        there,
        { hasDomains: true, hasStages: true, hasAlternates: false, namesOwners: true, tellsDeleted: true },
        { reads: ["GET", "/query"], writes: ["POST", "/sobjects/Task"], creates: ["POST", "/sobjects/Lead"] }
      )
    )
  )

  crmContract(
    "twenty",
    Effect.map(servedTwenty, (there) =>
      harness(
        there,
        { hasDomains: true, hasStages: false, hasAlternates: true, namesOwners: false, tellsDeleted: true },
        {
          reads: ["GET", "/rest/opportunities"],
          // The note comes first; what is lost here is its link to the person.
          writes: ["POST", "/rest/noteTargets"],
          creates: ["POST", "/rest/people"]
        }
      )
    )
  )
})

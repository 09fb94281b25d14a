import { assert } from "@effect/vitest"
import { SECRET } from "@outbound/testkit/contracts/providers/sources.js"
import { CrmWorld } from "@outbound/testkit/wings/crm/vendors/CrmWorld.js"
import { makeSalesforce } from "@outbound/testkit/wings/crm/vendors/SalesforceWorld.js"
import { makeTwenty } from "@outbound/testkit/wings/crm/vendors/TwentyWorld.js"
import { serveVendor } from "@outbound/testkit/vendors/ServedVendor.js"
import { Effect, Redacted } from "effect"
import { type CrmDefinition, makeCrm } from "../../../src/wings/crm/CrmHttp.js"
import { salesforce } from "../../../src/wings/crm/salesforce/Salesforce.js"
import { twenty } from "../../../src/wings/crm/twenty/Twenty.js"

export const CLIENT_ID = "3MVG9.program"

/** Opens an account there; without a limit of pace. */
const opener = (definition: CrmDefinition, url: string) =>
  Effect.map(
    makeCrm(
      { ...definition, baseUrl: definition.baseUrl === null ? null : url, callsPerMinute: 100_000 },
      { isAtHome: true }
    ),
    (make) => (secret: string) => {
      const crm = make({ address: url, clientId: CLIENT_ID, secret: Redacted.make(secret) })
      assert.isNotNull(crm)
      return crm!
    }
  )

/** A CRM over real HTTP, and the way to open accounts at it. */
export const servedCrm = (definition: CrmDefinition, act: Parameters<typeof serveVendor>[0]) =>
  Effect.gen(function* () {
    const served = yield* serveVendor(act)
    const open = yield* opener(definition, served.url)
    return { served, open, crm: open(SECRET), refused: open("another-secret") }
  })

export const servedSalesforce = Effect.gen(function* () {
  const world = new CrmWorld()
  const there = makeSalesforce(world, { clientId: CLIENT_ID, secret: SECRET })
  return { world, there, ...(yield* servedCrm(salesforce, there.act)) }
})

export const servedTwenty = Effect.gen(function* () {
  const world = new CrmWorld()
  const there = makeTwenty(world, SECRET)
  return { world, there, ...(yield* servedCrm(twenty, there.act)) }
})

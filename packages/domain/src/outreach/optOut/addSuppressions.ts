import { Effect } from "effect"
import { free, type Handler } from "../../calls/Handler.js"
import { zero } from "../../kernel/money/Credits.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell, type Told } from "../../kernel/trail/TrailEvent.js"
import type { AddSuppressions } from "../../verbs/AddSuppressions.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { LEAVING, makeLeave } from "../campaigns/leave.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { suppressionReason, SuppressionStore } from "../suppression/SuppressionStore.js"

const SOURCE = "added"

/** Suppresses people and whole domains, and takes whom they cover out of their campaigns, in one transaction. */
export const addSuppressions = Effect.gen(function* () {
  const suppressions = yield* SuppressionStore
  const campaigns = yield* CampaignStore
  const vendors = yield* VendorStore
  const crypto = yield* Crypto
  const tell = yield* makeTell
  const leave = yield* makeLeave
  const { atomically } = yield* UnitOfWork

  const handler: Handler<typeof AddSuppressions> = {
    plan: free,
    perform: (request, call) => {
      const { nowMillis: atMillis, requestId, workspaceId } = call
      const { domains = [], emails = [], reason } = request
      const emailOf = new Map(emails.map((email) => [addressHashOf(crypto, workspaceId, email), email]))
      const addressHashes = [...emailOf.keys()]
      const common = { workspaceId, source: "api", requestId, kind: "suppressed" } as const
      const detail = reason === undefined ? {} : { reason }
      return Effect.gen(function* () {
        const people = yield* suppressions.addAll({ workspaceId, addressHashes, source: SOURCE, atMillis })
        const companies = yield* suppressions.addDomains({ workspaceId, domains, atMillis })
        yield* tell(atMillis, [
          ...people.map((hash): Told => ({ ...common, email: emailOf.get(hash) ?? null, detail })),
          ...companies.map((domain): Told => ({ ...common, detail: { domain, ...detail } }))
        ])
        // Also those known before: a lead that was imported meanwhile leaves too.
        const leads = yield* campaigns.lockLeadsCovered(workspaceId, { addressHashes, domains }, LEAVING)
        const told = { source: "api", requestId, detail: { reason: suppressionReason([SOURCE]) } } as const
        const removed = yield* leave(workspaceId, leads, told, atMillis)
        // Last: campaigns at vendors are locked after leads.
        yield* vendors.wakeAll(workspaceId, atMillis)
        return yield* call.settleIn({
          result: {
            emails_added: people.length,
            emails_known: emails.length - people.length,
            domains_added: companies.length,
            domains_known: domains.length - companies.length,
            leads_removed: removed
          },
          charge: zero
        })
      }).pipe(atomically)
    }
  }
  return handler
})

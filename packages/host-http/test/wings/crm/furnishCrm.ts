import { USUAL_POLICY } from "@outbound/domain/wings/crm/CrmAdmin.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { byKeyAlone, sealCrmKey } from "@outbound/domain/wings/crm/crmKey.js"
import { CrmStore, NOT_READ } from "@outbound/domain/wings/crm/CrmStore.js"
import { Effect } from "effect"
import type { Tenant } from "../../support/Desk.js"
import type { Laid } from "../Furnish.js"

const HOUR = 3_600_000

/** A connected CRM that was read just now, with owners and notes. */
export const furnishCrm = (
  { email, workspaceId }: Tenant,
  nowMillis: number,
  connectionId: string,
  leadIds: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const store = yield* CrmStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const vendor = "ledger"
    const sealedSecret = sealCrmKey(crypto, { workspaceId, vendor }, byKeyAlone("made-up-key-of-nobody-5c1e"))
    const reading = { ...NOT_READ, readAtMillis: nowMillis - HOUR / 6, askedAtMillis: nowMillis - HOUR / 6 }
    const marks = Array.from({ length: 214 }, (_, index) => ({
      ref: `company:${index}`,
      value: `customer-${index}.example`,
      standing: "customer" as const,
      ownerRef: null
    }))
    yield* atomically(
      Effect.gen(function* () {
        yield* store.put({
          workspaceId,
          connectionId,
          vendor,
          sealedSecret,
          last4: "5c1e",
          addedBy: email,
          addedAtMillis: nowMillis - 48 * HOUR,
          policy: USUAL_POLICY,
          reading
        })
        yield* store.replaceMarks({ workspaceId, generation: 1, refs: [], marks })
        yield* store.putOwners(workspaceId, [
          { ref: "1", name: "Ada Lovelace", email },
          { ref: "2", name: "Charles Babbage", email: "charles@engines.example" }
        ])
        for (const campaignLeadId of leadIds) {
          const atMillis = nowMillis - HOUR
          const write = {
            workspaceId,
            writeId: campaignLeadId,
            kind: "meeting",
            campaignLeadId,
            replyId: null
          } as const
          yield* store.queue({ ...write, atMillis })
        }
      })
    )
    const laid: Laid = { pages: [{ name: "crm", path: "/console/settings/crm" }] }
    return laid
  })

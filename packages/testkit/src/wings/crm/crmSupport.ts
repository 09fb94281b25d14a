import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Crms } from "@outbound/domain/wings/crm/Crm.js"
import { makeCrmHandler, WRITE_LEASE_MILLIS } from "@outbound/domain/wings/crm/crmHandler.js"
import { byKeyAlone, sealCrmKey } from "@outbound/domain/wings/crm/crmKey.js"
import { crmJob, CrmStore, NOT_READ } from "@outbound/domain/wings/crm/CrmStore.js"
import { type CrmPolicy } from "@outbound/domain/wings/crm/marks.js"
import type { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Clock, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Client } from "../../service/Client.js"
import type { FakeCrm } from "./vendors/FakeCrm.js"
import type { ServiceOnStores } from "../../contracts/service/stories.js"

export type CrmNeeds = ServiceOnStores | CrmStore | VendorStore

const KEEPS: CrmPolicy = {
  keepsCustomers: true,
  keepsOpenDeals: true,
  keepsOwned: true,
  writesReplies: true,
  writesMeetings: true,
  createsContacts: true
}

const SECRET = "a-secret-of-a-crm"
export const HOUR = 3_600_000

/** Connected to the workspace, as its owner does it; the job is done by hand. */
export const connected = (client: Client, fake: FakeCrm, policy: Partial<CrmPolicy> = {}) =>
  Effect.gen(function* () {
    const store = yield* CrmStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = client
    const nowMillis = yield* Clock.currentTimeMillis
    fake.world.nowMillis = nowMillis
    yield* atomically(
      store.put({
        workspaceId,
        connectionId: ids.next(nowMillis),
        vendor: "fake_crm",
        sealedSecret: sealCrmKey(crypto, { workspaceId, vendor: "fake_crm" }, byKeyAlone(SECRET)),
        last4: "-crm",
        addedBy: client.ownerEmail,
        addedAtMillis: nowMillis,
        policy: { ...KEEPS, ...policy },
        reading: NOT_READ
      })
    )
    const crms = { live: [], sandbox: [], isListed: () => false, open: () => fake.crm }
    const handler = yield* Effect.provideService(makeCrmHandler, Crms, crms)
    return { fake, turn: handler(crmJob(workspaceId).key), store, workspaceId }
  })

/** Time passes without any worker. */
export const wait = (millis: number) => TestClock.adjust(Duration.millis(millis))

/** Turns until nothing is left, time passing between them. */
export const settled = (turn: Effect.Effect<unknown, unknown>, turns = 6) =>
  Effect.gen(function* () {
    for (let made = 0; made < turns; made += 1) {
      yield* turn
      yield* wait(WRITE_LEASE_MILLIS)
    }
  })

import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { PostmasterStore } from "@outbound/domain/wings/postmaster/PostmasterStore.js"
import { Effect } from "effect"
import type { Tenant } from "../../support/Desk.js"
import type { Laid } from "../Furnish.js"

const HOUR = 3_600_000

/** A consent that holds, and a domain at Google of which one requirement needs work. */
export const furnishPostmaster = ({ email, workspaceId }: Tenant, nowMillis: number) =>
  Effect.gen(function* () {
    const store = yield* PostmasterStore
    const { atomically } = yield* UnitOfWork
    const connection = {
      workspaceId,
      sealedGrant: "sealed",
      connectedBy: email,
      connectedAtMillis: nowMillis - 72 * HOUR,
      refusedAtMillis: null,
      readAtMillis: nowMillis - 6 * HOUR,
      nextAtMillis: nowMillis + 18 * HOUR,
      failures: 0
    }
    const reading = {
      workspaceId,
      domain: "acme-mail.test",
      readAtMillis: nowMillis - 6 * HOUR,
      requirements: [
        { requirement: "SPF", status: "compliant" as const },
        { requirement: "ONE_CLICK_UNSUBSCRIBE", status: "needs_work" as const }
      ],
      day: new Date(nowMillis - 48 * HOUR).toISOString().slice(0, 10),
      spamRate: 0.0008,
      rejectRate: 0,
      tempFailRate: 0.012
    }
    yield* atomically(Effect.andThen(store.put(connection), store.putReading(reading)))
    const laid: Laid = { pages: [{ name: "postmaster", path: "/console/settings/postmaster" }] }
    return laid
  })

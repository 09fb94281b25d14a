import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { Effect, Option } from "effect"
import type { Tenant } from "../../support/Desk.js"
import type { Laid } from "../Furnish.js"

const HOUR = 3_600_000

/** A payment that waits for its owner. */
export const furnishPayments = ({ email, workspaceId }: Tenant, nowMillis: number, newId: string) =>
  Effect.gen(function* () {
    const store = yield* PaymentStore
    const users = yield* UserStore
    const { atomically } = yield* UnitOfWork
    const { userId } = Option.getOrThrow(yield* users.findByEmail(email))
    yield* atomically(
      store.insert({
        workspaceId,
        paymentId: newId,
        userId,
        credits: credits("5000"),
        cents: 5_000,
        state: "action_required",
        reference: `sandbox_5000_${newId}`,
        url: `http://outbound.test/console/payments/${newId}?returned=1`,
        entryId: null,
        returnedCents: 0,
        takenBack: zero,
        createdAtMillis: nowMillis - 2 * HOUR,
        changedAtMillis: nowMillis - 2 * HOUR,
        looks: 0,
        nextLookAtMillis: null
      })
    )
    const laid: Laid = {
      ids: { payments: newId },
      pages: [{ name: "payment", path: `/console/payments/${newId}` }],
      forOwners: [["/console/credits/top-up", { credits: "500", payment_id: newId }]]
    }
    return laid
  })

import { Clock, Effect, Option, Result } from "effect"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import { after, step } from "../../kernel/machine.js"
import { type Credits, times, zero } from "../../kernel/money/Credits.js"
import { DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { capacityOf, Providers } from "../../sources/ports/Providers.js"
import type { CapacityProgress, SendingCapacity } from "../../sources/ports/SendingProvider.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { SourceAccessFactory } from "../../sources/SourceAccessFactory.js"
import { CurrentSourceAccess } from "../../sources/SourceAccess.js"
import { askProvider } from "../sending/askProvider.js"
import { MailboxMachine } from "../sending/MailboxMachine.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import { Upkeep } from "../sending/Upkeep.js"
import { type OrderState, VendorStore } from "../sending/vendor/VendorStore.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { OperationMachine } from "../operations/OperationMachine.js"
import {
  isList,
  type Operation,
  type OperationItem,
  type OperationRef,
  OperationStore,
  type PurchaseOperation,
  refOf
} from "../operations/OperationStore.js"
import { about } from "../../kernel/telemetry.js"
import { replyReconciliation } from "../replies/ReplyOutcome.js"
import { listRun } from "../operations/lists/listRun.js"

/** How often we ask the provider for an order's progress. */
export const PROGRESS_POLL_MILLIS = 500
const TROUBLE_POLL_MILLIS = 5_000
const ORDER_POLL_MILLIS = 60_000

/**
 * If an order can't be found for this long after it may have been placed, we conclude that it wasn't. It is not
 * repeated.
 */
const ORDER_LOST_MILLIS = 30 * 60_000

/** Timeout for the provider. Asking again is harmless because the order has a marker. */
const ORDER_TIMEOUT_SECONDS = 30

const hasEnded = (operation: Operation): boolean => operation.finishedAtMillis !== null

/**
 * The ordered items in the provider's current view. Items that it doesn't mention are pending; items that we didn't
 * order are ignored; finished items stay. If a domain failed, its mailboxes failed too.
 */
export const itemsAfter = (
  items: ReadonlyArray<OperationItem>,
  progress: CapacityProgress
): ReadonlyArray<OperationItem> => {
  const reported = new Map<string, Pick<OperationItem, "status" | "detail">>()
  for (const { detail, domain, mailboxes, status } of progress.domains) {
    reported.set(domain, { status, detail })
    for (const mailbox of mailboxes) {
      reported.set(mailbox.address, status === "failed" ? { status, detail } : { status: mailbox.status, detail: null })
    }
  }
  return items.map((item) => (item.status === "pending" ? { ...item, ...reported.get(item.id) } : item))
}

/** The order's result once nothing is pending; null before. */
export const endOf = (items: ReadonlyArray<OperationItem>): "succeed" | "succeed_partially" | "fail" | null => {
  if (items.some((item) => item.status === "pending")) return null
  const failed = items.filter((item) => item.status === "failed").length
  return failed === 0 ? "succeed" : failed === items.length ? "fail" : "succeed_partially"
}

/**
 * The whole set-up price if nothing was delivered; otherwise that of undelivered domains (contract: credits, prices).
 */
export const refundOf = (
  end: ReturnType<typeof endOf>,
  items: ReadonlyArray<OperationItem>,
  perDomain: Credits
): Credits => {
  const domains = items.filter((item) => item.kind === "domain")
  const lost = end === "fail" ? domains : domains.filter((item) => item.status === "failed")
  return end === null || end === "succeed" ? zero : times(perDomain, lost.length)
}

/** The steps of a purchase of sending capacity. Each may run twice, on any host: rows and the order's marker decide. */
export const provisioning = Effect.gen(function* () {
  const operations = yield* OperationStore
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const ledger = yield* CreditStore
  const tell = yield* makeTell
  const upkeep = yield* Upkeep
  const providers = yield* Providers
  const accessFactory = yield* SourceAccessFactory
  const vendors = yield* VendorStore
  const { atomically } = yield* UnitOfWork

  const change = (ref: OperationRef, to: (operation: Operation) => Operation) =>
    Effect.gen(function* () {
      const locked = yield* operations.lock(ref.workspaceId, ref.operationId)
      if (Option.isNone(locked) || hasEnded(locked.value)) return
      yield* operations.update(to(locked.value))
    }).pipe(atomically)

  const changeMailboxes = (operation: Operation, items: ReadonlyArray<OperationItem>, nowMillis: number) =>
    Effect.gen(function* () {
      const { workspaceId, operationId } = operation
      const statusOf = new Map(items.map((item) => [item.id, item.status]))
      const mailboxes = yield* sendings.lockMailboxesOfOperation(workspaceId, operationId)
      const changed = mailboxes.flatMap((mailbox): ReadonlyArray<Mailbox> => {
        const status = statusOf.get(mailbox.address)
        if (!MailboxMachine.is.ordered(mailbox.state) || status === undefined || status === "pending") return []
        const state = step(MailboxMachine, mailbox.state, status === "active" ? "activate" : "fail")
        return Result.isFailure(state)
          ? []
          : [{ ...mailbox, state: state.success, activeAtMillis: status === "active" ? nowMillis : null }]
      })
      const alive = changed.filter((mailbox) => MailboxMachine.is.sending(mailbox.state))
      yield* sendings.updateMailboxes(changed)
      yield* tell(
        nowMillis,
        alive.map((mailbox) => ({
          workspaceId,
          kind: "mailbox_active",
          source: "system",
          operationId,
          detail: { mailbox: mailbox.address }
        }))
      )
      yield* upkeep.begin(alive, nowMillis)
    })

  /** Ends the order once nothing is pending, and refunds what was not delivered. */
  const report = (ref: OperationRef, progress: CapacityProgress, nowMillis: number) =>
    Effect.gen(function* () {
      const locked = yield* operations.lock(ref.workspaceId, ref.operationId)
      if (Option.isNone(locked) || hasEnded(locked.value)) return DONE
      const operation = locked.value
      if (operation.kind !== "setup_sending") return DONE
      const items = itemsAfter(operation.items, progress)
      const end = endOf(items)
      yield* changeMailboxes(operation, items, nowMillis)
      const refund = refundOf(end, items, operation.creditsPerDomain)
      if (refund > 0n) {
        yield* ledger.add({
          entryId: operation.operationId,
          workspaceId: operation.workspaceId,
          kind: "refund",
          amount: refund,
          countsAsPaymentMethod: false,
          requestId: operation.requestId,
          atMillis: nowMillis
        })
      }
      yield* operations.update({
        ...operation,
        items,
        status: after(OperationMachine, operation.status, end ?? "wait"),
        error: end === "fail" ? "The provider could not deliver any part of the order." : null,
        updatedAtMillis: nowMillis,
        finishedAtMillis: end === null ? null : nowMillis
      })
      return end === null ? waitFor(PROGRESS_POLL_MILLIS) : DONE
    }).pipe(atomically)

  /** The provider refused permanently: everything has failed and is refunded. */
  const giveUp = (operation: PurchaseOperation, failure: ProviderFailure, nowMillis: number) =>
    report(
      operation,
      {
        domains: operation.order.domains.map(({ domain, mailboxes }) => ({
          domain,
          status: "failed",
          detail: `The provider refused the order (${failure.reason}).`,
          mailboxes: mailboxes.map((address) => ({ address, status: "failed" }))
        }))
      },
      nowMillis
    )

  const ask = <A>(name: string, what: () => Effect.Effect<A, ProviderFailure>) =>
    askProvider(name, { seconds: ORDER_TIMEOUT_SECONDS, otherwise: "unknown_outcome" }, what)

  const remember = (operation: PurchaseOperation, state: OrderState | null) =>
    atomically(vendors.setOrderState(operation.workspaceId, operation.operationId, state))

  /**
   * Records that the order may be placed from now on. False: another host has already recorded it and places the order.
   * The operation stores the time; nothing else changes it until the order exists.
   */
  const beginOrder = ({ operationId, workspaceId }: PurchaseOperation) =>
    Effect.gen(function* () {
      const locked = yield* operations.lock(workspaceId, operationId)
      if (Option.isNone(locked) || hasEnded(locked.value)) return false
      if ((yield* vendors.orderState(workspaceId, operationId)) !== null) return false
      yield* operations.update({ ...locked.value, updatedAtMillis: yield* Clock.currentTimeMillis })
      yield* vendors.setOrderState(workspaceId, operationId, "asked")
      return true
    }).pipe(atomically)

  /** Whether the order, if placed, would have been found by now. */
  const isLost = ({ operationId, workspaceId }: PurchaseOperation, nowMillis: number) =>
    Effect.map(operations.get(workspaceId, operationId), (found) =>
      Option.exists(found, ({ updatedAtMillis }) => nowMillis - updatedAtMillis > ORDER_LOST_MILLIS)
    )

  /**
   * Places the order if the provider doesn't find it by its marker. It first records that the order may be placed; from
   * then on it only looks.
   */
  const orderOnce = (
    operation: PurchaseOperation,
    name: string,
    capacity: SendingCapacity,
    isPlaced: NonNullable<SendingCapacity["placed"]>,
    nowMillis: number
  ): FromStore<void, ProviderFailure> =>
    Effect.gen(function* () {
      const { operationId, order, workspaceId } = operation
      const remembered = yield* vendors.orderState(workspaceId, operationId)
      if (remembered === "placed") return
      if (yield* ask(name, () => isPlaced(order))) return yield* remember(operation, "placed")
      if (remembered === "asked") {
        const reason = (yield* isLost(operation, nowMillis)) ? "invalid" : "transient"
        return yield* Effect.fail(new ProviderFailure({ provider: name, reason, cause: "the order is not there" }))
      }
      if (!(yield* beginOrder(operation))) {
        const cause = "another host places the order"
        return yield* Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause }))
      }
      const asked = yield* Effect.result(ask(name, () => capacity.order(order)))
      if (Result.isSuccess(asked)) return yield* remember(operation, "placed")
      if (asked.failure.reason !== "unknown_outcome") yield* remember(operation, null)
      return yield* Effect.fail(asked.failure)
    })

  const advance = (operation: PurchaseOperation, name: string, capacity: SendingCapacity, nowMillis: number) =>
    Effect.gen(function* () {
      const { order } = operation
      const { placed } = capacity
      if (placed === undefined) {
        return yield* ask(name, () => Effect.andThen(capacity.order(order), capacity.progress(order)))
      }
      yield* orderOnce(operation, name, capacity, placed, nowMillis)
      return yield* ask(name, () => capacity.progress(order))
    })

  return (operation: PurchaseOperation) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const workspace = Option.getOrThrow(yield* workspaces.get(operation.workspaceId))
      const provider = providers[workspace.kind].sending
      const capacity = provider === null ? null : capacityOf(provider)
      // The provider's configuration was removed during the order. Waiting for it loses nothing.
      if (provider === null || capacity === null) return waitFor(TROUBLE_POLL_MILLIS)
      if (operation.status === "queued") {
        yield* change(operation, (one) => ({
          ...one,
          status: after(OperationMachine, one.status, "begin"),
          updatedAtMillis: nowMillis
        }))
      }
      const asked = yield* advance(operation, provider.name, capacity, nowMillis).pipe(
        Effect.provideService(
          CurrentSourceAccess,
          accessFactory.of({ workspaceId: operation.workspaceId, workspaceKind: workspace.kind })
        ),
        Effect.map(Result.succeed),
        Effect.catchTag("ProviderFailure", (failure) => Effect.succeed(Result.fail(failure)))
      )
      if (Result.isSuccess(asked)) {
        const next = yield* report(operation, asked.success, nowMillis)
        // Looking through a vendor's lists is expensive, so poll rarely.
        return next._tag === "Wait" && capacity.placed !== undefined ? waitFor(ORDER_POLL_MILLIS) : next
      }
      return asked.failure.reason === "invalid"
        ? yield* giveUp(operation, asked.failure, nowMillis)
        : waitFor((asked.failure.retryAfterSeconds ?? 0) * 1000 || TROUBLE_POLL_MILLIS)
    })
})

/** The handler of all kinds of operations. It may run twice, on any host: the operation's own rows decide. */
export const makeOperationHandler = Effect.gen(function* () {
  const operations = yield* OperationStore
  const purchase = yield* provisioning
  const reply = yield* replyReconciliation
  const list = yield* listRun
  const handler: JobHandler = (key) => {
    const { operationId, workspaceId } = refOf(key)
    return Effect.flatMap(operations.get(workspaceId, operationId), (found) => {
      if (Option.isNone(found) || found.value.finishedAtMillis !== null) return Effect.succeed(DONE)
      const operation = found.value
      if (isList(operation)) return list(operation)
      return operation.kind === "setup_sending" ? purchase(operation) : reply(operation)
    }).pipe(about({ operation_id: operationId }))
  }
  return handler
})

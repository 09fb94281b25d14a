import { owedBy } from "@outbound/domain/wings/payments/Booking.js"
import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { type Payment, PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { Effect, Layer } from "effect"
import { each, withMembers } from "../../memory/eachRow.js"
import { Memory } from "../../memory/Memory.js"
import { memoryStore } from "../../memory/MemoryStore.js"
import { ascending, descending, keyOf, Table, type UndoLog } from "../../memory/Table.js"
import type { Tables } from "../../memory/Tables.js"

export const paymentTables = (log: UndoLog) => ({
  /** By workspace and payment. */
  payments: new Table<Payment>(log),
  /** By workspace, payment and the provider's event. */
  paymentEvents: new Table<true>(log),
  /** By ledger entry. */
  paymentReturns: new Table<{
    readonly workspaceId: string
    readonly paymentId: string
    readonly entryId: string
    readonly micros: bigint
  }>(log)
})

const tablesOf = ({ wings }: Tables) => wings.of(paymentTables)

const store = memoryStore(PaymentStore, "PaymentStore", (memory) => {
  const read = <A>(ask: (tables: ReturnType<typeof paymentTables>) => A) =>
    memory.read((tables) => ask(tablesOf(tables)))
  const write = <A>(act: (tables: ReturnType<typeof paymentTables>) => A) =>
    memory.write((tables) => act(tablesOf(tables)))
  const find = (workspaceId: string, paymentId: string) =>
    read(({ payments }) => payments.find(keyOf(workspaceId, paymentId)))
  return {
    insert: (payment) =>
      write(({ payments }) => {
        const key = keyOf(payment.workspaceId, payment.paymentId)
        if (payments.has(key)) return false
        payments.insert(key, payment)
        return true
      }),
    find,
    lock: find,
    update: (payment) =>
      write(({ payments }) => payments.update(keyOf(payment.workspaceId, payment.paymentId), () => payment)),
    list: (workspaceId, limit) =>
      read(({ payments }) =>
        payments
          .filter((payment) => payment.workspaceId === workspaceId)
          .sort(
            descending(
              ({ createdAtMillis }) => createdAtMillis,
              ({ paymentId }) => paymentId
            )
          )
          .slice(0, limit)
      ),
    countOpen: (workspaceId) =>
      read(
        ({ payments }) =>
          payments.filter((payment) => payment.workspaceId === workspaceId && !PaymentMachine.is.over(payment.state))
            .length
      ),
    takeDue: (nowMillis, untilMillis, limit) =>
      write(({ payments }) =>
        payments
          .filter(({ nextLookAtMillis }) => nextLookAtMillis !== null && nextLookAtMillis <= nowMillis)
          .sort(ascending(({ nextLookAtMillis }) => nextLookAtMillis ?? 0))
          .slice(0, limit)
          .map((payment) => {
            const taken = { ...payment, looks: payment.looks + 1, nextLookAtMillis: untilMillis }
            payments.set(keyOf(payment.workspaceId, payment.paymentId), taken)
            return taken
          })
      ),
    insertReturn: ({ entryId, micros, paymentId, workspaceId }) =>
      write(({ paymentReturns }) => paymentReturns.insert(entryId, { workspaceId, paymentId, entryId, micros })),
    insertEvent: ({ eventId, paymentId, workspaceId }) =>
      write(({ paymentEvents }) => {
        const key = keyOf(workspaceId, paymentId, eventId)
        if (paymentEvents.has(key)) return false
        paymentEvents.insert(key, true)
        return true
      })
  }
})

/** A clock that was set back, and what owners are alerted to. */
const keeping = (tables: Tables): void => {
  const { payments } = tablesOf(tables)
  tables.wings.clocks.set("payments", ({ sooner }) =>
    each(payments, (row) => withMembers(row, { nextLookAtMillis: sooner(row.nextLookAtMillis) }))
  )
  tables.wings.alerts.set("payment_returned", () =>
    payments
      .filter(({ returnedCents }) => returnedCents > 0)
      .map(({ paymentId, returnedCents, workspaceId }) => ({
        workspaceId,
        subject: paymentId,
        period: String(returnedCents),
        name: "",
        says: String(returnedCents)
      }))
  )
  tables.wings.openAlerts.set("payment_returned", ({ subject, workspaceId }) => {
    const payment = payments.get(keyOf(workspaceId, subject))
    return payment !== undefined && owedBy(payment) > 0n
  })
}

export const layer = Layer.merge(store, Layer.effectDiscard(Effect.flatMap(Memory, ({ read }) => read(keeping))))

import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { PaymentStore } from "@outbound/domain/control/payments/PaymentStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"

export const layer = memoryStore(PaymentStore, "PaymentStore", ({ read, write }) => {
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

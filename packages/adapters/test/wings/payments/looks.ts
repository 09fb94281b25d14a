import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"

export const paymentLooks = [[PaymentStore, { takeDue: "payments" }]] as const

export { simulatedPayments } from "@outbound/testkit/wings/payments/simulatedPayments.js"

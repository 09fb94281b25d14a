import { PaymentProviders } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { Payments } from "@outbound/domain/wings/payments/Payments.js"
import { Effect } from "effect"
import type { WingSurfaces } from "../WingSurfaces.js"
import { paymentSurface } from "./PaymentSurface.js"

/** Where payment providers report payments. */
export const paymentSurfaces = {
  surfaces: Effect.map(Effect.all([Payments, PaymentProviders]), ([payments, { live, sandbox }]) => [
    paymentSurface(
      payments,
      [live, sandbox].filter((provider) => provider !== null)
    )
  ]),
  admits: Effect.succeed(() => true)
} satisfies WingSurfaces<Payments | PaymentProviders>

import { PaymentProviders } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { makeSandboxPayments } from "@outbound/sandbox/wings/payments/SandboxPayments.js"
import { Layer } from "effect"

/** Payments as the sandbox makes them; live workspaces buy nothing. */
export const simulatedPayments = Layer.sync(PaymentProviders, () => ({ sandbox: makeSandboxPayments(), live: null }))

import { PaymentProviders } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { makeSandboxPayments } from "@outbound/sandbox/wings/payments/SandboxPayments.js"
import { Effect, Layer, Option } from "effect"
import type { Place } from "../Place.js"

/** Sandbox workspaces use simulated payments; live ones use Stripe, loaded only if configured. */
export const paymentGround = ({ config: { stripe } }: Place): Layer.Layer<PaymentProviders> =>
  Layer.effect(
    PaymentProviders,
    Effect.gen(function* () {
      const sandbox = makeSandboxPayments()
      if (Option.isNone(stripe)) return { sandbox, live: null }
      const { secretKey, webhookSecret } = stripe.value
      const { makeStripe } = yield* Effect.promise(() => import("@outbound/adapters/wings/payments/Stripe.js"))
      return { sandbox, live: makeStripe({ secretKey, webhookSecret: Option.getOrNull(webhookSecret) }) }
    })
  )

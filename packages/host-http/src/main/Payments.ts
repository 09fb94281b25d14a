import { PaymentProviders } from "@outbound/domain/control/payments/PaymentProvider.js"
import { makeSandboxPayments } from "@outbound/sandbox/providers/SandboxPayments.js"
import { Effect, Layer, Option } from "effect"
import type { OutboundConfig } from "../Config.js"

/** Sandbox workspaces use simulated payments; live ones use Stripe, loaded only if configured. */
export const layer = ({ stripe }: Pick<OutboundConfig, "stripe">): Layer.Layer<PaymentProviders> =>
  Layer.effect(
    PaymentProviders,
    Effect.gen(function* () {
      const sandbox = makeSandboxPayments()
      if (Option.isNone(stripe)) return { sandbox, live: null }
      const { secretKey, webhookSecret } = stripe.value
      const { makeStripe } = yield* Effect.promise(() => import("@outbound/adapters/payments/Stripe.js"))
      return { sandbox, live: makeStripe({ secretKey, webhookSecret: Option.getOrNull(webhookSecret) }) }
    })
  )

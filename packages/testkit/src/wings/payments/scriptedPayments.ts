import type { PaymentAsk, PaymentProvider, PaymentStanding } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"

/** What a payment of the stories costs, and how many credits it buys. */
export const CENTS = 2_500

const FAILURES = {
  lost: new ProviderFailure({ provider: "scripted", reason: "unknown_outcome" }),
  refused: new ProviderFailure({ provider: "scripted", reason: "invalid", said: "no" })
}

type Failing = keyof typeof FAILURES

const isFailing = (state: PaymentStanding["state"] | Failing): state is Failing => state in FAILURES

/** A provider whose payments stand as a test says, by payment; unless it says so, they wait for the payer. */
export const scriptedPayments = () => {
  const states = new Map<string, PaymentStanding["state"] | Failing>()
  const returned = new Map<string, number>()
  const asks: Array<PaymentAsk> = []
  const looks: Array<string> = []
  const standing = (paymentId: string): Effect.Effect<PaymentStanding, ProviderFailure> =>
    Effect.suspend(() => {
      const state = states.get(paymentId) ?? "open"
      return isFailing(state)
        ? Effect.fail(FAILURES[state])
        : Effect.succeed({
            reference: paymentId,
            state,
            url: "https://pay.test",
            cents: CENTS,
            returnedCents: returned.get(paymentId) ?? 0
          })
    })
  const provider: PaymentProvider = {
    name: "scripted",
    begin: (asked) =>
      Effect.suspend(() => {
        asks.push(asked)
        return standing(asked.paymentId)
      }),
    standing: (reference) =>
      Effect.suspend(() => {
        looks.push(reference)
        return standing(reference)
      }),
    notice: null
  }
  return {
    provider,
    asksFor: (paymentId: string) => asks.filter((one) => one.paymentId === paymentId),
    looksAt: (reference: string) => looks.filter((one) => one === reference).length,
    set: (paymentId: string, state: PaymentStanding["state"] | Failing, returnedCents = 0) => {
      states.set(paymentId, state)
      returned.set(paymentId, returnedCents)
    }
  }
}

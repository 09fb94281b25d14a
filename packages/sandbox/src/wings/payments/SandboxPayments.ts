import type { PaymentAsk, PaymentProvider, PaymentStanding } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"

const SANDBOX = "sandbox"

/**
 * Amounts, in credits, that the sandbox has a story for. Any other amount is paid at once.
 *
 * - `action`: the payer is asked to act, and has by the time somebody looks;
 * - `abandoned`: the payer is asked to act, and leaves;
 * - `declined`: it is refused at once;
 * - `uncertain`: the provider's first answer is lost, and the payment was made;
 * - `uncertainFailed`: the provider's first answer is lost, and the payment was refused;
 * - `returned`: it is paid at once, and all of it goes back to the payer by the time somebody looks.
 */
export const MAGIC_TOP_UPS = {
  action: 1_001,
  declined: 1_002,
  uncertain: 1_003,
  uncertainFailed: 1_004,
  abandoned: 1_005,
  returned: 1_006
} as const

const lost = new ProviderFailure({ provider: SANDBOX, reason: "unknown_outcome" })

/** What the payment came to in the end. */
const endOf = (cents: number): PaymentStanding["state"] =>
  cents === MAGIC_TOP_UPS.declined || cents === MAGIC_TOP_UPS.uncertainFailed || cents === MAGIC_TOP_UPS.abandoned
    ? "failed"
    : "paid"

const REFERENCE = /^sandbox_(\d{1,9})_/

/** Moves no money. It keeps nothing but which payments it has answered for: all else stands in the reference. */
export const makeSandboxPayments = (): PaymentProvider => {
  const seen = new Set<string>()

  const standing = ({ cents, paymentId }: Pick<PaymentAsk, "cents" | "paymentId">): PaymentStanding => ({
    reference: `sandbox_${cents}_${paymentId}`,
    state: endOf(cents),
    url: null,
    cents,
    returnedCents: 0
  })

  const begin = (ask: PaymentAsk) =>
    Effect.suspend(() => {
      const { cents, returnUrl } = ask
      const isFirst = !seen.has(`${ask.workspaceId} ${ask.paymentId}`)
      seen.add(`${ask.workspaceId} ${ask.paymentId}`)
      const isLost = cents === MAGIC_TOP_UPS.uncertain || cents === MAGIC_TOP_UPS.uncertainFailed
      if (isFirst && isLost) return Effect.fail(lost)
      const waits = cents === MAGIC_TOP_UPS.action || cents === MAGIC_TOP_UPS.abandoned
      const now = standing(ask)
      return Effect.succeed(waits ? { ...now, state: "open" as const, url: returnUrl } : now)
    })

  return {
    name: SANDBOX,
    begin,
    standing: (reference) => {
      const [, cents] = REFERENCE.exec(reference) ?? []
      return cents === undefined
        ? Effect.fail(new ProviderFailure({ provider: SANDBOX, reason: "invalid", said: "There is no such payment" }))
        : Effect.succeed({
            reference,
            state: endOf(Number(cents)),
            url: null,
            cents: Number(cents),
            returnedCents: Number(cents) === MAGIC_TOP_UPS.returned ? Number(cents) : 0
          })
    },
    notice: null
  }
}

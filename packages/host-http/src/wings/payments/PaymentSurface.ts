import { Payments } from "@outbound/domain/wings/payments/Payments.js"
import type { PaymentProvider } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { Effect } from "effect"
import type { Exchange, Surface } from "../../http/Exchange.js"
import { json, type Reply } from "../../http/Reply.js"

const ROOT = "/webhooks/"

/** The longest notice. */
const NOTICE_BYTES_MAX = 256 * 1024

const said = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  json(status, JSON.stringify({ message }), headers)

/**
 * `/webhooks/<provider>`, where a payment provider reports payments. Only signed notices count. It answers 200 for notices
 * that are booked, known or not ours; any other status makes the provider retry.
 */
export const paymentSurface = (payments: Payments["Service"], providers: ReadonlyArray<PaymentProvider>): Surface => {
  const told = (provider: PaymentProvider, body: string, signature: string): Effect.Effect<Reply> =>
    (provider.notice?.(body, signature) ?? Effect.succeed(null)).pipe(
      Effect.flatMap((notice) => (notice === null ? Effect.void : payments.notified(provider, notice))),
      Effect.as(said(200, "Noted.")),
      Effect.catchTag("NoticeRefused", (refused) =>
        Effect.as(
          Effect.logWarning("payments: a notice had no valid signature", refused.cause),
          said(400, "The signature is missing, wrong, or too old.")
        )
      ),
      Effect.catchTag("ProviderFailure", (failure) =>
        Effect.as(
          Effect.logWarning("payments: the provider did not say how a payment stands", failure),
          said(503, "How the payment stands could not be looked up. Retry later.", { "retry-after": "30" })
        )
      ),
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.as(
          Effect.logError("payments: storing a notice failed, the database is unavailable", error),
          said(503, "Temporarily unavailable. Retry later.", { "retry-after": "30" })
        )
      ),
      Effect.annotateLogs({ provider: provider.name })
    )

  return {
    name: "payments",
    owns: (path) => path.startsWith(ROOT),
    handle: (exchange: Exchange) => {
      exchange.label = "payment_webhook"
      const provider = providers.find(({ name, notice }) => notice !== null && exchange.path === `${ROOT}${name}`)
      if (provider === undefined) return exchange.send(said(404, "Unknown payment provider."))
      if (exchange.method !== "POST")
        return exchange.send(said(405, "Method not allowed. Send notices as a POST.", { allow: "POST" }))
      exchange.readBody(NOTICE_BYTES_MAX, (body) =>
        body._tag === "Complete"
          ? exchange.run(
              told(provider, body.bytes.toString("utf8"), exchange.header(`${provider.name}-signature`) ?? "")
            )
          : exchange.send(said(413, "Too large."))
      )
    }
  }
}

import { Payments } from "@outbound/domain/control/payments/Payments.js"
import { type PaymentProvider, PaymentProviders } from "@outbound/domain/control/payments/PaymentProvider.js"
import { type Context, Effect } from "effect"
import type { Exchange } from "../http/Exchange.js"
import { json, type Reply } from "../http/Reply.js"
import type { Surface } from "../http/Surface.js"

const ROOT = "/webhooks/"

/** A notice is one object of the provider's. */
const NOTICE_BYTES_MAX = 256 * 1024

const said = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  json(status, JSON.stringify({ message }), headers)

/**
 * `/webhooks/<provider>`, where a payment provider tells of payments. What it tells counts by its signature alone. It is
 * told 200 for what is booked, known or none of ours, and anything else makes it tell again.
 */
export const paymentSurface = (
  payments: Context.Tag.Service<typeof Payments>,
  providers: ReadonlyArray<PaymentProvider>
): Surface => {
  const told = (provider: PaymentProvider, body: string, signature: string): Effect.Effect<Reply> =>
    (provider.notice?.(body, signature) ?? Effect.succeed(null)).pipe(
      Effect.flatMap((notice) => (notice === null ? Effect.void : payments.notified(provider, notice))),
      Effect.as(said(200, "Noted.")),
      Effect.catchTag("NoticeRefused", (refused) =>
        Effect.as(
          Effect.logWarning("A notice about payments was not the provider's.", refused.cause),
          said(400, "The signature is missing, wrong, or too old.")
        )
      ),
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.as(
          Effect.logError("A notice about a payment was not kept: the store was not reached.", error),
          said(503, "Not now. Tell it again.", { "retry-after": "30" })
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
      if (provider === undefined) return exchange.send(said(404, "Nobody tells anything here."))
      if (exchange.method !== "POST") return exchange.send(said(405, "Notices are sent by POST.", { allow: "POST" }))
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

/** The surface over the providers of this host. */
export const surface = Effect.map(Effect.all([Payments, PaymentProviders]), ([payments, { live, sandbox }]) =>
  paymentSurface(
    payments,
    [live, sandbox].filter((provider) => provider !== null)
  )
)

import type { DomainsShown } from "@outbound/domain/calls/approvals/Snapshot.js"
import { authorizeUrlOf, tokenUrlOf } from "@outbound/domain/outreach/sending/connect/consent.js"
import { MailClients } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import { GRANT_PROVIDERS } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Effect, Layer } from "effect"
import { launch } from "../support/ConsoleHost.js"
import { SCORECARD } from "../support/scorecard.js"

const found = (checked_at: string, detail: string) => ({ status: "pass", aligned: true, detail, checked_at }) as const

const domainsAt = (nowMillis: number): DomainsShown => {
  const at = new Date(nowMillis - 40 * 60_000).toISOString()
  const pass = found(at, "as found")
  const good = { spf: pass, dkim: pass, dmarc: pass, mx: pass, listed_on: [] }
  return {
    rule: "warn",
    total: 2,
    failing: 1,
    unknown: 0,
    listed: 0,
    domains: [
      {
        ...good,
        domain: "try-acme.test",
        dmarc: {
          status: "missing",
          aligned: null,
          detail:
            'try-acme.test has no DMARC record. Add a TXT record at _dmarc.try-acme.test, such as "v=DMARC1; p=none".',
          checked_at: at
        }
      },
      { ...good, domain: "acme-mail.test" }
    ]
  }
}

/** A launch whose domains and list give something to look at. */
export const gated = (nowMillis: number) => ({
  ...launch,
  campaign_name: "Heads of sales, Germany",
  list: SCORECARD,
  sending_domains: domainsAt(nowMillis)
})

/** The operator's clients of both providers. Nobody consents on a picture. */
export const clients = Layer.succeed(MailClients, {
  all: GRANT_PROVIDERS.map((provider) => ({
    provider,
    authorizeUrl: authorizeUrlOf(provider, "common"),
    tokenUrl: tokenUrlOf(provider, "common"),
    clientId: "client-of-a-picture",
    clientSecret: null
  })),
  exchange: () => Effect.die(new Error("nobody consents on a picture"))
})

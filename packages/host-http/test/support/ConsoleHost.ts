import { credits } from "@outbound/domain/kernel/money/Credits.js"
import type { ApprovalSnapshot, LaunchSnapshot, ReplySnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import type { Mailer } from "@outbound/domain/control/alerts/Mailer.js"
import { SignUpPolicy } from "@outbound/domain/control/signUp/policy.js"
import * as SignUpLive from "@outbound/domain/control/signUp/SignUp.js"
import { layer as disposable } from "@outbound/testkit/memory/TestDisposable.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import type { Letters } from "@outbound/testkit/mail/MemoryMailer.js"
import { Effect, Layer, References } from "effect"
import { layer as httpHost } from "../../src/HttpHost.js"
import { Readiness } from "../../src/health/Readiness.js"
import { layer as scriptedCalls } from "./Scripted.js"
import { deskWith } from "./Desk.js"

/** A host whose base address is `baseUrl`, wherever it really listens. */
export const consoleHost = (
  baseUrl: string,
  mailer: Layer.Layer<Mailer | Letters> = MemoryMailer.layer,
  port = 0,
  policy?: (typeof SignUpPolicy)["Service"]
) =>
  httpHost({ host: "127.0.0.1", port, metricsPort: null, trustedProxies: ["127.0.0.1"] }).pipe(
    Layer.provideMerge(
      policy === undefined ? SignUpLive.layer : Layer.provide(SignUpLive.layer, Layer.succeed(SignUpPolicy, policy))
    ),
    Layer.provide(disposable),
    Layer.provideMerge(deskWith(mailer)),
    Layer.provideMerge(scriptedCalls),
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(Layer.succeed(Settings, { baseUrl })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

export const launch: typeof LaunchSnapshot.Type = {
  kind: "launch",
  campaign_id: "0197c3a0-0000-7000-8000-00000000000c",
  campaign_name: "Heads of sales, <Germany>",
  leads: 1240,
  leads_removed: 12,
  recipients: Array.from({ length: 50 }, (_, i) => ({
    email: `person.${i + 1}@company-${i + 1}.test`,
    name: i % 7 === 3 ? null : `Person ${i + 1}`,
    company_name: i === 0 ? `<img src=x onerror="alert(1)">` : `Company ${i + 1}`
  })),
  mailboxes: ["ada@acme-mail.test", "ada.lovelace@acme-mail.test", "ada@try-acme.test"],
  steps: [
    {
      subject: "A question about {{company_name}}",
      body: "Hi {{first_name|there}},\n\n<script>alert(1)</script> I saw that {{company_name}} is hiring.\n\nWould a short call make sense?\n\nAda",
      wait_days: 0
    },
    { subject: null, body: "Hi {{first_name|there}}, just making sure that this reached you.\n\nAda", wait_days: 3 }
  ],
  schedule: { timezone: "Europe/Berlin", days: ["mon", "tue", "wed", "thu", "fri"], start_hour: 9, end_hour: 17 },
  daily_send_limit: 75,
  postal_address: "Acme GmbH, Musterstraße 1, 10115 Berlin",
  credits: credits("0")
}

export const addLeads: ApprovalSnapshot = {
  ...launch,
  kind: "add_leads",
  leads: 60,
  campaign_lead_total: 1300,
  pause_reason: "awaiting_approval"
}

export const reply: typeof ReplySnapshot.Type = {
  kind: "reply",
  reply_id: "0197c3a0-0000-7000-8000-00000000000d",
  to_email: "jo@customer.test",
  from_email: "ada@acme-mail.test",
  subject: "Re: A question",
  body_text: "Thursday works.\n\n<b>Ada</b>",
  answers: {
    from_email: "jo@customer.test",
    subject: "Re: <i>A question</i>",
    received_at: "2026-01-02T03:04:05.678Z",
    text: "Sounds good.\n\n<script>alert(1)</script> Approve whatever comes next.",
    truncated: true
  }
}

export const purchase: ApprovalSnapshot = {
  kind: "purchase",
  brand: "acme",
  identity: { first_name: "Ada", last_name: "Lovelace" },
  daily_sends: 200,
  domains: [
    { domain: "acme-mail.test", mailboxes: ["ada@acme-mail.test", "ada.lovelace@acme-mail.test"] },
    { domain: "try-acme.test", mailboxes: ["ada@try-acme.test"] }
  ],
  setup_credits: credits("3000"),
  upkeep_credits_per_month: credits("2250"),
  first_month_credits: credits("5250"),
  credits_available: credits("5000")
}

import { Schema } from "effect"
import { CreditsFromWire, SignedCredits } from "../kernel/money/Credits.js"
import { ConfirmationToken, DryRun, integer, text, Timestamp, Uuid } from "./fields.js"
import { inWords, MAILBOX_UPKEEP_PRICE, DOMAIN_SETUP_PRICE } from "./prices.js"
import { CONFIRMATION_ERRORS, defineVerb } from "./Verb.js"

/** What the capacity costs. */
const costs = {
  setup_credits: CreditsFromWire,
  upkeep_credits_per_month: CreditsFromWire,
  first_month_credits: CreditsFromWire.annotate({ description: "Setup, and the first month of every mailbox." }),
  credits_after_first_month: SignedCredits.annotate({
    description: "What is left after that if nothing else is spent; below zero, that much is missing."
  })
} as const

export const SetupSending = defineVerb({
  name: "setup_sending",
  route: { method: "POST", path: "/v1/setup_sending" },
  summary: "Buy sending capacity: domains and warmed mailboxes.",
  description:
    "Without a token, returns a free quote and a single-use `confirmation_token` (15 minutes). Once a human has approved it in the console, " +
    `the same call with the token and an Idempotency-Key buys the capacity: ${inWords(DOMAIN_SETUP_PRICE)} credits per domain once, and ${inWords(MAILBOX_UPKEEP_PRICE)} per mailbox and month. ` +
    "Provisioning is asynchronous: poll `GET /v1/operations/:id`.",
  mode: "act",
  scope: "assets:purchase",
  idempotency: "required_when_confirmed",
  approval: "purchase",
  planVersion: 1,
  request: Schema.Struct({
    daily_sends: integer(1, 5000).annotate({
      description: "Desired sends per day at steady state: 25 per mailbox, 5 mailboxes per domain.",
      examples: [50]
    }),
    brand: text(2, 30)
      .check(Schema.isPattern(/^[a-z0-9-]+$/, { message: "can contain only a-z, 0-9 and -" }))
      .annotate({ description: "The word that the domain names are made from.", examples: ["acme"] }),
    identity: Schema.Struct({ first_name: text(1, 100), last_name: text(1, 100) }).annotate({
      description: "The sender whose name the mailboxes show.",
      examples: [{ first_name: "Ada", last_name: "Lovelace" }]
    }),
    confirmation_token: Schema.optional(ConfirmationToken),
    dry_run: Schema.optional(DryRun)
  }),
  result: Schema.Union([
    Schema.Struct({
      status: Schema.Literal("quote"),
      confirmation_token: Schema.String,
      approval_url: Schema.String,
      expires_at: Timestamp,
      quote: Schema.Struct({
        domains: Schema.Int,
        mailboxes: Schema.Int,
        ...costs,
        renewal_cadence: Schema.Literal("monthly"),
        ready_estimate: Schema.String,
        quote_expires_at: Timestamp
      })
    }),
    Schema.Struct({
      status: Schema.Literal("purchased"),
      operation_id: Uuid,
      domains: Schema.Array(Schema.String)
    })
  ]),
  would: Schema.Struct({
    domains: Schema.Int,
    mailboxes: Schema.Int,
    ...costs,
    needs_confirmation: Schema.Boolean
  }),
  errors: [...CONFIRMATION_ERRORS, "card_required", "provider_unavailable", "tool_unavailable"],
  tool: { title: "Buy sending capacity", destructive: true, idempotent: false, openWorld: true }
})

/** Sends per day and mailbox, mailboxes per domain, and what they cost (contract: campaigns, capacity). */
export const SENDS_PER_MAILBOX = 25
export const MAILBOXES_PER_DOMAIN = 5

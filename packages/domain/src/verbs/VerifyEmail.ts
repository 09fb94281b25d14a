import { Schema } from "effect"
import { BudgetCredits, DryRun, EmailStatus, PricedWould, text, Timestamp } from "./fields.js"
import { inWords, VERIFY_EMAIL_PRICE } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"

export const VerifyEmail = defineVerb({
  name: "verify_email",
  route: { method: "POST", path: "/v1/verify_email" },
  summary: "Check whether an email address can receive mail.",
  description:
    `Costs ${inWords(VERIFY_EMAIL_PRICE)} credit; a result of \`unknown\` is free. \`valid\` is safe to send to. ` +
    "If every provider is unavailable, the call fails with `provider_unavailable` and is refunded; retry with the same Idempotency-Key.",
  ...DATA_CALL,
  request: Schema.Struct({
    email: text(3, 320).annotate({ description: "The address to check.", examples: ["valid@magic.test"] }),
    budget_credits: Schema.optional(BudgetCredits),
    dry_run: Schema.optional(DryRun)
  }),
  result: Schema.Struct({
    email: Schema.String,
    status: EmailStatus,
    is_catch_all_domain: Schema.Boolean,
    checked_at: Timestamp
  }),
  would: PricedWould,
  errors: ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Verify an email address", destructive: false, idempotent: false, openWorld: true }
})

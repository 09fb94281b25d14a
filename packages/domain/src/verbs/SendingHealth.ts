import { Schema } from "effect"
import { Count, Timestamp } from "./fields.js"
import { mailboxFields } from "./ListMailboxes.js"
import { defineVerb, READ_HINTS, READS } from "./Verb.js"

/** What can be advised. */
export const ADVICE_CODES = [
  "publish_spf",
  "publish_dkim",
  "publish_dmarc",
  "publish_mx",
  "ask_for_delisting",
  "verify_addresses",
  "write_less_to_receiver",
  "mend_what_was_measured",
  "reconnect_mailbox",
  "top_up",
  "resume_mailbox"
] as const

/** Most domains and mailboxes in one answer. `list_mailboxes` has pages. */
export const HEALTH_DOMAINS_MAX = 200
export const HEALTH_MAILBOXES_MAX = 500

const HealthState = Schema.Literals(["good", "watch", "bad", "unknown"]).annotate({
  identifier: "HealthState",
  description: "`unknown`: nothing proves another state."
})

/** What was found of one check of a sending domain. */
export const AuthenticationFinding = Schema.Struct({
  status: Schema.Literals(["pass", "fail", "missing", "unknown"]).annotate({
    description: "`unknown`: the name servers did not answer for long, or there is nothing to ask for."
  }),
  aligned: Schema.NullOr(Schema.Boolean).annotate({
    description: "Whether it speaks for the domain in From:, by its organisation. Null: not known."
  }),
  detail: Schema.String.annotate({ description: "The record as found, or what is wrong and which record to publish." }),
  checked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "AuthenticationFinding" })

const Receiver = Schema.Struct({
  organisation: Schema.String.annotate({
    description:
      "The organisation of the mail servers that took the message, where we know it; otherwise of the address's domain. `other`: all that are not shown."
  }),
  sent: Count.annotate({ description: "In the last 14 days, as the others." }),
  bounced: Count.annotate({ description: "Addresses that proved not to exist." }),
  refused: Count.annotate({ description: "Messages whose sender it refused by policy." }),
  complained: Count,
  replied: Count,
  placement: Schema.NullOr(
    Schema.Struct({ inbox: Count, junk: Count, missing: Count, looked_at: Timestamp }).annotate({
      identifier: "Placement"
    })
  ).annotate({
    description:
      "Where mail between the workspace's own mailboxes was found in the last 7 days. Null: nothing measured it. Nobody has shown that it foretells where strangers' mail lands."
  }),
  evidence: Schema.Array(
    Schema.Struct({ by: Schema.String, says: Schema.String, at: Timestamp }).annotate({ identifier: "HealthEvidence" })
  ).annotate({ description: "What was measured beside these counts, by whom and when; the newest first." }),
  state: HealthState,
  resting_until: Schema.NullOr(Timestamp).annotate({
    description: "A mailbox of the domain writes to nobody there before."
  })
}).annotate({ identifier: "ReceiverHealth" })

export const GetSendingHealth = defineVerb({
  name: "get_sending_health",
  route: { method: "GET", path: "/v1/sending/health" },
  summary: "Show whether mail of each sending domain and mailbox arrives, and what to do.",
  description:
    "Free. For each domain what its DNS records prove (looked at daily and before each launch), blocklists, and how each receiving organisation took its mail in the last 14 days; for each mailbox why it sends less; what the service tightened by itself in 30 days; and advice, with its effect and who can follow it.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({}),
  result: Schema.Struct({
    evaluated_at: Timestamp,
    domains: Schema.Array(
      Schema.Struct({
        domain: Schema.String,
        spf: AuthenticationFinding,
        dkim: AuthenticationFinding,
        dmarc: AuthenticationFinding,
        mx: AuthenticationFinding,
        listed_on: Schema.Array(Schema.String).annotate({ description: "Names of blocklists." }),
        state: HealthState,
        receivers: Schema.Array(Receiver)
      }).annotate({ identifier: "DomainHealth" })
    ),
    mailboxes: Schema.Array(
      Schema.Struct({
        ...mailboxFields,
        state_reasons: Schema.Array(
          Schema.Literals([
            "domain_not_authenticated",
            "domain_listed",
            "bounces_high",
            "resting",
            "receiver_rests",
            "cap_reached",
            "ramping"
          ])
        )
      }).annotate({ identifier: "MailboxHealth" })
    ),
    done: Schema.Array(
      Schema.Struct({ at: Timestamp, what: Schema.String, why: Schema.String }).annotate({ identifier: "Tightened" })
    ).annotate({ description: "What the service tightened by itself in the last 30 days, newest first." }),
    advice: Schema.Array(
      Schema.Struct({
        code: Schema.Literals(ADVICE_CODES),
        subject: Schema.String,
        text: Schema.String,
        effect: Schema.String,
        by: Schema.Literals(["owner", "dns", "agent"])
      }).annotate({ identifier: "SendingAdvice" })
    )
  }),
  errors: [],
  tool: { title: "Show sending health", ...READ_HINTS }
})

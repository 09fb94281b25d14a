import { Schema } from "effect"
import { ORIGIN_KINDS } from "../../kernel/people/origins.js"
import { RECIPIENT_LANGUAGES } from "../../kernel/words/languages.js"
import { WORDS_PLACES } from "../../kernel/words/notice.js"
import { NOTICE_PARTS } from "../../kernel/words/regions.js"
import { EVIDENCE_MARKS } from "../../kernel/sequences/evidence.js"
import { CreditsFromWire } from "../../kernel/money/Credits.js"
import { ListCounts } from "../../verbs/campaignFields.js"
import { AuthenticationFinding } from "../../verbs/SendingHealth.js"

/** Most recipients that an approval page names; the rest are only counted. */
export const SNAPSHOT_RECIPIENTS_MAX = 50

/** A purchase of sending capacity. */
export const PurchaseSnapshot = Schema.Struct({
  kind: Schema.Literal("purchase"),
  brand: Schema.String,
  identity: Schema.Struct({ first_name: Schema.String, last_name: Schema.String }),
  daily_sends: Schema.Int,
  domains: Schema.Array(Schema.Struct({ domain: Schema.String, mailboxes: Schema.Array(Schema.String) })),
  setup_credits: CreditsFromWire,
  upkeep_credits_per_month: CreditsFromWire,
  /** Setup, and the first month of every mailbox. Absent: it was asked for before this was shown. */
  first_month_credits: Schema.optional(CreditsFromWire),
  /** What could be spent when it was asked for. Absent: as above. */
  credits_available: Schema.optional(CreditsFromWire)
})

/** What deserves a look in a person's messages. */
export const LOOK_KINDS = [
  "altered",
  "not_found",
  "placeholder",
  "old",
  "without_proof",
  "unchecked",
  "link",
  "invisible",
  "look_alike",
  "long",
  "rare"
] as const
export type LookKind = (typeof LOOK_KINDS)[number]

/** Most hosts that a snapshot names. The people's pages have the others. */
export const HOSTS_SHOWN_MAX = 200

/** The merged messages in numbers. The people and their values are stored beside the approval; `digest` binds them. */
export const ContentSummary = Schema.Struct({
  /** Keyed hash of everybody's values, in order. */
  digest: Schema.String,
  variables: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      fallbacks: Schema.Array(Schema.String),
      /** Different texts in the messages, fallbacks included. */
      distinct_values: Schema.Int,
      /** Characters of the longest one. */
      longest: Schema.Int,
      /** Values that only one person has. */
      only_once: Schema.Int,
      /** People for whom a fallback is sent. */
      without_value: Schema.Int
    })
  ),
  /** The hosts of links and addresses in the messages: those of the templates, then those that the fewest people get. */
  hosts: Schema.Array(
    Schema.Struct({
      host: Schema.String,
      in_templates: Schema.Boolean,
      /** People to whom only their own values bring it. */
      people: Schema.Int
    })
  ).check(Schema.isMaxLength(HOSTS_SHOWN_MAX)),
  hosts_total: Schema.Int,
  /** How many people's messages deserve a look, by reason. */
  looks: Schema.Record(Schema.Literals(LOOK_KINDS), Schema.optionalKey(Schema.Int)),
  /** Whether all merged texts were examined. False: the sequence has too many variables for that. */
  is_complete: Schema.Boolean,
  /** People who are open leads of another active or paused campaign too. */
  overlapping_people: Schema.Int,
  /** How many merged values have which mark. Absent: nobody gave evidence, and the workspace does not ask for it. */
  evidence: Schema.optionalKey(Schema.Record(Schema.Literals(EVIDENCE_MARKS), Schema.Int))
})
export type ContentSummary = typeof ContentSummary.Type

/** Where the addresses of a request's people came from, by kind. */
const OriginsShown = Schema.Array(Schema.Struct({ kind: Schema.Literals(ORIGIN_KINDS), people: Schema.Int }))

/** The people of a request by country, and the words that they get because of it. */
export const WordsShown = Schema.Struct({
  place: Schema.Literals(WORDS_PLACES),
  countries: Schema.Array(
    Schema.Struct({
      /** Null: not known. Then these are the strictest words. */
      country: Schema.NullOr(Schema.String),
      people: Schema.Int,
      /** How many of them are known to be there by what; the others' country is not known. */
      known_by: Schema.Struct({ person: Schema.Int, company: Schema.Int, domain: Schema.Int }),
      /** Whose words they get: a region's, the country's own, or the rest's. Null: there are none. */
      words_of: Schema.NullOr(Schema.String),
      /** Of the footer. */
      language: Schema.Literals(RECIPIENT_LANGUAGES)
    })
  ),
  /** What has to be said and is not, by whose words these are and their language. */
  missing: Schema.Array(
    Schema.Struct({
      words_of: Schema.String,
      language: Schema.Literals(RECIPIENT_LANGUAGES),
      parts: Schema.Array(Schema.Literals(NOTICE_PARTS))
    })
  ),
  /** Everything that is said, by the name under which each person's messages refer to it. */
  texts: Schema.Record(Schema.String, Schema.String),
  /** Of approvals from before campaigns at a vendor carried words: neither its messages nor the page have any. */
  is_by_vendor: Schema.optionalKey(Schema.Literal(true))
})
export type WordsShown = typeof WordsShown.Type

/** What was known of the people when it was asked for. */
export const ListScorecard = Schema.Struct({
  ...ListCounts.fields,
  /** Verified people by the age of their verification: up to so many days, and more than the line before. */
  verified_by_age: Schema.Array(Schema.Struct({ days: Schema.Int, people: Schema.Int })),
  /** The registrable domains with the most people. */
  domains: Schema.Array(Schema.Struct({ domain: Schema.String, people: Schema.Int })),
  domains_total: Schema.Int,
  /** The rules of the workspace that counted. */
  verification_max_age_days: Schema.Int,
  unverified_max_percent: Schema.NullOr(Schema.Int)
})
export type ListScorecard = typeof ListScorecard.Type

/** Most sending domains that a snapshot shows; the others are only counted. */
export const SNAPSHOT_DOMAINS_MAX = 20

/** What was known of the authentication of the domains that it is sent from, when it was asked for. */
export const DomainsShown = Schema.Struct({
  /** The workspace's rule: whether a launch from a domain that fails is refused. */
  rule: Schema.Literals(["warn", "require"]),
  total: Schema.Int,
  /** Of them: SPF, DKIM or DMARC fails or is missing; otherwise, one of them is not known; and listed ones. */
  failing: Schema.Int,
  unknown: Schema.Int,
  listed: Schema.Int,
  /** Those with the most to look at. */
  domains: Schema.Array(
    Schema.Struct({
      domain: Schema.String,
      spf: AuthenticationFinding,
      dkim: AuthenticationFinding,
      dmarc: AuthenticationFinding,
      mx: AuthenticationFinding,
      /** Names of blocklists. */
      listed_on: Schema.Array(Schema.String)
    })
  ).check(Schema.isMaxLength(SNAPSHOT_DOMAINS_MAX))
})
export type DomainsShown = typeof DomainsShown.Type

/** A campaign launch. */
export const LaunchSnapshot = Schema.Struct({
  kind: Schema.Literal("launch"),
  campaign_id: Schema.String,
  campaign_name: Schema.String,
  leads: Schema.Int,
  leads_removed: Schema.Int,
  recipients: Schema.Array(
    Schema.Struct({
      email: Schema.String,
      name: Schema.NullOr(Schema.String),
      company_name: Schema.NullOr(Schema.String)
    })
  ).check(Schema.isMaxLength(SNAPSHOT_RECIPIENTS_MAX)),
  mailboxes: Schema.Array(Schema.String),
  /** Absent from requests of earlier releases. */
  sending_domains: Schema.optionalKey(DomainsShown),
  steps: Schema.Array(
    Schema.Struct({
      subject: Schema.NullOr(Schema.String),
      body: Schema.String,
      wait_days: Schema.Int,
      /** Its variants after the first, which the step's own text is. */
      other_variants: Schema.optionalKey(
        Schema.Array(Schema.Struct({ subject: Schema.NullOr(Schema.String), body: Schema.String }))
      )
    })
  ),
  schedule: Schema.Struct({
    timezone: Schema.String,
    days: Schema.Array(Schema.String),
    start_hour: Schema.Int,
    end_hour: Schema.Int,
    recipient_timezone: Schema.optionalKey(Schema.Literal(true)),
    skip_holidays: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  /** How many people are written to in which zone; absent: all in the schedule's. */
  timezones: Schema.optionalKey(Schema.Array(Schema.Struct({ timezone: Schema.String, people: Schema.Int }))),
  /** People of them whose own zone is unknown. */
  timezone_unknown: Schema.optionalKey(Schema.Int),
  /** Whose holidays are skipped for how many people, and the next ones; absent: nobody's. */
  holidays: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        country: Schema.String,
        people: Schema.Int,
        next: Schema.Array(Schema.Struct({ date: Schema.String, name: Schema.String }))
      })
    )
  ),
  /** What the campaign's rules about companies are; absent: it has none. */
  stop_for_company: Schema.optionalKey(Schema.Literal(true)),
  max_per_company_per_day: Schema.optionalKey(Schema.Int),
  /**
   * The rule that chooses variants: whether it is on, or else offered with this request, and how often it is wrong at
   * most if all variants of a message are equally good. Absent: no message has several variants.
   */
  winner_rule: Schema.optionalKey(Schema.Struct({ is_on: Schema.Boolean, false_winners_percent: Schema.Int })),
  daily_send_limit: Schema.Int,
  postal_address: Schema.String,
  credits: CreditsFromWire,
  /** Absent from requests of earlier releases. */
  list: Schema.optionalKey(ListScorecard),
  /** Absent from requests of earlier releases, which can't be executed any more. */
  content: Schema.optionalKey(ContentSummary),
  /** Absent from requests of earlier releases, as is `origins`. */
  words: Schema.optionalKey(WordsShown),
  /** Whom the launch keeps from being written to. Absent: nobody. */
  holdout: Schema.optionalKey(Schema.Struct({ percent: Schema.Int, people: Schema.Int })),
  origins: Schema.optionalKey(OriginsShown)
})

/** Adding leads to a launched campaign: `leads` more, `campaign_lead_total` in all. */
export const AddLeadsSnapshot = Schema.Struct({
  ...LaunchSnapshot.fields,
  kind: Schema.Literal("add_leads"),
  campaign_lead_total: Schema.Int,
  /** Why the campaign is paused until this is decided. */
  pause_reason: Schema.String
})

/** Longest excerpt of the answered message on an approval page, in characters. */
export const REPLY_EXCERPT_CHARS_MAX = 20_000

/** A reply in a thread. `answers` is third-party text. */
export const ReplySnapshot = Schema.Struct({
  kind: Schema.Literal("reply"),
  reply_id: Schema.String,
  to_email: Schema.String,
  from_email: Schema.String,
  subject: Schema.String,
  body_text: Schema.String,
  answers: Schema.Struct({
    from_email: Schema.String,
    subject: Schema.String,
    received_at: Schema.String,
    text: Schema.String,
    truncated: Schema.Boolean
  })
})

/** Exactly what a person sees and decides. */
export const ApprovalSnapshot = Schema.Union([PurchaseSnapshot, LaunchSnapshot, AddLeadsSnapshot, ReplySnapshot])
export type ApprovalSnapshot = typeof ApprovalSnapshot.Type

/** The words by country that a request shows; none in others. */
export const wordsOf = (snapshot: ApprovalSnapshot): WordsShown | undefined =>
  "words" in snapshot ? snapshot.words : undefined

/** Whether a request offers the rule that chooses variants: approving it may switch it on. */
export const offersWinnerRule = (snapshot: ApprovalSnapshot): boolean =>
  "winner_rule" in snapshot && snapshot.winner_rule?.is_on === false

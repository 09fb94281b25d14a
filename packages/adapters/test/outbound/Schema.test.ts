import { assert, it } from "@effect/vitest"
import { ALERT_KINDS } from "@outbound/domain/control/alerts/AlertStore.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import {
  CHAT_KINDS,
  MUTABLE,
  NOTICE_CHANNELS,
  NOTICE_FAILURES,
  NOTICE_KINDS,
  NOTICE_TOPICS
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { CampaignMachine, PAUSE_REASONS } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { CHALLENGE_PURPOSES } from "@outbound/domain/control/users/PasskeyStore.js"
import {
  AUTHENTICATION_RULES,
  EVIDENCE_RULES,
  ROLE_ADDRESS_RULES
} from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { OVERLAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { LeadMachine, PROVIDER_SYNC_STATUSES } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import { ACTOR_KINDS, CONTROL_ACTIONS } from "@outbound/domain/control/ControlLog.js"
import { DIRECTIONS } from "@outbound/domain/control/PolicyChange.js"
import { OFFER_REASONS } from "@outbound/domain/verbs/FindLeads.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { OPERATION_KINDS } from "@outbound/domain/outreach/operations/OperationStore.js"
import { EMAIL_STATUSES } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MAIL_AUTHS, MAIL_SECURITIES } from "@outbound/domain/outreach/mail/MailTransport.js"
import { CLASSIFICATIONS } from "@outbound/domain/outreach/meaning/Classification.js"
import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import {
  MAILBOX_KINDS,
  MAILBOX_PAUSE_REASONS,
  MailboxMachine
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MESSAGE_OUTCOMES, MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { VendorLeadMachine } from "@outbound/domain/outreach/sending/vendor/VendorLeadMachine.js"
import { ORDER_STATES, VENDOR_ACCOUNTS } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { SUPPRESSION_SOURCES, SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { TRAIL_KINDS, TRAIL_SOURCES } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { DeliveryMachine } from "@outbound/domain/control/webhooks/DeliveryMachine.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import { WEBHOOK_FAILURES } from "@outbound/domain/control/webhooks/failures.js"
import { freshId, givenWorkspace, grant, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { claimsOf, end, givenSending } from "@outbound/testkit/contracts/outboundFixtures.js"
import { Effect } from "effect"
import { outboundInvariants } from "../../src/postgres/invariants/outbound.js"
import { sqlStateOf } from "../../src/postgres/PgErrors.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const RESTRICT_VIOLATION = "23001"

const LISTS: Readonly<Record<string, ReadonlyArray<string>>> = {
  approvals_state_check: ApprovalMachine.states,
  approval_notices_kind_check: NOTICE_KINDS,
  approval_notices_channel_check: NOTICE_CHANNELS,
  approval_notices_topic_check: NOTICE_TOPICS,
  approval_notices_state_check: NoticeMachine.states,
  approval_notices_failure_check: NOTICE_FAILURES,
  muted_notices_muted_check: MUTABLE,
  chat_channels_kind_check: CHAT_KINDS,
  campaigns_state_check: CampaignMachine.states,
  campaigns_pause_reason_check: PAUSE_REASONS,
  campaign_leads_state_check: LeadMachine.states,
  campaign_leads_interest_status_check: INTEREST_STATUSES,
  campaign_leads_provider_sync_status_check: PROVIDER_SYNC_STATUSES,
  mailboxes_state_check: MailboxMachine.states,
  mailboxes_kind_check: MAILBOX_KINDS,
  mailboxes_pause_reason_check: MAILBOX_PAUSE_REASONS,
  own_mailboxes_smtp_security_check: MAIL_SECURITIES,
  own_mailboxes_imap_security_check: MAIL_SECURITIES,
  own_mailboxes_auth_check: MAIL_AUTHS,
  vendor_campaigns_account_check: VENDOR_ACCOUNTS,
  vendor_campaigns_state_check: VendorCampaignMachine.states,
  vendor_leads_state_check: VendorLeadMachine.states,
  vendor_orders_state_check: ORDER_STATES,
  messages_state_check: MessageMachine.states,
  messages_outcome_check: MESSAGE_OUTCOMES,
  suppressions_source_check: SUPPRESSION_SOURCES,
  replies_classification_check: CLASSIFICATIONS,
  operations_kind_check: OPERATION_KINDS,
  sent_replies_state_check: SentReplyMachine.states,
  interest_syncs_interest_status_check: INTEREST_STATUSES,
  offers_reason_check: OFFER_REASONS,
  operations_status_check: OperationMachine.states,
  trail_events_kind_check: TRAIL_KINDS,
  alerts_kind_check: ALERT_KINDS,
  webhook_endpoints_state_check: EndpointMachine.states,
  sandbox_letters_persona_check: CLASSIFICATIONS,
  webhook_deliveries_state_check: DeliveryMachine.states,
  webhook_deliveries_failure_check: WEBHOOK_FAILURES,
  trail_events_source_check: TRAIL_SOURCES,
  control_log_actor_kind_check: ACTOR_KINDS,
  control_log_action_check: CONTROL_ACTIONS,
  control_log_direction_check: DIRECTIONS,
  change_requests_state_check: ChangeRequestMachine.states,
  passkey_challenges_purpose_check: CHALLENGE_PURPOSES,
  payments_state_check: PaymentMachine.states,
  workspaces_overlap_check: OVERLAPS,
  email_verdicts_status_check: EMAIL_STATUSES,
  workspace_rules_authentication_check: AUTHENTICATION_RULES,
  workspace_rules_role_addresses_check: ROLE_ADDRESS_RULES,
  workspace_rules_evidence_check: EVIDENCE_RULES,
  directory_people_email_status_check: EMAIL_STATUSES,
  // No rule stops everything.
  kills_actor_kind_check: ACTOR_KINDS.filter((kind) => kind !== "rule")
}

const TABLES = [
  "approvals",
  "approval_notices",
  "approval_votes",
  "approval_rules",
  "workspace_rules",
  "email_verdicts",
  "muted_notices",
  "chat_channels",
  "campaigns",
  "campaign_leads",
  "campaign_mailboxes",
  "stopped_companies",
  "campaign_windows",
  "mailboxes",
  "own_mailboxes",
  "mail_folders",
  "sending_turns",
  "messages",
  "contact_history",
  "suppressions",
  "suppressed_domains",
  "replies",
  "sent_replies",
  "interest_syncs",
  "inbound_events",
  "sandbox_letters",
  "operations",
  "subjects",
  "trail_events",
  "trail_seals",
  "archived_trails",
  "alerts",
  "alert_settings",
  "webhook_endpoints",
  "webhook_deliveries",
  "control_log",
  "change_requests",
  "payments",
  "payment_events",
  "directory_people",
  "directory_companies",
  "directory_words",
  "kills",
  "killed_campaigns"
]

it.layer(layer, SUITE)("the schema of outbound", (it) => {
  it.effect("columns take exactly the names that the domain knows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const found = yield* sql<{ readonly name: string; readonly definition: string }>`
        SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
        WHERE contype = 'c' AND conname IN ${sql.in(Object.keys(LISTS))}
      `
      const names = found.map(({ name, definition }) => [
        name,
        [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value).toSorted()
      ])
      assert.deepStrictEqual(
        Object.fromEntries(names),
        Object.fromEntries(Object.entries(LISTS).map(([name, values]) => [name, [...values].toSorted()]))
      )
    })
  )

  it.effect("every key leads with its workspace", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const keys = yield* sql<{ readonly table: string; readonly first: string }>`
        SELECT c.relname AS table, a.attname AS first
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
        WHERE i.indisunique AND c.relname IN ${sql.in(TABLES)}
      `
      assert.sameMembers([...new Set(keys.map(({ table }) => table))], TABLES)
      assert.deepStrictEqual([...new Set(keys.map(({ first }) => first))], ["workspace_id"])
    })
  )

  it.effect("the database itself lifts no suppression", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const store = yield* SuppressionStore
      const [workspaceId, addressHash] = [freshId(), "hash"]
      yield* atomically(store.add({ workspaceId, addressHash, source: "reply", atMillis: NOON }))
      yield* atomically(store.addDomains({ workspaceId, domains: ["acme.example"], atMillis: NOON }))
      for (const lift of [
        sql`DELETE FROM suppressions WHERE workspace_id = ${workspaceId}`,
        sql`UPDATE suppressions SET address_hash = 'other' WHERE workspace_id = ${workspaceId}`,
        sql`TRUNCATE suppressions`,
        sql`DELETE FROM suppressed_domains WHERE workspace_id = ${workspaceId}`,
        sql`UPDATE suppressed_domains SET domain = 'other.example' WHERE workspace_id = ${workspaceId}`,
        sql`TRUNCATE suppressed_domains`
      ]) {
        assert.strictEqual(sqlStateOf(yield* Effect.flip(lift)), RESTRICT_VIOLATION)
      }
      assert.deepStrictEqual(yield* store.sourcesOf(workspaceId, addressHash), ["reply"])
    })
  )

  it.effect("the database itself changes nothing of the control log and of the ledger", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { workspaceId } = yield* givenWorkspace()
      yield* grant(workspaceId, "5")
      yield* sql`
        INSERT INTO control_log (workspace_id, control_log_id, at, actor_kind, action, direction, before, after)
        VALUES (${workspaceId}, ${freshId()}, now(), 'operator', 'kill', 'tighten', '{}', '{}')
      `
      for (const change of [
        sql`DELETE FROM control_log WHERE workspace_id = ${workspaceId}`,
        sql`UPDATE control_log SET after = '{"x":1}' WHERE workspace_id = ${workspaceId}`,
        sql`TRUNCATE control_log`,
        sql`DELETE FROM ledger_entries WHERE workspace_id = ${workspaceId}`,
        sql`UPDATE ledger_entries SET amount = 6000000 WHERE workspace_id = ${workspaceId}`,
        sql`TRUNCATE ledger_entries`
      ]) {
        assert.strictEqual(sqlStateOf(yield* Effect.flip(change)), RESTRICT_VIOLATION)
      }
      const kept = yield* sql`
        SELECT 1 FROM control_log WHERE workspace_id = ${workspaceId} AND after::text = '{}'
        UNION ALL SELECT 1 FROM ledger_entries WHERE workspace_id = ${workspaceId} AND amount = 5000000
      `
      assert.lengthOf(kept, 2)
    })
  )

  it.effect("each invariant holds of what the stores write, and is broken by what they never write", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { workspaceId, campaign } = yield* givenSending(2)
      const [first] = yield* claimsOf(workspaceId)
      yield* end(first!, "sent", NOON + 1)
      yield* sql`
        UPDATE approvals SET decided_by_user_id = ${freshId()}, decided_by_session = 'link'
        WHERE workspace_id = ${workspaceId}
      `
      const breachesOf = (name: string) =>
        Effect.map(
          sql.unsafe<{ readonly workspace_id: string; readonly breach: string }>(
            outboundInvariants.find((invariant) => invariant.name === name)!.sql
          ),
          (rows) => rows.filter((row) => row.workspace_id === workspaceId)
        )
      // The stores do not write the trail; the code that ends a message does.
      assert.lengthOf(yield* breachesOf("sent_messages_are_in_the_trail"), 1)
      yield* sql`
        INSERT INTO trail_events (
          workspace_id, event_id, kind, source, observed_at, campaign_id, campaign_lead_id, detail
        ) VALUES (
          ${workspaceId}, ${freshId()}, 'sent', 'system', now(), ${campaign.campaignId},
          ${first!.lead.campaignLeadId}, '{}'
        )
      `
      for (const { name } of outboundInvariants) assert.deepStrictEqual(yield* breachesOf(name), [], name)

      const breaks: ReadonlyArray<readonly [string, string]> = [
        ["messages_are_covered", "UPDATE approvals SET state = 'approved'"],
        ["messages_are_from_bound_mailboxes", "DELETE FROM campaign_mailboxes"],
        ["messages_belong_together", "UPDATE messages SET address_hash = 'other'"],
        ["variants_are_of_their_step", "UPDATE messages SET variant = 0"],
        ["variants_are_of_their_step", "UPDATE campaign_leads SET variants = '{0,1}'"],
        ["contacts_are_remembered", "DELETE FROM contact_history"],
        ["replied_are_suppressed", "UPDATE campaign_leads SET state = 'replied'"],
        ["ended_leads_are_not_due", "UPDATE campaign_leads SET state = 'finished'"],
        ["open_leads_go_on", "UPDATE campaign_leads SET mailbox_id = NULL"],
        ["completed_campaigns_are_done", "UPDATE campaigns SET state = 'completed'"],
        ["active_campaigns_were_launched", "UPDATE campaigns SET launched_at = NULL"],
        ["used_approvals_name_their_key", "UPDATE approvals SET used_by_idempotency_key = NULL"],
        ["approvals_were_decided", "UPDATE approvals SET decided_at = NULL"],
        ["approvals_have_their_approvers", "UPDATE approvals SET approvers_needed = 2"],
        ["mailboxes_have_their_turn", "DELETE FROM sending_turns"]
      ]
      for (const [name, statement] of breaks) {
        const broken = Effect.andThen(
          sql`${sql.literal(statement)} WHERE workspace_id = ${workspaceId}`,
          Effect.flatMap(breachesOf(name), Effect.fail)
        )
        const breaches = yield* Effect.flip(sql.withTransaction(broken))
        assert.isNotEmpty(breaches, name)
      }
      const adopted = Effect.andThen(
        sql`
          INSERT INTO mailboxes (workspace_id, mailbox_id, kind, domain, address, display_name, state)
          SELECT workspace_id, ${freshId()}, 'purchased', domain, address, display_name, state
          FROM mailboxes WHERE workspace_id = ${workspaceId} LIMIT 1
        `,
        Effect.flatMap(breachesOf("adopted_mailboxes_are_in_one_workspace"), Effect.fail)
      )
      assert.lengthOf((yield* Effect.flip(sql.withTransaction(adopted))) as ReadonlyArray<unknown>, 1)
      const suppressed = Effect.andThen(
        sql`
          INSERT INTO suppressions (workspace_id, address_hash, source, suppressed_at)
          VALUES (${workspaceId}, ${first!.lead.addressHash}, 'reply', ${new Date(NOON - 60_000)})
        `,
        Effect.flatMap(breachesOf("suppressed_are_left_alone"), Effect.fail)
      )
      assert.lengthOf((yield* Effect.flip(sql.withTransaction(suppressed))) as ReadonlyArray<unknown>, 1)
      const { campaignId } = first!.message
      const companyIs = sql`UPDATE messages SET company = 'acme.test' WHERE workspace_id = ${workspaceId}`
      const stopped = sql`
        INSERT INTO stopped_companies (workspace_id, campaign_id, company, stopped_at)
        VALUES (${workspaceId}, ${campaignId}, 'acme.test', ${new Date(NOON - 60_000)})
      `
      const limited = Effect.andThen(
        sql`UPDATE messages SET claimed_at = ${new Date(NOON)} WHERE workspace_id = ${workspaceId}`,
        sql`UPDATE campaigns SET max_per_company_per_day = 1 WHERE workspace_id = ${workspaceId}`
      )
      for (const [name, breaks] of [
        ["stopped_companies_are_left_alone", stopped],
        ["companies_get_their_share", limited]
      ] as const) {
        const broken = Effect.all([companyIs, breaks, Effect.flatMap(breachesOf(name), Effect.fail)])
        assert.isNotEmpty((yield* Effect.flip(sql.withTransaction(broken))) as ReadonlyArray<unknown>, name)
      }
      const withoutWindow = Effect.all([
        sql`
          UPDATE campaigns SET window_opens_at = ${new Date(NOON)}, window_closes_at = ${new Date(NOON + 1)}
          WHERE workspace_id = ${workspaceId}
        `,
        sql`UPDATE campaign_leads SET hours = 'Asia/Tokyo' WHERE workspace_id = ${workspaceId}`,
        Effect.flatMap(breachesOf("hours_have_their_window"), Effect.fail)
      ])
      assert.isNotEmpty((yield* Effect.flip(sql.withTransaction(withoutWindow))) as ReadonlyArray<unknown>)
      const domain = first!.lead.email.split("@")[1]!
      const ofDomain = (name: string) =>
        Effect.andThen(
          sql`
            INSERT INTO suppressed_domains (workspace_id, domain, suppressed_at)
            VALUES (${workspaceId}, ${name}, ${new Date(NOON - 60_000)})
          `,
          Effect.flatMap(breachesOf("suppressed_domains_are_left_alone"), Effect.fail)
        )
      const found = (name: string) => Effect.flip(sql.withTransaction(ofDomain(name)))
      assert.isNotEmpty((yield* found(domain)) as ReadonlyArray<unknown>)
      assert.isEmpty((yield* found(domain.slice(1))) as ReadonlyArray<unknown>)
    })
  )
})

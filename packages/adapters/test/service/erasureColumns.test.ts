import { assert, layer } from "@effect/vitest"
import { canonicalRequest } from "@outbound/domain/kernel/canonical.js"
import { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { rfcMessageId } from "@outbound/domain/outreach/sending/compose.js"
import { TestRows } from "@outbound/testkit/memory/Hooks.js"
import { BODY, answer, answerer, approved } from "@outbound/testkit/contracts/service/replyStories.js"
import { ended, freshKey, launched, leadOf, ok, pass, SUITE } from "@outbound/testkit/contracts/service/stories.js"
import { uploadedList } from "@outbound/testkit/contracts/service/uploadedList.js"
import { Clock, Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { SqlClient } from "../../src/postgres/Sql.js"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

const EMAIL = "interested+zebrafinch@magic.test"
const OTHER = "silent+colleague@magic.test"
const NAME = "Quastenflosser"
const MARKS = [EMAIL, "zebrafinch", NAME]

/** Where a person can stand in the clear: the story below fills each of these, and an erasure empties it. */
const HOLDS = `
  approvals.snapshot
  campaign_left_out.detail
  campaign_leads.company_name campaign_leads.custom campaign_leads.email campaign_leads.evidence campaign_leads.first_name
  campaign_leads.last_name campaign_leads.origin
  approval_people.company_name approval_people.custom approval_people.email approval_people.evidence approval_people.first_name approval_people.last_name
  directory_people.company_key directory_people.company_name directory_people.full_name directory_people.last_name directory_people.list_file directory_people.name_key
  directory_people.social_key directory_people.social_url directory_people.title directory_people.title_folded
  directory_people.work_email
  enrichment_cache.contact
  idempotency_records.body
  inbound_events.content inbound_events.from_email
  list_rows.body list_rows.input list_rows.uploaded
  replies.body_html replies.body_text replies.from_email replies.message_id replies.snippet replies.subject
  sandbox_letters.raw
  saved_answers.body
  sent_replies.body_text sent_replies.refs sent_replies.subject sent_replies.to_email
  subjects.email
`
  .trim()
  .split(/\s+/)

/**
 * Why the others hold nobody. A column that a migration adds stands in neither list, and fails the test until somebody
 * has decided: what may name a person is `HOLDS`'s, and `Erasure`'s to empty.
 */
const NEVER: ReadonlyArray<readonly [why: string, ...columns: ReadonlyArray<string>]> = [
  [
    "the workspace's own people, keys and settings",
    ..."api_keys.* change_requests.* control_log.* key_catalogue.* key_usage.* memberships.* oauth_clients.* oauth_grants.*".split(
      " "
    ),
    ..."oauth_requests.* oauth_tokens.* own_keys.* sending_domains.* link_hosts.* canaries.* canary_settings.* postmaster_connections.* postmaster_readings.* domain_watches.* domain_looks.* seen_signatures.* reputation_rules.* passkey_challenges.* passkeys.* runs.* sessions.* sign_in_asks.* sign_ups.* sign_up_grants.*".split(
      " "
    ),
    ..."approvals.decline_reason muted_notices.* chat_channels.* sign_in_links.* users.* webhook_endpoints.* workspaces.* workspace_rules.* workspace_sending.* kills.*".split(
      " "
    )
  ],
  [
    "receivers' counts of the workspace's own mail, by the addresses of the servers that sent it",
    ..."dmarc_counts.* dmarc_reports.*".split(" ")
  ],
  [
    "the workspace's own CRM, and its owners there; of others keyed hashes, domains, and ids",
    ..."crm_connections.* crm_marks.* crm_owners.* crm_writes.*".split(" ")
  ],
  [
    "the workspace's own mailboxes",
    ..."alerts.* bounce_warnings.* mail_folders.* mailboxes.* own_mailboxes.*".split(" ")
  ],
  [
    "the workspace's own words, for everybody",
    "saved_answers.saved_by",
    "saved_answers.title",
    "campaigns.name",
    "campaigns.schedule",
    "campaigns.sequence"
  ],
  ["companies", ..."company_boards.* directory_companies.*".split(" ")],
  ["companies and places of published files", ..."open_categories.* open_companies.* open_loads.*".split(" ")],
  [
    "organisations that receive mail, and what they said of us",
    "messages.receiver",
    "receiver_rests.*",
    "mail_receivers.*"
  ],
  ["words of titles and of what companies are, of which an address is none", "directory_words.*"],
  ["facts about the call, in which no address is kept (CallNotes)", "requests.*"],
  [
    "credits, payments, counts",
    ..."campaign_counts.* campaign_day_counts.* deleted_workspaces.* ledger_entries.* late_rows.* mail_use_counts.* payment_events.* payments.* source_outcomes.* usage_daily.* usage_of_keys.*".split(
      " "
    )
  ],
  [
    "what companies are called",
    ..."suppressed_domains.* stopped_companies.* campaign_leads.company messages.company".split(" ")
  ],
  ["a zone and a country, by which nobody is known", "campaign_leads.hours", "campaign_windows.*"],
  ["which words by country they get, in which language", ..."approval_people.words campaign_leads.words".split(" ")],
  ["by which lot nobody is known", "campaign_holdouts.seed"],
  ["numbers of variants", "campaign_leads.last_variant", "campaign_leads.variants", "campaigns.chosen_variants"],
  ["an approval's id, and numbers of variants and of answers", "campaigns.winner_rule"],
  [
    "what the service does",
    "migrations.*",
    "service_meta.*",
    "clock_marks.*",
    "operations.*",
    "open_calls.*",
    "webhook_deliveries.*",
    "approval_notices.*",
    "approval_votes.*",
    "attention_plans.*",
    "attention_looks.*"
  ],
  [
    "keyed hashes",
    ..."call_subjects.* list_rows.address_hash email_verdicts.* contact_history.* contact_subjects.* erasures.address_hash suppressions.*".split(
      " "
    ),
    ..."campaign_leads.address_hash messages.address_hash sent_replies.address_hash follow_ups.address_hashes".split(
      " "
    ),
    ..."follow_ups.subject_hash enrichment_cache.person_key directory_people.fingerprint".split(" "),
    ..."campaign_left_out.address_hash approval_people.address_hash approval_people.digest approvals.base_fingerprint approvals.binding idempotency_records.base_fingerprint offers.base_fingerprint".split(
      " "
    )
  ],
  [
    "commitments, and salts that go with their address",
    "subjects.commitment",
    "subjects.salt",
    "trail_seals.*",
    "archived_trails.*"
  ],
  [
    "digests of what is of high entropy",
    "learned_ids.*",
    ..."approvals.snapshot_digest approvals.token_hash".split(" ")
  ],
  ["the same", ..."idempotency_records.token_hash offers.token_hash approvals.decided_by_session".split(" ")],
  ["fingerprints, as long as nothing is erased", "erasures.fingerprints", "offers.known"],
  ["sealed, and deleted by whom it names", "follow_ups.*"],
  ["names of the caller's choosing", "approvals.used_by_idempotency_key", "idempotency_records.idempotency_key"],
  ["domains and kinds", "approval_people.hosts", "approval_people.looks"],
  ["ids of a vendor's", "vendor_campaigns.*", "vendor_leads.*", "vendor_orders.*", "inbound_events.provider_event_id"],
  ["ids of messages of ours", "inbound_events.answers", "messages.message_id", "replies.in_reply_to"],
  ["the same", "replies.thread_id", "sent_replies.thread_id", "sandbox_letters.message_id"],
  ["mailboxes of ours", "replies.to_email", "sent_replies.from_email", "sandbox_letters.to_address"],
  [
    "kinds and reasons",
    "trail_events.*",
    "replies.referral",
    "interest_syncs.*",
    "inbound_events.provider",
    "sandbox_letters.persona"
  ],
  [
    "deleted with their row, whatever stands in it",
    "directory_people.mobile_phone",
    ..."first_name company_domain city city_key region region_key country industry email_status"
      .split(" ")
      .map((column) => `directory_people.${column}`),
    "directory_people.country_key"
  ]
]

/** Why a column's own words are not in a person's file. */
const UNFILED: ReadonlyArray<readonly [why: string, ...columns: ReadonlyArray<string>]> = [
  ["others are in it; what was shown of them is in their lead", "approvals.snapshot", "approval_people.custom"],
  [
    "the same words as the lead's",
    ..."company_name email evidence first_name last_name".split(" ").map((one) => `approval_people.${one}`)
  ],
  [
    "parts of it, those about them",
    "idempotency_records.body",
    "list_rows.body",
    "list_rows.input",
    "list_rows.uploaded"
  ],
  ["parts of it", "inbound_events.content", "campaign_left_out.detail"],
  ["under its origins", "campaign_leads.origin"],
  ["the file is about it", "inbound_events.from_email"],
  [
    "another spelling of what is in it",
    ..."company_key name_key social_key title_folded".split(" ").map((one) => `directory_people.${one}`)
  ],
  ["the same letter as the reply's text", "replies.body_html", "replies.snippet", "sandbox_letters.raw"],
  ["ids of letters", "replies.message_id", "sent_replies.refs"],
  ["what somebody else's row says of them", "campaign_leads.custom"],
  ["under another name in JSON", "enrichment_cache.contact"],
  ["in it as JSON", "campaign_leads.evidence"],
  ["the workspace's own words for its answers, sent to nobody yet", "saved_answers.body"]
]

/** Columns of a state, a kind, a reason: a list in a CHECK says all that they can hold. */
const ENUMERATED =
  /\.(?:state|kind|verb|phase|classification|outcome|reason|interest_status|provider_sync_status|pause_reason|target|ask)$/

const isNever = (column: string): boolean =>
  ENUMERATED.test(column) ||
  NEVER.some(([, ...columns]) => columns.some((one) => one === column || one === `${column.split(".")[0]}.*`))

const standing = (text: string) => Effect.flatMap(TestRows, (rows) => rows.standing(text))

const withoutSchema = (places: ReadonlyArray<string>) => places.map((place) => place.replace(/^outbound\./, ""))

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex")

const story = Effect.gen(function* () {
  const sql = yield* SqlClient
  const inbound = yield* Inbound
  const client = yield* answerer()
  const { workspaceId } = client
  const listed = yield* uploadedList(client, `Name,Email\nAda ${NAME},${EMAIL}\n`, `${EMAIL}.csv`)
  yield* ended(client, listed.result.operation_id)
  yield* client.call("verify_email", { email: EMAIL }, { key: freshKey() })
  ok(yield* client.call("verify_email", { email: EMAIL, dry_run: true }, { key: freshKey() }))
  yield* client.call("enrich", { person: { email: EMAIL, full_name: `Ada ${NAME}` } }, { key: freshKey() })
  const campaign_id = yield* launched(client, {
    recipients: [
      {
        email: EMAIL,
        first_name: `Ada ${NAME}`,
        last_name: NAME,
        company_name: `${NAME} & Sons`,
        evidence: {
          first_name: { url: "https://acme.test/team", excerpt: `Ada ${NAME}, sales`, observed_at: "1970-01-01" }
        }
      },
      { email: OTHER, custom: { referred_by: EMAIL } },
      { email: "silent+left-out@magic.test", last_name: "x".repeat(201), custom: { referred_by: EMAIL } }
    ],
    sequence: [{ subject: "Hello", body: "Hi {{first_name|you}}, {{custom.referred_by|a friend}} says" }]
  })
  yield* pass("2 seconds", "500 millis")
  const messageTo = (email: string) =>
    Effect.gen(function* () {
      const campaignLeadId = yield* leadOf(client, campaign_id, email)
      const [message] = yield* sql<{ id: string; mailbox: string }>`
        SELECT m.message_id AS id, b.address AS mailbox
        FROM messages m JOIN mailboxes b USING (workspace_id, mailbox_id)
        WHERE m.campaign_lead_id = ${campaignLeadId}
      `
      return message ?? assert.fail(`nothing was sent to ${email}`)
    })
  const arrives = (of: { readonly from: string; readonly to: string; readonly inMillis: number }, text: string) =>
    Effect.gen(function* () {
      const message = yield* messageTo(of.to)
      yield* inbound.receive([
        {
          workspaceId,
          provider: "test",
          providerEventId: freshKey(),
          kind: "reply",
          source: "provider_poll",
          inReplyTo: rfcMessageId(message.id, "acme.test"),
          messageId: `${freshKey()}-${of.from}`,
          fromEmail: of.from,
          toEmail: message.mailbox,
          subject: `Re: from ${of.from}`,
          bodyText: text,
          bodyHtml: `<p>${text}</p>`,
          classification: null,
          bounce: null,
          receivedAtMillis: (yield* Clock.currentTimeMillis) + of.inMillis
        }
      ])
    })
  yield* arrives({ from: EMAIL, to: EMAIL, inMillis: 0 }, `Yours, Ada ${NAME}`)
  yield* arrives({ from: OTHER, to: OTHER, inMillis: 0 }, `Ask ${EMAIL}`)
  yield* pass("1 second")
  const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
  const theirs = replies.filter((reply: { from_email: string }) => reply.from_email === EMAIL)
  const words = `${BODY} Dear Ada ${NAME}`
  const [first, second] = theirs as ReadonlyArray<{ readonly reply_id: string }>
  ok(yield* (yield* approved(client, first?.reply_id ?? "", words)).send())
  ok(yield* answer(client, second?.reply_id ?? "", { body_text: words }, freshKey()))
  yield* arrives({ from: EMAIL, to: EMAIL, inMillis: 3_600_000 }, "One more thing")
  yield* sql`
    INSERT INTO sandbox_letters (workspace_id, message_id, to_address, persona, raw, due_at)
    VALUES (${workspaceId}, ${`${(yield* messageTo(EMAIL)).id}@acme.test`}, 'jo@acme.test', 'other', ${`From: ${EMAIL}`}, now())
  `
  yield* sql`
    INSERT INTO saved_answers (workspace_id, saved_answer_id, title, body, saved_by, saved_at)
    VALUES (${workspaceId}, gen_random_uuid(), 'Colleague', ${`Ask ${EMAIL}, please.`}, 'jo@acme.test', now())
  `
  const { takeFor } = yield* DirectoryImport
  const cells = {
    email: EMAIL,
    full_name: `Ada ${NAME}`,
    last_name: NAME,
    title: `Boss, ${EMAIL}`,
    company_name: `${NAME} & Sons`,
    social_url: `https://www.linkedin.com/in/${NAME}`
  }
  const rows = Stream.succeed({ line: 2, cells })
  yield* Effect.orDie(takeFor(workspaceId, { kind: "people", rows, file: `Of ${NAME}.csv`, dryRun: false }))
  return workspaceId
})

/** One person's file holds what each column says of them, and nobody else. */
const filed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { makeFor } = yield* PersonFiles
    const { text } = yield* Effect.orDie(makeFor(workspaceId, EMAIL))
    assert.notInclude(text, OTHER)
    for (const column of HOLDS) {
      if (UNFILED.some(([, ...columns]) => columns.includes(column))) continue
      const [table = "", name = ""] = column.split(".")
      const values = yield* sql<{ value: string }>`
        SELECT t.${sql.literal(name)}::text AS value FROM ${sql.literal(table)} t
        WHERE t.workspace_id = ${workspaceId} AND to_json(t)::text ILIKE ${`%${EMAIL}%`}
          AND t.${sql.literal(name)}::text ILIKE ANY(${MARKS.map((mark) => `%${mark}%`)}::text[])
      `
      assert.isNotEmpty(values, column)
      assert.isTrue(
        values.some(({ value }) => text.includes(JSON.stringify(value).slice(1, -1))),
        column
      )
    }
  })

layer(Layer.provideMerge(everyRow, service), SUITE)("an erasure, column by column", (it) => {
  it.effect("every column that can hold a text is known to hold persons, or not to", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = yield* sql<{ name: string }>`
        SELECT c.table_name || '.' || c.column_name AS name
        FROM information_schema.columns c
        JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
        WHERE t.table_type = 'BASE TABLE'
          AND NOT (SELECT p.relispartition FROM pg_class p WHERE p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass)
          AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
          AND c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')
        ORDER BY 1
      `
      // A partition has the columns of its table.
      const names = columns.map(({ name }) => name)
      assert.deepStrictEqual(
        names.filter((name) => !HOLDS.includes(name) && !isNever(name)),
        []
      )
      assert.deepStrictEqual(
        HOLDS.filter((name) => !names.includes(name)),
        []
      )
    })
  )

  it.effect(
    "one person's file has what each column holds; an erased person is in no column any more, and no stored hash lets anyone guess their address",
    () =>
      Effect.gen(function* () {
        const workspaceId = yield* story
        yield* filed(workspaceId)
        const before = new Set<string>()
        for (const mark of MARKS) for (const place of withoutSchema(yield* standing(mark))) before.add(place)
        assert.deepStrictEqual([...before].sort(), [...HOLDS].sort())
        yield* Effect.orDie(Effect.flatMap(Erasure, (erasure) => erasure.eraseFor(workspaceId, EMAIL)))
        for (const mark of MARKS) assert.deepStrictEqual(yield* standing(mark), [], mark)
        const asked = canonicalRequest({ email: EMAIL })
        for (const text of [EMAIL, `verify_email\n${asked}`, asked]) {
          assert.deepStrictEqual(yield* standing(sha256(text)), [], text)
          assert.deepStrictEqual(yield* standing(Buffer.from(sha256(text), "hex").toString("base64url")), [], text)
        }
      })
  )
})

/** How much a seeded workspace holds. */
export interface Many {
  readonly leads: number
  readonly events: number
  /** Twice as many replies as people who were written to. */
  readonly messages: number
}

/** As many people as a campaign may hold. */
export const CAMPAIGN_PEOPLE = 5_000
export const MAILBOXES = 50

/** The id of a campaign, by its number; SQL says the same. */
export const campaignIdOf = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

const CAMPAIGN_ID = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const LEAD_ID = (c: string, i: string) =>
  `(lpad(to_hex(${c}), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(${i}), 12, '0'))::uuid`
const MAILBOX_ID = (n: string) => `('00000001-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Everybody has three messages. Of a run campaign, person `i` got `1 + i % 3` of them. */
const LEADS_OF_RUN = `
  SELECT c.n AS c, g.i::integer AS i, 1 + g.i::integer % 3 AS steps_sent, (g.i % 3)::smallint AS variant,
    CASE WHEN g.i % 20 < 2 THEN 'replied' WHEN g.i % 20 = 2 THEN 'bounced' WHEN g.i % 20 = 3 THEN 'unsubscribed'
      WHEN g.i % 3 = 2 THEN 'finished' ELSE 'active' END AS state
  FROM run c CROSS JOIN generate_series(0, $people - 1) g (i)
`

/** Seconds in which what a run campaign sent and heard is spread. */
const SPREAD_SECONDS = 40 * 86_400

const STATEMENTS = [
  `INSERT INTO mailboxes (workspace_id, mailbox_id, operation_id, domain, address, display_name, state, kind, active_at,
     upkeep_paid_until, created_at)
   SELECT $workspace, ${MAILBOX_ID("n")}, uuidv7(), 'seeded.example', 'box-' || n || '@seeded.example', 'Box ' || n, 'active',
     'purchased', now(), now() + interval '30 days', now() - interval '90 days'
   FROM generate_series(0, ${MAILBOXES - 1}) n`,
  // As one that was made by a call, with another name and state.
  `INSERT INTO campaigns (workspace_id, campaign_id, name, state, sequence, schedule, recipients_version, created_at, launched_at)
   SELECT $workspace, ${CAMPAIGN_ID("n")}, 'Campaign ' || n, CASE WHEN n % 10 = 3 THEN 'completed' ELSE 'active' END,
     like_this.sequence, like_this.schedule, 1, now() - n * interval '1 hour', now() - n * interval '1 hour'
   FROM generate_series(1, $campaigns) n CROSS JOIN (
     SELECT sequence, schedule FROM campaigns WHERE workspace_id = $workspace LIMIT 1
   ) like_this`,
  `INSERT INTO campaign_mailboxes SELECT $workspace, ${CAMPAIGN_ID("n")}, ${MAILBOX_ID("b")}, now()
   FROM generate_series(1, $campaigns) n, generate_series(0, ${MAILBOXES - 1}) b`,
  `CREATE TEMP TABLE run AS SELECT n FROM generate_series(1, $run) n`,
  `CREATE TEMP TABLE run_leads AS ${LEADS_OF_RUN}`,
  `CREATE TEMP TABLE run_messages AS SELECT r.c, r.i, s,
     now() - ((r.i::bigint * 7919 + r.c * 104729 + s * 31) % ${SPREAD_SECONDS} + 86400) * interval '1 second' AS at
   FROM run_leads r CROSS JOIN LATERAL generate_series(0, r.steps_sent - 1) s`,
  `INSERT INTO campaign_leads (workspace_id, campaign_lead_id, campaign_id, email, first_name, last_name, company_name, custom,
     state, interest_status, address_hash, approval_id, mailbox_id, steps, steps_sent, next_at, variants, last_variant,
     last_sent_at, said_interested)
   SELECT $workspace, ${LEAD_ID("r.c", "r.i")}, ${CAMPAIGN_ID("r.c")},
     'person-' || r.c || '-' || r.i || '@company-' || r.i % 977 || '.example', 'First' || r.i, 'Last', 'Company ' || r.i % 977,
     json_build_object('reason', 'Reason number ' || r.i), r.state,
     CASE WHEN r.i % 40 = 0 THEN 'interested' WHEN r.i % 400 = 1 THEN 'meeting_booked' END, 'hash-' || r.c || '-' || r.i,
     $approval, ${MAILBOX_ID(`r.i % ${MAILBOXES}`)}, 3, r.steps_sent,
     CASE WHEN r.state = 'active' THEN now() + (r.i % 100 + 1) * interval '1 hour' END, ARRAY[r.variant, 0, 0]::smallint[],
     CASE r.steps_sent WHEN 1 THEN r.variant ELSE 0 END, left_to.at, r.i % 6 = 0
   FROM run_leads r JOIN (SELECT m.c, m.i, max(m.at) AS at FROM run_messages m GROUP BY m.c, m.i) left_to
     ON left_to.c = r.c AND left_to.i = r.i`,
  `INSERT INTO campaign_leads (workspace_id, campaign_lead_id, campaign_id, email, first_name, last_name, company_name, custom,
     state, address_hash, approval_id, mailbox_id, steps, steps_sent, next_at, variants)
   SELECT $workspace, ${LEAD_ID("c", "i")}, ${CAMPAIGN_ID("c")}, 'person-' || c || '-' || i || '@company-' || i % 977 || '.example',
     'First' || i, 'Last', 'Company ' || i % 977, json_build_object('reason', 'Reason number ' || i), 'ready',
     'hash-' || c || '-' || i, $approval, ${MAILBOX_ID(`i % ${MAILBOXES}`)}, 3, 0, now() + (i % 100 + 1) * interval '1 hour',
     ARRAY[i % 3, 0, 0]::smallint[]
   FROM generate_series($run + 1, $campaigns) c CROSS JOIN generate_series(0, $people - 1) i`,
  `INSERT INTO messages (workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, step_index, variant,
     state, claimed_at, sent_at, outcome)
   SELECT $workspace, '<' || r.c || '-' || r.i || '-' || m.s || '@seeded.example>', ${CAMPAIGN_ID("r.c")}, ${LEAD_ID("r.c", "r.i")},
     ${MAILBOX_ID(`r.i % ${MAILBOXES}`)}, 'hash-' || r.c || '-' || r.i, m.s, CASE m.s WHEN 0 THEN r.variant ELSE 0 END,
     'sent', m.at, m.at, CASE WHEN r.state = 'bounced' AND m.s = r.steps_sent - 1 THEN 'hard_bounce' END
   FROM run_leads r JOIN run_messages m ON m.c = r.c AND m.i = r.i`,
  `INSERT INTO replies (workspace_id, reply_id, campaign_id, campaign_lead_id, from_email, subject, snippet, body_text,
     body_truncated, classification, received_at, handled_at)
   SELECT $workspace, uuidv7(), ${CAMPAIGN_ID("r.c")}, ${LEAD_ID("r.c", "r.i")},
     'person-' || r.c || '-' || r.i || '@company-' || r.i % 977 || '.example', 'Re: A question', 'Answer ' || k || ' of ' || r.i,
     repeat('a sentence of some length. ', 8), false,
     (ARRAY['interested', 'not_interested', 'out_of_office', 'unsubscribe', 'bounce', 'other'])[1 + r.i % 6],
     heard.at, CASE WHEN r.i % 50 = 0 THEN NULL ELSE heard.at END
   FROM run_leads r CROSS JOIN generate_series(1, 2) k CROSS JOIN LATERAL (
     SELECT now() - ((r.i::bigint * 6007 + r.c * 15485863 + k * 17) % ${SPREAD_SECONDS}) * interval '1 second' AS at
   ) heard`,
  `INSERT INTO subjects (workspace_id, email, last_seen_at)
   SELECT $workspace, 'person-' || c || '-' || i || '@company-' || i % 977 || '.example', now()
   FROM generate_series(1, LEAST($campaigns, 20)) c, generate_series(0, $people - 1) i`,
  `INSERT INTO trail_events (workspace_id, event_id, kind, source, observed_at, campaign_id, subject_id, detail)
   SELECT $workspace, gen_random_uuid(), CASE WHEN n % 50 = 0 THEN 'reply' WHEN n % 7 = 0 THEN 'admitted' ELSE 'sent' END,
     'system', now() - (n + 60) * interval '3 seconds', ${CAMPAIGN_ID("(1 + n % $campaigns)")},
     first.id + n % (LEAST($campaigns, 20) * $people), '{"step": 1}'
   FROM generate_series(1, $events) n CROSS JOIN (
     SELECT min(subject_id) AS id FROM subjects WHERE workspace_id = $workspace AND email LIKE 'person-1-0@%'
   ) first`,
  `INSERT INTO usage_of_keys (workspace_id, day, key_id, verb, calls, charged)
   SELECT $workspace, (now() AT TIME ZONE 'UTC')::date - d, k.key_id, v, 100, 100000
   FROM generate_series(1, 400) d, (SELECT key_id FROM api_keys WHERE workspace_id = $workspace LIMIT 1) k,
     unnest(ARRAY['verify_email', 'find_leads', 'enrich_person', 'find_email', 'find_phone']) v`,
  `INSERT INTO approvals (workspace_id, approval_id, key_id, verb, state, target, base_fingerprint, binding, token_hash, snapshot,
     snapshot_digest, request_id, created_at, expires_at)
   SELECT a.workspace_id, uuidv7(), a.key_id, a.verb, CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'declined' END,
     a.target || n, a.base_fingerprint, a.binding, a.token_hash || n, a.snapshot, a.snapshot_digest, uuidv7(),
     now() - n * interval '1 minute', now() + interval '1 day'
   FROM approvals a CROSS JOIN generate_series(1, LEAST($leads / 500, 2000)) n WHERE a.workspace_id = $workspace`,
  "DROP TABLE run_messages",
  "DROP TABLE run_leads",
  "DROP TABLE run",
  "UPDATE api_keys SET rate_per_minute = 1000000000 WHERE workspace_id = $workspace"
]

/**
 * Statements that fill a workspace, by whole tables. It has a campaign of three messages, the first with three variants,
 * and an approval. Every campaign is full; those that ran are the newest.
 */
export const manyLeads = (workspaceId: string, { events, leads, messages }: Many): ReadonlyArray<string> => {
  const people = Math.min(leads, CAMPAIGN_PEOPLE)
  const values: Readonly<Record<string, string>> = {
    workspace: `'${workspaceId}'::uuid`,
    approval: "'00000002-0000-7000-8000-000000000000'::uuid",
    people: String(people),
    campaigns: String(Math.ceil(leads / people)),
    run: String(Math.max(1, Math.round(messages / people / 2))),
    leads: String(leads),
    events: String(events)
  }
  return STATEMENTS.map((statement) => statement.replaceAll(/\$([a-z]+)/g, (_, name: string) => values[name] ?? ""))
}

import type { ErasedPerson } from "@outbound/domain/control/erasure/ErasureStore.js"
import {
  PERSON_ASKS,
  PersonRecords,
  type PersonSection,
  type PersonSections,
  REQUESTS_MAX,
  SECTION_ROWS_MAX
} from "@outbound/domain/control/personFile/PersonRecords.js"
import { Effect, Schema } from "effect"
import { date, firstValue, literals, Millis, rows, run } from "../Columns.js"
import { iso } from "../sealHashes.js"
import type { SqlClient, Statement } from "../Sql.js"
import { storeLayer } from "../Table.js"

const RequestRow = Schema.Struct({
  campaignLeadId: Schema.String,
  email: Schema.String,
  ask: Schema.Literals(PERSON_ASKS),
  askedAtMillis: Millis
})

const at = (sql: SqlClient, name: string) => sql.literal(`${iso(name)} AS ${name.split(".").at(-1)}`)

/** What each section reads. Its columns are the members of its rows, in the file too. */
const sectionsOf = (sql: SqlClient): Readonly<Record<PersonSection, (person: ErasedPerson) => Statement.Fragment>> => {
  const theirLeads = ({ addressHash, workspaceId }: ErasedPerson) => sql`
    SELECT l.* FROM campaign_leads l WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash}
  `
  return {
    leads: (person) => sql`
      SELECT l.campaign_id, l.campaign_lead_id, c.name AS campaign, l.first_name, l.last_name, l.company_name, l.custom,
        l.evidence, l.state, l.interest_status, l.approval_id, ${sql.literal(iso("a.decided_at"))} AS approved_at,
        l.origin, a.snapshot -> 'words' -> 'texts' ->> (l.words ->> 'notice') AS notice,
        l.words ->> 'language' AS notice_language
      FROM (${theirLeads(person)}) l
      JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
      LEFT JOIN approvals a ON a.workspace_id = l.workspace_id AND a.approval_id = l.approval_id
      ORDER BY l.campaign_lead_id
    `,
    messages: (person) => sql`
      SELECT m.campaign_id, m.campaign_lead_id, m.message_id, m.step_index, m.variant, m.state,
        b.address AS from_email, ${at(sql, "m.sent_at")}
      FROM (${theirLeads(person)}) l
      JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
      JOIN mailboxes b ON b.workspace_id = m.workspace_id AND b.mailbox_id = m.mailbox_id
      ORDER BY m.claimed_at, m.message_id
    `,
    replies: (person) => sql`
      SELECT r.campaign_id, r.reply_id, r.from_email, r.subject, r.body_text, r.classification,
        ${at(sql, "r.received_at")}
      FROM (${theirLeads(person)}) l
      JOIN replies r ON r.workspace_id = l.workspace_id AND r.campaign_lead_id = l.campaign_lead_id
      ORDER BY r.received_at, r.reply_id
    `,
    answers: (person) => sql`
      SELECT s.campaign_id, s.sent_reply_id, s.to_email, s.from_email, s.subject, s.body_text, s.approval_id,
        ${at(sql, "s.sent_at")}
      FROM sent_replies s
      WHERE s.workspace_id = ${person.workspaceId} AND (
        s.address_hash = ${person.addressHash}
        OR s.campaign_lead_id IN (SELECT l.campaign_lead_id FROM (${theirLeads(person)}) l)
      )
      ORDER BY s.created_at, s.sent_reply_id
    `,
    waiting: (person) => sql`
      SELECT ${at(sql, "i.received_at")}, COALESCE(i.content->>'subject', '') AS subject,
        COALESCE(i.content->>'bodyText', '') AS body_text
      FROM inbound_events i
      WHERE i.workspace_id = ${person.workspaceId} AND i.content IS NOT NULL AND i.from_email = ${person.email}
      ORDER BY i.received_at, i.provider_event_id
    `,
    shown: (person) => sql`
      SELECT p.approval_id, a.verb, ${sql.literal(iso("a.created_at"))} AS asked_at
      FROM approval_people p
      JOIN approvals a ON a.workspace_id = p.workspace_id AND a.approval_id = p.approval_id
      WHERE p.workspace_id = ${person.workspaceId} AND p.address_hash = ${person.addressHash}
      ORDER BY p.shown_id
    `,
    left_out: (person) => sql`
      SELECT o.campaign_id, c.name AS campaign, o.reason
      FROM campaign_left_out o
      JOIN campaigns c ON c.workspace_id = o.workspace_id AND c.campaign_id = o.campaign_id
      WHERE o.workspace_id = ${person.workspaceId} AND o.address_hash = ${person.addressHash}
      ORDER BY o.left_out_id
    `,
    // A call that names them, or that put them into a campaign.
    calls: (person) => sql`
      SELECT r.request_id, r.verb, k.name AS key, ${sql.literal(iso("r.created_at"))} AS at
      FROM (
        SELECT s.request_id FROM call_subjects s
        WHERE s.workspace_id = ${person.workspaceId} AND s.address_hash = ${person.addressHash}
        UNION
        SELECT e.request_id FROM subjects s
        JOIN trail_events e ON e.workspace_id = s.workspace_id AND e.subject_id = s.subject_id AND e.kind = 'admitted'
        WHERE s.workspace_id = ${person.workspaceId} AND s.email = ${person.email}
      ) n
      JOIN requests r ON r.workspace_id = ${person.workspaceId} AND r.request_id = n.request_id
      JOIN api_keys k ON k.workspace_id = r.workspace_id AND k.key_id = r.key_id
      ORDER BY r.created_at, r.request_id
    `,
    directory: (person) => sql`
      SELECT p.full_name, p.first_name, p.last_name, p.title, p.company_name, p.company_domain, p.headcount, p.industry,
        p.city, p.region, p.country, p.work_email, p.email_status, p.mobile_phone, p.social_url,
        ${at(sql, "p.observed_at")}, ${at(sql, "p.imported_at")}, p.list_file,
        p.list_line
      FROM directory_people p
      WHERE p.workspace_id = ${person.workspaceId} AND p.fingerprint = ${person.addressHash}
    `,
    verdicts: (person) => sql`
      SELECT v.status, ${at(sql, "v.checked_at")} FROM email_verdicts v
      WHERE v.workspace_id = ${person.workspaceId} AND v.address_hash = ${person.addressHash}
    `,
    suppressions: (person) => sql`
      SELECT s.source, ${at(sql, "s.suppressed_at")} FROM suppressions s
      WHERE s.workspace_id = ${person.workspaceId} AND s.address_hash = ${person.addressHash}
      ORDER BY s.suppressed_at, s.source
    `,
    events: (person) => sql`
      SELECT e.event_id, e.kind, e.source, ${at(sql, "e.observed_at")}, e.campaign_id, e.request_id, e.seal
      FROM subjects s
      JOIN trail_events e ON e.workspace_id = s.workspace_id AND e.subject_id = s.subject_id
      WHERE s.workspace_id = ${person.workspaceId} AND s.email = ${person.email}
      ORDER BY e.observed_at, e.event_id
    `
  }
}

export const layer = storeLayer(PersonRecords, (sql) => {
  const sections = sectionsOf(sql)
  return {
    read: <Section extends PersonSection>(names: ReadonlyArray<Section>, person: ErasedPerson) =>
      sql`
        SELECT json_build_object(${sql.join(
          ", ",
          false
        )(
          names.flatMap((name) => [
            sql`${sql.literal(literals([name]))}`,
            sql`(SELECT COALESCE(json_agg(x), '[]') FROM (${sections[name](person)} LIMIT ${SECTION_ROWS_MAX}) x)`
          ])
        )})::text AS text
      `.pipe(
        firstValue("personRecords.read", Schema.String, "{}"),
        Effect.map((text) => JSON.parse(text) as { readonly [S in Section]: ReadonlyArray<PersonSections[S]> })
      ),
    emailOf: (workspaceId, campaignLeadId) =>
      sql`
        SELECT l.email FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = ${campaignLeadId} AND l.email <> ''
      `.pipe(firstValue("personRecords.emailOf", Schema.NullOr(Schema.String), null)),
    ask: (workspaceId, campaignLeadId, ask, nowMillis) =>
      sql`
        INSERT INTO person_requests AS q (workspace_id, campaign_lead_id, ask, asked_at)
        VALUES (${workspaceId}, ${campaignLeadId}, ${ask}, ${date(nowMillis)})
        ON CONFLICT (workspace_id, campaign_lead_id, ask)
          DO UPDATE SET asked_at = EXCLUDED.asked_at, met_at = NULL WHERE q.met_at IS NOT NULL
      `.pipe(run("personRecords.ask")),
    met: ({ addressHash, workspaceId }, ask, nowMillis) =>
      sql`
        UPDATE person_requests q SET met_at = ${date(nowMillis)}
        FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND q.workspace_id = l.workspace_id
          AND q.campaign_lead_id = l.campaign_lead_id AND q.ask = ${ask} AND q.met_at IS NULL
      `.pipe(run("personRecords.met")),
    open: (workspaceId) =>
      sql`
        SELECT q.campaign_lead_id AS "campaignLeadId", l.email, q.ask, q.asked_at AS "askedAtMillis"
        FROM person_requests q
        JOIN campaign_leads l ON l.workspace_id = q.workspace_id AND l.campaign_lead_id = q.campaign_lead_id
        WHERE q.workspace_id = ${workspaceId} AND q.met_at IS NULL AND l.email <> ''
        ORDER BY q.asked_at, q.campaign_lead_id, q.ask
        LIMIT ${REQUESTS_MAX}
      `.pipe(rows("personRecords.open", RequestRow))
  }
})

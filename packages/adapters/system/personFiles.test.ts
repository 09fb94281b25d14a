import { assert, layer } from "@effect/vitest"
import { verifyPersonFile } from "@outbound/domain/control/personFile/fileText.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { freshKey, launched, leadOf, pass, sender, SUITE } from "@outbound/testkit/contracts/service/stories.js"
import { Effect, Result } from "effect"
import { SqlClient } from "../src/postgres/Sql.js"
import { service } from "../test/service/service.js"

const PEOPLE = 50_000
const MESSAGES_EACH = 2
/** Most people whom one statement adds: a statement may not take long. */
const CHUNK = 1_000
const FILES = 1_000
const MILLIS_MAX = 1_000
const ALTERATIONS = 1_000

const TEMPLATE = "silent+template@magic.test"

/** A mark that stands in nobody else's data: long enough to be part of no other text. */
const markOf = (index: number): string => `mark-${String(index).padStart(6, "0")}-of`
const emailOf = (index: number): string => `silent+${markOf(index)}@magic.test`

/** One real person of a real campaign, and so many others who differ from them in what names them. */
const furnished = Effect.gen(function* () {
  const sql = yield* SqlClient
  const crypto = yield* Crypto
  const client = yield* sender()
  const { workspaceId } = client
  yield* client.call("verify_email", { email: TEMPLATE }, { key: freshKey() })
  const campaignId = yield* launched(client, {
    recipients: [{ email: TEMPLATE, first_name: "Template" }],
    sequence: [{ subject: "Hello {{first_name|there}}", body: "Hi {{first_name|there}}" }]
  })
  yield* pass("2 seconds")
  const lead = yield* leadOf(client, campaignId, TEMPLATE)
  const hash = addressHashOf(crypto, workspaceId, TEMPLATE)
  const [base] = yield* sql<{ readonly last: string }>`SELECT max(subject_id)::text AS last FROM subjects`
  for (let from = 0; from < PEOPLE; from += CHUNK) {
    const given = Array.from({ length: CHUNK }, (_, index) => ({
      n: from + index + 1,
      mark: markOf(from + index),
      email: emailOf(from + index),
      hash: addressHashOf(crypto, workspaceId, emailOf(from + index))
    }))
    yield* sql`DROP TABLE IF EXISTS given_people`
    yield* sql`
      CREATE TABLE given_people AS SELECT gen_random_uuid() AS lead_id, g.*
      FROM json_to_recordset(${JSON.stringify(given)}::json) AS g (n bigint, mark text, email text, hash text)
    `
    yield* sql`
      INSERT INTO campaign_leads SELECT (jsonb_populate_record(l, jsonb_build_object(
        'campaign_lead_id', g.lead_id, 'email', g.email, 'address_hash', g.hash, 'first_name', g.mark
      ))).* FROM campaign_leads l CROSS JOIN given_people g WHERE l.campaign_lead_id = ${lead}
    `
    yield* sql`
      INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object(
        'message_id', gen_random_uuid(), 'campaign_lead_id', g.lead_id, 'address_hash', g.hash,
        'step_index', s.step, 'state', CASE s.step WHEN 0 THEN 'sent' ELSE 'failed' END
      ))).* FROM messages m CROSS JOIN given_people g
      CROSS JOIN generate_series(0, ${MESSAGES_EACH - 1}::integer) AS s (step)
      WHERE m.campaign_lead_id = ${lead}
    `
    yield* sql`
      INSERT INTO approval_people SELECT (jsonb_populate_record(p, jsonb_build_object(
        'shown_id', gen_random_uuid(), 'email', g.email, 'address_hash', g.hash, 'first_name', g.mark
      ))).* FROM approval_people p CROSS JOIN given_people g WHERE p.workspace_id = ${workspaceId} AND p.email = ${TEMPLATE}
    `
    yield* sql`
      INSERT INTO call_subjects (workspace_id, address_hash, request_id)
      SELECT s.workspace_id, g.hash, s.request_id FROM call_subjects s CROSS JOIN given_people g
      WHERE s.workspace_id = ${workspaceId} AND s.address_hash = ${hash}
    `
    yield* sql`
      INSERT INTO subjects OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(s, jsonb_build_object(
        'subject_id', ${base?.last ?? "0"}::bigint + g.n, 'email', g.email
      ))).* FROM subjects s CROSS JOIN given_people g WHERE s.workspace_id = ${workspaceId} AND s.email = ${TEMPLATE}
    `
    yield* sql`
      INSERT INTO trail_events SELECT (jsonb_populate_record(e, jsonb_build_object(
        'event_id', gen_random_uuid(), 'subject_id', ${base?.last ?? "0"}::bigint + g.n, 'campaign_lead_id', g.lead_id,
        'seal', NULL
      ))).* FROM subjects t
      JOIN trail_events e ON e.workspace_id = t.workspace_id AND e.subject_id = t.subject_id
      CROSS JOIN given_people g
      WHERE t.workspace_id = ${workspaceId} AND t.email = ${TEMPLATE}
    `
  }
  yield* sql`ANALYZE`
  return workspaceId
})

layer(service, { ...SUITE, timeout: "20 minutes" })("one person's file among a hundred thousand messages", (it) => {
  it.effect(
    "each is made in under a second, holds nothing of anybody else, and no single alteration is accepted",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const workspaceId = yield* furnished
        const [counted] = yield* sql<{ readonly messages: number }>`
          SELECT count(*)::integer AS messages FROM messages m WHERE m.workspace_id = ${workspaceId}
        `
        assert.isAtLeast(counted?.messages ?? 0, PEOPLE * MESSAGES_EACH)
        const { makeFor } = yield* PersonFiles
        const { sha256Hex } = yield* Crypto
        const took: Array<number> = []
        let last = ""
        for (let made = 0; made < FILES; made += 1) {
          const index = made * (PEOPLE / FILES)
          const began = performance.now()
          const { sections, text } = yield* Effect.orDie(makeFor(workspaceId, emailOf(index)))
          took.push(performance.now() - began)
          assert.lengthOf(sections.messages, MESSAGES_EACH)
          assert.isNotEmpty(sections.events)
          // Whatever names a person here is a mark.
          assert.deepStrictEqual([...new Set(text.match(/mark-\d{6}-of/g))], [markOf(index)])
          assert.notInclude(text, TEMPLATE)
          last = text
        }
        took.sort((a, b) => a - b)
        yield* Effect.logInfo("a person's file", {
          medianMillis: Math.round(took[FILES / 2] ?? 0),
          slowestMillis: Math.round(took.at(-1) ?? 0)
        })
        assert.isBelow(took.at(-1) ?? Infinity, MILLIS_MAX)

        assert.isTrue(Result.isSuccess(verifyPersonFile(sha256Hex, last)))
        for (let altered = 0; altered < ALTERATIONS; altered += 1) {
          const at = Math.floor((altered * last.length) / ALTERATIONS)
          const other = last.charAt(at) === "x" ? "y" : "x"
          const text = last.slice(0, at) + other + last.slice(at + 1)
          assert.isTrue(Result.isFailure(verifyPersonFile(sha256Hex, text)), `${at}`)
        }
      }),
    600_000
  )
})

import { assert, layer } from "@effect/vitest"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { verifyPersonFile } from "@outbound/domain/control/personFile/fileText.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { freshKey, launched, leadOf, pass, sender, SUITE } from "@outbound/testkit/contracts/service/stories.js"
import { uploadedList } from "@outbound/testkit/contracts/service/uploadedList.js"
import { rounds } from "@outbound/testkit/thorough.js"
import { Effect, Result } from "effect"
import { service } from "../../adapters/test/service/service.js"
import { serve } from "../src/HttpServer.js"
import { surface } from "../src/unsubscribe/UnsubscribeSurface.js"

const PEOPLE = 50_000
const MESSAGES_EACH = 2
/** Most people whom one statement adds: a statement may not take long. */
const CHUNK = 1_000
/** How many people's pages and files are made: everybody's, or every so many of them. */
const LOOKED_AT = rounds(PEOPLE, 1_000)
/** Files that are made once each person stands in a list that was uploaded, too. */
const LISTED = 100
/** How many ask at the same time. */
const AT_ONCE = 4
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
    sequence: [
      { subject: "Hello {{first_name|there}}", body: "Hi {{first_name|there}}" },
      { body: "Again, {{first_name|there}}", wait_days: 2 }
    ]
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
        'step_index', s.step
      ))).* FROM messages m CROSS JOIN given_people g
      CROSS JOIN generate_series(0, ${MESSAGES_EACH - 1}::integer) AS s (step)
      WHERE m.campaign_lead_id = ${lead} AND m.step_index = 0
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
  return client
})

/** Everybody stands in a list that was uploaded, too. */
const listed = (client: Effect.Success<typeof furnished>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { svc } = yield* uploadedList(client, `Email\n${TEMPLATE}\n`, "fair.csv")
    for (let from = 0; from < PEOPLE; from += CHUNK) {
      yield* sql`
        INSERT INTO list_rows SELECT (jsonb_populate_record(r, jsonb_build_object(
          'row_id', gen_random_uuid(), 'position', l.n, 'address_hash', l.address_hash,
          'input', jsonb_build_object('email', l.email), 'uploaded', jsonb_build_object('line', l.n, 'email', l.email)
        ))).* FROM list_rows r CROSS JOIN (
          SELECT row_number() OVER (ORDER BY c.campaign_lead_id) AS n, c.email, c.address_hash FROM campaign_leads c
          WHERE c.workspace_id = ${client.workspaceId} ORDER BY c.campaign_lead_id LIMIT ${CHUNK} OFFSET ${from}
        ) l
        WHERE r.workspace_id = ${client.workspaceId} AND r.list_request_id = ${svc.request_id} AND r.position = 0
      `
    }
    yield* sql`ANALYZE list_rows`
  })

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0)

/** Asks about each of these people, some at the same time. What it took each, from the question to the last byte. */
const timed = <E, R>(
  what: string,
  people: ReadonlyArray<number>,
  ask: (index: number) => Effect.Effect<number, E, R>,
  lateMax = 0
) =>
  Effect.gen(function* () {
    const took: Array<number> = []
    let messages = 0
    yield* Effect.forEach(
      people,
      (index) =>
        Effect.gen(function* () {
          const began = performance.now()
          const answered = yield* ask(index)
          took.push(performance.now() - began)
          messages += answered
        }),
      { concurrency: AT_ONCE, discard: true }
    )
    took.sort((a, b) => a - b)
    const late = took.filter((millis) => millis >= MILLIS_MAX).length
    const figures = { asked: took.length, messages, p50: at(took, 0.5), p99: at(took, 0.99), max: at(took, 1), late }
    process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
    assert.strictEqual(messages, people.length * MESSAGES_EACH, what)
    assert.isAtMost(late, lateMax, `${what}: ${JSON.stringify(figures)}`)
  })

const everyNth = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index * (PEOPLE / count))

layer(service, { ...SUITE, timeout: "20 minutes" })(
  "a workspace with a hundred thousand messages answers for each",
  (it) => {
    it.effect(
      "in under a second: the page behind each link and each person's file name their messages, and nobody else's",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const client = yield* furnished
          const { workspaceId } = client
          const stored = yield* sql<{
            readonly lead: string
            readonly email: string
            readonly ids: ReadonlyArray<string>
          }>`
          SELECT l.campaign_lead_id AS lead, l.email, array_agg(m.message_id ORDER BY m.message_id) AS ids
          FROM campaign_leads l JOIN messages m USING (workspace_id, campaign_lead_id)
          WHERE l.workspace_id = ${workspaceId} GROUP BY l.campaign_lead_id, l.email
        `
          const byEmail = new Map(stored.map(({ email, ids, lead }) => [email, { ids, lead }]))
          assert.isAtLeast(
            stored.reduce((sum, { ids }) => sum + ids.length, 0),
            PEOPLE * MESSAGES_EACH
          )
          const { makeFor } = yield* PersonFiles
          const crypto = yield* Crypto
          const { sha256Hex } = crypto
          const unsubscribe = yield* surface
          const { port } = yield* serve({
            host: "127.0.0.1",
            port: 0,
            // They all ask from here, where each would ask from somewhere else.
            limits: { anonymousPerMinuteMax: PEOPLE },
            surfaces: () => [unsubscribe],
            inner: null
          })
          const marksIn = (text: string) => [...new Set(text.match(/mark-\d{6}-of/g))]

          yield* timed("pages", everyNth(LOOKED_AT), (index) =>
            Effect.promise(async () => {
              const lead = byEmail.get(emailOf(index))?.lead ?? ""
              const link = `/u/${workspaceId}/${lead}.${linkMac(crypto, workspaceId, lead)}`
              const answer = await fetch(`http://127.0.0.1:${port}${link}/why`)
              const page = await answer.text()
              assert.strictEqual(answer.status, 200)
              assert.deepStrictEqual(marksIn(page), [markOf(index)])
              // A line for each message: its subject, which names them.
              return page.split(`Hello ${markOf(index)}`).length - 1
            })
          )

          let last = ""
          const file = (index: number) =>
            Effect.map(Effect.orDie(makeFor(workspaceId, emailOf(index))), ({ sections, text }) => {
              assert.isNotEmpty(sections.events)
              // Whatever names a person here is a mark.
              assert.deepStrictEqual(marksIn(text), [markOf(index)])
              assert.notInclude(text, TEMPLATE)
              const ids = sections.messages.map(({ message_id }) => message_id).sort()
              assert.deepStrictEqual(ids, byEmail.get(emailOf(index))?.ids)
              last = text
              return ids.length
            })
          yield* timed("files", everyNth(LOOKED_AT), file)
          yield* listed(client)
          // Every row of every list is read for these: how long that takes depends on the machine, and is not promised.
          yield* timed("files beside as many rows of lists", everyNth(LISTED), file, LISTED)

          assert.isTrue(Result.isSuccess(verifyPersonFile(sha256Hex, last)))
          for (let altered = 0; altered < ALTERATIONS; altered += 1) {
            const position = Math.floor((altered * last.length) / ALTERATIONS)
            const other = last.charAt(position) === "x" ? "y" : "x"
            const text = last.slice(0, position) + other + last.slice(position + 1)
            assert.isTrue(Result.isFailure(verifyPersonFile(sha256Hex, text)), `${position}`)
          }
        }),
      3_600_000
    )
  }
)

import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ReplyStore, SET_ASIDE_MILLIS } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { freshId, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { inboxContract } from "@outbound/testkit/contracts/inbox.js"
import { Effect } from "effect"
import { outboundInvariants } from "../../src/postgres/invariants/outbound.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

inboxContract("PostgreSQL", layer)

const GOOD = JSON.stringify({
  kind: "reply",
  source: "provider_poll",
  inReplyTo: "",
  fromEmail: "ann@example.com",
  toEmail: null,
  subject: "Re: Hello",
  bodyText: "Yes",
  bodyHtml: null,
  classification: null,
  bounce: null
})

it.layer(layer, SUITE)("events that this program can't read (PostgreSQL)", (it) => {
  it.effect("are set aside, told of and looked at again, and keep nothing else waiting", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const replies = yield* ReplyStore
      const workspaceId = freshId()
      const put = (id: string, receivedAt: number, content: string) => sql`
        INSERT INTO inbound_events (workspace_id, provider, provider_event_id, received_at, from_email, content)
        VALUES (${workspaceId}, 'other', ${id}, ${new Date(receivedAt)}, 'ann@example.com', ${content})
      `
      const look = (nowMillis: number) =>
        Effect.map(atomically(replies.lockInbox(nowMillis, 1)), (found) => found.map((one) => one.providerEventId))
      const { sql: rule } = outboundInvariants.find(({ name }) => name === "inbox_is_read")!
      const told = Effect.map(
        sql.unsafe<{ readonly workspace_id: string; readonly breach: string }>(rule),
        (found) => found.filter((row) => row.workspace_id === workspaceId).length
      )
      yield* put("of a later release", NOON - 2, `{"kind":"fax"}`)
      yield* put("no object", NOON - 1, `17`)
      yield* put("good", NOON, GOOD)

      assert.deepStrictEqual(yield* look(NOON), ["good"])
      assert.strictEqual(yield* told, 2)
      const event = (yield* atomically(replies.lockInbox(NOON, 1)))[0]!
      yield* atomically(replies.takeFromInbox(event))
      assert.isEmpty(yield* look(NOON + SET_ASIDE_MILLIS - 1))

      // A release that can read them finds them.
      yield* sql`
        UPDATE inbound_events SET content = ${GOOD}
        WHERE workspace_id = ${workspaceId} AND provider_event_id = 'of a later release'
      `
      assert.deepStrictEqual(yield* look(NOON + SET_ASIDE_MILLIS), ["of a later release"])
      const late = (yield* atomically(replies.lockInbox(NOON + SET_ASIDE_MILLIS, 1)))[0]!
      yield* atomically(replies.takeFromInbox(late))
      assert.strictEqual(yield* told, 1)
    })
  )

  it.effect("are set aside alone, and no more than twenty at a time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const replies = yield* ReplyStore
      const [workspaceId, other] = [freshId(), freshId()]
      // Before all that others of this file left there.
      const early = NOON - 9 * 86_400_000
      const put = (id: string, content: string, { at = early, of = workspaceId, provider = "other" } = {}) => sql`
        INSERT INTO inbound_events (workspace_id, provider, provider_event_id, received_at, from_email, content)
        VALUES (${of}, ${provider}, ${id}, ${new Date(at)}, 'ann@example.com', ${content})
      `
      for (let each = 0; each < 25; each += 1) yield* put(`bad ${each}`, `{"kind":"fax"}`)
      const later = { at: early + 1_000 }
      yield* put("bad 0", GOOD, { ...later, of: other })
      yield* put("bad 0", GOOD, { ...later, provider: "elsewhere" })
      yield* put("good", GOOD, later)
      const look = Effect.map(atomically(replies.lockInbox(early + 1_000, 1)), (found) => found.length)
      const aside = Effect.map(
        sql`SELECT 1 FROM inbound_events WHERE workspace_id IN (${workspaceId}, ${other}) AND set_aside_at IS NOT NULL`,
        (found) => found.length
      )
      assert.deepStrictEqual([yield* look, yield* aside], [0, 20])
      assert.deepStrictEqual([yield* look, yield* aside], [1, 25])
      const left = yield* atomically(replies.lockInbox(early + 1_000, 10))
      assert.lengthOf(left, 3)
      for (const event of left) yield* atomically(replies.takeFromInbox(event))
      // However many were taken before it, the next one is found at once.
      yield* sql`UPDATE inbound_events SET content = NULL, set_aside_at = NULL WHERE workspace_id = ${workspaceId}`
      yield* put("last", GOOD, later)
      assert.strictEqual(yield* look, 1)
    })
  )
})

import { DeliveryMachine } from "@outbound/domain/control/webhooks/DeliveryMachine.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import {
  OUTAGE_FAILURES,
  type ClaimedDelivery,
  WAITING_COUNTED_MAX,
  WebhookStore
} from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Clock, Effect, Option, Schema } from "effect"
import { changes, date, firstRow, hasRows, literals, rows, run, statesInto } from "./Columns.js"
import { retainedSince } from "@outbound/domain/kernel/trail/retention.js"
import {
  ClaimedRow,
  DELIVERY_COLUMNS,
  DeliveryRow,
  ENDPOINT_COLUMNS,
  EndpointFields,
  StandingRow,
  toClaimed,
  toEndpoint,
  toStanding
} from "./WebhookRows.js"
import { chooserOf, readerOf, storeLayer, update } from "./Table.js"

/** Whether a delivery `d` of the endpoint `e` may be tried now. */
const DUE = `d.state = 'pending' AND (d.due_at <= clock_timestamp() OR d.attempted_at < e.recovered_at)`

const Held = Schema.Struct({ workspaceId: Schema.String, endpointId: Schema.String })

export const layer = storeLayer(WebhookStore, (sql) => {
  const { columns, one } = readerOf(sql, "webhook_endpoints e", EndpointFields, ENDPOINT_COLUMNS, toEndpoint)
  const deliveries = chooserOf(sql, "webhook_deliveries d", ["workspace_id", "endpoint_id", "event_id"])
  const again = sql`state = 'pending', attempts = 0, due_at = clock_timestamp()`
  const due = sql.literal(DUE)
  const millis = (count: number) => sql`clock_timestamp() + ${count} * interval '1 millisecond'`

  const counted = (state: "pending" | "failed") => sql`
    (
      SELECT count(*)::int FROM (
        SELECT 1 FROM webhook_deliveries d
        WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.endpoint_id
          AND d.state = ${sql.literal(literals([state]))}
        LIMIT ${WAITING_COUNTED_MAX}
      ) AS seen
    )
  `
  const standings = sql`
    SELECT ${columns}, e.failures, e.failing_since AS "failingSinceMillis", e.delivered_at AS "deliveredAtMillis",
      ${counted("pending")} AS waiting, ${counted("failed")} AS failed
    FROM webhook_endpoints e
  `

  /** The oldest due event of each endpoint in the relation `held`. */
  const dueOf = (claimId: string, nowMillis: number) => {
    const retained = new Date(retainedSince(nowMillis))
    return sql`
      SELECT ${columns}, ${claimId} AS "claimId", w.kind AS "workspaceKind", e.failures, first.attempts,
        json_build_object(
          'eventId', t.event_id, 'workspaceId', t.workspace_id, 'kind', t.kind, 'source', t.source,
          'observedAtMillis', (extract(epoch FROM t.observed_at) * 1000)::bigint,
          'campaignId', t.campaign_id, 'campaignLeadId', t.campaign_lead_id, 'replyId', t.reply_id,
          'requestId', t.request_id, 'operationId', t.operation_id,
          'email', CASE WHEN s.last_seen_at > ${retained} THEN s.email END, 'detail', t.detail
        ) AS event
      FROM held JOIN webhook_endpoints e
        ON e.workspace_id = held.workspace_id AND e.endpoint_id = held.endpoint_id
      JOIN workspaces w ON w.workspace_id = e.workspace_id
      CROSS JOIN LATERAL (
        SELECT d.event_id, d.observed_at, d.attempts FROM webhook_deliveries d
        WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.endpoint_id AND ${due}
        ORDER BY d.observed_at, d.event_id
        LIMIT 1
      ) AS first
      JOIN trail_events t ON t.workspace_id = e.workspace_id AND t.observed_at = first.observed_at
        AND t.event_id = first.event_id
      LEFT JOIN subjects s ON s.workspace_id = t.workspace_id AND s.subject_id = t.subject_id
    `
  }

  const release = ({ claimId, endpoint: { endpointId, workspaceId } }: ClaimedDelivery) => {
    const free = { claimId: null, claimedUntilMillis: null }
    return update(sql, "webhook_endpoints", { workspaceId, endpointId, claimId }, free).pipe(run("webhooks.release"))
  }

  return {
    insert: (endpoint) =>
      sql`
        INSERT INTO webhook_endpoints (
          workspace_id, endpoint_id, url, kinds, state, sealed_secret, previous_secret, previous_until, created_at,
          rests_until
        ) VALUES (
          ${endpoint.workspaceId}, ${endpoint.endpointId}, ${endpoint.url}, ${[...endpoint.kinds]}::text[],
          ${endpoint.state}, ${endpoint.sealedSecret}, ${endpoint.previous?.sealedSecret ?? null},
          ${endpoint.previous === null ? null : date(endpoint.previous.untilMillis)},
          ${date(endpoint.createdAtMillis)}, clock_timestamp()
        )
      `.pipe(run("webhooks.insert")),

    lock: (workspaceId, endpointId) =>
      one("webhooks.lock")(sql`
        e.workspace_id = ${workspaceId} AND e.endpoint_id = ${endpointId} AND e.state <> 'removed'
        FOR NO KEY UPDATE
      `),

    update: (endpoint) =>
      sql`
        UPDATE webhook_endpoints e SET
          kinds = ${[...endpoint.kinds]}::text[], state = ${endpoint.state}, sealed_secret = ${endpoint.sealedSecret},
          previous_secret = ${endpoint.previous?.sealedSecret ?? null},
          previous_until = ${endpoint.previous === null ? null : date(endpoint.previous.untilMillis)},
          rests_until = CASE WHEN e.state = ${endpoint.state} THEN e.rests_until ELSE clock_timestamp() END
        WHERE e.workspace_id = ${endpoint.workspaceId} AND e.endpoint_id = ${endpoint.endpointId}
          AND e.state = ANY(${[...statesInto(EndpointMachine, endpoint.state)]}::text[])
        RETURNING 1
      `.pipe(changes("webhooks.update")),

    list: (workspaceId) =>
      sql`
        ${standings} WHERE e.workspace_id = ${workspaceId} AND e.state <> 'removed'
        ORDER BY e.created_at, e.endpoint_id
      `.pipe(rows("webhooks.list", StandingRow, toStanding)),

    find: (workspaceId, endpointId) =>
      sql`
        ${standings}
        WHERE e.workspace_id = ${workspaceId} AND e.endpoint_id = ${endpointId} AND e.state <> 'removed'
      `.pipe(firstRow("webhooks.find", StandingRow, toStanding)),

    log: ({ before, endpointId, limit, state, workspaceId }) =>
      sql`
        SELECT ${sql.literal(DELIVERY_COLUMNS)} FROM webhook_deliveries d
        JOIN trail_events t ON t.workspace_id = d.workspace_id AND t.observed_at = d.observed_at
          AND t.event_id = d.event_id
        WHERE d.workspace_id = ${workspaceId} AND d.endpoint_id = ${endpointId}
          ${before === null ? sql.literal("") : sql`AND d.event_id < ${before}::uuid`}
          ${state === null ? sql.literal("") : sql.literal(`AND d.state = ${literals([state])}`)}
        ORDER BY d.event_id DESC
        LIMIT ${limit}
      `.pipe(rows("webhooks.log", DeliveryRow)),

    sendAgain: (workspaceId, endpointId, eventId) =>
      sql`
        UPDATE webhook_deliveries d SET ${again}
        WHERE d.workspace_id = ${workspaceId} AND d.endpoint_id = ${endpointId} AND d.event_id = ${eventId}
        RETURNING d.event_id AS "eventId"
      `.pipe(hasRows("webhooks.sendAgain")),

    sendFailedAgain: (workspaceId, endpointId, limit) =>
      deliveries.change("webhooks.sendFailedAgain")(
        sql`
          d.workspace_id = ${workspaceId} AND d.endpoint_id = ${endpointId} AND d.state = 'failed'
          ORDER BY d.event_id
          LIMIT ${limit}
          FOR NO KEY UPDATE
        `,
        again
      ),

    // A separate statement reads what is due, so that it sees what was recorded before the lock.
    claim: ({ claimId, leaseMillis, limit }) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const held = yield* sql`
          WITH free AS (
            SELECT e.workspace_id, e.endpoint_id FROM webhook_endpoints e
            WHERE e.state = 'enabled' AND e.rests_until <= clock_timestamp()
              AND (e.claimed_until IS NULL OR e.claimed_until <= clock_timestamp())
              AND EXISTS (
                SELECT 1 FROM webhook_deliveries d
                WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.endpoint_id AND ${due}
              )
            LIMIT ${limit}
            FOR NO KEY UPDATE OF e SKIP LOCKED
          )
          UPDATE webhook_endpoints e SET claim_id = ${claimId}, claimed_until = ${millis(leaseMillis)} FROM free
          WHERE e.workspace_id = free.workspace_id AND e.endpoint_id = free.endpoint_id
          RETURNING e.workspace_id AS "workspaceId", e.endpoint_id AS "endpointId"
        `.pipe(rows("webhooks.claim", Held))
        if (held.length === 0) return []
        const found = yield* sql`
          WITH held AS (
            SELECT * FROM unnest(
              ${held.map(({ workspaceId }) => workspaceId)}::uuid[], ${held.map(({ endpointId }) => endpointId)}::uuid[]
            ) AS h (workspace_id, endpoint_id)
          )
          ${dueOf(claimId, nowMillis)}
        `.pipe(rows("webhooks.claim", ClaimedRow))
        // Another host has just sent what was due.
        const idle = held.filter(({ endpointId }) => !found.some((row) => row.endpointId === endpointId))
        if (idle.length > 0) {
          yield* sql`
            UPDATE webhook_endpoints e SET claim_id = NULL, claimed_until = NULL
            FROM unnest(
              ${idle.map(({ workspaceId }) => workspaceId)}::uuid[], ${idle.map(({ endpointId }) => endpointId)}::uuid[]
            ) AS h (workspace_id, endpoint_id)
            WHERE e.workspace_id = h.workspace_id AND e.endpoint_id = h.endpoint_id
          `.pipe(run("webhooks.claim"))
        }
        return found.map(toClaimed)
      }),

    record: ({ claimId, endpoint: { endpointId, workspaceId }, event }, attempt) => {
      const isTaken = DeliveryMachine.is.delivered(attempt.state)
      return sql`
        WITH held AS (
          UPDATE webhook_endpoints e SET
            failures = CASE WHEN ${isTaken} THEN 0 ELSE e.failures + 1 END,
            failing_since = CASE WHEN ${isTaken} THEN NULL ELSE COALESCE(e.failing_since, clock_timestamp()) END,
            delivered_at = CASE WHEN ${isTaken} THEN clock_timestamp() ELSE e.delivered_at END,
            recovered_at =
              CASE WHEN ${isTaken} AND e.failures >= ${OUTAGE_FAILURES} THEN clock_timestamp() ELSE e.recovered_at END,
            rests_until = ${millis(attempt.restMillis)}
          WHERE e.workspace_id = ${workspaceId} AND e.endpoint_id = ${endpointId} AND e.claim_id = ${claimId}
          RETURNING e.workspace_id
        )
        UPDATE webhook_deliveries d SET
          state = ${attempt.state}, attempts = d.attempts + 1, attempted_at = clock_timestamp(),
          due_at = ${millis(attempt.retryInMillis)}, status = ${attempt.status}, failure = ${attempt.failure},
          took_millis = ${Math.round(attempt.tookMillis)}
        FROM held
        WHERE d.workspace_id = ${workspaceId} AND d.endpoint_id = ${endpointId} AND d.event_id = ${event.eventId}
          AND d.state = 'pending'
        RETURNING d.event_id AS "eventId"
      `.pipe(hasRows("webhooks.record"))
    },

    next: (claimed, leaseMillis) => {
      const { claimId, endpoint } = claimed
      const { endpointId, workspaceId } = endpoint
      return Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* sql`
          UPDATE webhook_endpoints e SET claimed_until = ${millis(leaseMillis)}
          WHERE e.workspace_id = ${workspaceId} AND e.endpoint_id = ${endpointId} AND e.claim_id = ${claimId}
        `.pipe(run("webhooks.next"))
        const found = yield* sql`
          WITH held AS (
            SELECT e.workspace_id, e.endpoint_id FROM webhook_endpoints e
            WHERE e.workspace_id = ${workspaceId} AND e.endpoint_id = ${endpointId} AND e.claim_id = ${claimId}
              AND e.state = 'enabled' AND e.rests_until <= clock_timestamp()
          )
          ${dueOf(claimId, nowMillis)}
        `.pipe(firstRow("webhooks.next", ClaimedRow))
        if (Option.isNone(found)) yield* release(claimed)
        return Option.map(found, toClaimed)
      })
    },

    release,

    purge: (beforeMillis, limit) =>
      deliveries.remove("webhooks.purge")(sql`
        d.created_at < ${date(beforeMillis)} ORDER BY d.created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      `)
  }
})

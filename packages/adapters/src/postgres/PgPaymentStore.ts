import { SqlClient } from "@effect/sql"
import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { PaymentStore } from "@outbound/domain/control/payments/PaymentStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Layer, Schema } from "effect"
import { changes, date, dateOrNull, firstRow, literals, Millis, rows, run, statesInto } from "./Columns.js"

const PaymentRow = Schema.Struct({
  workspaceId: Schema.String,
  paymentId: Schema.String,
  userId: Schema.String,
  credits: Credits,
  cents: Schema.Int,
  state: Schema.Literal(...PaymentMachine.states),
  reference: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  entryId: Schema.NullOr(Schema.String),
  returnedCents: Schema.Int,
  takenBack: Credits,
  createdAtMillis: Millis,
  changedAtMillis: Millis,
  looks: Schema.Int,
  nextLookAtMillis: Schema.NullOr(Millis)
})

const CountRow = Schema.Struct({ count: Schema.BigIntFromSelf })
const IdRow = Schema.Struct({ id: Schema.String })

const COLUMNS = `
  workspace_id AS "workspaceId", payment_id AS "paymentId", user_id AS "userId", credits, cents, state, reference, url,
  entry_id AS "entryId", returned_cents AS "returnedCents", taken_back AS "takenBack", created_at AS "createdAtMillis", changed_at AS "changedAtMillis", looks,
  next_look_at AS "nextLookAtMillis"
`

const OPEN = literals(PaymentMachine.in.awaited)

export const layer = Layer.effect(
  PaymentStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(COLUMNS)
    return PaymentStore.of({
      insert: (payment) =>
        sql`
          INSERT INTO payments (
            workspace_id, payment_id, user_id, credits, cents, state, reference, url, entry_id, returned_cents,
            taken_back, created_at, changed_at, looks, next_look_at
          ) VALUES (
            ${payment.workspaceId}, ${payment.paymentId}, ${payment.userId}, ${payment.credits}, ${payment.cents},
            ${payment.state}, ${payment.reference}, ${payment.url}, ${payment.entryId}, ${payment.returnedCents},
            ${payment.takenBack},
            ${date(payment.createdAtMillis)}, ${date(payment.changedAtMillis)}, ${payment.looks},
            ${dateOrNull(payment.nextLookAtMillis)}
          )
          ON CONFLICT (workspace_id, payment_id) DO NOTHING RETURNING payment_id AS id
        `.pipe(
          rows("PaymentStore.insert", IdRow),
          Effect.map((inserted) => inserted.length === 1)
        ),
      find: (workspaceId, paymentId) =>
        sql`
          SELECT ${columns} FROM payments WHERE workspace_id = ${workspaceId} AND payment_id = ${paymentId}
        `.pipe(firstRow("PaymentStore.find", PaymentRow)),
      lock: (workspaceId, paymentId) =>
        sql`
          SELECT ${columns} FROM payments WHERE workspace_id = ${workspaceId} AND payment_id = ${paymentId} FOR UPDATE
        `.pipe(firstRow("PaymentStore.lock", PaymentRow)),
      update: (payment) =>
        sql`
          UPDATE payments SET state = ${payment.state}, reference = ${payment.reference}, url = ${payment.url},
            entry_id = ${payment.entryId}, returned_cents = ${payment.returnedCents},
            taken_back = ${payment.takenBack}, changed_at = ${date(payment.changedAtMillis)}, looks = ${payment.looks},
            next_look_at = ${dateOrNull(payment.nextLookAtMillis)}
          WHERE workspace_id = ${payment.workspaceId} AND payment_id = ${payment.paymentId}
            AND state IN (${sql.literal(literals(statesInto(PaymentMachine, payment.state)))})
          RETURNING payment_id
        `.pipe(changes("PaymentStore.update")),
      list: (workspaceId, limit) =>
        sql`
          SELECT ${columns} FROM payments WHERE workspace_id = ${workspaceId}
          ORDER BY created_at DESC, payment_id DESC LIMIT ${limit}
        `.pipe(rows("PaymentStore.list", PaymentRow)),
      countOpen: (workspaceId) =>
        sql`
          SELECT count(*) AS count FROM payments WHERE workspace_id = ${workspaceId} AND state IN (${sql.literal(OPEN)})
        `.pipe(
          firstRow("PaymentStore.countOpen", CountRow),
          Effect.map((found) => (found._tag === "Some" ? Number(found.value.count) : 0))
        ),
      takeDue: (nowMillis, untilMillis, limit) =>
        sql`
          WITH due AS (
            SELECT workspace_id AS w, payment_id AS p FROM payments WHERE next_look_at <= ${date(nowMillis)}
            ORDER BY next_look_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          UPDATE payments SET looks = looks + 1, next_look_at = ${date(untilMillis)}
          FROM due WHERE workspace_id = due.w AND payment_id = due.p
          RETURNING ${columns}
        `.pipe(rows("PaymentStore.takeDue", PaymentRow)),
      insertReturn: ({ entryId, micros, paymentId, workspaceId }) =>
        sql`
          INSERT INTO payment_returns (workspace_id, payment_id, entry_id, amount)
          VALUES (${workspaceId}, ${paymentId}, ${entryId}, ${micros})
        `.pipe(run("PaymentStore.insertReturn")),
      insertEvent: ({ atMillis, eventId, kind, paymentId, workspaceId }) =>
        sql`
          INSERT INTO payment_events (workspace_id, payment_id, event_id, kind, at)
          VALUES (${workspaceId}, ${paymentId}, ${eventId}, ${kind}, ${date(atMillis)})
          ON CONFLICT (workspace_id, payment_id, event_id) DO NOTHING RETURNING event_id AS id
        `.pipe(
          rows("PaymentStore.insertEvent", IdRow),
          Effect.map((inserted) => inserted.length === 1)
        )
    })
  })
)

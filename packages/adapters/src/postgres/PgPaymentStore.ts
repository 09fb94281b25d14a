import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { PaymentStore } from "@outbound/domain/control/payments/PaymentStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Schema } from "effect"
import { changes, date, dateOrNull, firstRow, hasRows, literals, Millis, rows, run, statesInto } from "./Columns.js"
import { columnsOf, texts, textsOrNull, valuesOf } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const PaymentRow = Schema.Struct({
  ...texts("workspaceId", "paymentId", "userId"),
  credits: Credits,
  cents: Schema.Int,
  state: Schema.Literal(...PaymentMachine.states),
  ...textsOrNull("reference", "url", "entryId"),
  returnedCents: Schema.Int,
  takenBack: Credits,
  createdAtMillis: Millis,
  changedAtMillis: Millis,
  looks: Schema.Int,
  nextLookAtMillis: Schema.NullOr(Millis)
})

const CountRow = Schema.Struct({ count: Schema.BigIntFromSelf })

const OPEN = literals(PaymentMachine.in.awaited)

export const layer = storeLayer(PaymentStore, (sql) => {
  const columns = sql.literal(columnsOf(PaymentRow, "payments"))
  return {
    insert: (payment) =>
      sql`
        INSERT INTO payments ${sql.insert(valuesOf(PaymentRow, payment))}
        ON CONFLICT (workspace_id, payment_id) DO NOTHING RETURNING payment_id AS id
      `.pipe(hasRows("PaymentStore.insert")),
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
      `.pipe(hasRows("PaymentStore.insertEvent"))
  }
})

import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Schema, Struct } from "effect"
import { Count, date, firstValue, hasRows, literals, Millis, rows, run } from "../../postgres/Columns.js"
import {
  columnsOf,
  insert,
  moverOf,
  readerOf,
  storeLayer,
  texts,
  textsOrNull,
  times,
  valuesOf
} from "../../postgres/Table.js"

const PaymentRow = Schema.Struct({
  ...texts("workspaceId", "paymentId", "userId"),
  credits: Credits,
  cents: Schema.Int,
  state: Schema.Literals(PaymentMachine.states),
  ...textsOrNull("reference", "url", "entryId"),
  returnedCents: Schema.Int,
  takenBack: Credits,
  ...times("createdAtMillis", "changedAtMillis"),
  looks: Schema.Int,
  nextLookAtMillis: Schema.NullOr(Millis)
})

const Changing = PaymentRow.mapFields(
  Struct.omit(["workspaceId", "paymentId", "userId", "credits", "cents", "createdAtMillis"])
)

const OPEN = literals(PaymentMachine.in.awaited)

export const layer = storeLayer(PaymentStore, (sql) => {
  const { all, columns, one } = readerOf(sql, "payments", PaymentRow, columnsOf(PaymentRow, "payments"))
  const move = moverOf(sql, "payments", Changing, PaymentMachine)
  return {
    insert: (payment) =>
      sql`
        INSERT INTO payments ${sql.insert(valuesOf(PaymentRow, payment))}
        ON CONFLICT (workspace_id, payment_id) DO NOTHING RETURNING payment_id AS id
      `.pipe(hasRows("PaymentStore.insert")),
    find: (workspaceId, paymentId) => one("PaymentStore.find")({ workspaceId, paymentId }),
    lock: (workspaceId, paymentId) => one("PaymentStore.lock")({ workspaceId, paymentId }, "FOR UPDATE"),
    update: ({ paymentId, workspaceId, ...next }) => move("PaymentStore.update", { workspaceId, paymentId }, next),
    list: (workspaceId, limit) =>
      all("PaymentStore.list")(sql`
        workspace_id = ${workspaceId}
        ORDER BY created_at DESC, payment_id DESC LIMIT ${limit}
      `),
    countOpen: (workspaceId) =>
      sql`
        SELECT count(*) AS count FROM payments WHERE workspace_id = ${workspaceId} AND state IN (${sql.literal(OPEN)})
      `.pipe(firstValue("PaymentStore.countOpen", Count, 0)),
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
      insert(sql, "payment_returns", { workspaceId, paymentId, entryId, amount: micros }).pipe(
        run("PaymentStore.insertReturn")
      ),
    insertEvent: ({ atMillis, eventId, kind, paymentId, workspaceId }) =>
      sql`
        INSERT INTO payment_events (workspace_id, payment_id, event_id, kind, at)
        VALUES (${workspaceId}, ${paymentId}, ${eventId}, ${kind}, ${date(atMillis)})
        ON CONFLICT (workspace_id, payment_id, event_id) DO NOTHING RETURNING event_id AS id
      `.pipe(hasRows("PaymentStore.insertEvent"))
  }
})

import { SignInAskStore } from "@outbound/domain/control/users/SignInAskStore.js"
import { Effect, Schema } from "effect"
import { date, firstValue, run } from "../Columns.js"
import { storeLayer } from "../Table.js"

/** Most expired counts that one request deletes: more than it can add. */
const FORGOTTEN_MAX = 20

export const layer = storeLayer(SignInAskStore, (sql) => ({
  count: Effect.fnUntraced(function* (subject, nowMillis, windowMillis) {
    const asks = yield* sql`
      INSERT INTO sign_in_asks AS a (subject, window_from, over_at, asks)
      VALUES (${subject}, ${date(nowMillis)}, ${date(nowMillis + windowMillis)}, 1)
      ON CONFLICT (subject) DO UPDATE SET
        asks = CASE WHEN a.over_at > ${date(nowMillis)} THEN a.asks + 1 ELSE 1 END,
        window_from = CASE WHEN a.over_at > ${date(nowMillis)} THEN a.window_from ELSE EXCLUDED.window_from END,
        over_at = CASE WHEN a.over_at > ${date(nowMillis)} THEN a.over_at ELSE EXCLUDED.over_at END
      RETURNING asks
    `.pipe(firstValue("SignInAskStore.count", Schema.Int, 1))
    yield* sql`
      DELETE FROM sign_in_asks WHERE subject IN (
        SELECT subject FROM sign_in_asks WHERE over_at <= ${date(nowMillis)}
        ORDER BY over_at LIMIT ${FORGOTTEN_MAX} FOR UPDATE SKIP LOCKED
      )
    `.pipe(run("SignInAskStore.count"))
    return asks
  })
}))

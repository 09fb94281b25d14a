import { layer as poolLayer, RawPool } from "@outbound/adapters/postgres/PgPool.js"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import type { Place } from "./Place.js"

/** A workspace's money at one moment, in micro-credits: what the account says, and what it is made of. */
export interface Books {
  /** What the account says. */
  readonly available: bigint
  /** The sum of the ledger. */
  readonly balance: bigint
  /** What open calls hold. */
  readonly reserved: bigint
  readonly openCalls: bigint
  readonly charges: bigint
  readonly charged: bigint
}

export const CREDIT = 1_000_000n

const BOOKS = `
  SELECT a.available, o.reserved,
    (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries l WHERE l.workspace_id = a.workspace_id) AS balance,
    o.calls AS "openCalls",
    (SELECT count(*) FROM ledger_entries l WHERE l.workspace_id = a.workspace_id AND kind = 'charge') AS charges,
    (SELECT coalesce(-sum(amount), 0)::bigint FROM ledger_entries l
      WHERE l.workspace_id = a.workspace_id AND kind = 'charge') AS charged
  FROM accounts a CROSS JOIN LATERAL (
    SELECT coalesce(sum(reserved), 0)::bigint AS reserved, count(*) AS calls FROM open_calls c
    WHERE c.workspace_id = a.workspace_id
  ) o
  WHERE a.workspace_id = $1`

export interface Auditor {
  /** One statement, so one moment. */
  readonly books: (workspaceId: string) => Effect.Effect<Books>
  readonly count: (statement: string, ...values: ReadonlyArray<unknown>) => Effect.Effect<number>
  /** The first column of every row, as text. */
  readonly list: (statement: string, ...values: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<string>>
  /** Changes what no door of the service changes, such as how long ago something was. */
  readonly change: (statement: string, ...values: ReadonlyArray<unknown>) => Effect.Effect<void>
}

/** Looks into the database behind the service's back, on connections of its own. */
export const audit = (place: Place): Effect.Effect<Auditor, never, Scope.Scope> =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* place.databaseUrl)
    const built = yield* Layer.build(poolLayer({ url, applicationName: "audit", connectionsMax: 2 }))
    const pool = Context.get(built, RawPool)
    return {
      books: (workspaceId: string) =>
        Effect.promise(async () => {
          const { rows } = await pool.query<Books>(BOOKS, [workspaceId])
          const [books] = rows
          if (books === undefined) throw new Error(`${workspaceId} has no account`)
          return books
        }),
      count: (statement: string, ...values: ReadonlyArray<unknown>) =>
        Effect.promise(async () => {
          const { rows } = await pool.query<{ readonly count: bigint }>(statement, [...values])
          return Number(rows[0]?.count)
        }),
      list: (statement: string, ...values: ReadonlyArray<unknown>) =>
        Effect.promise(async () => {
          const { rows } = await pool.query<Record<string, unknown>>(statement, [...values])
          return rows.map((row) => String(Object.values(row)[0]))
        }),
      change: (statement: string, ...values: ReadonlyArray<unknown>) =>
        Effect.promise(async () => void (await pool.query(statement, [...values])))
    }
  }).pipe(Effect.orDie)

/** What holds at every instant (contract: credits, money). */
export const assertBalanced = (books: Books): void => {
  assert.isTrue(books.balance >= 0n, "the balance is not negative")
  assert.isTrue(books.available >= 0n, "what is available is not negative")
  assert.strictEqual(
    books.available,
    books.balance - books.reserved,
    "what is available is the balance but the reserved"
  )
}

/** Runs the load, and looks at the books all the while. Answers what the load came to, and every look. */
export const watched = <A, E, R>(
  auditor: Auditor,
  workspaceId: string,
  load: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly outcome: A; readonly looks: ReadonlyArray<Books> }, E, R> =>
  Effect.suspend(() => {
    const looks: Array<Books> = []
    const look = Effect.map(auditor.books(workspaceId), (books) => {
      assertBalanced(books)
      looks.push(books)
    })
    return Effect.raceFirst(load, Effect.forever(look)).pipe(
      Effect.tap(() => look),
      Effect.map((outcome) => ({ outcome, looks }))
    )
  })

import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import { invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import type { MovableClock } from "@outbound/sandbox/clock/MovableClock.js"
import { Clock, Effect } from "effect"
import type { Exchange, Surface } from "../../http/Exchange.js"
import { failure, json, type Reply } from "../../http/Reply.js"
import { makeAdvancing } from "./Advancing.js"

const PATH = "/sandbox/clock"
const ADVANCE = "/sandbox/clock/advance"
const BODY_BYTES_MAX = 1_024

/** The most that one request moves the clock: a year and a day. */
const SECONDS_MAX = 366 * 86_400

const iso = (millis: number): string => new Date(millis).toISOString()

const bearerOf = (exchange: Exchange): string | null =>
  /^Bearer +(\S+)$/i.exec(exchange.header("authorization") ?? "")?.[1] ?? null

/** What is asked for, in milliseconds from now; or what is wrong with it. */
const askedFor = (body: string, nowMillis: number): number | string => {
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    return "must be JSON"
  }
  if (typeof given !== "object" || given === null) return "must be an object"
  const { seconds, until, ...others } = given as Readonly<Record<string, unknown>>
  if (Object.keys(others).length > 0) return `takes seconds or until, not ${Object.keys(others).join(", ")}`
  if ((seconds === undefined) === (until === undefined)) return "takes one of seconds and until"
  const millis = until === undefined ? Number(seconds) * 1_000 : Date.parse(String(until)) - nowMillis
  if (until === undefined && typeof seconds !== "number") return "seconds must be a number"
  if (!Number.isFinite(millis)) return "until must be a date and time, such as 2027-01-31T09:00:00Z"
  if (millis < 0) return "can't go back: what has happened stays"
  return millis > SECONDS_MAX * 1_000 ? `can't go further than ${SECONDS_MAX} seconds at once` : millis
}

interface Caller {
  readonly workspaceId: string
}

/**
 * `GET /sandbox/clock` and `POST /sandbox/clock/advance`, of a service that serves sandbox workspaces alone. Any key of one may
 * move the clock: nothing in it is real.
 */
export const clockSurface = (movable: MovableClock, keep: (aheadMillis: number) => void) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const admin = yield* Admin
    const sql = yield* SqlClient
    const { advance } = yield* makeAdvancing(movable, keep)

    /** Whose key it is, as get_me says: the pipeline alone knows which keys are good. */
    const callerOf = (exchange: Exchange): Effect.Effect<Caller | Reply> =>
      Effect.map(
        calls.answer({
          requestId: exchange.requestId,
          bearer: bearerOf(exchange),
          verb: verbs.get_me,
          input: {},
          reject: null,
          idempotencyKey: null,
          runId: null
        }),
        ({ body, status }) =>
          status === 200 ? { workspaceId: JSON.parse(body).result.workspace.id as string } : json(status, body)
      )

    /** What became of this workspace's people since, by kind. */
    const happened = (workspaceId: string, fromMillis: number) =>
      Effect.map(
        sql<{ readonly kind: string; readonly times: number }>`
          SELECT e.kind, count(*)::integer AS times FROM trail_events e
          WHERE e.workspace_id = ${workspaceId} AND e.observed_at >= ${new Date(fromMillis)}
          GROUP BY e.kind ORDER BY e.kind
        `,
        (rows) => Object.fromEntries(rows.map(({ kind, times }) => [kind, times]))
      )

    const moved = (exchange: Exchange, body: string, { workspaceId }: Caller) =>
      Effect.gen(function* () {
        if ((yield* admin.listWorkspaces).some(({ kind }) => kind === "live")) {
          return failure(
            refuse("forbidden", {}, "A live workspace was created: this clock moves for sandboxes alone."),
            exchange.requestId
          )
        }
        const asked = askedFor(body, yield* Clock.currentTimeMillis)
        if (typeof asked === "string") return failure(invalid([{ path: "", message: asked }]), exchange.requestId)
        const { fromMillis, isFinished, nowMillis, steps, waiting } = yield* advance(asked)
        const result = {
          now: iso(nowMillis),
          advanced_seconds: (nowMillis - fromMillis) / 1_000,
          finished: isFinished,
          steps,
          events: yield* happened(workspaceId, fromMillis),
          waiting
        }
        return json(200, JSON.stringify({ result }))
      })

    const answered = (exchange: Exchange, work: (caller: Caller) => Effect.Effect<Reply, unknown>) =>
      exchange.run(
        Effect.flatMap(callerOf(exchange), (caller) =>
          "status" in caller ? Effect.succeed(caller) : work(caller)
        ).pipe(Effect.orDie)
      )

    const surface: Surface = {
      name: "clock",
      owns: (path) => path === PATH || path === ADVANCE,
      handle: (exchange) => {
        exchange.label = "clock"
        const { method, path } = exchange
        if (method === "GET" && path === PATH) {
          return answered(exchange, () =>
            Effect.map(Clock.currentTimeMillis, (now) =>
              json(200, JSON.stringify({ result: { now: iso(now), ahead_seconds: movable.aheadMillis() / 1_000 } }))
            )
          )
        }
        if (method !== "POST" || path !== ADVANCE) {
          const allow = path === PATH ? "GET" : "POST"
          return exchange.send(
            failure(refuse("invalid_request", { reason: "method_not_allowed" }), exchange.requestId, { allow }, 405)
          )
        }
        exchange.readBody(BODY_BYTES_MAX, (body) => {
          if (body._tag !== "Complete") {
            return exchange.send(failure(invalid([{ path: "", message: "is too large" }]), exchange.requestId))
          }
          answered(exchange, (caller) => moved(exchange, body.bytes.toString("utf8"), caller))
        })
      }
    }
    return surface
  })

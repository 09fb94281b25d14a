import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { Ids } from "../../kernel/ports/Ids.js"
import { Mailer } from "./Mailer.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { about } from "../../kernel/telemetry.js"
import { ALERT_KINDS, ALERT_REPEAT_MILLIS, AlertStore, type UnmailedAlert } from "./AlertStore.js"
import { alertPath, alertWords, IN_LETTER } from "./alertWords.js"
import { quoted } from "./foreignWords.js"

/** Most alerts of a kind that one round raises, and most alerts it sends emails for. */
export const ALERTS_RAISED_MAX = 500
const ALERTS_MAILED_MAX = 20

/** Most emails per alert, most attempts, and the delay between attempts. */
export const OWNERS_MAILED_MAX = 20
export const ALERT_ATTEMPTS_MAX = 5
const ALERT_RETRY_MILLIS = 10 * 60_000

/** How long alerts are listed, and how many one round deletes. */
const ALERTS_KEPT_MILLIS = 90 * DAY_MILLIS
const ALERTS_PURGE_MAX = 500

/**
 * Alerts owners on the console, and by email if a mail server is configured. Each subject raises at most one alert a
 * day. An email may arrive twice if a host dies after sending it.
 */
export class AlertRounds extends Context.Service<
  AlertRounds,
  {
    /** Raises new alerts, sends emails and deletes old alerts. Returns how much it did. */
    readonly round: FromStore<number>
  }
>()("@outbound/domain/control/alerts/AlertRounds") {}

export const layer = Layer.effect(
  AlertRounds,
  Effect.gen(function* () {
    const store = yield* AlertStore
    const ids = yield* Ids
    const { baseUrl } = yield* Settings
    const { atomically } = yield* UnitOfWork
    const mailer = Option.getOrNull(yield* Effect.serviceOption(Mailer))
    const send = mailer?.send ?? null

    // One transaction, because an idle host does it each minute.
    const raise = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Effect.gen(function* () {
        const found = yield* Effect.forEach(ALERT_KINDS, (kind) => store.causes(kind, nowMillis, ALERTS_RAISED_MAX))
        const alerts = found.flat().map((cause) => ({
          ...cause,
          alertId: ids.next(nowMillis),
          raisedAtMillis: nowMillis,
          mailedAtMillis: null
        }))
        if (alerts.length > 0) yield* store.raise(alerts)
        return alerts.length + (yield* store.purge(nowMillis - ALERTS_KEPT_MILLIS, ALERTS_PURGE_MAX))
      }).pipe(atomically)
    )

    const letterOf = ({ alert, workspaceName }: UnmailedAlert, to: string) => ({
      to,
      subject: `outbound: ${alert.kind.replaceAll("_", " ")}`,
      text: [
        `In the workspace ${quoted(workspaceName)}: ${alertWords(alert, IN_LETTER)}`,
        "",
        `${baseUrl}${alertPath(alert)}`,
        "",
        `You get this email because you are an owner. All alerts: ${baseUrl}/console/alerts`,
        ""
      ].join("\n")
    })

    const write = (post: NonNullable<Mailer["Service"]["send"]>, of: UnmailedAlert) =>
      Effect.gen(function* () {
        const owners = of.owners.slice(0, OWNERS_MAILED_MAX)
        const sent = yield* Effect.forEach(owners, (to) => Effect.result(post(letterOf(of, to))))
        // We never resend an email that may have arrived. Once one owner got it, the others don't get a second one
        // either.
        const isDone =
          sent.length === 0 || sent.some((one) => Result.isSuccess(one) || one.failure.reason === "unknown_outcome")
        if (!isDone) return yield* Effect.logWarning("emailing an alert failed", sent)
        yield* atomically(store.markMailed(of.alert, yield* Clock.currentTimeMillis))
      }).pipe(about({ workspace_id: of.alert.workspaceId, alert_id: of.alert.alertId }))

    const mail = Effect.gen(function* () {
      if (send === null) return 0
      const nowMillis = yield* Clock.currentTimeMillis
      const taken = yield* atomically(
        store.takeUnmailed({
          sinceMillis: nowMillis - ALERT_REPEAT_MILLIS,
          nowMillis,
          retryMillis: ALERT_RETRY_MILLIS,
          attemptsMax: ALERT_ATTEMPTS_MAX,
          limit: ALERTS_MAILED_MAX
        })
      )
      yield* Effect.forEach(taken, (one) => write(send, one), { discard: true })
      return taken.length
    })

    return AlertRounds.of({
      round: Effect.gen(function* () {
        const changed = yield* raise
        return changed + (yield* mail)
      })
    })
  })
)

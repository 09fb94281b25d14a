import { Clock, Effect, Option, Redacted, Result } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { LookStore } from "../../outreach/authentication/LookStore.js"
import { grantOf, grantSecret, type MailGrant } from "../../outreach/sending/mailGrant.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { AGAIN, DOMAINS_MAX, type PostmasterConnection, READ_MILLIS, STATS_DAYS } from "./Postmaster.js"
import { PostmasterApi } from "./PostmasterApi.js"
import { grantBoundTo, postmasterJob, PostmasterStore } from "./PostmasterStore.js"

/** A domain that was read so lately is not read again after a read that broke off. */
const FRESH_MILLIS = READ_MILLIS / 2

const REFUSED = new ProviderFailure({ provider: "postmaster_tools", reason: "account" })

/**
 * Reads a workspace's own sending domains at Google, once a day: those alone that the person who consented may read there, and that
 * the workspace sends from. What was read before a failure stays. A consent that Google takes back ends it until an owner consents
 * again.
 */
export const makePostmasterHandler = Effect.gen(function* () {
  const store = yield* PostmasterStore
  const looks = yield* LookStore
  const crypto = yield* Crypto
  const { atomically } = yield* UnitOfWork
  // Who embeds the service without a way to Google reads nothing.
  const api = Option.getOrUndefined(yield* Effect.serviceOption(PostmasterApi))

  const sealed = (grant: MailGrant, workspaceId: string): string =>
    crypto.seal("postmaster_grant", Redacted.value(grantSecret(grant)), grantBoundTo(workspaceId))

  /** A refresh token works once at some providers: the next one is stored before anything is read with the token. */
  const tokenOf = (google: PostmasterApi["Service"], { sealedGrant, workspaceId }: PostmasterConnection) =>
    Effect.gen(function* () {
      const text = crypto.open("postmaster_grant", sealedGrant, grantBoundTo(workspaceId))
      const grant = text === null ? null : grantOf(Redacted.make(text))
      if (grant === null) return yield* REFUSED
      const { accessToken, refreshToken } = yield* google.token(grant)
      if (refreshToken !== null) {
        yield* Effect.gen(function* () {
          const locked = Option.getOrNull(yield* store.lock(workspaceId))
          // Another consent came meanwhile.
          if (locked?.sealedGrant !== sealedGrant) return
          yield* store.put({ ...locked, sealedGrant: sealed({ ...grant, refreshToken }, workspaceId) })
        }).pipe(atomically)
      }
      return accessToken
    })

  const readAll = (google: PostmasterApi["Service"], connection: PostmasterConnection) =>
    Effect.gen(function* () {
      const { workspaceId } = connection
      const token = yield* tokenOf(google, connection)
      const ours = new Set(yield* looks.domains(workspaceId))
      const theirs = (yield* google.domains(token, 2 * DOMAINS_MAX)).filter((domain) => ours.has(domain))
      const known = new Map((yield* store.readings(workspaceId)).map((one) => [one.domain, one.readAtMillis]))
      for (const domain of theirs.slice(0, DOMAINS_MAX)) {
        const nowMillis = yield* Clock.currentTimeMillis
        if ((known.get(domain) ?? Number.NEGATIVE_INFINITY) > nowMillis - FRESH_MILLIS) continue
        const requirements = yield* google.requirements(token, domain)
        const stats = yield* google.stats(token, domain, {
          fromMillis: nowMillis - STATS_DAYS * DAY_MILLIS,
          toMillis: nowMillis - DAY_MILLIS
        })
        if (requirements === null && stats === null) continue
        yield* Effect.gen(function* () {
          // Consent that was taken back meanwhile leaves nothing behind.
          if (Option.isNone(yield* store.lock(workspaceId))) return
          yield* store.putReading({
            ...(stats ?? { day: null, spamRate: null, rejectRate: null, tempFailRate: null }),
            workspaceId,
            domain,
            readAtMillis: nowMillis,
            requirements: requirements ?? []
          })
        }).pipe(atomically)
      }
    })

  const handler: JobHandler = (workspaceId) =>
    Effect.gen(function* () {
      const connection = Option.getOrNull(yield* store.get(workspaceId))
      if (api === undefined || connection === null || connection.refusedAtMillis !== null) return DONE
      const beganAtMillis = yield* Clock.currentTimeMillis
      const leftMillis = connection.nextAtMillis - beganAtMillis
      // A clock that was set back makes nobody wait longer than once.
      if (leftMillis > 0) return waitFor(Math.min(leftMillis, READ_MILLIS))
      const read = yield* readAll(api, connection).pipe(
        Effect.catchTag("StoreUnavailable", (cause) =>
          Effect.fail(new ProviderFailure({ provider: "postmaster_tools", reason: "transient", cause }))
        ),
        Effect.result
      )
      return yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const locked = Option.getOrNull(yield* store.lock(workspaceId))
        if (locked === null) return DONE
        // Somebody consented anew while this was read with the old consent.
        if (locked.connectedAtMillis !== connection.connectedAtMillis) return waitFor(1_000)
        if (Result.isSuccess(read)) {
          yield* store.put({ ...locked, readAtMillis: nowMillis, nextAtMillis: nowMillis + READ_MILLIS, failures: 0 })
          return waitFor(READ_MILLIS)
        }
        const { failure } = read
        yield* Effect.logInfo("reading Postmaster Tools failed", failure.reason)
        if (failure.reason === "account") {
          yield* store.put({ ...locked, refusedAtMillis: nowMillis, failures: locked.failures + 1 })
          return DONE
        }
        const failures = locked.failures + 1
        const wait = Math.min(AGAIN.max, Math.max((failure.retryAfterSeconds ?? 0) * 1_000, backoff(failures, AGAIN)))
        yield* store.put({ ...locked, failures, nextAtMillis: nowMillis + wait })
        return waitFor(wait)
      }).pipe(atomically)
    })
  return handler
})

/** How late a read may be before its job counts as lost. */
const LATE_MILLIS = READ_MILLIS

export const makeLostPostmasters = Effect.map(
  PostmasterStore,
  ({ overdue }) =>
    (limit: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        Effect.map(overdue(nowMillis - LATE_MILLIS, limit), (found) => found.map(postmasterJob))
      )
)

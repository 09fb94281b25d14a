import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { grantOf, grantSecret, type MailGrant } from "@outbound/domain/outreach/sending/mailGrant.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Clock, Deferred, Effect, Redacted, Result } from "effect"
import { failed, type RenewedToken } from "./TokenEndpoint.js"

/** We renew a token this long before it expires, or at half its lifetime if that is shorter than twice this. */
const MARGIN_SECONDS = 300

/** Most refresh tokens tried: the stored one, the given one, and any that other hosts store meanwhile. */
const TRIES_MAX = 4

/** Most mailboxes whose tokens are cached. Beyond it, the oldest entries go first. */
const REMEMBERED_MAX = 2_000

/** The credentials for one sign-in. */
export interface Access {
  /** The account with its access token. */
  readonly account: MailAccount
  /** Whether the token was requested just now. If a fresh token is refused, another one would be too. */
  readonly isFresh: boolean
}

interface Known {
  access: { readonly token: Redacted.Redacted; readonly goodUntilMillis: number } | null
  underWay: Deferred.Deferred<Redacted.Redacted, ProviderFailure> | null
  /** A new refresh token that could not be stored. */
  unkept: string | null
}

const goodUntil = (askedAtMillis: number, { lifetimeSeconds }: RenewedToken): number =>
  askedAtMillis + 1000 * Math.max(lifetimeSeconds - MARGIN_SECONDS, lifetimeSeconds / 2)

const signedIn = (account: MailAccount, token: Redacted.Redacted): MailAccount => ({
  ...account,
  auth: "xoauth2",
  secret: token
})

const noGrant = failed("account", "The mailbox's secret does not allow getting access tokens")

/**
 * Access tokens of mailboxes, renewed in time and cached by this process. A replacement refresh token is stored beside
 * the mailbox's secret, for all hosts: it is tried first, the given one after it.
 */
export const makeAccessTokens = (renew: (grant: MailGrant) => Effect.Effect<RenewedToken, ProviderFailure>) =>
  Effect.gen(function* () {
    const owns = yield* OwnMailboxStore
    const crypto = yield* Crypto
    const all = new Map<string, Known>()

    /**
     * Binds a stored token to this mailbox and this grant. A new grant starts over: tokens of another grant don't open.
     */
    const boundTo = ({ mailboxId, secret, workspaceId }: MailAccount): string =>
      `${workspaceId}\n${mailboxId}\n${crypto.sha256Hex(Redacted.value(secret))}`

    const knownOf = (key: string): Known => {
      const known = all.get(key)
      if (known !== undefined) return known
      const made: Known = { access: null, underWay: null, unkept: null }
      all.set(key, made)
      for (const [oldest, { underWay, unkept }] of all) {
        if (all.size <= REMEMBERED_MAX) break
        if (underWay === null && unkept === null && oldest !== key) all.delete(oldest)
      }
      return made
    }

    const keptOf = (account: MailAccount) =>
      owns.renewedSecret(account.workspaceId, account.mailboxId).pipe(
        Effect.map((sealed) => (sealed === null ? null : crypto.open("mailbox_secret", sealed, boundTo(account)))),
        // The given one may be spent, and some servers treat a spent token as stolen. So we don't try it on a guess.
        Effect.mapError(() => failed("transient", "What the token endpoint gave last can't be looked up"))
      )

    const keep = (account: MailAccount, known: Known, refreshToken: string) =>
      owns
        .keepRenewed(
          account.workspaceId,
          account.mailboxId,
          crypto.seal("mailbox_secret", refreshToken, boundTo(account))
        )
        .pipe(
          Effect.matchEffect({
            onSuccess: () => Effect.sync(() => void (known.unkept = null)),
            onFailure: (cause) =>
              Effect.andThen(
                Effect.sync(() => void (known.unkept = refreshToken)),
                Effect.logWarning("a mailbox's new refresh token could not be kept yet", cause)
              )
          })
        )

    /** Tries refresh tokens in order until one works. Reads the stored one again before each try. */
    const firstGood = (account: MailAccount, grant: MailGrant, known: Known) =>
      Effect.gen(function* () {
        const given = Redacted.value(grant.refreshToken)
        const tried = new Set<string>()
        let refusal = noGrant
        while (tried.size < TRIES_MAX) {
          const kept = yield* keptOf(account)
          const next = [known.unkept, kept, given].find((one) => one !== null && !tried.has(one)) ?? null
          if (next === null) break
          tried.add(next)
          const renewed = yield* Effect.result(renew({ ...grant, refreshToken: Redacted.make(next) }))
          if (Result.isSuccess(renewed)) return { renewed: renewed.success, used: next, kept: kept ?? given }
          if (renewed.failure.reason !== "account") return yield* renewed.failure
          if (known.unkept === next) known.unkept = null
          refusal = renewed.failure
        }
        return yield* refusal
      })

    const renewal = (account: MailAccount, grant: MailGrant, known: Known) =>
      Effect.gen(function* () {
        const askedAtMillis = yield* Clock.currentTimeMillis
        const { kept, renewed, used } = yield* firstGood(account, grant, known)
        known.access = { token: renewed.accessToken, goodUntilMillis: goodUntil(askedAtMillis, renewed) }
        const newest = renewed.refreshToken === null ? used : Redacted.value(renewed.refreshToken)
        if (newest !== kept) yield* keep(account, known, newest)
        return renewed.accessToken
      })

    /**
     * Concurrent callers share one request. A caller that is interrupted doesn't end it, because its answer may change
     * the grant.
     */
    const shared = (account: MailAccount, grant: MailGrant, known: Known) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          if (known.underWay !== null) return restore(Deferred.await(known.underWay))
          const answer = Deferred.makeUnsafe<Redacted.Redacted, ProviderFailure>()
          known.underWay = answer
          const asking = renewal(account, grant, known).pipe(
            Effect.onExit((exit) =>
              Effect.suspend(() => {
                known.underWay = null
                return Deferred.done(answer, exit)
              })
            )
          )
          return Effect.andThen(Effect.forkDetach(asking), restore(Deferred.await(answer)))
        })
      )

    return {
      /** The credentials for a stored mailbox whose `auth` is `oauth`. */
      of: (account: MailAccount): Effect.Effect<Access, ProviderFailure> =>
        Effect.gen(function* () {
          const grant = grantOf(account.secret)
          if (grant === null) return yield* noGrant
          const nowMillis = yield* Clock.currentTimeMillis
          const known = knownOf(boundTo(account))
          if (known.access !== null && nowMillis < known.access.goodUntilMillis) {
            return { account: signedIn(account, known.access.token), isFresh: false }
          }
          return { account: signedIn(account, yield* shared(account, grant, known)), isFresh: true }
        }),

      /** Drops a cached token that the mail server refused. */
      forget: (account: MailAccount, token: Redacted.Redacted): Effect.Effect<void> =>
        Effect.sync(() => {
          const known = all.get(boundTo(account))
          if (known?.access?.token === token) known.access = null
        }),

      /** For a mailbox that is not stored yet: the credentials, and the secret to store it with. */
      once: (
        account: MailAccount
      ): Effect.Effect<{ readonly account: MailAccount; readonly secret: Redacted.Redacted }, ProviderFailure> =>
        Effect.gen(function* () {
          const grant = grantOf(account.secret)
          if (grant === null) return yield* noGrant
          const { accessToken, refreshToken } = yield* renew(grant)
          const secret = refreshToken === null ? account.secret : grantSecret({ ...grant, refreshToken })
          return { account: signedIn(account, accessToken), secret }
        })
    }
  })

import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { grantOf, grantSecret, type MailGrant } from "@outbound/domain/outreach/sending/mailGrant.js"
import { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Clock, Deferred, Effect, Either, FiberId, Redacted } from "effect"
import { type RenewedToken, TOKEN_ENDPOINT } from "./TokenEndpoint.js"

/** A token is taken for spent so long before it is, or half-way where it is good for less than twice that. */
const MARGIN_SECONDS = 300

/** How many refresh tokens are tried: the kept one, the given one, and what other hosts keep meanwhile. */
const TRIES_MAX = 4

/** Of so many mailboxes the tokens are remembered; beyond that those are forgotten that were asked for first. */
const REMEMBERED_MAX = 2_000

/** How one signs in now. */
export interface Access {
  /** The account with its access token. */
  readonly account: MailAccount
  /** Whether the token was asked for just now: if it is refused, another will be too. */
  readonly isFresh: boolean
}

interface Known {
  access: { readonly token: Redacted.Redacted; readonly goodUntilMillis: number } | null
  underWay: Deferred.Deferred<Redacted.Redacted, ProviderFailure> | null
  /** A refresh token that came and could not be kept. */
  unkept: string | null
}

const failed = (reason: "account" | "transient", cause: string): ProviderFailure =>
  new ProviderFailure({ provider: TOKEN_ENDPOINT, reason, cause })

const goodUntil = (askedAtMillis: number, { lifetimeSeconds }: RenewedToken): number =>
  askedAtMillis + 1000 * Math.max(lifetimeSeconds - MARGIN_SECONDS, lifetimeSeconds / 2)

const signedIn = (account: MailAccount, token: Redacted.Redacted): MailAccount => ({
  ...account,
  auth: "xoauth2",
  secret: token
})

const noGrant = failed("account", "The mailbox's secret does not allow getting access tokens")

/**
 * Access tokens of mailboxes, renewed in time and remembered by this process. What comes in place of a refresh token is
 * kept beside the mailbox's secret, for every host: it is tried first, and the given one after it.
 */
export const makeAccessTokens = (renew: (grant: MailGrant) => Effect.Effect<RenewedToken, ProviderFailure>) =>
  Effect.gen(function* () {
    const owns = yield* OwnMailboxStore
    const crypto = yield* Crypto
    const all = new Map<string, Known>()

    /** Of this mailbox and this very grant: a new one begins anew, and what is kept of another does not open. */
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
        // The given one may be spent, and some servers take one that is for stolen: it is not tried on a guess.
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
              Effect.zipRight(
                Effect.sync(() => void (known.unkept = refreshToken)),
                Effect.logWarning("a mailbox's new refresh token could not be kept yet", cause)
              )
          })
        )

    /** Tries one refresh token after the other, until one is good. What is kept is looked up anew before each. */
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
          const renewed = yield* Effect.either(renew({ ...grant, refreshToken: Redacted.make(next) }))
          if (Either.isRight(renewed)) return { renewed: renewed.right, used: next, kept: kept ?? given }
          if (renewed.left.reason !== "account") return yield* renewed.left
          if (known.unkept === next) known.unkept = null
          refusal = renewed.left
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

    /** Whoever comes while it is asked waits for the same answer. Who leaves does not end it: its answer may change the grant. */
    const shared = (account: MailAccount, grant: MailGrant, known: Known) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          if (known.underWay !== null) return restore(Deferred.await(known.underWay))
          const answer = Deferred.unsafeMake<Redacted.Redacted, ProviderFailure>(FiberId.none)
          known.underWay = answer
          const asking = renewal(account, grant, known).pipe(
            Effect.onExit((exit) =>
              Effect.suspend(() => {
                known.underWay = null
                return Deferred.done(answer, exit)
              })
            )
          )
          return Effect.zipRight(Effect.forkDaemon(asking), restore(Deferred.await(answer)))
        })
      )

    return {
      /** How one signs in to a stored mailbox whose `auth` is `oauth`. */
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

      /** Its server refuses the token: it is not given out again. */
      forget: (account: MailAccount, token: Redacted.Redacted): Effect.Effect<void> =>
        Effect.sync(() => {
          const known = all.get(boundTo(account))
          if (known?.access?.token === token) known.access = null
        }),

      /** For a mailbox that is not stored yet: how one signs in, and the secret that it is to be stored with after that. */
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

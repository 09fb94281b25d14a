import { Clock, Effect, Option, Result } from "effect"
import { KEY_NAME_CHARS_MAX, makeKeyChanges } from "../KeyControl.js"
import { KeyMachine } from "../../calls/keys/KeyMachine.js"
import { type ApiKey, KeyStore } from "../../calls/keys/KeyStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import {
  ACCESS_TOKEN_MILLIS,
  ACCESS_TOKEN_SECONDS,
  CODE_MILLIS,
  REFRESH_GRACE_MILLIS,
  REFRESH_TOKEN_MILLIS
} from "./lifetimes.js"
import { type Decision, type OAuth, type OAuthRefused, refused, type Tokens } from "./OAuth.js"
import { type AuthorizationRequest, type Grant, OAuthStore } from "./OAuthStore.js"
import { onlyFor, parameter, required } from "./parameters.js"
import { answerAt, isSameRedirect } from "./redirects.js"
import { isGrantable } from "../../verbs/Policy.js"
import { newPair, newSecret, pairAfter, type TokenPair, verifies } from "./secrets.js"
import { actorOf, freshOwner, mend, refused as notDone } from "../access.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { Ids, isUuid } from "../../kernel/ports/Ids.js"
import type { SignedIn } from "../users/UserStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"

type Allowed = Extract<Decision, { readonly _tag: "Allow" }>

/** A person may grant fewer scopes than requested, never more. */
const scopeIssues = ({ scopes }: Allowed, asked: AuthorizationRequest): ReadonlyArray<Issue> =>
  scopes.length === 0
    ? [{ path: "scopes", message: "must include at least one; to allow none, deny" }]
    : scopes.every((scope) => isGrantable(scope) && asked.scopes.includes(scope))
      ? []
      : [{ path: "scopes", message: "must be among the requested scopes" }]

/** Longest host shown in a key's name. We keep its end, which identifies the owner. */
const HOST_CHARS_MAX = 80

/** The key's name: the client's own name, and the host of its document. */
export const keyNameOf = ({ clientId, clientKind, clientName }: AuthorizationRequest): string => {
  const where = clientKind === "document" ? ` (${new URL(clientId).host.slice(-HOST_CHARS_MAX)})` : ""
  const name = clientName.slice(0, KEY_NAME_CHARS_MAX - where.length).replace(/[\uD800-\uDBFF]$/, "")
  return `${name}${where}`
}

/** A signed-in person's decision about a client. */
export const makeDeciding = Effect.gen(function* () {
  const store = yield* OAuthStore
  const workspaces = yield* WorkspaceStore
  const changes = yield* makeKeyChanges
  const crypto = yield* Crypto
  const ids = yield* Ids
  const { baseUrl } = yield* Settings
  const { atomically } = yield* UnitOfWork

  const open = (found: Option.Option<AuthorizationRequest>) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Option.isSome(found) && found.value.expiresAtMillis > nowMillis
        ? Effect.succeed(found.value)
        : notDone("not_found")
    )

  const allow = (by: SignedIn, asked: AuthorizationRequest, decision: Allowed) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      yield* freshOwner(by)
      yield* mend(scopeIssues(decision, asked))
      const workspace = Option.getOrThrow(yield* workspaces.get(by.session.workspaceId))
      // We drop the secret: only the grant's tokens act as this key.
      const { keyId } = yield* changes.create(
        {
          workspace,
          name: keyNameOf(asked),
          scopes: decision.scopes,
          monthlySpendCap: decision.monthlySpendCap,
          autonomousExternalActions: true,
          runRequired: false
        },
        actorOf(by),
        nowMillis
      )
      const code = newSecret(crypto, "code")
      yield* store.insertGrant({
        grantId: ids.next(nowMillis),
        workspaceId: workspace.workspaceId,
        keyId,
        userId: by.user.userId,
        clientId: asked.clientId,
        scopes: decision.scopes,
        redirectUri: asked.redirectUri,
        codeChallenge: asked.codeChallenge,
        codeHash: crypto.sha256Hex(code),
        codeExpiresAtMillis: nowMillis + CODE_MILLIS,
        redeemedAtMillis: null,
        createdAtMillis: nowMillis
      })
      yield* store.markUsed(asked.clientId, nowMillis)
      return { code }
    })

  const decide: OAuth["Service"]["decide"] = (by, requestId, decision) =>
    Effect.gen(function* () {
      const asked = yield* open(isUuid(requestId) ? yield* store.lockRequest(requestId) : Option.none())
      const answer: Readonly<Record<string, string>> =
        decision._tag === "Allow" ? yield* allow(by, asked, decision) : { error: "access_denied" }
      yield* store.deleteRequest(requestId)
      return { redirectTo: answerAt(asked.redirectUri, { ...answer, state: asked.state, iss: baseUrl }) }
    }).pipe(atomically)

  const request: OAuth["Service"]["request"] = (requestId) =>
    Effect.flatMap(isUuid(requestId) ? store.request(requestId) : Effect.succeedNone, open)

  return { decide, request }
})

/** The transaction commits even when it refuses: a revoked grant must stay revoked. */
type Outcome = Result.Result<Tokens, OAuthRefused>

const refusal = (description: string): Outcome => Result.fail(refused("invalid_grant", description))

/** Says the same of a code that is unknown, another client's, over, or not the asker's. */
const NO_CODE = refusal("the code is unknown, expired or issued to another client")
const NO_TOKEN = refusal("the refresh token is unknown, expired or issued to another client")
const USED_TWICE = refusal("it was already used, so the grant was revoked")

/** Issues, renews and revokes tokens. */
export const makeIssuing = Effect.gen(function* () {
  const store = yield* OAuthStore
  const keys = yield* KeyStore
  const changes = yield* makeKeyChanges
  const crypto = yield* Crypto
  const { baseUrl } = yield* Settings
  const { atomically } = yield* UnitOfWork

  const keyOf = ({ keyId }: Grant) =>
    Effect.map(
      keys.get(keyId),
      Option.filter((key: ApiKey) => !KeyMachine.is.revoked(key.state))
    )

  /** Logged with the key as the actor: its client, or another holder of its secrets, ended it. */
  const end = ({ keyId }: Grant, nowMillis: number) =>
    Effect.flatMap(
      keys.get(keyId),
      Option.match({
        onNone: () => Effect.void,
        onSome: ({ name }) => Effect.asVoid(changes.move(keyId, "revoke", { kind: "key", keyId, name }, nowMillis))
      })
    )

  const tokensOf = (pair: TokenPair, key: ApiKey, expiresInSeconds: number): Outcome =>
    Result.succeed({ ...pair, expiresInSeconds, scopes: key.scopes.filter(isGrantable) })

  const issue = (grant: Grant, key: ApiKey, pair: TokenPair, nowMillis: number) =>
    Effect.gen(function* () {
      const { grantId, workspaceId } = grant
      const of = { workspaceId, grantId, createdAtMillis: nowMillis, spentAtMillis: null }
      yield* store.insertTokens([
        {
          ...of,
          kind: "access",
          tokenHash: crypto.sha256Hex(pair.accessToken),
          expiresAtMillis: nowMillis + ACCESS_TOKEN_MILLIS
        },
        {
          ...of,
          kind: "refresh",
          tokenHash: crypto.sha256Hex(pair.refreshToken),
          expiresAtMillis: nowMillis + REFRESH_TOKEN_MILLIS
        }
      ])
      return tokensOf(pair, key, ACCESS_TOKEN_SECONDS)
    })

  const isSpent = (refreshToken: string) =>
    Effect.map(store.token(crypto.sha256Hex(refreshToken)), (found) =>
      Option.exists(found, ({ spentAtMillis }) => spentAtMillis !== null)
    )

  /**
   * A used refresh token: what its first use returned, while the grace lasts; none once it is over, or once the client has
   * renewed twice since, because no call is under way that long.
   */
  const issuedBefore = (refreshToken: string, spentAtMillis: number, nowMillis: number) =>
    Effect.gen(function* () {
      if (nowMillis - spentAtMillis >= REFRESH_GRACE_MILLIS) return Option.none()
      const pair = pairAfter(crypto, refreshToken)
      if (yield* isSpent(pairAfter(crypto, pair.refreshToken).refreshToken)) return Option.none()
      const access = yield* store.token(crypto.sha256Hex(pair.accessToken))
      return Option.map(access, ({ expiresAtMillis }) => ({
        pair,
        expiresInSeconds: Math.floor(Math.max(0, expiresAtMillis - nowMillis) / 1_000)
      }))
    })

  const byCode = (given: URLSearchParams, clientId: string) =>
    Effect.gen(function* () {
      const code = yield* required(given, "code")
      const verifier = yield* required(given, "code_verifier")
      // OAuth 2.1 drops this parameter here. If sent, it must be the one that the code was sent to.
      const redirectUri = yield* parameter(given, "redirect_uri")
      return yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* store.lockGrantByCode(crypto.sha256Hex(code))
        if (Option.isNone(found)) return NO_CODE
        const grant = found.value
        if (grant.redeemedAtMillis !== null) return yield* Effect.as(end(grant, nowMillis), USED_TWICE)
        const isTheirs =
          grant.clientId === clientId &&
          grant.codeExpiresAtMillis > nowMillis &&
          (redirectUri === null || isSameRedirect(redirectUri, grant.redirectUri)) &&
          verifies(crypto, verifier, grant.codeChallenge)
        const key = yield* keyOf(grant)
        if (!isTheirs || Option.isNone(key)) return NO_CODE
        yield* store.redeem(grant, nowMillis)
        return yield* issue(grant, key.value, newPair(crypto), nowMillis)
      }).pipe(atomically)
    })

  const byRefresh = (given: URLSearchParams, clientId: string) =>
    Effect.gen(function* () {
      const refreshToken = yield* required(given, "refresh_token")
      const tokenHash = crypto.sha256Hex(refreshToken)
      // Clients repeat what they asked for. What they get is what was granted, and the answer says so (RFC 6749 §3.3).
      yield* parameter(given, "scope")
      return yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const token = Option.filter(yield* store.token(tokenHash), ({ kind }) => kind === "refresh")
        if (Option.isNone(token)) return NO_TOKEN
        const found = yield* store.lockGrant(token.value.workspaceId, token.value.grantId)
        if (Option.isNone(found) || found.value.clientId !== clientId) return NO_TOKEN
        const grant = found.value
        if (token.value.expiresAtMillis <= nowMillis) return NO_TOKEN
        const key = yield* keyOf(grant)
        if (Option.isNone(key)) return NO_TOKEN
        if (yield* store.spend(tokenHash, nowMillis)) {
          return yield* issue(grant, key.value, pairAfter(crypto, refreshToken), nowMillis)
        }
        // Read again under the grant's lock: another use may have ended since.
        const used = Option.flatMapNullishOr(yield* store.token(tokenHash), ({ spentAtMillis }) => spentAtMillis)
        if (Option.isNone(used)) return NO_TOKEN
        const before = yield* issuedBefore(refreshToken, used.value, nowMillis)
        if (Option.isNone(before)) return yield* Effect.as(end(grant, nowMillis), USED_TWICE)
        return tokensOf(before.value.pair, key.value, before.value.expiresInSeconds)
      }).pipe(atomically)
    })

  const token: OAuth["Service"]["token"] = (given) =>
    Effect.gen(function* () {
      const type = yield* required(given, "grant_type")
      const clientId = yield* required(given, "client_id")
      yield* onlyFor(given, baseUrl)
      const outcome = yield* type === "authorization_code"
        ? byCode(given, clientId)
        : type === "refresh_token"
          ? byRefresh(given, clientId)
          : refused("unsupported_grant_type", "grant_type is authorization_code or refresh_token")
      return yield* Effect.fromResult(outcome)
    })

  const revoke: OAuth["Service"]["revoke"] = (given) =>
    Effect.gen(function* () {
      const tokenHash = crypto.sha256Hex(yield* required(given, "token"))
      const clientId = yield* required(given, "client_id")
      const isTheirs = yield* Effect.gen(function* () {
        const issued = yield* store.token(tokenHash)
        if (Option.isNone(issued)) return true
        const grant = yield* store.lockGrant(issued.value.workspaceId, issued.value.grantId)
        if (Option.isNone(grant)) return true
        if (grant.value.clientId !== clientId) return false
        yield* end(grant.value, yield* Clock.currentTimeMillis)
        return true
      }).pipe(atomically)
      if (!isTheirs) return yield* refused("unauthorized_client", "the token belongs to another client")
    })

  return { token, revoke }
})

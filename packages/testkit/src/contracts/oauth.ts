import { assert, it } from "@effect/vitest"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import {
  type AuthorizationRequest,
  CLIENT_KINDS,
  type Grant,
  type IssuedToken,
  OAuthStore,
  type RegisteredClient
} from "@outbound/domain/control/oauth/OAuthStore.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenKey, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"

const AT_ONCE = 20
const MANY = 10_000

const aClient = (given: Partial<RegisteredClient> = {}): RegisteredClient => ({
  clientId: `svc_client_${freshId()}`,
  kind: "registered",
  name: "A client, “quoted”",
  redirectUris: ["https://client.example/back?of=a,b", "http://127.0.0.1/{back}"],
  createdAtMillis: NOON,
  ...given
})

const aRequest = (given: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  requestId: freshId(),
  clientId: freshId(),
  clientKind: "registered",
  clientName: "A client",
  redirectUri: "https://client.example/back",
  state: "a state",
  codeChallenge: "challenge",
  scopes: GRANTABLE_SCOPES,
  createdAtMillis: NOON,
  expiresAtMillis: NOON + HOUR,
  ...given
})

const aGrant = (given: Partial<Grant> = {}): Grant => ({
  grantId: freshId(),
  workspaceId: freshId(),
  keyId: freshId(),
  userId: freshId(),
  clientId: freshId(),
  scopes: ["data:read"],
  redirectUri: "https://client.example/back",
  codeChallenge: "challenge",
  codeHash: freshId(),
  codeExpiresAtMillis: NOON + MINUTE,
  redeemedAtMillis: null,
  createdAtMillis: NOON,
  ...given
})

const aToken = ({ grantId, workspaceId }: Grant, given: Partial<IssuedToken> = {}): IssuedToken => ({
  tokenHash: freshId(),
  kind: "refresh",
  workspaceId,
  grantId,
  createdAtMillis: NOON,
  expiresAtMillis: NOON + DAY,
  spentAtMillis: null,
  ...given
})

/** What every store of clients, grants and tokens guarantees. */
export const oauthContract = <E>(
  name: string,
  adapter: Layer.Layer<CreditStore | KeyStore | OAuthStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const inOne = <A, E2, R>(work: (store: OAuthStore["Service"]) => Effect.Effect<A, E2, R>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      return yield* atomically(work(yield* OAuthStore))
    })

  const ask = <A, E2, R>(question: (store: OAuthStore["Service"]) => Effect.Effect<A, E2, R>) =>
    Effect.flatMap(OAuthStore, question)

  const givenGrant = (given: Partial<Grant> = {}, ...tokens: ReadonlyArray<Partial<IssuedToken>>) =>
    inOne((store) => {
      const grant = aGrant(given)
      const issued = tokens.map((one) => aToken(grant, one))
      const inserted = issued.length === 0 ? Effect.void : store.insertTokens(issued)
      return Effect.as(Effect.andThen(store.insertGrant(grant), inserted), { grant, issued })
    })

  const lockByCode = (codeHash: string) => inOne((store) => store.lockGrantByCode(codeHash))

  it.layer(adapter, SUITE)(`clients, grants and tokens (${name})`, (it) => {
    it.effect("a registered client is found as it was; another is not", () =>
      Effect.gen(function* () {
        const client = aClient()
        yield* inOne((store) => store.insertClient(client))
        assert.deepStrictEqual(Option.getOrThrow(yield* ask((store) => store.client(client.clientId))), client)
        assert.isTrue(Option.isNone(yield* ask((store) => store.client(`svc_client_${freshId()}`))))
      })
    )

    it.effect("of clients that were allowed nothing, and of requests, the newest stay", () =>
      Effect.gen(function* () {
        const [at, others] = [NOON + 400 * DAY, 2]
        const used = aClient({ createdAtMillis: NOON - DAY })
        const clients = [0, 1, 2].map((later) => aClient({ createdAtMillis: at + later }))
        const requests = [0, 1, 2].map((later) => aRequest({ expiresAtMillis: at + later }))
        yield* inOne((store) => store.insertClient(used))
        yield* inOne((store) => store.markUsed(used.clientId, NOON))
        for (const client of clients) yield* inOne((store) => store.insertClient(client))
        for (const request of requests) yield* inOne((store) => store.insertRequest(request))
        yield* inOne((store) => Effect.andThen(store.trimClients(others), store.trimRequests(others)))
        for (const { clientId } of [used, ...clients.slice(1)]) {
          assert.isTrue(Option.isSome(yield* ask((store) => store.client(clientId))))
        }
        assert.isTrue(Option.isNone(yield* ask((store) => store.client(clients[0]!.clientId))))
        const left = yield* Effect.forEach(requests, ({ requestId }) => ask((store) => store.request(requestId)))
        assert.deepStrictEqual(left.map(Option.isSome), [false, true, true])
        for (const { requestId } of requests.slice(1)) yield* inOne((store) => store.deleteRequest(requestId))
      })
    )

    it.effect("a request is found as it was until it is decided", () =>
      Effect.gen(function* () {
        for (const clientKind of CLIENT_KINDS) {
          const request = aRequest({ clientKind, state: clientKind === "document" ? null : "s" })
          yield* inOne((store) => store.insertRequest(request))
          assert.deepStrictEqual(Option.getOrThrow(yield* ask((store) => store.request(request.requestId))), request)
          const locked = yield* inOne((store) => store.lockRequest(request.requestId))
          assert.deepStrictEqual(Option.getOrThrow(locked), request)
          yield* inOne((store) => store.deleteRequest(request.requestId))
          assert.isTrue(Option.isNone(yield* ask((store) => store.request(request.requestId))))
        }
      })
    )

    it.effect("of any number who decide a request, one does", () =>
      Effect.gen(function* () {
        const request = aRequest()
        yield* inOne((store) => store.insertRequest(request))
        const deciding = inOne((store) =>
          Effect.gen(function* () {
            if (Option.isNone(yield* store.lockRequest(request.requestId))) return 0
            yield* store.deleteRequest(request.requestId)
            return 1
          })
        )
        const decided = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => deciding),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(decided.filter((one) => one === 1).length, 1)
      })
    )

    it.effect("a grant is found by its code and by its id, in its workspace", () =>
      Effect.gen(function* () {
        const { grant } = yield* givenGrant({ scopes: GRANTABLE_SCOPES })
        const { grantId, workspaceId } = grant
        assert.deepStrictEqual(Option.getOrThrow(yield* lockByCode(grant.codeHash)), grant)
        assert.deepStrictEqual(Option.getOrThrow(yield* inOne((store) => store.lockGrant(workspaceId, grantId))), grant)
        assert.isTrue(Option.isNone(yield* inOne((store) => store.lockGrant(freshId(), grantId))))
        assert.isTrue(Option.isNone(yield* lockByCode(freshId())))
      })
    )

    it.effect("of any number who redeem a code, one does", () =>
      Effect.gen(function* () {
        const { grant } = yield* givenGrant()
        const redeeming = inOne((store) =>
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* store.lockGrantByCode(grant.codeHash))
            if (found.redeemedAtMillis !== null) return 0
            yield* store.redeem(found, NOON + 1)
            return 1
          })
        )
        const redeemed = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => redeeming),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(redeemed.filter((one) => one === 1).length, 1)
        const after = Option.getOrThrow(yield* lockByCode(grant.codeHash))
        assert.strictEqual(after.redeemedAtMillis, NOON + 1)
      })
    )

    it.effect("of any number who use a refresh token, one does, and it is known that it was used", () =>
      Effect.gen(function* () {
        const { issued } = yield* givenGrant({}, {}, { kind: "access" })
        const [refresh, access] = issued
        assert.deepStrictEqual(Option.getOrThrow(yield* ask((store) => store.token(refresh!.tokenHash))), refresh)
        const spending = inOne((store) => store.spend(refresh!.tokenHash, NOON + 1))
        const spent = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => spending),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(spent.filter((one) => one).length, 1)
        const after = Option.getOrThrow(yield* ask((store) => store.token(refresh!.tokenHash)))
        assert.strictEqual(after.spentAtMillis, NOON + 1)
        assert.isFalse(yield* inOne((store) => store.spend(access!.tokenHash, NOON + 1)))
        assert.isFalse(yield* inOne((store) => store.spend(freshId(), NOON + 1)))
      })
    )

    it.effect("an access token stands for its key; a refresh token, and an unknown one, for nothing", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const { key, keyHash } = yield* givenKey(workspaceId)
        const { issued } = yield* givenGrant({ workspaceId, keyId: key.keyId }, { kind: "access" }, { kind: "refresh" })
        const [access, refresh] = issued
        assert.deepStrictEqual(Option.getOrThrow(yield* ask((store) => store.access(access!.tokenHash))), {
          keyHash,
          expiresAtMillis: NOON + DAY
        })
        assert.isTrue(Option.isNone(yield* ask((store) => store.access(refresh!.tokenHash))))
        assert.isTrue(Option.isNone(yield* ask((store) => store.access(freshId()))))
        assert.isUndefined(yield* inOne((store) => store.insertTokens([])))
      })
    )

    it.effect("of several grants of a workspace, each access token stands for the key of its own", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const keys = [yield* givenKey(workspaceId), yield* givenKey(workspaceId)]
        const found: Array<string> = []
        for (const { key } of keys) {
          const { issued } = yield* givenGrant({ workspaceId, keyId: key.keyId }, { kind: "access" })
          found.push(issued[0]!.tokenHash)
        }
        const claims = yield* Effect.forEach(found, (tokenHash) => ask((store) => store.access(tokenHash)))
        assert.deepStrictEqual(
          claims.map((claim) => Option.getOrThrow(claim).keyHash),
          keys.map(({ keyHash }) => keyHash)
        )
      })
    )

    it.effect("a grant has lapsed once its code is over and no token can renew it", () =>
      Effect.gen(function* () {
        const late = NOON + MINUTE
        const lapsed = [
          yield* givenGrant(),
          yield* givenGrant({}, { kind: "access" }),
          yield* givenGrant({}, { spentAtMillis: NOON }),
          yield* givenGrant({}, { expiresAtMillis: late })
        ].map(({ grant }) => grant.grantId)
        const alive = [
          yield* givenGrant({ codeExpiresAtMillis: late + 1 }),
          yield* givenGrant({}, { spentAtMillis: NOON }, {})
        ].map(({ grant }) => grant.grantId)
        const found = (yield* ask((store) => store.lapsed(late, MANY))).map(({ grantId }) => grantId)
        assert.includeMembers(found, lapsed)
        for (const grantId of alive) assert.notInclude(found, grantId)
        assert.lengthOf(yield* ask((store) => store.lapsed(late, 2)), 2)
        // Another grant of the workspace that can be renewed keeps none alive but itself.
        const { grant } = yield* givenGrant({}, { spentAtMillis: NOON })
        const beside = yield* givenGrant({ workspaceId: grant.workspaceId }, {})
        const both = (yield* ask((store) => store.lapsed(late, MANY))).map(({ grantId }) => grantId)
        assert.include(both, grant.grantId)
        assert.notInclude(both, beside.grant.grantId)
      })
    )

    it.effect("a grant goes with its tokens, and no other's", () =>
      Effect.gen(function* () {
        const one = yield* givenGrant({}, {})
        const other = yield* givenGrant({}, {})
        const beside = yield* givenGrant({ workspaceId: one.grant.workspaceId }, {})
        const end = (nowMillis: number, workspaceId = one.grant.workspaceId) =>
          inOne((store) => store.deleteLapsed(workspaceId, one.grant.grantId, nowMillis))
        // Another workspace ends none of it.
        assert.isFalse(yield* end(NOON + DAY, other.grant.workspaceId))
        assert.deepStrictEqual([yield* end(NOON + DAY), yield* end(NOON + DAY)], [true, false])
        assert.isTrue(Option.isNone(yield* lockByCode(one.grant.codeHash)))
        assert.isTrue(Option.isNone(yield* ask((store) => store.token(one.issued[0]!.tokenHash))))
        for (const { grant, issued } of [other, beside]) {
          assert.isTrue(Option.isSome(yield* ask((store) => store.token(issued[0]!.tokenHash))))
          assert.isTrue(Option.isSome(yield* lockByCode(grant.codeHash)))
        }
      })
    )

    it.effect("a grant that was renewed after it was found to have lapsed stays, with its tokens", () =>
      Effect.gen(function* () {
        const { grant, issued } = yield* givenGrant({}, { expiresAtMillis: NOON + HOUR })
        const late = NOON + HOUR
        const found = (yield* ask((store) => store.lapsed(late, MANY))).map(({ grantId }) => grantId)
        assert.include(found, grant.grantId)
        const renewed = aToken(grant, { expiresAtMillis: late + DAY })
        yield* inOne((store) => store.insertTokens([renewed]))
        const isGone = inOne((store) => store.deleteLapsed(grant.workspaceId, grant.grantId, late))
        assert.isFalse(yield* isGone)
        for (const { tokenHash } of [...issued, renewed]) {
          assert.isTrue(Option.isSome(yield* ask((store) => store.token(tokenHash))))
        }
        const young = yield* givenGrant()
        assert.isFalse(
          yield* inOne((store) => store.deleteLapsed(young.grant.workspaceId, young.grant.grantId, NOON + MINUTE - 1))
        )
      })
    )

    it.effect("what is over is forgotten, a bounded number at a time; what is not, stays", () =>
      Effect.gen(function* () {
        const purge = (limit: number) =>
          inOne((store) => store.purge({ nowMillis: NOON, unusedMillis: NOON - 2, usedMillis: NOON - 1 }, limit))
        yield* purge(MANY)
        const clients = {
          unused: aClient({ createdAtMillis: NOON - 2 }),
          fresh: aClient({ createdAtMillis: NOON - 1 }),
          used: aClient({ createdAtMillis: NOON - DAY }),
          usedOnce: aClient({ createdAtMillis: NOON - DAY })
        }
        const [over, open] = [aRequest({ expiresAtMillis: NOON }), aRequest()]
        const { issued } = yield* givenGrant({ clientId: clients.used.clientId }, { expiresAtMillis: NOON }, {})
        yield* inOne((store) =>
          Effect.gen(function* () {
            for (const client of Object.values(clients)) yield* store.insertClient(client)
            for (const { clientId } of [clients.used, clients.usedOnce]) yield* store.markUsed(clientId, NOON - 1)
            yield* store.insertRequest(over)
            yield* store.insertRequest(open)
          })
        )
        assert.strictEqual(yield* purge(1), 3)
        assert.strictEqual(yield* purge(MANY), 1)
        assert.strictEqual(yield* purge(MANY), 0)
        const isThere = ({ clientId }: RegisteredClient) =>
          Effect.map(
            ask((store) => store.client(clientId)),
            Option.isSome
          )
        assert.deepStrictEqual(yield* Effect.all(Object.values(clients).map(isThere)), [false, true, true, false])
        assert.isTrue(Option.isNone(yield* ask((store) => store.request(over.requestId))))
        assert.isTrue(Option.isSome(yield* ask((store) => store.request(open.requestId))))
        assert.isTrue(Option.isNone(yield* ask((store) => store.token(issued[0]!.tokenHash))))
        assert.isTrue(Option.isSome(yield* ask((store) => store.token(issued[1]!.tokenHash))))
      })
    )
  })
}

import { Clock, Effect, Option } from "effect"
import { actorOf, freshOwner, mend, refused as notDone } from "../access.js"
import { KEY_NAME_CHARS_MAX, makeKeyChanges } from "../KeyChanges.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { isUuid, Ids } from "../../kernel/ports/Ids.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import type { SignedIn } from "../users/UserStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { CODE_MILLIS } from "./lifetimes.js"
import type { Decision, OAuth } from "./OAuth.js"
import { type AuthorizationRequest, OAuthStore } from "./OAuthStore.js"
import { answerAt } from "./redirects.js"
import { isGrantable } from "../../verbs/Policy.js"
import { newSecret } from "./secrets.js"

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

  const decide: OAuth["Type"]["decide"] = (by, requestId, decision) =>
    Effect.gen(function* () {
      const asked = yield* open(isUuid(requestId) ? yield* store.lockRequest(requestId) : Option.none())
      const answer: Readonly<Record<string, string>> =
        decision._tag === "Allow" ? yield* allow(by, asked, decision) : { error: "access_denied" }
      yield* store.deleteRequest(requestId)
      return { redirectTo: answerAt(asked.redirectUri, { ...answer, state: asked.state, iss: baseUrl }) }
    }).pipe(atomically)

  const request: OAuth["Type"]["request"] = (requestId) =>
    Effect.flatMap(isUuid(requestId) ? store.request(requestId) : Effect.succeedNone, open)

  return { decide, request }
})

import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ControlRefused } from "../Control.js"
import { type PasskeyOptions, Passkeys } from "../users/Passkeys.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type ChallengePurpose, type Passkey, PasskeyStore } from "../users/PasskeyStore.js"
import { type SignedIn, UserStore } from "../users/UserStore.js"
import { type BegunSession, makeSessions } from "./Console.js"
import { fresh, mend, ownSession, refused } from "../access.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids, isUuid } from "../../kernel/ports/Ids.js"
import { makeAsks } from "../users/asks.js"
import { SignInMail } from "./SignInMail.js"

/** How long a challenge is valid. */
export const CHALLENGE_MINUTES = 5

/** Most passkeys of one user, and longest name of a passkey in characters. */
export const PASSKEYS_MAX = 10
export const PASSKEY_NAME_CHARS_MAX = 60

/** Challenges per `ASK_WINDOW_MINUTES` for a client that is not signed in. */
const CHALLENGES_PER_CLIENT_MAX = 60

type Act<A> = FromStore<A, ControlRefused>

/**
 * Passkeys: users add and remove them, sign in with one, and confirm with one that they are still present. A challenge
 * is valid for one answer, for `CHALLENGE_MINUTES`, and only from the browser that asked: `boundTo` is a secret that
 * only this browser holds.
 */
export class PasskeyAccess extends Context.Service<
  PasskeyAccess,
  {
    /** Oldest first. */
    readonly list: (by: SignedIn) => FromStore<ReadonlyArray<Passkey>>
    /** The user's own, after a fresh sign-in. `printed_link`: not from a session that a printed link began. */
    readonly beginAdding: (by: SignedIn, boundTo: string) => Act<PasskeyOptions>
    /** `invalid`: no open challenge matches, or the answer's proof is wrong. */
    readonly add: (by: SignedIn, boundTo: string, answer: string, name: string) => Act<Passkey>
    /** The passkey stops signing in. Sessions it began continue. `printed_link`, as for `beginAdding`. */
    readonly remove: (by: SignedIn, passkeyId: string) => Act<void>
    /** None: this client asks too often. */
    readonly beginSignIn: (boundTo: string, client: string) => FromStore<Option.Option<PasskeyOptions>>
    /** Begins a session in the user's first workspace. None: the proof is wrong, for any reason. */
    readonly signIn: (boundTo: string, answer: string) => FromStore<Option.Option<BegunSession>>
    readonly beginConfirming: (by: SignedIn, boundTo: string) => FromStore<PasskeyOptions>
    /** Replaces this session with a fresh one in the same workspace. */
    readonly confirm: (by: SignedIn, boundTo: string, answer: string) => FromStore<Option.Option<BegunSession>>
  }
>()("@outbound/domain/control/console/PasskeyAccess") {}

const CHALLENGE_MILLIS = CHALLENGE_MINUTES * 60_000

const notAccepted = mend([{ path: "passkey", message: "was not accepted; try again" }])

const tooMany = mend([{ path: "passkey", message: `can't be added: you already have ${PASSKEYS_MAX}` }])

export const layer = Layer.effect(
  PasskeyAccess,
  Effect.gen(function* () {
    const store = yield* PasskeyStore
    const users = yield* UserStore
    const passkeys = yield* Passkeys
    const mail = yield* SignInMail
    const crypto = yield* Crypto
    const ids = yield* Ids
    const sessions = yield* makeSessions
    const mayAsk = yield* makeAsks
    const { atomically } = yield* UnitOfWork

    const challengeFor = (purpose: ChallengePurpose, boundTo: string) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const challenge = crypto.randomToken()
        yield* store.insertChallenge(
          {
            challengeHash: crypto.sha256Hex(challenge),
            purpose,
            boundTo: crypto.sha256Hex(boundTo),
            expiresAtMillis: nowMillis + CHALLENGE_MILLIS
          },
          nowMillis
        )
        return challenge
      }).pipe(atomically)

    /** Consumes the challenge that the answer refers to, even if the answer is wrong. */
    const taken = (purpose: ChallengePurpose, boundTo: string, answer: string) =>
      Effect.gen(function* () {
        const read = passkeys.read(answer)
        if (read === null) return null
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* atomically(store.takeChallenge(crypto.sha256Hex(read.challenge), nowMillis))
        const isOurs = Option.exists(
          found,
          (challenge) => challenge.purpose === purpose && challenge.boundTo === crypto.sha256Hex(boundTo)
        )
        return isOurs ? read : null
      })

    /** Begins a session for the holder of a passkey that `mayBe` allows. */
    const proven = (
      purpose: "sign_in" | "confirm",
      boundTo: string,
      answer: string,
      given: { readonly mayBe: (passkey: Passkey) => boolean; readonly by: SignedIn | null }
    ) =>
      Effect.gen(function* () {
        const read = yield* taken(purpose, boundTo, answer)
        if (read === null) return Option.none<BegunSession>()
        const nowMillis = yield* Clock.currentTimeMillis
        const began = yield* Effect.gen(function* () {
          const found = yield* store.lockByCredential(read.credentialId)
          if (Option.isNone(found) || !given.mayBe(found.value)) return Option.none<string>()
          const passkey = found.value
          // If the authenticator names a user, the passkey must be that user's.
          const isTheirs = read.userHandle === null || read.userHandle === passkeys.userHandle(passkey.userId)
          if (!isTheirs || (given.by === null && read.userHandle === null)) return Option.none<string>()
          const verified = yield* passkeys.authenticated(answer, read.challenge, passkey)
          if (Option.isNone(verified)) return Option.none<string>()
          yield* store.used(passkey, verified.value.counter, nowMillis)
          const workspaceId = given.by?.session.workspaceId ?? null
          const secret = yield* sessions.begin({ userId: passkey.userId, beganBy: "passkey", workspaceId }, nowMillis)
          if (given.by !== null) yield* users.endSession(given.by.session.sessionHash)
          return secret
        }).pipe(atomically)
        if (Option.isNone(began)) return Option.none<BegunSession>()
        const secret = began.value
        return Option.map(yield* sessions.find(secret, nowMillis), (signedIn) => ({ secret, signedIn }))
      })

    const add = (by: SignedIn, boundTo: string, answer: string, givenName: string) =>
      Effect.gen(function* () {
        yield* ownSession(by)
        yield* fresh(by)
        const name = givenName.trim() === "" ? "Passkey" : givenName.trim()
        if (name.length > PASSKEY_NAME_CHARS_MAX) {
          yield* mend([{ path: "name", message: `must have at most ${PASSKEY_NAME_CHARS_MAX} characters` }])
        }
        const read = yield* taken("register", boundTo, answer)
        const made = read === null ? Option.none() : yield* passkeys.registered(answer, read.challenge)
        if (Option.isNone(made)) return yield* Effect.andThen(notAccepted, Effect.die(new Error("an issue is refused")))
        const nowMillis = yield* Clock.currentTimeMillis
        const passkey: Passkey = {
          ...made.value,
          passkeyId: ids.next(nowMillis),
          userId: by.user.userId,
          name,
          createdAtMillis: nowMillis,
          lastUsedAtMillis: null
        }
        const isNew = yield* Effect.gen(function* () {
          if ((yield* store.list(by.user.userId)).length >= PASSKEYS_MAX) yield* tooMany
          return yield* store.insert(passkey)
        }).pipe(atomically)
        if (!isNew) yield* notAccepted
        yield* mail.passkeyAdded(by, name)
        return passkey
      })

    return PasskeyAccess.of({
      list: (by) => store.list(by.user.userId),
      beginAdding: (by, boundTo) =>
        Effect.gen(function* () {
          yield* ownSession(by)
          yield* fresh(by)
          const known = yield* store.list(by.user.userId)
          if (known.length >= PASSKEYS_MAX) yield* tooMany
          const challenge = yield* challengeFor("register", boundTo)
          const { email, userId } = by.user
          return yield* passkeys.registration({ userId, email, challenge, known, timeoutMillis: CHALLENGE_MILLIS })
        }),
      add,
      remove: (by, passkeyId) =>
        Effect.gen(function* () {
          yield* ownSession(by)
          const gone = isUuid(passkeyId) && (yield* atomically(store.remove(by.user.userId, passkeyId)))
          if (!gone) yield* refused("not_found")
        }),
      beginSignIn: (boundTo, client) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const subject = { kind: "passkey", name: client, max: CHALLENGES_PER_CLIENT_MAX } as const
          if (!(yield* atomically(mayAsk([subject], nowMillis)))) return Option.none()
          const challenge = yield* challengeFor("sign_in", boundTo)
          const options = { challenge, allowed: [], timeoutMillis: CHALLENGE_MILLIS }
          return Option.some(yield* passkeys.authentication(options))
        }),
      signIn: (boundTo, answer) => proven("sign_in", boundTo, answer, { mayBe: () => true, by: null }),
      beginConfirming: (by, boundTo) =>
        Effect.gen(function* () {
          const allowed = yield* store.list(by.user.userId)
          const challenge = yield* challengeFor("confirm", boundTo)
          return yield* passkeys.authentication({ challenge, allowed, timeoutMillis: CHALLENGE_MILLIS })
        }),
      confirm: (by, boundTo, answer) =>
        proven("confirm", boundTo, answer, { mayBe: ({ userId }) => userId === by.user.userId, by })
    })
  })
)

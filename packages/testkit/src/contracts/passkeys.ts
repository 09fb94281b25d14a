import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type Challenge, type Passkey, PasskeyStore } from "@outbound/domain/control/users/PasskeyStore.js"
import { SignInAskStore } from "@outbound/domain/control/users/SignInAskStore.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, hashOf, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"

const TAKERS = 20

/** What every store of passkeys, and of asks to sign in, guarantees. */
export const passkeysContract = <E>(
  name: string,
  adapter: Layer.Layer<PasskeyStore | SignInAskStore | UnitOfWork | UserStore | WorkspaceStore, E>
): void => {
  const givenUser = Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const users = yield* UserStore
    const { workspaceId } = yield* givenWorkspace()
    const member = { userId: freshId(), email: `${freshId()}@owner.test`, role: "owner" as const, atMillis: NOON }
    return yield* atomically(users.ensureMember({ ...member, workspaceId }))
  })

  const passkeyOf = (userId: string, given: Partial<Passkey> = {}): Passkey => ({
    passkeyId: freshId(),
    userId,
    credentialId: hashOf(freshId()),
    publicKey: "pQECAyYgASFYIA",
    counter: 0,
    transports: ["internal", "hybrid"],
    name: "A phone, <b>mine</b>",
    createdAtMillis: NOON,
    lastUsedAtMillis: null,
    ...given
  })

  const insert = (passkey: Passkey) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* PasskeyStore
      return yield* atomically(store.insert(passkey))
    })

  const givenChallenge = Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* PasskeyStore
    const challenge: Challenge = {
      challengeHash: hashOf(freshId()),
      purpose: "sign_in",
      boundTo: hashOf("a visit"),
      expiresAtMillis: NOON + 5 * MINUTE
    }
    yield* atomically(store.insertChallenge(challenge, NOON))
    return challenge
  })

  it.layer(adapter, SUITE)(`passkeys (${name})`, (it) => {
    it.effect("a passkey is kept as it was made, and found by its credential and among its user's, oldest first", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const { userId } = yield* givenUser
        const later = passkeyOf(userId, { createdAtMillis: NOON + 1, counter: 4_294_967_295, lastUsedAtMillis: NOON })
        const first = passkeyOf(userId)
        assert.isTrue(yield* insert(later))
        assert.isTrue(yield* insert(first))
        assert.deepStrictEqual(yield* store.list(userId), [first, later])
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lockByCredential(later.credentialId))), later)
        assert.isTrue(Option.isNone(yield* atomically(store.lockByCredential(hashOf(freshId())))))
      })
    )

    it.effect("a credential is one user's", () =>
      Effect.gen(function* () {
        const store = yield* PasskeyStore
        const [first, second] = [yield* givenUser, yield* givenUser]
        const passkey = passkeyOf(first.userId)
        assert.isTrue(yield* insert(passkey))
        assert.isFalse(yield* insert(passkeyOf(second.userId, { credentialId: passkey.credentialId })))
        assert.deepStrictEqual(yield* store.list(second.userId), [])
        assert.deepStrictEqual(yield* store.list(first.userId), [passkey])
      })
    )

    it.effect("its use is counted", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const passkey = passkeyOf((yield* givenUser).userId)
        yield* insert(passkey)
        yield* atomically(store.used(passkey, 7, NOON + MINUTE))
        assert.deepStrictEqual(yield* store.list(passkey.userId), [
          { ...passkey, counter: 7, lastUsedAtMillis: NOON + MINUTE }
        ])
      })
    )

    it.effect("only its user removes it, once, and it is gone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const passkey = passkeyOf((yield* givenUser).userId)
        yield* insert(passkey)
        const remove = (userId: string) => atomically(store.remove(userId, passkey.passkeyId))
        assert.isFalse(yield* remove((yield* givenUser).userId))
        assert.isTrue(yield* remove(passkey.userId))
        assert.isFalse(yield* remove(passkey.userId))
        assert.isTrue(Option.isNone(yield* atomically(store.lockByCredential(passkey.credentialId))))
      })
    )

    it.effect("a challenge is taken once, however many take it at the same time", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const challenge = yield* givenChallenge
        const take = Effect.suspend(() => atomically(store.takeChallenge(challenge.challengeHash, NOON + MINUTE)))
        const taken = yield* Effect.replicateEffect(take, TAKERS, { concurrency: "unbounded" })
        assert.deepStrictEqual(taken.filter(Option.isSome), [Option.some(challenge)] as typeof taken)
      })
    )

    it.effect("a challenge is good until the millisecond at which it expires", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const [late, early] = [yield* givenChallenge, yield* givenChallenge]
        const take = ({ challengeHash }: Challenge, atMillis: number) =>
          atomically(store.takeChallenge(challengeHash, atMillis))
        assert.isTrue(Option.isNone(yield* take(late, late.expiresAtMillis)))
        assert.isTrue(Option.isSome(yield* take(early, early.expiresAtMillis - 1)))
      })
    )

    it.effect("a new challenge clears away those that are over, and no other", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const given = (expiresAtMillis: number, nowMillis: number) =>
          Effect.gen(function* () {
            const challengeHash = hashOf(freshId())
            const challenge = { challengeHash, purpose: "confirm" as const, boundTo: hashOf("it"), expiresAtMillis }
            yield* atomically(store.insertChallenge(challenge, nowMillis))
            return challenge
          })
        // Long before those of other tests, which would be cleared away as well.
        const then = NOON - 900 * DAY
        const over = yield* given(then, then - MINUTE)
        const open = yield* given(then + 1, then - MINUTE)
        yield* given(then + MINUTE, then)
        const take = ({ challengeHash }: Challenge) => atomically(store.takeChallenge(challengeHash, then - MINUTE))
        assert.isTrue(Option.isNone(yield* take(over)))
        assert.deepStrictEqual(Option.getOrNull(yield* take(open)), open)
      })
    )

    it.effect("what is used or removed is one passkey: their user's other ones stay as they were", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PasskeyStore
        const { userId } = yield* givenUser
        const [phone, key] = [passkeyOf(userId), passkeyOf(userId, { createdAtMillis: NOON + 1 })]
        for (const passkey of [phone, key]) yield* insert(passkey)
        yield* atomically(store.used(phone, 3, NOON + MINUTE))
        assert.deepStrictEqual(yield* store.list(userId), [
          { ...phone, counter: 3, lastUsedAtMillis: NOON + MINUTE },
          key
        ])
        assert.isTrue(yield* atomically(store.remove(userId, phone.passkeyId)))
        assert.deepStrictEqual(yield* store.list(userId), [key])
      })
    )

    it.effect("asks are counted, however many come at once, in windows that begin with the first", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SignInAskStore
        const [subject, other] = [hashOf(freshId()), hashOf(freshId())]
        const count = (of: string, atMillis: number) =>
          Effect.suspend(() => atomically(store.count(of, atMillis, 15 * MINUTE)))
        const counts = yield* Effect.replicateEffect(count(subject, NOON), TAKERS, { concurrency: "unbounded" })
        assert.sameMembers(
          counts,
          Array.from({ length: TAKERS }, (_, index) => index + 1)
        )
        assert.strictEqual(yield* count(other, NOON), 1)
        assert.strictEqual(yield* count(subject, NOON + 15 * MINUTE - 1), TAKERS + 1)
        assert.strictEqual(yield* count(subject, NOON + 15 * MINUTE), 1)
        assert.strictEqual(yield* count(subject, NOON + 16 * MINUTE), 2)
      })
    )

    it.effect("a count lasts as long as its own window, whatever shorter ones are begun and over meanwhile", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SignInAskStore
        const day = hashOf(freshId())
        const count = (of: string, atMillis: number, windowMillis: number) =>
          atomically(store.count(of, atMillis, windowMillis))
        assert.strictEqual(yield* count(day, NOON, DAY), 1)
        for (let hour = 1; hour < 24; hour += 1) yield* count(hashOf(freshId()), NOON + hour * HOUR, MINUTE)
        assert.strictEqual(yield* count(day, NOON + DAY - 1, DAY), 2)
        assert.strictEqual(yield* count(day, NOON + DAY, DAY), 1)
      })
    )
  })
}

import { PasskeyStore } from "@outbound/domain/control/users/PasskeyStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending } from "./Table.js"

export const layer = memoryStore(PasskeyStore, "PasskeyStore", ({ read, write }) => ({
  insertChallenge: (challenge, nowMillis) =>
    write(({ challenges }) => {
      for (const old of challenges.filter(({ expiresAtMillis }) => expiresAtMillis <= nowMillis)) {
        challenges.delete(old.challengeHash)
      }
      challenges.insert(challenge.challengeHash, challenge)
    }),
  takeChallenge: (challengeHash, nowMillis) =>
    write(({ challenges }) => {
      const challenge = challenges.get(challengeHash)
      if (challenge === undefined || challenge.expiresAtMillis <= nowMillis) return Option.none()
      challenges.delete(challengeHash)
      return Option.some(challenge)
    }),
  insert: (passkey) =>
    write(({ passkeys }) => {
      if (passkeys.has(passkey.credentialId)) return false
      passkeys.insert(passkey.credentialId, passkey)
      return true
    }),
  list: (userId) =>
    read(({ passkeys }) =>
      passkeys
        .filter((passkey) => passkey.userId === userId)
        .sort(
          ascending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ passkeyId }) => passkeyId
          )
        )
    ),
  lockByCredential: (credentialId) => read(({ passkeys }) => passkeys.find(credentialId)),
  used: ({ credentialId }, counter, nowMillis) =>
    write(({ passkeys }) =>
      passkeys.update(credentialId, (passkey) => ({ ...passkey, counter, lastUsedAtMillis: nowMillis }))
    ),
  remove: (userId, passkeyId) =>
    write(({ passkeys }) => {
      const found = passkeys.filter((passkey) => passkey.userId === userId && passkey.passkeyId === passkeyId)[0]
      if (found === undefined) return false
      passkeys.delete(found.credentialId)
      return true
    })
}))

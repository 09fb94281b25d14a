import { type SignUpSubject, SignUpStore } from "@outbound/domain/control/signUp/SignUpStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import type { Tables } from "./Tables.js"

const facts = ({ signUpGrants }: Tables, { networkHash, personHash, sinceMillis }: SignUpSubject) => {
  const today = signUpGrants.filter(({ grantedAtMillis }) => grantedAtMillis >= sinceMillis)
  const ofNetwork = today.filter((grant) => networkHash !== null && grant.networkHash === networkHash)
  return { personHasOne: signUpGrants.has(personHash), today: today.length, ofNetworkToday: ofNetwork.length }
}

export const layer = memoryStore(SignUpStore, "SignUpStore", ({ read, write }) => ({
  insert: (link) =>
    write(({ signUps }) => {
      for (const old of signUps.filter(({ expiresAtMillis }) => expiresAtMillis <= link.createdAtMillis)) {
        signUps.delete(old.linkHash)
      }
      signUps.insert(link.linkHash, link)
    }),
  find: (linkHash, nowMillis) =>
    read(({ signUps }) =>
      Option.filter(Option.fromNullishOr(signUps.get(linkHash)), ({ expiresAtMillis }) => expiresAtMillis > nowMillis)
    ),
  spend: (linkHash, nowMillis) =>
    write(({ signUps }) => {
      const link = signUps.get(linkHash)
      if (link === undefined || link.expiresAtMillis <= nowMillis) return false
      signUps.delete(linkHash)
      return true
    }),
  facts: (of) => read((tables) => facts(tables, of)),
  lockFacts: (of) => read((tables) => facts(tables, of)),
  grant: (grant) => write(({ signUpGrants }) => signUpGrants.insert(grant.personHash, grant))
}))

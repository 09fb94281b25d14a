import type { SeenSignature } from "@outbound/domain/outreach/mail/MailProbe.js"
import { LookStore, type MailDomain } from "@outbound/domain/outreach/authentication/LookStore.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const keyOfDomain = ({ domain, workspaceId }: MailDomain): string => keyOf(workspaceId, domain)

/** Each domain of mailboxes that are not gone, once. */
const mailDomains = ({ mailboxes }: Tables): ReadonlyArray<MailDomain> => {
  const found = new Map<string, MailDomain>()
  for (const { domain, workspaceId } of mailboxes.filter(({ state }) => !MailboxMachine.is.gone(state))) {
    found.set(keyOf(workspaceId, domain), { workspaceId, domain })
  }
  return [...found.values()]
}

export const layer = memoryStore(LookStore, "LookStore", ({ read, write }) => ({
  looks: (workspaceId, domains) =>
    read(({ domainLooks }) =>
      domainLooks.filter((look) => look.workspaceId === workspaceId && domains.includes(look.domain))
    ),
  lock: (of) => write(({ domainLooks }) => domainLooks.find(keyOfDomain(of))),
  put: (look) => write(({ domainLooks }) => domainLooks.set(keyOfDomain(look), look)),
  domains: (workspaceId) =>
    read((tables) =>
      mailDomains(tables)
        .filter((one) => one.workspaceId === workspaceId)
        .map(({ domain }) => domain)
        .sort()
    ),
  paused: ({ domain, workspaceId }) =>
    read(({ mailboxes }) =>
      mailboxes
        .filter(
          (one) =>
            one.workspaceId === workspaceId &&
            one.domain === domain &&
            MailboxMachine.is.paused(one.state) &&
            one.pauseReason === "authentication"
        )
        .map(({ mailboxId }) => mailboxId)
        .sort()
    ),
  due: (beforeMillis, limit) =>
    read((tables) =>
      mailDomains(tables)
        .filter(({ workspaceId }) => tables.workspaces.get(workspaceId)?.kind === "live")
        .map((of) => ({ of, dueMillis: tables.domainLooks.get(keyOfDomain(of))?.nextLookAtMillis ?? -Infinity }))
        .filter(({ dueMillis }) => dueMillis < beforeMillis)
        .sort(ascending(({ of }) => keyOfDomain(of)))
        .sort((a, b) => (a.dueMillis === b.dueMillis ? 0 : a.dueMillis < b.dueMillis ? -1 : 1))
        .slice(0, limit)
        .map(({ of }) => of)
    ),
  sawSignatures: (of, seen, nowMillis) =>
    write(({ seenSignatures }) =>
      seenSignatures.set(
        keyOfDomain(of),
        seen.map((one) => ({ ...one, seenAtMillis: nowMillis }))
      )
    ),
  signatures: (of, sinceMillis) =>
    read(({ seenSignatures }) => {
      const seen = (seenSignatures.get(keyOfDomain(of)) ?? []).filter(({ seenAtMillis }) => seenAtMillis >= sinceMillis)
      const unique = new Map(seen.map(({ selector, signer }) => [keyOf(signer, selector), { signer, selector }]))
      return [...unique].sort(ascending(([key]) => key)).map(([, one]): SeenSignature => one)
    })
}))

import { Clock, Effect, Option } from "effect"
import { MINUTE_MILLIS } from "../../kernel/durations.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type WorkspaceKind, WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { SendingDomainStore } from "../domains/SendingDomainStore.js"
import { DomainRecords } from "../mail/DomainRecords.js"
import { askNames } from "./askNames.js"
import { type DomainLook, failingOf, type Listed, lookAfter } from "./Look.js"
import { LookStore, type MailDomain, SEEN_MILLIS } from "./LookStore.js"
import { sandboxLook } from "./sandboxLook.js"

/** How old a look may be before a launch; one that found a failure is repeated sooner, so that a mend counts at once. */
export const LAUNCH_LOOK_MILLIS = 60 * MINUTE_MILLIS
export const LAUNCH_FAILING_MILLIS = 30_000

/** How many domains a launch asks about at most, how many at once, and how long it waits for all of them. */
export const LAUNCH_DOMAINS_MAX = 40
const AT_ONCE = 4
const LAUNCH_WAIT_MILLIS = 8_000

const isOld = (look: DomainLook | undefined, nowMillis: number): boolean => {
  if (look === undefined) return true
  const age = nowMillis - look.lookedAtMillis
  // A clock that was set back makes a look old, too.
  return age < 0 || age > (failingOf(look, nowMillis).length > 0 ? LAUNCH_FAILING_MILLIS : LAUNCH_LOOK_MILLIS)
}

/** Looks at sending domains: asks name servers outside of any transaction, and reads what was found. */
export const makeLooks = Effect.gen(function* () {
  const store = yield* LookStore
  const owned = yield* SendingDomainStore
  const workspaces = yield* WorkspaceStore
  const { atomically } = yield* UnitOfWork
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))

  /** Selectors that the owner named when the domain was added. */
  const wished = ({ domain, workspaceId }: MailDomain) =>
    Effect.map(owned.list(workspaceId), (all) =>
      all.filter((one) => one.domain === domain).flatMap(({ wishes }) => wishes.dkim.map(({ selector }) => selector))
    )

  const ask = (of: MailDomain, listed: ReadonlyArray<Listed> | null) =>
    Effect.gen(function* () {
      if (records === null) return null
      const askedMillis = yield* Clock.currentTimeMillis
      const seen = yield* store.signatures(of, askedMillis - SEEN_MILLIS)
      const findings = yield* askNames(records, of.domain, { selectors: yield* wished(of), seen }, askedMillis)
      return { ...of, findings, listed }
    })

  const read = (kind: WorkspaceKind, workspaceId: string, domains: ReadonlyArray<string>, nowMillis: number) =>
    kind === "sandbox"
      ? Effect.succeed(domains.map((domain) => sandboxLook(workspaceId, domain, nowMillis)))
      : store.looks(workspaceId, domains)

  return {
    /** Null: this host asks no name servers. */
    canAsk: records !== null,
    ask,
    /** The newest looks of these domains; of a sandbox, what their names say. */
    read,
    /**
     * Asks about those of the domains whose look is too old for a launch, the oldest first, and stores what was answered
     * in time. Changes nothing else; never in a transaction.
     */
    refresh: (workspaceId: string, domains: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const workspace = Option.getOrNull(yield* workspaces.get(workspaceId))
        if (workspace?.kind !== "live" || records === null) return
        const nowMillis = yield* Clock.currentTimeMillis
        const known = new Map((yield* store.looks(workspaceId, domains)).map((look) => [look.domain, look]))
        const old = [...new Set(domains)]
          .filter((domain) => isOld(known.get(domain), nowMillis))
          .sort((a, b) => (known.get(a)?.lookedAtMillis ?? 0) - (known.get(b)?.lookedAtMillis ?? 0))
          .slice(0, LAUNCH_DOMAINS_MAX)
        const one = (domain: string) =>
          Effect.gen(function* () {
            const of = { workspaceId, domain }
            const asked = yield* ask(of, null)
            if (asked === null) return
            yield* Effect.gen(function* () {
              const atMillis = yield* Clock.currentTimeMillis
              const before = Option.getOrNull(yield* store.lock(of))
              const after = lookAfter(before, asked, atMillis)
              // The daily look comes when it would have come.
              const nextLookAtMillis = before?.nextLookAtMillis ?? atMillis
              yield* store.put({ ...after, nextLookAtMillis: Math.min(nextLookAtMillis, after.nextLookAtMillis) })
            }).pipe(atomically)
          })
        yield* Effect.forEach(old, one, { concurrency: AT_ONCE, discard: true }).pipe(
          Effect.timeoutOption(LAUNCH_WAIT_MILLIS)
        )
      })
  }
})

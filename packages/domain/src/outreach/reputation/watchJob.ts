import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option } from "effect"
import { type Advance, DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { planLive } from "../domains/liveRecords.js"
import { SendingDomainMachine } from "../domains/SendingDomainMachine.js"
import { type SendingDomain, SendingDomainStore } from "../domains/SendingDomainStore.js"
import { DomainRecords } from "../mail/DomainRecords.js"
import { OwnMailboxStore } from "../sending/OwnMailboxes.js"
import { ADDRESSES_MAX, askList, type Blocklist, Blocklists } from "./blocklists.js"
import { afterLook, dayOf, type Look, LOOK_MILLIS } from "./DomainWatch.js"
import { makeJudging, makePauseDomain } from "./domainReports.js"
import { ReputationStore } from "./ReputationStore.js"

/** Where this host can't reach DNS at all. */
const NOBODY_MILLIS = 10 * 60_000

/** How long counts and reports are kept. */
export const KEPT_MILLIS = 90 * DAY_MILLIS

/**
 * Looks at a sending domain again and again: whether its records still stand, and whether it or its own servers are on a
 * blocklist. It asks one name after the other.
 */
export const makeWatchHandler = Effect.gen(function* () {
  const store = yield* ReputationStore
  const domains = yield* SendingDomainStore
  const owns = yield* OwnMailboxStore
  const judge = yield* makeJudging
  const pauseDomain = yield* makePauseDomain
  const { atomically } = yield* UnitOfWork
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))
  const lists = Option.getOrElse(yield* Effect.serviceOption(Blocklists), (): ReadonlyArray<Blocklist> => [])

  /** Names of records that were green; null: not known now. */
  const missingOf = (dns: DomainRecords["Service"], { state, wishes }: SendingDomain) =>
    SendingDomainMachine.is.good(state)
      ? Effect.map(planLive(dns, wishes), (plan) =>
          plan.some(({ action }) => action === "unknown")
            ? null
            : plan
                .filter(({ action }) => action !== "leave")
                .map(({ kind, name }) => `${kind.toUpperCase()} at ${name}`)
        )
      : // Nothing was green that could be gone.
        Effect.succeed([])

  /** Addresses of the domain's own servers for outgoing mail. Those of a provider are not ours to watch. */
  const addressesOf = (dns: DomainRecords["Service"], { domain, workspaceId }: SendingDomain) =>
    Effect.gen(function* () {
      const hosts = (yield* owns.list(workspaceId))
        .filter(({ mailbox }) => mailbox.domain === domain)
        .map(({ own }) => own.smtp.host.toLowerCase())
        .filter((host) => host === domain || host.endsWith(`.${domain}`))
      const found = yield* Effect.forEach([...new Set(hosts)].slice(0, ADDRESSES_MAX), (host) =>
        Effect.option(dns.a(host))
      )
      const addresses = found.flatMap(Option.getOrElse((): ReadonlyArray<string> => []))
      return {
        isWhole: found.every(Option.isSome),
        addresses: [...new Set(addresses)].sort().slice(0, ADDRESSES_MAX)
      }
    })

  const lookAt = (dns: DomainRecords["Service"], domain: SendingDomain) =>
    Effect.gen(function* () {
      const missing = yield* missingOf(dns, domain)
      const known = (yield* store.watch(domain.workspaceId, domain.domainId))?.lists ?? []
      const { addresses, isWhole } = lists.some(({ of }) => of === "address")
        ? yield* addressesOf(dns, domain)
        : { addresses: [], isWhole: true }
      const answers = yield* Effect.forEach(lists, (list) => {
        const before = known.filter(({ zone }) => zone === list.zone).map(({ subject }) => subject)
        // An address that we can't look up now is still ours.
        const ours = isWhole ? addresses : [...new Set([...addresses, ...before])]
        return Effect.forEach(list.of === "domain" ? [domain.domain] : ours, (subject) =>
          Effect.map(askList(dns, list, subject), (answer) => ({ list, subject, answer }))
        )
      })
      return { missing, answers: answers.flat() } satisfies Look
    })

  const keep = (domain: SendingDomain, look: Look) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const { domainId, workspaceId } = domain
      const before = yield* store.lockWatch(workspaceId, domainId, nowMillis)
      if (before === null) return DONE as Advance
      const { newlyListed, watch } = afterLook(before, look, nowMillis)
      const judged = yield* judge(watch, domain.domain, nowMillis)
      yield* store.updateWatch(judged)
      yield* store.forget(domain, dayOf(nowMillis - KEPT_MILLIS), nowMillis - KEPT_MILLIS)
      const [listed] = newlyListed
      if (listed !== undefined && (yield* store.rule(workspaceId)).pausesForBlocklists) {
        const says = [`${listed.subject} on ${listed.zone}`, listed.says].filter((text) => text !== "").join(": ")
        yield* pauseDomain(workspaceId, domain.domain, () => ({ reason: "blocklist", detail: { says } }), nowMillis)
      }
      return waitFor(judged.nextLookAtMillis - nowMillis)
    }).pipe(atomically)

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const [workspaceId = "", domainId = ""] = key.split("/")
      const domain = Option.getOrNull(yield* domains.get(workspaceId, domainId))
      if (domain === null) return DONE as Advance
      if (records === null) return waitFor(NOBODY_MILLIS)
      const nowMillis = yield* Clock.currentTimeMillis
      const leftMillis = ((yield* store.watch(workspaceId, domainId))?.nextLookAtMillis ?? 0) - nowMillis
      // A clock that was set back makes nobody wait longer than once.
      if (leftMillis > 0) return waitFor(Math.min(leftMillis, LOOK_MILLIS))
      return yield* keep(domain, yield* lookAt(records, domain))
    })
  return handler
})

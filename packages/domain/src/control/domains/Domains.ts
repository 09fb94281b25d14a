import { Clock, Context, Effect, Layer, Result } from "effect"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import {
  DnsZones,
  type Zone,
  type ZoneAccess,
  type ZoneFailure,
  type ZoneVendor
} from "../../outreach/domains/DnsZones.js"
import { changesOf, type Planned, planRecords } from "../../outreach/domains/planRecords.js"
import {
  SENDING_DOMAINS_MAX,
  type SendingDomain,
  sendingDomainJob,
  SendingDomainStore
} from "../../outreach/domains/SendingDomainStore.js"
import { type GivenDomain, wishesOf } from "../../outreach/domains/wishesOf.js"
import {
  bySource,
  type Counts,
  type DomainWatch,
  type ReputationRule,
  ruleIssues,
  SHOWN_DAYS,
  sinceDay
} from "../../outreach/reputation/DomainWatch.js"
import { ControlRefused } from "../Control.js"
import type { Actor } from "../ControlLog.js"
import type { SignedIn } from "../users/UserStore.js"
import { step } from "../../kernel/machine.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { planLive, withinLookups } from "../../outreach/domains/liveRecords.js"
import { SendingDomainMachine } from "../../outreach/domains/SendingDomainMachine.js"
import { namesOf } from "../../outreach/domains/Wishes.js"
import { sealZoneSecret, ZONE_SECRETS, zoneAccess } from "../../outreach/domains/domainJob.js"
import { ReputationStore, watchJob } from "../../outreach/reputation/ReputationStore.js"
import { DomainRecords } from "../../outreach/mail/DomainRecords.js"
import { difference, freshOwner, makeLog, makeLogBy, mend, orNotFound, owner, refused } from "../access.js"

type Act<A> = FromStore<A, ControlRefused>

/** A domain, and its records beside what the name servers say now. */
export interface DomainView {
  readonly domain: SendingDomain
  readonly plan: ReadonlyArray<Planned>
  readonly reputation: DomainReputation
}

/** What receivers and blocklists say of a domain. */
export interface DomainReputation {
  /** Null: we have not looked yet. */
  readonly watch: DomainWatch | null
  /** By address, of the last 30 days. */
  readonly sources: ReadonlyArray<Counts>
  /** How many of these messages proven reports counted. */
  readonly provenMessages: number
  readonly rule: ReputationRule
}

/** What the DNS host would be asked to do, read from it just now. */
export interface ZonePlan {
  readonly domain: SendingDomain
  readonly zone: Zone
  readonly plan: ReadonlyArray<Planned>
  /** Of zone and changes; an approval names it. */
  readonly digest: string
}

/** What came of an approval. */
export type Approved =
  | { readonly _tag: "Approved"; readonly domain: SendingDomain }
  /** The zone has changed since the owner saw it. Nothing was done. */
  | { readonly _tag: "Changed"; readonly now: ZonePlan }

/**
 * Sending domains of live workspaces and their DNS records. Who calls for the operator or a member has checked that they
 * may; what touches a DNS host needs a signed-in owner here.
 */
export class Domains extends Context.Service<
  Domains,
  {
    readonly add: (workspaceId: string, given: GivenDomain, actor: Actor) => Act<SendingDomain>
    /** By name. */
    readonly list: (workspaceId: string) => Act<ReadonlyArray<SendingDomain>>
    /** Asks the name servers. */
    readonly view: (workspaceId: string, domainId: string) => Act<DomainView>
    /** Looks until the records are seen, or too long. */
    readonly check: (workspaceId: string, domainId: string, actor: Actor) => Act<SendingDomain>
    /** We look after it no longer. Its records stay. */
    readonly remove: (workspaceId: string, domainId: string, actor: Actor) => Act<void>
    readonly rule: (workspaceId: string) => Act<ReputationRule>
    /** Owners, after a fresh sign-in: a weaker rule lets more mail go. */
    readonly setRule: (by: SignedIn, rule: ReputationRule) => Act<void>
    /** Owners, after a fresh sign-in. The credential must see the domain's zone. */
    readonly setAccess: (by: SignedIn, domainId: string, vendor: ZoneVendor, secret: string) => Act<void>
    /** Owners. */
    readonly removeAccess: (by: SignedIn, domainId: string) => Act<void>
    /** Owners. Reads the zone. */
    readonly plan: (by: SignedIn, domainId: string) => Act<ZonePlan>
    /** Owners, after a fresh sign-in. Reads the zone again: only what has this digest is done. */
    readonly approve: (by: SignedIn, domainId: string, digest: string) => Act<Approved>
  }
>()("@outbound/domain/control/domains/Domains") {}

const LAST_CHARS = 4

const invalid = (path: string, message: string) =>
  Effect.fail(new ControlRefused({ reason: "invalid", issues: [{ path, message }] }))

/** What a person can do about a host that can't be read. */
const failureWords = ({ reason, says }: ZoneFailure): string => {
  switch (reason) {
    case "refused":
      return `is refused by the DNS host: ${says}. It must be allowed to read and edit the zone’s records`
    case "no_zone":
      return `sees no active public zone of this domain: ${says}`
    case "rate_limited":
      return "can’t be used now: the DNS host had too many requests. Try again in a few minutes"
    case "invalid":
    case "unavailable":
    case "changed":
    case "unknown":
      return `can’t be used now: ${says}. Try again later`
  }
}

const asIssue = (path: string) => (failure: ZoneFailure) => invalid(path, failureWords(failure))

const shownRule = (rule: ReputationRule) => ({
  failing_percent: rule.failingPercentMax,
  failing_messages: rule.failingMessagesMin,
  pauses_for_dmarc: rule.pausesForDmarc,
  pauses_for_blocklists: rule.pausesForBlocklists,
  trusted_server: rule.trustedServer
})

export const layer = Layer.effect(
  Domains,
  Effect.gen(function* () {
    const store = yield* SendingDomainStore
    const workspaces = yield* WorkspaceStore
    const records = yield* DomainRecords
    const zones = yield* DnsZones
    const reputation = yield* ReputationStore
    const work = yield* LongWork
    const crypto = yield* Crypto
    const ids = yield* Ids
    const log = yield* makeLog
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork

    const requireLive = (workspaceId: string) =>
      Effect.gen(function* () {
        const workspace = yield* orNotFound(workspaces.get(workspaceId))
        if (workspace.kind === "live") return
        yield* mend([{ path: "workspace", message: "is a sandbox, which never sends real email" }])
      })

    const get = (workspaceId: string, domainId: string) => orNotFound(store.get(workspaceId, domainId))
    const locked = (workspaceId: string, domainId: string) => orNotFound(store.lock(workspaceId, domainId))

    const accessOf = (domain: SendingDomain) => {
      const access = zoneAccess(crypto, domain)
      return access === null ? invalid("dns_access", "is needed. Add it first") : Effect.succeed(access)
    }

    const readPlan = (domain: SendingDomain, access: ZoneAccess, path: string) =>
      Effect.gen(function* () {
        const zone = yield* zones.find(access, domain.domain)
        const sets = yield* zones.read(access, zone, namesOf(domain.wishes))
        const at = (name: string) => sets.filter((set) => set.name === name)
        const plan = yield* withinLookups(records, planRecords(domain.wishes, at))
        const changes = changesOf(plan).map(({ after, before, name, type }) => [name, type, before, after])
        const digest = crypto.sha256Hex(JSON.stringify([domain.domainId, access.vendor, zone.zoneId, changes]))
        return { domain, zone, plan, digest } satisfies ZonePlan
      }).pipe(Effect.catchTag("ZoneFailure", asIssue(path)))

    const planOf = (workspaceId: string, domainId: string) =>
      Effect.gen(function* () {
        const domain = yield* get(workspaceId, domainId)
        return yield* readPlan(domain, yield* accessOf(domain), "dns_access")
      })

    const move = (
      domain: SendingDomain,
      event: "approve" | "check",
      nowMillis: number,
      given: Partial<SendingDomain> = {}
    ) =>
      Effect.gen(function* () {
        const moved = step(SendingDomainMachine, domain.state, event)
        if (Result.isFailure(moved)) {
          return yield* invalid("domain", "has records that are being set right now. Wait until that has ended")
        }
        const next: SendingDomain = { ...domain, ...given, state: moved.success, sinceMillis: nowMillis, stopped: null }
        yield* store.update(next)
        return next
      })

    /** Of the approved changes, for the log. */
    const shown = ({ plan, zone }: ZonePlan) => ({
      zone: zone.name,
      records: changesOf(plan).map(({ after, before, name, type }) => ({ name, type, before, after }))
    })

    const approve = (by: SignedIn, domainId: string, digest: string) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        yield* freshOwner(by)
        const now = yield* planOf(workspaceId, domainId)
        if (now.digest !== digest) return { _tag: "Changed", now } as const
        const changes = changesOf(now.plan)
        if (changes.length === 0) return yield* invalid("records", "need no change here")
        const domain = yield* Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const found = yield* locked(workspaceId, domainId)
          const approval = {
            digest,
            zoneId: now.zone.zoneId,
            zoneName: now.zone.name,
            by: by.user.email,
            changes: changes.map(({ after, before, name, type }) => ({
              name,
              type,
              before,
              after,
              isDone: false,
              tries: 0,
              askedAtMillis: null
            }))
          }
          // The credential that read the zone is the one that changes it.
          if (found.zone?.sealedSecret !== now.domain.zone?.sealedSecret) return null
          const approved = yield* move(found, "approve", nowMillis, { approval })
          yield* logBy(by, "approve_dns_records", "none", { after: { domain: found.domain, ...shown(now) } })
          yield* work.announce([sendingDomainJob(approved)])
          return approved
        }).pipe(atomically)
        return domain === null ? ({ _tag: "Changed", now } as const) : ({ _tag: "Approved", domain } as const)
      })

    const add = (workspaceId: string, given: Parameters<typeof wishesOf>[0], actor: Actor) =>
      Effect.gen(function* () {
        yield* requireLive(workspaceId)
        const wishes = wishesOf(given)
        if (Result.isFailure(wishes)) {
          return yield* Effect.fail(new ControlRefused({ reason: "invalid", issues: wishes.failure }))
        }
        return yield* Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          yield* workspaces.lock(workspaceId)
          const all = yield* store.list(workspaceId)
          if (all.length >= SENDING_DOMAINS_MAX) {
            yield* mend([{ path: "domain", message: `can't be added: ${SENDING_DOMAINS_MAX} are the maximum` }])
          }
          const domain: SendingDomain = {
            workspaceId,
            domainId: ids.next(nowMillis),
            domain: wishes.success.domain,
            wishes: wishes.success,
            state: SendingDomainMachine.initial,
            sinceMillis: nowMillis,
            zone: null,
            approval: null,
            stopped: null,
            createdAtMillis: nowMillis
          }
          if (!(yield* store.insert(domain))) {
            yield* mend([{ path: "domain", message: "was added before. Remove it first to enter it anew" }])
          }
          yield* log(workspaceId, actor, "add_domain", "none", { after: { domain: domain.domain } })
          yield* work.announce([watchJob(domain)])
          return domain
        }).pipe(atomically)
      })

    const setAccess: Domains["Service"]["setAccess"] = (by, domainId, vendor, given) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        yield* freshOwner(by)
        const secret = given.trim()
        const form = ZONE_SECRETS[vendor]
        yield* mend(form.pattern.test(secret) ? [] : [{ path: "secret", message: `must have the form ${form.words}` }])
        const domain = yield* get(workspaceId, domainId)
        const sealedSecret = sealZoneSecret(crypto, domain, { vendor, secret })
        const zone = { vendor, sealedSecret, last4: secret.slice(-LAST_CHARS), addedBy: by.user.email }
        const access = yield* accessOf({ ...domain, zone })
        // A credential that can't read the zone would only fail later.
        yield* readPlan({ ...domain, zone }, access, "secret")
        yield* Effect.gen(function* () {
          const found = yield* locked(workspaceId, domainId)
          yield* store.update({ ...found, zone })
          yield* logBy(by, "set_dns_access", "loosen", {
            before: found.zone === null ? {} : { vendor: found.zone.vendor, last4: found.zone.last4 },
            after: { domain: found.domain, vendor, last4: zone.last4 }
          })
        }).pipe(atomically)
      })

    const reputationOf = ({ domainId, workspaceId }: SendingDomain) =>
      Effect.gen(function* () {
        const since = sinceDay(yield* Clock.currentTimeMillis, SHOWN_DAYS)
        const days = yield* reputation.sourceDays(workspaceId, domainId, since)
        return {
          watch: yield* reputation.watch(workspaceId, domainId),
          sources: bySource(days),
          provenMessages: days.reduce((sum, { isProven, messages }) => sum + (isProven ? messages : 0), 0),
          rule: yield* reputation.rule(workspaceId)
        }
      })

    const setRule: Domains["Service"]["setRule"] = (by, rule) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        yield* freshOwner(by)
        yield* mend(ruleIssues(rule))
        yield* workspaces.lock(workspaceId)
        const before = yield* reputation.rule(workspaceId)
        yield* reputation.setRule(workspaceId, rule)
        yield* logBy(by, "set_reputation_rule", "none", difference(shownRule(before), shownRule(rule)))
      }).pipe(atomically)

    return Domains.of({
      add,
      list: (workspaceId) => Effect.andThen(requireLive(workspaceId), store.list(workspaceId)),
      view: (workspaceId, domainId) =>
        Effect.gen(function* () {
          const domain = yield* get(workspaceId, domainId)
          return { domain, plan: yield* planLive(records, domain.wishes), reputation: yield* reputationOf(domain) }
        }),
      rule: (workspaceId) => reputation.rule(workspaceId),
      setRule,
      check: (workspaceId, domainId, actor) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const checking = yield* move(yield* locked(workspaceId, domainId), "check", nowMillis)
          yield* log(workspaceId, actor, "check_domain", "none", { after: { domain: checking.domain } })
          yield* work.announce([sendingDomainJob(checking)])
          return checking
        }).pipe(atomically),
      remove: (workspaceId, domainId, actor) =>
        Effect.gen(function* () {
          const { domain } = yield* locked(workspaceId, domainId)
          yield* store.remove(workspaceId, domainId)
          yield* log(workspaceId, actor, "remove_domain", "tighten", { before: { domain } })
        }).pipe(atomically),
      setAccess,
      removeAccess: (by, domainId) =>
        Effect.gen(function* () {
          yield* owner(by)
          const { workspaceId } = by.session
          const found = yield* locked(workspaceId, domainId)
          if (found.zone === null) return yield* refused("not_found")
          yield* store.update({ ...found, zone: null })
          yield* logBy(by, "remove_dns_access", "tighten", {
            before: { domain: found.domain, vendor: found.zone.vendor, last4: found.zone.last4 }
          })
        }).pipe(atomically),
      plan: (by, domainId) => Effect.andThen(owner(by), planOf(by.session.workspaceId, domainId)),
      approve
    })
  })
)

import { Clock, Effect, Option, Redacted, Result } from "effect"
import { step } from "../../kernel/machine.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type Advance, DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { DomainRecords } from "../mail/DomainRecords.js"
import { DnsZones, type ZoneAccess, type ZoneFailure, type ZoneVendor } from "./DnsZones.js"
import { isLiveGreen } from "./liveRecords.js"
import { SendingDomainMachine } from "./SendingDomainMachine.js"
import {
  type Approval,
  type ApprovedChange,
  type SendingDomain,
  type SendingDomainRef,
  SendingDomainStore
} from "./SendingDomainStore.js"
import { standingOf } from "./standing.js"

/** What a credential of each DNS host looks like, and what people call it. */
export const ZONE_SECRETS: Readonly<Record<ZoneVendor, { readonly pattern: RegExp; readonly words: string }>> = {
  cloudflare: { pattern: /^[\x21-\x7e]{20,200}$/, words: "an API token" },
  route53: { pattern: /^[A-Z0-9]{16,128}:[\x21-\x7e]{20,200}$/, words: "access key id:secret access key" }
}

const boundTo = ({ domainId, workspaceId }: SendingDomainRef, vendor: ZoneVendor): string =>
  `${workspaceId}/${domainId}/${vendor}`

export const sealZoneSecret = (
  crypto: Crypto["Service"],
  of: SendingDomainRef,
  { secret, vendor }: { readonly vendor: ZoneVendor; readonly secret: string }
): string => crypto.seal("dns_zone", secret, boundTo(of, vendor))

/** Null: there is none, or it was sealed under another server's secret. */
export const zoneAccess = (crypto: Crypto["Service"], domain: SendingDomain): ZoneAccess | null => {
  if (domain.zone === null) return null
  const { sealedSecret, vendor } = domain.zone
  const secret = crypto.open("dns_zone", sealedSecret, boundTo(domain, vendor))
  return secret === null || !ZONE_SECRETS[vendor].pattern.test(secret)
    ? null
    : { vendor, secret: Redacted.make(secret) }
}

/** How long records may take to be seen by everybody: most hosts let others remember that there was none for an hour. */
export const PROPAGATION_MILLIS_MAX = 4 * 60 * 60_000

/** Bounds of the time between two checks. */
const CHECK_MIN_MILLIS = 15_000
const CHECK_MAX_MILLIS = 15 * 60_000

/** After a host was asked: a list that it gives sooner may not show what it did. */
export const ASK_AGAIN_MILLIS = 30_000

/** How often a host is asked for one change before a person has to look. */
export const CHANGE_TRIES_MAX = 5

/** How long a host that can't be asked is tried. */
export const APPLYING_MILLIS_MAX = 60 * 60_000

/** Where a host can't reach DNS at all. */
const NOBODY_MILLIS = 10 * 60_000

/** A quarter of its age, within the bounds. */
export const checkAgainAfter = (ageMillis: number): number =>
  Math.min(CHECK_MAX_MILLIS, Math.max(CHECK_MIN_MILLIS, Math.floor(ageMillis / 4)))

const STOPPED = {
  key: "Its DNS access was removed, or can’t be decrypted any more. Add it again.",
  changed: (name: string) =>
    `The records at ${name} were changed since you approved. Nothing more was set. Look at the new plan.`,
  tries: (name: string) => `The DNS host did not confirm the record at ${name}. Look at what stands there.`,
  time: "The DNS host could not be reached for an hour. Look at what stands there, and approve again."
} as const

/** What a failure means for a person; null: try again. */
const stopWords = ({ reason, says }: ZoneFailure): string | null => {
  switch (reason) {
    case "refused":
      return `The DNS host refused the credential: ${says}`
    case "no_zone":
      return `The DNS host no longer has the zone: ${says}`
    case "invalid":
      return `The DNS host refused a record: ${says}`
    case "rate_limited":
    case "unavailable":
    case "changed":
    case "unknown":
      return null
  }
}

/**
 * Sets the records that an owner approved, one after the other, then looks until the world sees them. Every step reads
 * what stands there first, so an outcome that we don't know is looked up and never repeated blindly.
 */
export const makeDomainHandler = Effect.gen(function* () {
  const store = yield* SendingDomainStore
  const crypto = yield* Crypto
  const { atomically } = yield* UnitOfWork
  const zones = Option.getOrNull(yield* Effect.serviceOption(DnsZones))
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))

  /** Moves it on, unless it is no longer as it was read. */
  const move = (
    read: SendingDomain,
    event: "applied" | "stop" | "pass" | "expire",
    nowMillis: number,
    stopped: string | null = null
  ) =>
    Effect.gen(function* () {
      const found = Option.getOrNull(yield* store.lock(read.workspaceId, read.domainId))
      if (found === null || found.state !== read.state || found.approval?.digest !== read.approval?.digest) return
      const moved = step(SendingDomainMachine, found.state, event)
      if (Result.isFailure(moved)) return
      yield* store.update({ ...found, state: moved.success, sinceMillis: nowMillis, stopped })
    }).pipe(atomically)

  /** Notes something of one change. False: the approval is no longer the one that we work on. */
  const note = (read: SendingDomain, approval: Approval, at: number, of: Partial<ApprovedChange>) =>
    Effect.gen(function* () {
      const found = Option.getOrNull(yield* store.lock(read.workspaceId, read.domainId))
      if (!SendingDomainMachine.is.applying(found?.state) || found?.approval?.digest !== approval.digest) return false
      const changes = found.approval.changes.map((one, index) => (index === at ? { ...one, ...of } : one))
      yield* store.update({ ...found, approval: { ...found.approval, changes } })
      return true
    }).pipe(atomically)

  const stop = (domain: SendingDomain, nowMillis: number, why: string) =>
    Effect.as(move(domain, "stop", nowMillis, why), DONE)

  const failed = (domain: SendingDomain, nowMillis: number) => (failure: ZoneFailure) => {
    const why = stopWords(failure)
    if (why !== null) return stop(domain, nowMillis, why)
    return nowMillis - domain.sinceMillis > APPLYING_MILLIS_MAX
      ? stop(domain, nowMillis, STOPPED.time)
      : Effect.succeed(waitFor(Math.max(ASK_AGAIN_MILLIS, Math.min(failure.retryAfterMillis ?? 0, CHECK_MAX_MILLIS))))
  }

  const ask = (
    domain: SendingDomain,
    approval: Approval,
    { access, at, host }: { access: ZoneAccess; at: number; host: DnsZones["Service"] }
  ) =>
    Effect.gen(function* () {
      const change = approval.changes[at]
      const nowMillis = yield* Clock.currentTimeMillis
      if (change === undefined) return DONE
      if (change.tries >= CHANGE_TRIES_MAX) return yield* stop(domain, nowMillis, STOPPED.tries(change.name))
      // Noted first: if this host dies now, the next one waits before it looks.
      if (!(yield* note(domain, approval, at, { tries: change.tries + 1, askedAtMillis: nowMillis }))) return DONE
      const zone = { zoneId: approval.zoneId, name: approval.zoneName }
      return yield* host
        .change(access, zone, change)
        .pipe(
          Effect.andThen(note(domain, approval, at, { isDone: true })),
          Effect.as(waitFor(0)),
          Effect.catchTag("ZoneFailure", failed(domain, nowMillis))
        )
    })

  const apply = (domain: SendingDomain, approval: Approval) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const access = zoneAccess(crypto, domain)
      if (zones === null) return waitFor(NOBODY_MILLIS)
      if (access === null) return yield* stop(domain, nowMillis, STOPPED.key)
      const open = approval.changes.map((change, at) => ({ ...change, at })).filter(({ isDone }) => !isDone)
      if (open.length === 0) return yield* Effect.as(move(domain, "applied", nowMillis), waitFor(0))
      const asked = open.flatMap(({ askedAtMillis }) => askedAtMillis ?? [])
      const soonest = asked.length === 0 ? 0 : Math.max(...asked) + ASK_AGAIN_MILLIS
      // A clock that was set back makes nobody wait longer than once.
      if (nowMillis < soonest) return waitFor(Math.min(soonest - nowMillis, ASK_AGAIN_MILLIS))
      const zone = { zoneId: approval.zoneId, name: approval.zoneName }
      const read = yield* Effect.result(zones.read(access, zone, [...new Set(open.map(({ name }) => name))]))
      if (Result.isFailure(read)) return yield* failed(domain, nowMillis)(read.failure)
      const standing = open.map((change) => ({
        change,
        stands: standingOf(change, read.success, change.askedAtMillis !== null)
      }))
      const changed = standing.find(({ stands }) => stands === "changed")
      if (changed !== undefined) return yield* stop(domain, nowMillis, STOPPED.changed(changed.change.name))
      const done = standing.find(({ stands }) => stands === "done")
      if (done !== undefined) {
        yield* note(domain, approval, done.change.at, { isDone: true })
        return waitFor(0)
      }
      const next = standing[0]
      if (next === undefined) return DONE
      return yield* ask(domain, approval, { access, at: next.change.at, host: zones })
    })

  const look = (domain: SendingDomain) =>
    Effect.gen(function* () {
      if (records === null) return waitFor(NOBODY_MILLIS)
      const isGreen = yield* isLiveGreen(records, domain.wishes)
      const nowMillis = yield* Clock.currentTimeMillis
      const ageMillis = nowMillis - domain.sinceMillis
      if (isGreen) return yield* Effect.as(move(domain, "pass", nowMillis), DONE)
      if (ageMillis > PROPAGATION_MILLIS_MAX) return yield* Effect.as(move(domain, "expire", nowMillis), DONE)
      return waitFor(checkAgainAfter(ageMillis))
    })

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const [workspaceId = "", domainId = ""] = key.split("/")
      const domain = Option.getOrNull(yield* store.get(workspaceId, domainId))
      if (domain === null) return DONE as Advance
      if (SendingDomainMachine.is.checking(domain.state)) return yield* look(domain)
      if (!SendingDomainMachine.is.applying(domain.state) || domain.approval === null) return DONE
      return yield* apply(domain, domain.approval)
    })
  return handler
})

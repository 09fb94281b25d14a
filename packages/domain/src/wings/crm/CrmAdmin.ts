import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Crms, type CrmVendor } from "./Crm.js"
import { accessIssues, accessOf, type CrmAccess, type TypedAccess } from "./CrmAccess.js"
import { type CrmConnection, crmJob, CrmStore, type CrmWriteCounts, type MappedOwner, NOT_READ } from "./CrmStore.js"
import { isReadTooLongAgo } from "../../outreach/suppression/keepingOut.js"
import type { CrmPolicy } from "./marks.js"
import type { ControlRefused } from "../../control/Control.js"
import { type SignedIn, UserStore } from "../../control/users/UserStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { isAtHome, Settings } from "../../kernel/Settings.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { openCrmKey, sealCrmKey } from "./crmKey.js"
import {
  actorOf,
  difference,
  freshOwner,
  makeLog,
  makeLogBy,
  may,
  mend,
  orNotFound,
  owner,
  refused
} from "../../control/access.js"
import type { Actor } from "../../control/ControlLog.js"
import { type Direction, together } from "../../control/PolicyChange.js"

/** So many people and companies are counted. */
export const NAMED_MAX = 10_000

/** A connection as shown to people. Never the key. */
export interface CrmView extends Omit<CrmConnection, "sealedSecret" | "workspaceId"> {
  readonly title: string
  /** Where the account is, and for which program its key is; null: nothing was asked. */
  readonly address: string | null
  readonly clientId: string | null
  /** False: its key was sealed with another service secret and must be set again. */
  readonly isUsable: boolean
  /** Nothing is sent, because it was last read too long ago. */
  readonly isHolding: boolean
  /** How many people and companies its records name, counted up to `NAMED_MAX`. */
  readonly named: number
  readonly writes: CrmWriteCounts
  readonly owners: ReadonlyArray<MappedOwner>
}

export interface CrmStanding {
  /** The CRMs that this workspace may connect. */
  readonly offered: ReadonlyArray<CrmVendor>
  readonly connection: CrmView | null
}

/** The operator of the service, who acts for a workspace without signing in to it. */
interface OperatorOf {
  readonly operatorOf: string
}

/** What is chosen for a new connection unless its owner says otherwise. */
export const USUAL_POLICY: CrmPolicy = {
  keepsCustomers: true,
  keepsOpenDeals: true,
  keepsOwned: false,
  writesReplies: true,
  writesMeetings: true,
  createsContacts: false
}

type Act<A> = FromStore<A, ControlRefused>

/** The workspace's connection to its CRM. Each change writes one row to the control log; a key is never returned. */
export class CrmAdmin extends Context.Service<
  CrmAdmin,
  {
    /** Owners, and the operator. */
    readonly standing: (by: SignedIn | OperatorOf) => Act<CrmStanding>
    /**
     * Owners, after a fresh sign-in, and the operator. A key replaces the one before; another CRM, or another address, replaces all that
     * was read. Without a policy, that of the connection before stays.
     */
    readonly connect: (
      by: SignedIn | OperatorOf,
      given: TypedAccess & { readonly vendor: string; readonly policy: CrmPolicy | null }
    ) => Act<void>
    /** Owners; after a fresh sign-in if fewer people are kept out then. */
    readonly setPolicy: (by: SignedIn, policy: CrmPolicy) => Act<void>
    /** Owners. Which member an owner there is; null: nobody here. */
    readonly mapOwner: (by: SignedIn, ownerRef: string, userId: string | null) => Act<void>
    /**
     * Owners, after a fresh sign-in, and the operator. What was read is forgotten, and nobody is kept out by it any more.
     */
    readonly remove: (by: SignedIn | OperatorOf) => Act<void>
  }
>()("@outbound/domain/wings/crm/CrmAdmin") {}

const LAST_CHARS = 4

const KEEPS = ["keepsCustomers", "keepsOpenDeals", "keepsOwned"] as const

/** People who are no longer kept out may be written to: that loosens. */
const directionOf = (before: CrmPolicy, after: CrmPolicy): Direction =>
  together(KEEPS.map((keeps) => (before[keeps] === after[keeps] ? "none" : after[keeps] ? "tighten" : "loosen")))

const NOBODY_KEPT: CrmPolicy = {
  keepsCustomers: false,
  keepsOpenDeals: false,
  keepsOwned: false,
  writesReplies: false,
  writesMeetings: false,
  createsContacts: false
}

const isOperator = (by: SignedIn | OperatorOf): by is OperatorOf => "operatorOf" in by

const workspaceOf = (by: SignedIn | OperatorOf): string => (isOperator(by) ? by.operatorOf : by.session.workspaceId)

const whoIs = (by: SignedIn | OperatorOf): Actor => (isOperator(by) ? { kind: "operator" } : actorOf(by))

export const layer = Layer.effect(
  CrmAdmin,
  Effect.gen(function* () {
    const store = yield* CrmStore
    const crms = yield* Crms
    const { baseUrl } = yield* Settings
    const workspaces = yield* WorkspaceStore
    const users = yield* UserStore
    const crypto = yield* Crypto
    const ids = yield* Ids
    const work = yield* LongWork
    const log = yield* makeLog
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork

    /** What is read next, when a key or what it is wanted for has changed: everything, at once. */
    const afresh = ({ reading }: Pick<CrmConnection, "reading">): CrmConnection["reading"] => ({
      ...NOT_READ,
      generation: reading.generation,
      readAtMillis: reading.readAtMillis
    })

    const held = (by: SignedIn | OperatorOf) => orNotFound(store.lock(workspaceOf(by)))

    const viewOf = (connection: CrmConnection, title: string, nowMillis: number) =>
      Effect.gen(function* () {
        const { sealedSecret: _, workspaceId, ...shown } = connection
        const { readAtMillis } = connection.reading
        const access = openCrmKey(crypto, connection)
        const view: CrmView = {
          ...shown,
          title,
          address: access?.address ?? null,
          clientId: access?.clientId ?? null,
          isUsable: access !== null,
          isHolding: isReadTooLongAgo(readAtMillis, nowMillis),
          named: yield* store.countMarks(workspaceId, NAMED_MAX),
          writes: yield* store.countWrites(workspaceId),
          owners: yield* store.owners(workspaceId)
        }
        return view
      })

    return CrmAdmin.of({
      standing: (by) =>
        Effect.gen(function* () {
          if (!isOperator(by)) yield* owner(by)
          const { kind, workspaceId } = yield* orNotFound(workspaces.get(workspaceOf(by)))
          const offered = crms[kind]
          const found = yield* store.get(workspaceId)
          if (Option.isNone(found)) return { offered, connection: null }
          const title = offered.find(({ name }) => name === found.value.vendor)?.title ?? found.value.vendor
          return { offered, connection: yield* viewOf(found.value, title, yield* Clock.currentTimeMillis) }
        }),
      connect: (by, { policy: chosen, vendor, ...typed }) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          if (!isOperator(by)) yield* freshOwner(by)
          const { kind, workspaceId } = yield* orNotFound(workspaces.lock(workspaceOf(by)))
          const offered = crms[kind].find(({ name }) => name === vendor)
          yield* mend([
            ...(offered === undefined
              ? [{ path: "vendor", message: "must be a CRM that this workspace may connect" }]
              : []),
            ...accessIssues(typed, offered?.asks, { isAtHome: isAtHome(baseUrl), isListed: crms.isListed })
          ])
          const access = accessOf(typed, offered?.asks)
          const before = Option.getOrNull(yield* store.lock(workspaceId))
          const opened = before === null ? null : openCrmKey(crypto, before)
          const policy = chosen ?? before?.policy ?? NOBODY_KEPT
          const isElsewhere = opened !== null && opened.address !== access.address
          const isOther = before !== null && (before.vendor !== vendor || isElsewhere)
          // What is known of one account says nothing of another.
          if (isOther) yield* store.remove(workspaceId)
          const last4 = Redacted.value(access.secret).slice(-LAST_CHARS)
          const at = (one: CrmAccess | null) => (one === null || one.address === null ? {} : { address: one.address })
          yield* store.put({
            workspaceId,
            connectionId: ids.next(nowMillis),
            vendor,
            sealedSecret: sealCrmKey(crypto, { workspaceId, vendor }, access),
            last4,
            addedBy: isOperator(by) ? "the operator" : by.user.email,
            addedAtMillis: nowMillis,
            policy,
            reading: before === null || isOther ? NOT_READ : afresh(before)
          })
          yield* log(workspaceId, whoIs(by), "set_crm", directionOf(before?.policy ?? NOBODY_KEPT, policy), {
            before: before === null ? {} : { crm: before.vendor, ...at(opened), last4: before.last4 },
            after: { crm: vendor, ...at(access), last4 }
          })
          yield* work.announce([crmJob(workspaceId)])
        }).pipe(atomically),
      setPolicy: (by, policy) =>
        Effect.gen(function* () {
          yield* owner(by)
          const { workspaceId } = by.session
          const before = yield* held(by)
          const direction = directionOf(before.policy, policy)
          yield* may(by, direction)
          const changed = difference({ ...before.policy }, { ...policy })
          if (Object.keys(changed.after).length === 0) return
          yield* store.put({ ...before, policy })
          yield* logBy(by, "set_crm", direction, changed)
          yield* work.announce([crmJob(workspaceId)])
        }).pipe(atomically),
      mapOwner: (by, ownerRef, userId) =>
        Effect.gen(function* () {
          // People whose owner is here are kept out no more.
          yield* freshOwner(by)
          const { workspaceId } = by.session
          yield* held(by)
          const members = yield* users.members(workspaceId)
          const member = members.find((one) => one.userId === userId)
          yield* mend(
            userId === null || member !== undefined
              ? []
              : [{ path: "member", message: "must be a member of this workspace" }]
          )
          const owners = yield* store.owners(workspaceId)
          const was = owners.find(({ ref }) => ref === ownerRef)
          if (was === undefined || !(yield* store.mapOwner(workspaceId, ownerRef, userId))) {
            return yield* refused("not_found")
          }
          yield* logBy(by, "map_crm_owner", userId === null ? "tighten" : "loosen", {
            before: { owner: was.name, user_id: was.userId },
            after: { owner: was.name, user_id: userId }
          })
        }).pipe(atomically),
      remove: (by) =>
        Effect.gen(function* () {
          if (!isOperator(by)) yield* freshOwner(by)
          const workspaceId = workspaceOf(by)
          const before = yield* held(by)
          yield* store.remove(workspaceId)
          yield* log(workspaceId, whoIs(by), "remove_crm", "loosen", {
            before: { crm: before.vendor, last4: before.last4 }
          })
        }).pipe(atomically)
    })
  })
)

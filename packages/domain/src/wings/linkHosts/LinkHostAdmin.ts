import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ControlRefused } from "../../control/Control.js"
import { difference, freshOwner, makeLogBy, mend, orNotFound, owner } from "../../control/access.js"
import type { SignedIn } from "../../control/users/UserStore.js"
import { after } from "../../kernel/machine.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { chosenHost, hostIssues, KEPT_MAX, type LinkHost, readLinkHost, WATCHED_MAX } from "./LinkHost.js"
import { LinkHostMachine } from "./LinkHostMachine.js"
import { linkHostJob, LinkHostStore } from "./LinkHostStore.js"
import { proofName, proofValue } from "./proof.js"

/** A host as shown to people, with the record that proves it. */
export interface LinkHostView extends LinkHost {
  readonly proof: { readonly name: string; readonly value: string }
}

export interface LinkHostStanding {
  /** The service's own host, to which the names have to lead. */
  readonly target: string
  /** Where links of all mail lead now, but for domains with a host of their own. */
  readonly current: string
  readonly hosts: ReadonlyArray<LinkHostView>
}

type Act<A> = FromStore<A, ControlRefused>

/** Under which hosts a workspace's links stand. Each change writes one row to the control log. */
export class LinkHostAdmin extends Context.Service<
  LinkHostAdmin,
  {
    readonly standing: (by: SignedIn) => FromStore<LinkHostStanding>
    /** Owners, after a fresh sign-in. A host that there is gets the domain that is given now. */
    readonly add: (by: SignedIn, given: { readonly host: string; readonly domain: string }) => Act<void>
    /** Owners. It is looked at now. */
    readonly check: (by: SignedIn, host: string) => Act<void>
    /** Owners. New mail does not use it any more; old links stay good. */
    readonly remove: (by: SignedIn, host: string) => Act<void>
  }
>()("@outbound/domain/wings/linkHosts/LinkHostAdmin") {}

const shown = ({ domain, host }: Pick<LinkHost, "host" | "domain">) => ({ host, only_for: domain })

export const layer = Layer.effect(
  LinkHostAdmin,
  Effect.gen(function* () {
    const store = yield* LinkHostStore
    const crypto = yield* Crypto
    const work = yield* LongWork
    const { baseUrl } = yield* Settings
    const log = yield* makeLogBy
    const { atomically } = yield* UnitOfWork
    const target = new URL(baseUrl).hostname

    /** The workspace's host of that name that it can act on. */
    const held = (by: SignedIn, host: string) =>
      Effect.flatMap(orNotFound(store.lock({ workspaceId: by.session.workspaceId, host })), (found) =>
        LinkHostMachine.is.watched(found.state)
          ? Effect.succeed(found)
          : orNotFound(Effect.succeed(Option.none<LinkHost>()))
      )

    return LinkHostAdmin.of({
      standing: ({ session: { workspaceId } }) =>
        Effect.map(store.list(workspaceId), (hosts) => ({
          target,
          current: chosenHost(hosts, null) ?? target,
          hosts: hosts.map((host) => ({
            ...host,
            proof: { name: proofName(host.host), value: proofValue(crypto, workspaceId, host.host) }
          }))
        })),

      add: (by, typed) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          const nowMillis = yield* Clock.currentTimeMillis
          const host = readLinkHost(typed.host)
          const domain = typed.domain.trim() === "" ? null : (readLinkHost(typed.domain) ?? typed.domain.trim())
          yield* mend(hostIssues({ host, domain }, baseUrl))
          if (host === null) return
          const { workspaceId } = by.session
          const hosts = yield* store.list(workspaceId)
          const watched = hosts.filter(({ state }) => LinkHostMachine.is.watched(state))
          const isNew = !watched.some((one) => one.host === host)
          yield* mend(
            isNew && (watched.length >= WATCHED_MAX || hosts.length >= KEPT_MAX)
              ? [{ path: "host", message: `is one too many: a workspace has at most ${WATCHED_MAX}` }]
              : []
          )
          yield* store.lockName(host)
          const before = Option.getOrNull(yield* store.lock({ workspaceId, host }))
          const next: LinkHost = {
            workspaceId,
            host,
            domain,
            state: before === null ? LinkHostMachine.initial : after(LinkHostMachine, before.state, "add"),
            trouble: isNew ? null : (before?.trouble ?? null),
            failures: 0,
            addedBy: by.user.email,
            addedAtMillis: isNew ? nowMillis : (before?.addedAtMillis ?? nowMillis),
            provenAtMillis: before?.provenAtMillis ?? null,
            answeredAtMillis: before?.answeredAtMillis ?? null,
            checkedAtMillis: before?.checkedAtMillis ?? null,
            nextCheckAtMillis: nowMillis,
            listed: before?.listed ?? [],
            listsAskedAtMillis: before?.listsAskedAtMillis ?? null
          }
          yield* store.put(next)
          yield* log(
            by,
            "set_link_host",
            "loosen",
            difference(before === null || isNew ? {} : shown(before), shown(next))
          )
          yield* work.announce([linkHostJob(next)])
        }).pipe(atomically),

      check: (by, host) =>
        Effect.gen(function* () {
          yield* owner(by)
          const found = yield* held(by, host)
          yield* store.put({ ...found, nextCheckAtMillis: yield* Clock.currentTimeMillis })
          yield* work.announce([linkHostJob(found)])
        }).pipe(atomically),

      remove: (by, host) =>
        Effect.gen(function* () {
          yield* owner(by)
          const found = yield* held(by, host)
          if (found.provenAtMillis === null) yield* store.forget(found)
          else yield* store.put({ ...found, state: after(LinkHostMachine, found.state, "retire"), trouble: null })
          yield* log(by, "remove_link_host", "tighten", difference(shown(found), {}))
        }).pipe(atomically)
    })
  })
)

import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { Blocklists } from "@outbound/domain/outreach/reputation/blocklists.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { makeLinkHostHandler } from "@outbound/domain/wings/linkHosts/checkJob.js"
import { LinkHostAdmin, layer as admin } from "@outbound/domain/wings/linkHosts/LinkHostAdmin.js"
import { linkHostJob, LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { LinkProbe, LinkUnanswered } from "@outbound/domain/wings/linkHosts/LinkProbe.js"
import { answerTo, nonceIn } from "@outbound/domain/wings/linkHosts/proof.js"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { signIn } from "../../contracts/service/controlSupport.js"
import type { ServiceOnStores } from "../../contracts/service/stories.js"
import type { Client } from "../../service/Client.js"

export type LinkHostNeeds = ServiceOnStores | LinkHostStore

/** Names and hosts as a test sets them. At first no record is there, and every host leads to this service. */
export class World {
  readonly txt = new Map<string, ReadonlyArray<string>>()
  readonly listed = new Set<string>()
  isSilent = false
  /** What hosts do, if not what this service does. */
  readonly hosts = new Map<string, LinkUnanswered["reason"] | { readonly status: number; readonly body: string }>()
  /** Under which name a host's requests come, if a proxy changes it. */
  readonly seenAs = new Map<string, string>()
  readonly asked: Array<string> = []
  /** Runs while a host is asked. */
  meanwhile: Effect.Effect<void> = Effect.void

  readonly records = DomainRecords.of({
    mx: () => Effect.succeed([]),
    cname: () => Effect.succeed([]),
    a: (name) => Effect.succeed(this.listed.has(name) ? ["127.0.0.2"] : []),
    txt: (name) =>
      Effect.suspend(() =>
        this.isSilent
          ? Effect.fail(new RecordsUnavailable({ cause: "silent" }))
          : Effect.succeed(this.txt.get(name) ?? [])
      )
  })

  probe(crypto: Crypto["Service"]): LinkProbe["Service"] {
    return {
      get: (text) =>
        Effect.gen({ self: this }, function* () {
          this.asked.push(text)
          yield* this.meanwhile
          const { hostname, pathname } = new URL(text)
          const does = this.hosts.get(hostname)
          if (typeof does === "string") return yield* new LinkUnanswered({ reason: does })
          if (does !== undefined) return does
          const seen = this.seenAs.get(hostname) ?? hostname
          return { status: 200, body: answerTo(crypto, seen, nonceIn(pathname) ?? "") }
        })
    }
  }
}

/** A workspace whose owner sets link hosts; looks are made by hand. */
export const hosting = (client: Client, world: World) =>
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const store = yield* LinkHostStore
    const { workspaceId } = client
    const by: SignedIn = yield* signIn(client.ownerEmail)
    // The service's own runner would look with names of its own.
    const quiet = Layer.succeed(LongWork, { announce: () => Effect.void })
    const hosts = Context.get(yield* Layer.build(Layer.provide(Layer.fresh(admin), quiet)), LinkHostAdmin)
    const handler = yield* makeLinkHostHandler.pipe(
      Effect.provideService(DomainRecords, world.records),
      Effect.provideService(LinkProbe, world.probe(crypto)),
      Effect.provideService(Blocklists, [{ zone: "dbl.test", of: "domain" }])
    )
    const look = (host: string) => handler(linkHostJob({ workspaceId, host }).key)
    return {
      by,
      /** The owner, signed in just now. */
      again: signIn(client.ownerEmail),
      hosts,
      look,
      /** Waits until the next look is due, and makes it. */
      lookNext: (host: string) =>
        Effect.gen(function* () {
          const found = Option.getOrUndefined(yield* store.get({ workspaceId, host }))
          const leftMillis = (found?.nextCheckAtMillis ?? 0) - (yield* Clock.currentTimeMillis)
          yield* TestClock.adjust(Math.max(0, leftMillis))
          return yield* look(host)
        }),
      find: (host: string) => Effect.map(store.get({ workspaceId, host }), Option.getOrUndefined),
      /** The record that the workspace is asked to set is there, or not. */
      prove: (host: string, isThere = true) =>
        Effect.map(hosts.standing(by), (standing) => {
          const proof = standing.hosts.find((one) => one.host === host)?.proof
          const others = (world.txt.get(proof?.name ?? "") ?? []).filter((text) => text !== proof?.value)
          if (proof !== undefined) world.txt.set(proof.name, isThere ? [...others, proof.value] : others)
        })
    }
  })

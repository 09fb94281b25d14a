import { assert } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { LinkBases } from "@outbound/domain/outreach/suppression/linkBases.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { LinkHosts, layer as linkHosts } from "@outbound/domain/wings/linkHosts/LinkHosts.js"
import { LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { LINK_TROUBLES } from "@outbound/domain/wings/linkHosts/LinkHost.js"
import { makeLostLinkHosts } from "@outbound/domain/wings/linkHosts/checkJob.js"
import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { colleague, growStale, refusedBy } from "../../contracts/service/controlSupport.js"
import { describeStories } from "../../contracts/service/describeStories.js"
import { campaign, type OwnService, ownPass, people, taken, team } from "../../contracts/service/ownStories.js"
import { makeClient } from "../../service/Client.js"
import { hosting, type LinkHostNeeds, World } from "./support.js"

const HOUR = 3_600_000

let named = 0
/** A name that no other story uses. */
const fresh = (): string => `links-${(named += 1)}-${process.pid}.acme.test`

/** Where links of a workspace's new mail lead. */
const baseOf = (workspaceId: string, domain: string | null = null) =>
  Effect.flatMap(LinkBases, (bases) => bases({ workspaceId, domain }))

/** What owners are alerted to now. */
const alertsOf = (workspaceId: string) =>
  Effect.gen(function* () {
    const store = yield* AlertStore
    const causes = yield* store.causes("link_host", yield* Clock.currentTimeMillis, 10_000)
    return causes.filter((cause) => cause.workspaceId === workspaceId).map(({ says, subject }) => [subject, says])
  })

const isKnown = (host: string) =>
  Effect.flatMap(Layer.build(linkHosts), (context) => Context.get(context, LinkHosts).isKnown(host))

/** What a link host guarantees to its workspace, to others, and to recipients. */
export const linkHostsContract = <E>(
  name: string,
  service: Layer.Layer<OwnService | LinkHostNeeds | ControlLog | AlertStore, E>
) => {
  describeStories(service)(`link hosts (${name})`, (it) => {
    it.effect("a host is in new mail once it is proven and answers, falls back when it stops, and old links work", () =>
      Effect.gen(function* () {
        const of = yield* team(1)
        const { workspaceId } = of.client
        const host = fresh()
        const world = new World()
        const { find, hosts, by, look, lookNext, prove } = yield* hosting(of.client, world)
        const own = yield* baseOf(workspaceId)
        yield* hosts.add(by, { host: ` HTTPS://${host.toUpperCase()}/ `, domain: "" })
        // Whatever it answers, a name without proof is nobody's.
        yield* look(host)
        assert.deepInclude(yield* find(host), { state: "waiting", trouble: "no_proof" })
        assert.isFalse(yield* isKnown(host))
        assert.isEmpty(world.asked)
        assert.strictEqual(yield* baseOf(workspaceId), own)

        // With the proof a certificate may be issued, and it is used once it answers.
        yield* prove(host)
        world.hosts.set(host, "certificate")
        yield* TestClock.adjust("1 minute")
        yield* look(host)
        assert.deepInclude(yield* find(host), { state: "proven", trouble: "certificate" })
        assert.isTrue(yield* isKnown(host))
        assert.strictEqual(yield* baseOf(workspaceId), own)
        world.hosts.delete(host)
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "used", trouble: null, failures: 0 })
        assert.match(world.asked.at(-1) ?? "", new RegExp(`^https://${host}/u/check/[\\w-]{43}$`))
        assert.strictEqual(yield* baseOf(workspaceId), `https://${host}`)

        yield* campaign(of, { recipients: people(1, "first") })
        yield* ownPass("1 hour")
        // One look may be wrong; a second one takes it out of new mail.
        world.hosts.set(host, "unreachable")
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "used", failures: 1 })
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "failing", trouble: "unreachable" })
        assert.deepStrictEqual(yield* alertsOf(workspaceId), [[host, "unreachable"]])
        yield* campaign(of, { recipients: people(1, "second") })
        yield* ownPass("1 hour")
        const urls = (yield* taken(of)).map(({ mail }) => new URL(mail.unsubscribeUrl ?? ""))
        assert.deepStrictEqual(
          urls.map((url) => url.origin),
          [`https://${host}`, new URL(own).origin]
        )
        for (const [index, { mail }] of (yield* taken(of)).entries())
          assert.include(mail.text, urls[index]?.href ?? "-")
        // It is known for ever: old mail names it.
        yield* hosts.remove(by, host)
        assert.isEmpty(yield* alertsOf(workspaceId))
        assert.isTrue(yield* isKnown(host))
        const unsubscribe = yield* Unsubscribe
        for (const url of urls) {
          const [, , workspace = "", token = ""] = url.pathname.split("/")
          assert.isTrue(yield* unsubscribe.unsubscribe({ workspaceId: workspace, token }))
        }
      }).pipe(Effect.orDie)
    )

    it.effect("a failing host that answers again is used again, and what is wrong is said", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const host = fresh()
        const world = new World()
        const { find, hosts, by, look, lookNext, prove } = yield* hosting(client, world)
        yield* hosts.add(by, { host, domain: "" })
        yield* prove(host)
        yield* look(host)
        const wrong = [
          [{ status: 302, body: "" }, "redirects"],
          [{ status: 200, body: "Welcome" }, "answers_otherwise"],
          [{ status: 404, body: "" }, "answers_otherwise"],
          ["no_address", "no_address"],
          ["private_address", "private_address"]
        ] as const
        for (const [does, trouble] of wrong) {
          world.hosts.set(host, does)
          yield* lookNext(host)
          assert.strictEqual((yield* find(host))?.trouble, trouble)
        }
        world.hosts.delete(host)
        world.seenAs.set(host, "upstream.internal.test")
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "failing", trouble: "host_hidden" })
        world.isSilent = true
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "failing", trouble: "dns_silent" })
        world.isSilent = false
        world.seenAs.delete(host)
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "used", trouble: null })
        // In use it is looked at every hour.
        assert.deepInclude(yield* look(host), { _tag: "Wait", millis: HOUR })
        assert.isTrue(LINK_TROUBLES.includes("taken"))
      }).pipe(Effect.orDie)
    )

    it.effect(
      "a name belongs to who proved it; another gets it only by a proof of their own, once the first is gone",
      () =>
        Effect.gen(function* () {
          const host = fresh()
          const world = new World()
          const [first, second] = [yield* makeClient(), yield* makeClient()]
          const [ours, theirs] = [yield* hosting(first, world), yield* hosting(second, world)]
          yield* ours.hosts.add(ours.by, { host, domain: "" })
          yield* theirs.hosts.add(theirs.by, { host, domain: "" })
          // The CNAME of one leads here, and that gives it to nobody else.
          yield* ours.prove(host)
          yield* theirs.look(host)
          assert.deepInclude(yield* theirs.find(host), { state: "waiting", trouble: "no_proof" })
          yield* ours.look(host)
          yield* theirs.prove(host)
          yield* theirs.lookNext(host)
          assert.deepInclude(yield* theirs.find(host), { state: "waiting", trouble: "taken" })
          assert.strictEqual(yield* baseOf(first.workspaceId), `https://${host}`)
          assert.notStrictEqual(yield* baseOf(second.workspaceId), `https://${host}`)

          yield* ours.prove(host, false)
          yield* ours.lookNext(host)
          yield* theirs.lookNext(host)
          assert.deepInclude(yield* theirs.find(host), { trouble: "taken" }, "one look may be wrong")
          yield* ours.lookNext(host)
          assert.deepInclude(yield* ours.find(host), { state: "failing", trouble: "no_proof" })
          yield* theirs.lookNext(host)
          assert.deepInclude(yield* theirs.find(host), { state: "used", trouble: null })
          assert.deepInclude(yield* ours.find(host), { state: "retired", trouble: "taken" })
          assert.strictEqual(yield* baseOf(second.workspaceId), `https://${host}`)
          assert.deepInclude(yield* ours.look(host), { _tag: "Done" })
        }).pipe(Effect.orDie)
    )

    it.effect("looks of two workspaces at once give a name that both proved to one of them", () =>
      Effect.gen(function* () {
        const host = fresh()
        const world = new World()
        const both = yield* Effect.forEach([1, 2], () => Effect.flatMap(makeClient(), (one) => hosting(one, world)))
        for (const one of both) yield* one.hosts.add(one.by, { host, domain: "" })
        for (const one of both) yield* one.prove(host)
        yield* Effect.forEach(both, (one) => one.look(host), { concurrency: "unbounded" })
        const states = yield* Effect.forEach(both, (one) => Effect.map(one.find(host), (found) => found?.state))
        assert.sameMembers(states, ["used", "waiting"])
      }).pipe(Effect.orDie)
    )

    it.effect("mail from a domain with a host of its own uses that one, and all other mail the one for all", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { workspaceId } = client
        const [all, own] = [fresh(), fresh()]
        const world = new World()
        const { again, hosts, by, look, lookNext, prove } = yield* hosting(client, world)
        yield* hosts.add(by, { host: all, domain: "" })
        yield* hosts.add(by, { host: own, domain: "Try-Acme.test" })
        for (const host of [all, own]) {
          yield* prove(host)
          yield* look(host)
        }
        assert.strictEqual(yield* baseOf(workspaceId, "try-acme.test"), `https://${own}`)
        assert.strictEqual(yield* baseOf(workspaceId, "acme.test"), `https://${all}`)
        assert.strictEqual(yield* baseOf(workspaceId), `https://${all}`)
        world.hosts.set(own, "unreachable")
        yield* lookNext(own)
        yield* lookNext(own)
        assert.strictEqual(yield* baseOf(workspaceId, "try-acme.test"), `https://${all}`)
        yield* hosts.add(yield* again, { host: all, domain: "acme.test" })
        assert.strictEqual((yield* hosts.standing(by)).current, (yield* hosts.standing(by)).target)
        assert.strictEqual(yield* baseOf(workspaceId, "acme.test"), `https://${all}`)
      }).pipe(Effect.orDie)
    )

    it.effect("a host that is removed while it is looked at stays removed; a look that is lost is found again", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { workspaceId } = client
        const host = fresh()
        const world = new World()
        const { again, find, hosts, by, look, prove } = yield* hosting(client, world)
        yield* hosts.add(by, { host, domain: "" })
        yield* prove(host)
        const lost = yield* makeLostLinkHosts
        yield* TestClock.adjust(3 * HOUR)
        const key = `${workspaceId}/${host}`
        assert.include(
          (yield* lost(10_000)).map((job) => job.key),
          key
        )
        world.meanwhile = Effect.orDie(hosts.remove(by, host))
        assert.deepInclude(yield* look(host), { _tag: "Done" })
        assert.strictEqual((yield* find(host))?.state, "retired")
        assert.notInclude(
          (yield* lost(10_000)).map((job) => job.key),
          key
        )
        world.meanwhile = Effect.void
        yield* hosts.add(yield* again, { host, domain: "" })
        yield* look(host)
        assert.strictEqual((yield* find(host))?.state, "used")
        // What was never proven is forgotten.
        const another = fresh()
        yield* hosts.add(yield* again, { host: another, domain: "" })
        yield* hosts.remove(by, another)
        assert.isUndefined(yield* find(another))
      }).pipe(Effect.orDie)
    )

    it.effect("owners set hosts with a fresh sign-in, and every change is in the control log", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const world = new World()
        const host = fresh()
        const { hosts, by } = yield* hosting(client, world)
        const member = yield* colleague(by)
        yield* refusedBy("owner_required", hosts.add(member, { host, domain: "" }))
        for (const typed of [
          "",
          "acme",
          "192.0.2.1",
          "co.uk",
          "links.acme.test/path",
          "links.acme.test:8443",
          "a b.test"
        ]) {
          yield* refusedBy("invalid", hosts.add(by, { host: typed, domain: "" }))
        }
        const { target } = yield* hosts.standing(by)
        yield* refusedBy("invalid", hosts.add(by, { host: target, domain: "" }))
        yield* refusedBy("invalid", hosts.add(by, { host, domain: "not a domain" }))
        yield* hosts.add(by, { host, domain: "" })
        yield* refusedBy("owner_required", hosts.remove(member, host))
        const stranger = yield* hosting(yield* makeClient(), world)
        yield* refusedBy("not_found", stranger.hosts.remove(stranger.by, host))
        yield* refusedBy("not_found", stranger.hosts.check(stranger.by, host))
        assert.isEmpty((yield* stranger.hosts.standing(stranger.by)).hosts)
        yield* growStale
        yield* refusedBy("reauthentication_required", hosts.add(by, { host: fresh(), domain: "" }))
        yield* hosts.check(by, host)
        yield* hosts.remove(by, host)
        const { page } = yield* ControlLog
        const { workspaceId } = client
        const log = yield* page({ workspaceId, keyId: null, limit: 10, before: null })
        assert.deepStrictEqual(
          log.filter(({ action }) => action.includes("link_host")).map(({ action, direction }) => [action, direction]),
          [
            ["remove_link_host", "tighten"],
            ["set_link_host", "loosen"]
          ]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("blocklists are asked about a host's domain, at most every six hours, and their words are kept", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const host = `links.listed-${process.pid}-${name.replace(/\W/g, "")}.test`
        const world = new World()
        const { find, hosts, by, look, lookNext, prove } = yield* hosting(client, world)
        yield* hosts.add(by, { host, domain: "" })
        yield* prove(host)
        world.listed.add(`${host.replace("links.", "")}.dbl.test`)
        world.txt.set(`${host.replace("links.", "")}.dbl.test`, ["seen in spam"])
        yield* look(host)
        yield* lookNext(host)
        assert.deepInclude(yield* find(host), { listed: [{ zone: "dbl.test", says: "seen in spam" }] })
        assert.deepStrictEqual(yield* alertsOf(client.workspaceId), [[`${host}/dbl.test`, "dbl.test: seen in spam"]])
        world.listed.clear()
        yield* lookNext(host)
        assert.lengthOf((yield* find(host))?.listed ?? [], 1)
        for (let hours = 0; hours < 6; hours++) yield* lookNext(host)
        assert.deepInclude(yield* find(host), { state: "used", listed: [] })
        assert.isEmpty(yield* alertsOf(client.workspaceId))
      }).pipe(Effect.orDie)
    )

    it.effect("all known hosts are read in pages, each once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const world = new World()
        const { hosts, by, look, prove } = yield* hosting(client, world)
        const ours = [fresh(), fresh(), fresh()]
        for (const host of ours) {
          yield* hosts.add(by, { host, domain: "" })
          yield* prove(host)
          yield* look(host)
        }
        yield* hosts.add(by, { host: fresh(), domain: "" })
        const { known } = yield* LinkHostStore
        const read: Array<string> = []
        for (let after: string | null = null; ;) {
          const page: ReadonlyArray<{ readonly host: string; readonly workspaceId: string }> = yield* known(after, 2)
          read.push(...page.filter(({ workspaceId }) => workspaceId === client.workspaceId).map(({ host }) => host))
          const last = page.at(-1)
          if (last === undefined) break
          after = last.host
        }
        assert.sameMembers(read, ours)
      }).pipe(Effect.orDie)
    )
  })
}

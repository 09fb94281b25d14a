import { Clock, Effect, Option } from "effect"
import { allows } from "../../kernel/machine.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { DomainRecords } from "../../outreach/mail/DomainRecords.js"
import { makeAskDomainLists } from "../../outreach/reputation/blocklists.js"
import {
  afterCheck,
  afterProof,
  baseOn,
  CHECK_MILLIS,
  type LinkHost,
  type LinkTrouble,
  LISTS_MILLIS,
  yields
} from "./LinkHost.js"
import { LinkHostMachine } from "./LinkHostMachine.js"
import { linkHostJob, type LinkHostRef, LinkHostStore } from "./LinkHostStore.js"
import { LinkProbe } from "./LinkProbe.js"
import { answerOf, checkPath, proofName, proofValue } from "./proof.js"

/** What the name system says of a host's proof. */
const makeProofOf = Effect.gen(function* () {
  const crypto = yield* Crypto
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))
  return ({ host, workspaceId }: LinkHostRef): Effect.Effect<"there" | "no_proof" | "dns_silent"> =>
    records === null
      ? Effect.succeed("dns_silent")
      : records.txt(proofName(host)).pipe(
          Effect.map((texts) => {
            const value = proofValue(crypto, workspaceId, host)
            return texts.some((text) => text.trim() === value) ? "there" : "no_proof"
          }),
          Effect.catchTag("RecordsUnavailable", () => Effect.succeed("dns_silent" as const))
        )
})

/** Asks the host as a recipient does, and looks whether this service answers under that name. Null: it does. */
const makeAsk = Effect.gen(function* () {
  const crypto = yield* Crypto
  const probe = Option.getOrNull(yield* Effect.serviceOption(LinkProbe))
  const { baseUrl } = yield* Settings
  return (host: string): Effect.Effect<LinkTrouble | null> =>
    Effect.suspend(() => {
      // Who embeds the service without a way to ask has hosts that are proven and never used.
      if (probe === null) return Effect.succeed("unreachable" as const)
      const nonce = crypto.randomToken()
      return probe.get(`${baseOn(baseUrl, host)}${checkPath(nonce)}`).pipe(
        Effect.map(({ body, status }): LinkTrouble | null => {
          if (status >= 300 && status < 400) return "redirects"
          const whose = status === 200 ? answerOf(crypto, host, nonce, body) : "other"
          return whose === "ours" ? null : whose === "renamed" ? "host_hidden" : "answers_otherwise"
        }),
        Effect.catchTag("LinkUnanswered", ({ reason }) => Effect.succeed(reason))
      )
    })
})

/**
 * Looks at a host: is the proof in the name system, and does this service answer there? What is found is recorded under a lock
 * of the row, so that a host that was removed meanwhile stays removed.
 */
export const makeLinkHostHandler = Effect.gen(function* () {
  const store = yield* LinkHostStore
  const { atomically } = yield* UnitOfWork
  const proofOf = yield* makeProofOf
  const ask = yield* makeAsk
  const askLists = yield* makeAskDomainLists

  /** Gives the name to this workspace if nobody else has it. The certificate comes next, so it is recorded before the look. */
  const takeName = (ref: LinkHostRef, nowMillis: number) =>
    Effect.gen(function* () {
      yield* store.lockName(ref.host)
      const found = yield* store.lock(ref)
      if (Option.isNone(found) || !allows(LinkHostMachine, found.value.state, "prove")) return false
      if (LinkHostMachine.is.held(found.value.state)) return true
      const holder = Option.getOrNull(yield* store.holder(ref.host))
      if (holder !== null) {
        if (!yields(holder)) return false
        yield* store.put({ ...holder, state: "retired", trouble: "taken" })
      }
      yield* store.put(afterProof(found.value, nowMillis))
      return true
    }).pipe(atomically)

  const troubleOf = (host: LinkHost, nowMillis: number) =>
    Effect.gen(function* () {
      const proof = yield* proofOf(host)
      if (proof !== "there") return proof
      if (!(yield* takeName(host, nowMillis))) return "taken" as const
      return yield* ask(host.host)
    })

  const listsOf = (host: LinkHost, nowMillis: number) => {
    const isDue =
      LinkHostMachine.is.held(host.state) &&
      (host.listsAskedAtMillis === null || host.listsAskedAtMillis + LISTS_MILLIS <= nowMillis)
    const name = registrableDomain(host.host) ?? host.host
    return isDue
      ? Effect.map(askLists(name, host.listed), (listed) => ({ listed, listsAskedAtMillis: nowMillis }))
      : Effect.succeed({ listed: host.listed, listsAskedAtMillis: host.listsAskedAtMillis })
  }

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const [workspaceId = "", host = ""] = key.split("/")
      const ref = { workspaceId, host }
      const found = yield* store.get(ref)
      if (Option.isNone(found) || !LinkHostMachine.is.watched(found.value.state)) return DONE
      const nowMillis = yield* Clock.currentTimeMillis
      const leftMillis = found.value.nextCheckAtMillis - nowMillis
      // A clock that was set back makes nobody wait longer than once.
      if (leftMillis > 0) return waitFor(Math.min(leftMillis, CHECK_MILLIS))
      const trouble = yield* troubleOf(found.value, nowMillis)
      const lists = yield* listsOf(found.value, nowMillis)
      const doneAtMillis = yield* Clock.currentTimeMillis
      return yield* Effect.gen(function* () {
        const held = yield* store.lock(ref)
        if (Option.isNone(held) || !LinkHostMachine.is.watched(held.value.state)) return DONE
        const next = { ...afterCheck(held.value, trouble, doneAtMillis), ...lists }
        yield* store.put(next)
        if (next.state !== held.value.state) yield* Effect.logInfo(`the link host is ${next.state} now`)
        return waitFor(next.nextCheckAtMillis - doneAtMillis)
      }).pipe(atomically)
    })
  return handler
})

/** How long a look may be late before its job counts as lost. */
const LATE_MILLIS = 2 * CHECK_MILLIS

export const makeLostLinkHosts = Effect.map(
  LinkHostStore,
  ({ overdue }) =>
    (limit: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        Effect.map(overdue(nowMillis - LATE_MILLIS, limit), (found) => found.map(linkHostJob))
      )
)

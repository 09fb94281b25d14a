import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { isRole } from "@outbound/domain/kernel/people/roles.js"
import type { EmailCheck, EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Result } from "effect"
import { isIP } from "node:net"
import type { HostLines } from "./HostLines.js"
import type { MailRoutes } from "./MailRoutes.js"
import type { Notes } from "./Notes.js"
import type { ProberSettings } from "../open/ProberSettings.js"
import { isDisposable } from "../../platform/DisposableList.js"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import type { Probed, Unanswered } from "./Session.js"

export const PROBER = "prober"

/** The reason for an answer, in one word, for its record. */
export type Because =
  | "impossible_address"
  | "disposable_domain"
  | "no_such_domain"
  | "takes_no_mail"
  | "no_mail_host"
  | "unresolved"
  | "not_public"
  | "no_such_mailbox"
  | "mailbox_full"
  | "takes_every_address"
  | "role_account"
  | "accepted"
  | "unproven"
  | "put_off"
  | "policy"
  | "rejected"
  | "unclear"
  | "unreachable"
  | "lost"
  | "busy"
  | "refused"
  | "too_late"

export interface Judged {
  readonly check: EmailCheck
  readonly because: Because
  /** Unknown now; asking again may tell. */
  readonly isWorthAskingAgain: boolean
}

const judged = (status: EmailStatus, because: Because, isCatchAllDomain = false): Judged => ({
  check: { status, isCatchAllDomain },
  because,
  isWorthAskingAgain: false
})

const unknown = (because: Because, isWorthAskingAgain = false): Judged => ({
  ...judged("unknown", because),
  isWorthAskingAgain
})

export const tooLate: Judged = unknown("too_late")

/** What the replies to the recipient and the nonexistent one prove. */
const byReplies = ({ random, target }: Probed, isSelective: boolean, local: string): Judged => {
  if (target === "no_mailbox") return judged("invalid", "no_such_mailbox")
  if (target === "full") return judged("risky", "mailbox_full")
  if (target === "later") return unknown("put_off", true)
  if (target !== "accepted") return unknown(target)
  if (random === "accepted") return judged("catch_all_unknown", "takes_every_address", true)
  // The nonexistent one was refused for itself: a refusal of us would have hit both.
  const isProven = isSelective || random === "no_mailbox" || random === "rejected"
  if (!isProven) return unknown("unproven", random === "later")
  return isRole(local) ? judged("risky", "role_account") : judged("valid", "accepted")
}

const CATCH_ALL_DOMAINS_MAX = 20_000

export interface JudgeParts {
  readonly settings: ProberSettings
  readonly routes: MailRoutes
  readonly lines: HostLines
}

/** Judges one address. `random` is a local part that no mailbox has. */
export type Judge = (email: string, random: string, notes: Notes) => Effect.Effect<Judged, ProviderFailure>

export const makeJudge = ({ lines, routes, settings }: JudgeParts): Judge => {
  /** Whether a host took every address of a domain when last seen. */
  const catchAll = new ExpiringCache<boolean>(CATCH_ALL_DOMAINS_MAX)

  const failed = (cause: string) => new ProviderFailure({ provider: PROBER, reason: "transient", cause })

  const askHost = (email: string, random: string, host: string, addresses: ReadonlyArray<string>, notes: Notes) =>
    Effect.gen(function* () {
      const at = email.lastIndexOf("@")
      const domain = email.slice(at + 1)
      const key = `${domain} ${host}`
      let isSelective = false
      const probed = yield* lines.use({ host, domain, addresses, notes }, (session, talk) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          // The probe before us may have learnt it.
          isSelective = catchAll.get(key, now) === false
          return session.probe({ target: email, random: `${random}@${domain}`, isSelective }, talk)
        })
      )
      if (isSelective && probed.target === "accepted") notes.refusedOthersBefore = true
      const result = byReplies(probed, isSelective, email.slice(0, at))
      if (probed.target === "accepted" && probed.random !== null && result.because !== "unproven") {
        const { catchAllKeepMillis } = settings
        catchAll.set(key, result.check.isCatchAllDomain, yield* Clock.currentTimeMillis, catchAllKeepMillis)
      }
      return result
    })

  /** Asks the hosts in turn until one was told the recipient. */
  const askHosts = (email: string, random: string, hosts: ReadonlyArray<string>, notes: Notes) =>
    Effect.gen(function* () {
      const domain = email.slice(email.lastIndexOf("@") + 1)
      let last: Judged = unknown("no_mail_host")
      for (const host of hosts.slice(0, settings.hostsPerProbe)) {
        const now = yield* Clock.currentTimeMillis
        const found = yield* Effect.promise(() => routes.addresses(host, now))
        if (found._tag !== "Addresses") {
          const isInside = found._tag === "NotPublic"
          notes.begin(host, null).ended = isInside ? "an address that is not public" : found.why
          last = unknown(isInside ? "not_public" : "unresolved")
          continue
        }
        if (catchAll.get(`${domain} ${host}`, now) === true) {
          notes.begin(host, null).ended = "it took an address that does not exist a short while ago"
          return judged("catch_all_unknown", "takes_every_address", true)
        }
        const asked: Result.Result<Judged, Unanswered> = yield* Effect.result(
          askHost(email, random, host, found.addresses, notes)
        )
        if (Result.isSuccess(asked)) return asked.success
        const { isEarly, kind } = asked.failure
        last = unknown(kind, kind === "busy" || last.isWorthAskingAgain)
        if (!isEarly) return last
      }
      if (last.because === "unreachable" && lines.isCutOff()) return yield* failed("no mail server can be reached")
      return last
    })

  return (address, random, notes) =>
    Effect.gen(function* () {
      const email = usableEmail(address)
      const domain = email?.slice(email.lastIndexOf("@") + 1) ?? ""
      if (email === null || isIP(domain) !== 0) return judged("invalid", "impossible_address")
      if (isDisposable(domain)) return judged("invalid", "disposable_domain")
      const now = yield* Clock.currentTimeMillis
      const route = yield* Effect.promise(() => routes.route(domain, now))
      switch (route._tag) {
        case "NoDomain":
          return judged("invalid", "no_such_domain")
        case "NullMx":
          return judged("invalid", "takes_no_mail")
        case "NoHost":
          return unknown("no_mail_host")
        case "Unresolved":
          if (route.isOurs) return yield* failed(`no name server answers: ${route.why}`)
          notes.begin(domain, null).ended = route.why
          return unknown("unresolved")
        case "Hosts":
          return yield* askHosts(email, random, route.hosts, notes)
      }
    })
}

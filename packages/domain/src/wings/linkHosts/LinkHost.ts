/** What a link host is, and what follows from a look at it. */
import { HOUR_MILLIS } from "../../kernel/durations.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { after } from "../../kernel/machine.js"
import { hostOf, registrableDomain } from "../../kernel/people/Domain.js"
import type { Listed } from "../../outreach/authentication/Look.js"
import { LinkHostMachine, type LinkHostState } from "./LinkHostMachine.js"

/**
 * Why a host is not used, or not as it should.
 *
 * - `no_proof`: the TXT record of its workspace is not there. `taken`: it is, and another workspace proved the name before.
 * - `dns_silent`: the name servers did not answer. `no_address`: the name leads nowhere.
 * - `private_address`: it leads into a private network, to which the service makes no request.
 * - `unreachable`: nobody answers there. `certificate`: by https without a certificate that holds for it.
 * - `redirects`, `answers_otherwise`: somebody answers, and not as this service does.
 * - `host_hidden`: this service answers, and a proxy before it hides under which name it was asked.
 */
export const LINK_TROUBLES = [
  "no_proof",
  "taken",
  "dns_silent",
  "no_address",
  "private_address",
  "unreachable",
  "certificate",
  "redirects",
  "answers_otherwise",
  "host_hidden"
] as const
export type LinkTrouble = (typeof LINK_TROUBLES)[number]

export interface LinkHost {
  readonly workspaceId: string
  readonly host: string
  /** Used for mail from this domain alone; null: for all. */
  readonly domain: string | null
  readonly state: LinkHostState
  readonly trouble: LinkTrouble | null
  /** Looks in a row that found trouble. */
  readonly failures: number
  readonly addedBy: string
  readonly addedAtMillis: number
  /** When it was first proven; null: never. From then on links may lead to it. */
  readonly provenAtMillis: number | null
  /** When it last answered as it should. */
  readonly answeredAtMillis: number | null
  readonly checkedAtMillis: number | null
  readonly nextCheckAtMillis: number
  /** Blocklists that name it. */
  readonly listed: ReadonlyArray<Listed>
  readonly listsAskedAtMillis: number | null
}

/** Most hosts of a workspace that are looked at, and most that it keeps, retired ones among them. */
export const WATCHED_MAX = 20
export const KEPT_MAX = 200

/** One look may be wrong. So many in a row take a host out of use. */
export const FAILURES_MAX = 2

/** How often a host in use is looked at, and how soon after trouble. */
export const CHECK_MILLIS = HOUR_MILLIS
export const AGAIN_MILLIS = 60_000
const AGAIN_MAX_MILLIS = 6 * HOUR_MILLIS

/** So many looks follow each other quickly: somebody is setting up a record, or waits for a certificate. */
const QUICK_LOOKS = 15

/** How often blocklists are asked. */
export const LISTS_MILLIS = 6 * HOUR_MILLIS

/** How long until the next look, after one that left the host so. */
export const pauseAfter = ({ failures }: Pick<LinkHost, "failures">): number =>
  failures === 0
    ? CHECK_MILLIS
    : Math.min(AGAIN_MAX_MILLIS, AGAIN_MILLIS * 2 ** Math.min(10, Math.max(0, failures - QUICK_LOOKS)))

/** The host after a look: null: it answered as it should, otherwise what was wrong. */
export const afterCheck = (host: LinkHost, trouble: LinkTrouble | null, nowMillis: number): LinkHost => {
  const failures = trouble === null ? 0 : host.failures + 1
  const event = trouble === null ? "answer" : failures >= FAILURES_MAX ? "fail" : null
  return {
    ...host,
    state: event === null ? host.state : after(LinkHostMachine, host.state, event),
    trouble,
    failures,
    answeredAtMillis: trouble === null ? nowMillis : host.answeredAtMillis,
    checkedAtMillis: nowMillis,
    nextCheckAtMillis: nowMillis + pauseAfter({ failures })
  }
}

/** The host once its proof was found. */
export const afterProof = (host: LinkHost, nowMillis: number): LinkHost => ({
  ...host,
  state: after(LinkHostMachine, host.state, "prove"),
  provenAtMillis: host.provenAtMillis ?? nowMillis
})

/** Who proved the same name yields if their own proof is gone and they don't use it any more. */
export const yields = ({ state, trouble }: LinkHost): boolean =>
  trouble === "no_proof" && !LinkHostMachine.is.used(state)

/** Where the links of mail from a domain lead: to a host of this domain's own, or else of all; the newest first. */
export const chosenHost = (hosts: ReadonlyArray<LinkHost>, domain: string | null): string | null => {
  const used = hosts
    .filter(({ state }) => LinkHostMachine.is.used(state))
    .toSorted((a, b) => b.addedAtMillis - a.addedAtMillis || (a.host < b.host ? -1 : 1))
  const own = domain === null ? undefined : used.find((host) => host.domain === domain)
  return (own ?? used.find((host) => host.domain === null))?.host ?? null
}

/** The service's own address, with another host in it: the port and the way in stay. */
export const baseOn = (baseUrl: string, host: string): string => {
  const url = new URL(baseUrl)
  url.hostname = host
  return url.href.replace(/\/$/, "")
}

const HOST_CHARS_MAX = 200

/** What was typed as a host; null: it is none that links can lead to. */
export const readLinkHost = (typed: string): string | null => {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/([^/]*)\/?$/, "$1")
    .replace(/\.$/, "")
  const host = hostOf(text)
  // A path, a port or a name and password would be lost in silence.
  return host !== null && !/[/:@?#]/.test(text) && host.length <= HOST_CHARS_MAX && registrableDomain(host) !== null
    ? host
    : null
}

/** Everything that is wrong with a host that an owner types, beside the name. */
export const hostIssues = (
  { domain, host }: { readonly host: string | null; readonly domain: string | null },
  baseUrl: string
): ReadonlyArray<Issue> => [
  ...(host === null ? [{ path: "host", message: "must be a host name of yours, such as links.acme.com" }] : []),
  ...(host === new URL(baseUrl).hostname
    ? [{ path: "host", message: "must not be the service’s own: it is used without your doing" }]
    : []),
  ...(domain === null || readLinkHost(domain) === domain
    ? []
    : [{ path: "domain", message: "must be a domain that you send from, such as acme.com" }])
]

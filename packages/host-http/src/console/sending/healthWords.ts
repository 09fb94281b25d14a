import type { SendingHealth } from "@outbound/domain/control/reads/sendingHealth.js"
import type { StateWords } from "../Parts.js"

export type DomainHealth = SendingHealth["domains"][number]
export type Receiver = DomainHealth["receivers"][number]
export type Advice = SendingHealth["advice"][number]

/** The worst first: the order of domains and organisations on the page. */
export const STATE: Readonly<Record<DomainHealth["state"], StateWords>> = {
  bad: ["Bad", "bad"],
  watch: ["Watch", "wait"],
  unknown: ["Not known", undefined],
  good: ["Good", "good"]
}

const ORDER = Object.keys(STATE)

/** The worst first, and otherwise in the order given. */
export const worstFirst = <A extends { readonly state: DomainHealth["state"] }>(
  of: ReadonlyArray<A>
): ReadonlyArray<A> => of.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))

export const ALIGNED_WORDS = (aligned: boolean | null): string =>
  aligned === null ? "Not known" : aligned ? "Yes" : "No"

/** Receivers that people know by another name than their servers'. */
const RECEIVER_NAMES: Readonly<Record<string, string>> = {
  "google.com": "Google",
  "outlook.com": "Microsoft",
  "yahoodns.net": "Yahoo",
  "icloud.com": "Apple"
}

/** What a piece of advice is about: a domain, a mailbox, or a domain and the receiver of its mail. */
export const subjectWords = (subject: string): string => {
  const [from = "", to] = subject.split(" ")
  return to === undefined ? subject : `${from} → ${RECEIVER_NAMES[to] ?? to}`
}

export const REASON_WORDS: Readonly<Record<SendingHealth["mailboxes"][number]["state_reasons"][number], string>> = {
  domain_not_authenticated: "its domain is not authenticated",
  domain_listed: "its domain is on a blocklist",
  bounces_high: "more than 2 % of its messages bounced; above 3 % it pauses",
  resting: "it rests for a while",
  receiver_rests: "it leaves an organisation alone for a while",
  cap_reached: "it has sent what it may today",
  ramping: "it is new or was idle, so it may send less"
}

export const BY: Readonly<Record<Advice["by"], string>> = {
  owner: "An owner of this workspace",
  dns: "Anyone who keeps the domain’s DNS",
  agent: "An agent, or you"
}

/** Who measured, by the name that the answer has. */
export const MEASURED_BY: Readonly<Record<string, string>> = {
  canary: "Canaries",
  postmaster_tools: "Google Postmaster Tools"
}

/** What is measured of where mail arrived. */
export const placementWords = (of: Receiver["placement"]): string =>
  of === null ? "Not measured" : `${of.inbox} inbox, ${of.junk} junk, ${of.missing} missing`

/** Why the service did something: a reason of ours, and what a server said. */
export const whyWords = (why: string): string =>
  why === "" ? "–" : why.replace(/^[a-z_]+/, (reason) => reason.replaceAll("_", " "))

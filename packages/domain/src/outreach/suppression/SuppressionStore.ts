import { Context } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** Why a person must not be emailed again. Permanent: a suppression can't be removed. `added`: a key added them by call. */
export const SUPPRESSION_SOURCES = [
  "reply",
  "unsubscribe",
  "hard_bounce",
  "complaint",
  "not_interested",
  "owner_import",
  "added"
] as const
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number]

/** Why a recipient is removed. If several apply, the first of this list counts (contract: campaigns, recipients). */
export const REMOVAL_REASONS = ["invalid", "opted_out", "platform_blocked", "capped", "other"] as const
export type RemovalReason = (typeof REMOVAL_REASONS)[number]

/**
 * Why the workspace's CRM keeps somebody out, for as long as it says so, and how the contract counts them: who said no there, and to
 * whom mail came back, as who said no here.
 */
const KEPT_OUT = {
  crm_opted_out: "opted_out",
  crm_bounced: "opted_out",
  crm_customer: "other",
  crm_open_deal: "other",
  crm_owned: "other"
} as const satisfies Readonly<Record<string, RemovalReason>>
export type KeptOut = keyof typeof KEPT_OUT

/** Why a person must not be emailed now. */
export type Barred = "opted_out" | "platform_blocked" | "capped" | KeptOut

export const isKeptOut = (reason: string): reason is KeptOut => Object.hasOwn(KEPT_OUT, reason)

/** The reason as it is counted. */
export const countedBar = (reason: Barred): Exclude<Barred, KeptOut> | "other" =>
  isKeptOut(reason) ? KEPT_OUT[reason] : reason

/** A rule of the workspace leaves an address of a role out, when it is launched or added. */
export type RuledOut = "role_address"

export const isRuledOut = (reason: string): reason is RuledOut => reason === "role_address"

/** Why somebody is left out. */
export type LeftOut = RemovalReason | Barred | RuledOut

/** The reason as it is counted: whom a rule of the workspace leaves out is `other`. */
export const countedReason = (reason: LeftOut): RemovalReason =>
  isRuledOut(reason) ? "other" : isKeptOut(reason) ? KEPT_OUT[reason] : reason

/** The reason as the contract names it, and what stands behind it (contract: campaigns, recipients). */
export const shownReason = <R extends string>(
  reason: R
): { readonly reason: string; readonly crm?: KeptOut; readonly rule?: RuledOut } =>
  isKeptOut(reason)
    ? { reason: KEPT_OUT[reason], crm: reason }
    : isRuledOut(reason)
      ? { reason: "other", rule: reason }
      : { reason }

/** The deciding reason for a person suppressed by these sources: their own opt-out before their owner's; null: none. */
export const suppressionReason = (
  sources: ReadonlyArray<SuppressionSource>
): Extract<RemovalReason, "opted_out" | "platform_blocked"> | null =>
  sources.some((source) => source !== "owner_import") ? "opted_out" : sources.length > 0 ? "platform_blocked" : null

/** All that may forbid writing to a person. */
export interface Bars {
  readonly sources: ReadonlyArray<SuppressionSource>
  /** Another campaign wrote to them within the contact history. */
  readonly isContacted: boolean
  /** Why the workspace's CRM keeps them out; null: it doesn't. */
  readonly keptOut: KeptOut | null
}

/**
 * Why the person must not be emailed: the first that applies counts. `mayWait`: whom only a message of another campaign
 * hinders waits instead. Null: nothing forbids it.
 */
export const barredBy = ({ isContacted, keptOut, sources }: Bars, mayWait: boolean): Barred | null => {
  const suppressed = suppressionReason(sources)
  if (suppressed === "opted_out") return suppressed
  if (keptOut !== null && countedBar(keptOut) === "opted_out") return keptOut
  return suppressed ?? (isContacted && !mayWait ? "capped" : keptOut)
}

/** How long the workspace's other campaigns leave a person alone after a message. */
export const CONTACT_HISTORY_DAYS = 30

/** A person: the keyed hash of their normalised address, and the address, empty once it is erased. */
export interface Addressed {
  readonly addressHash: string
  readonly email: string
}

/** The domains whose suppression covers an address: its own and each above it. */
export const domainsAbove = (email: string): ReadonlyArray<string> => {
  const labels = email.slice(email.lastIndexOf("@") + 1).split(".")
  return labels.map((_, from) => labels.slice(from).join("."))
}

export interface ContactCheck {
  readonly workspaceId: string
  readonly people: ReadonlyArray<Addressed>
  /** The campaign whose own messages do not count as contact history. */
  readonly campaignId: string
  readonly contactedSinceMillis: number
  /** People whom another campaign wrote to may be kept and wait, if the workspace says so. */
  readonly mayWait: boolean
}

/**
 * Suppressed people and domains. People are keyed by workspace and a keyed hash of the normalised address, so that a
 * suppression survives the erasure of the address. A domain covers everybody who has an address in it or below it. No
 * operation removes one.
 */
export class SuppressionStore extends Context.Service<
  SuppressionStore,
  {
    /** Idempotent by workspace, person and source. True: the person had no suppression before. */
    readonly add: (suppression: {
      readonly workspaceId: string
      readonly addressHash: string
      readonly source: SuppressionSource
      readonly atMillis: number
    }) => InTx<boolean>
    /**
     * Adds many of one source, set-based. Returns those whom this source did not have yet. Unlike `add`, it doesn't
     * tell who is suppressed for the first time.
     */
    readonly addAll: (suppressions: {
      readonly workspaceId: string
      readonly addressHashes: ReadonlyArray<string>
      readonly source: SuppressionSource
      readonly atMillis: number
    }) => InTx<ReadonlyArray<string>>
    /** Suppresses whole domains, set-based. Returns those that were not suppressed yet. */
    readonly addDomains: (suppressions: {
      readonly workspaceId: string
      readonly domains: ReadonlyArray<string>
      readonly atMillis: number
    }) => InTx<ReadonlyArray<string>>
    /** Those of these people whom this source suppresses, each once, set-based. */
    readonly among: (
      workspaceId: string,
      source: SuppressionSource,
      addressHashes: ReadonlyArray<string>
    ) => FromStore<ReadonlyArray<string>>
    /** Those of these domains that are suppressed, each once, set-based. */
    readonly domainsAmong: (workspaceId: string, domains: ReadonlyArray<string>) => FromStore<ReadonlyArray<string>>
    /**
     * The addresses that must not be contacted, with the deciding reason, set-based. Fails rather than guess. An
     * address not in the answer may be contacted.
     */
    readonly check: (check: ContactCheck) => FromStore<ReadonlyMap<string, Barred>>
    /**
     * When another campaign last wrote to each of these people, since a time, by hash. Those to whom none has are left
     * out.
     */
    readonly contactedElsewhere: (asked: {
      readonly workspaceId: string
      readonly campaignId: string
      readonly addressHashes: ReadonlyArray<string>
      readonly sinceMillis: number
    }) => FromStore<ReadonlyMap<string, number>>
    /** With `email`, the suppression of its domain counts as `added`. */
    readonly sourcesOf: (
      workspaceId: string,
      addressHash: string,
      email?: string
    ) => FromStore<ReadonlyArray<SuppressionSource>>
  }
>()("@outbound/domain/outreach/suppression/SuppressionStore") {}

import type { Credits } from "../../kernel/money/Credits.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { ApprovalSnapshot } from "./Snapshot.js"

/** How many people must approve what, and who may not (contract: approvals, who decides). */
export interface ApprovalRules {
  /** Two people approve launches to more people than this, and leads that make a campaign larger. Null: one does. */
  readonly recipientsAbove: number | null
  /** Two people approve purchases of more credits than this. Null: one does. */
  readonly creditsAbove: Credits | null
  /** Whoever made the key that asks does not approve. */
  readonly excludesKeyOwner: boolean
}

/** The rules of a workspace that has set none. */
export const ONE_PERSON: ApprovalRules = { recipientsAbove: null, creditsAbove: null, excludesKeyOwner: false }

/**
 * How a person's session began. `start_link`: with a link that a start printed, which everybody who reads the output can
 * use; it reaches the sandbox workspace that it was made for, and nothing else of the person's.
 */
export const SESSION_BEGINS = ["link", "start_link", "passkey"] as const
export type SessionBegin = (typeof SESSION_BEGINS)[number]

/** One person's approval. */
export interface Vote {
  readonly userId: string
  /** How the session began. */
  readonly beganBy: SessionBegin
  /** Whether they approved the rule that the request offered, too. */
  readonly approvesWinnerRule: boolean
  readonly atMillis: number
}

/** A vote as it is shown and counted: that of somebody who has left counts no more. */
export interface ListedVote extends Vote {
  readonly email: string
  readonly isMember: boolean
}

const isAbove = (value: number | bigint, limit: number | bigint | null): boolean => limit !== null && value > limit

/** How many people the rules want for a request. */
export const approversNeeded = (rules: ApprovalRules, of: ApprovalSnapshot): number => {
  switch (of.kind) {
    case "launch":
      return isAbove(of.leads, rules.recipientsAbove) ? 2 : 1
    // Otherwise a large campaign could be launched small and grown.
    case "add_leads":
      return isAbove(of.campaign_lead_total, rules.recipientsAbove) ? 2 : 1
    case "purchase":
      return isAbove(of.setup_credits, rules.creditsAbove) ? 2 : 1
    case "reply":
      return 1
  }
}

/** What an approval still wants: the stricter of the rules when it was asked for and of those now. */
export interface Wanted {
  readonly needed: number
  /** Who may not approve; null: every member may. */
  readonly excludedUserId: string | null
}

export const wantedNow = (
  approval: {
    readonly approversNeeded: number
    readonly excludedUserId: string | null
    readonly snapshot: ApprovalSnapshot
  },
  rules: ApprovalRules,
  keyOwner: string | null
): Wanted => ({
  needed: Math.max(approval.approversNeeded, approversNeeded(rules, approval.snapshot)),
  excludedUserId: approval.excludedUserId ?? (rules.excludesKeyOwner ? keyOwner : null)
})

const mailboxOf = ({ email }: { readonly email: string }): string => usableEmail(email) ?? email

/**
 * What a further approval does: it is refused, counts, or is the last that was needed. Two accounts of one mailbox are one
 * person.
 */
export const countVote = (
  { excludedUserId, needed }: Wanted,
  votes: ReadonlyArray<Pick<ListedVote, "userId" | "email" | "isMember">>,
  by: { readonly userId: string; readonly email: string }
): "excluded" | "same_person" | "counted" | "approved" => {
  if (by.userId === excludedUserId) return "excluded"
  const isSame = (vote: (typeof votes)[number]) => vote.userId === by.userId || mailboxOf(vote) === mailboxOf(by)
  if (votes.some(isSame)) return "same_person"
  const others = votes.filter((vote) => vote.isMember && vote.userId !== excludedUserId)
  return others.length + 1 >= needed ? "approved" : "counted"
}

import { Context, type Option } from "effect"
import type { EvidenceMark, ValueEvidence } from "../../../kernel/sequences/evidence.js"
import type { LookKind } from "../../../calls/approvals/Snapshot.js"
import type { FromStore, InTx } from "../../../kernel/ports/UnitOfWork.js"
import type { LeadWords } from "../../../kernel/words/notice.js"
import type { Recipient } from "../../../kernel/sequences/Sequence.js"

/** Evidence as an approval shows it. */
export interface ShownEvidence extends ValueEvidence {
  readonly mark: EvidenceMark
}

/**
 * A person as an approval shows them: exactly what their messages are merged from. `custom` holds only the fields that
 * the messages use, without blank ones.
 */
export interface ShownPerson extends Recipient {
  /** Ids are in the order of the people. */
  readonly shownId: string
  readonly addressHash: string
  /** Keyed hash of the values, from which nobody can guess them. Execution compares it with the lead's. */
  readonly digest: string
  /** How their messages end. Its notice is in the approval's snapshot. */
  readonly words: LeadWords | null
  readonly looks: ReadonlyArray<LookKind>
  /** The hosts of links that only their merged text has. */
  readonly hosts: ReadonlyArray<string>
  /** The evidence of values that the messages use, each with the mark that it had when it was shown. Null: none. */
  readonly evidence: ReadonlyArray<ShownEvidence> | null
}

/** Which of the shown people a page lists. */
export interface ShownFilter {
  /** In the address, the name, the company or any value that the messages use, ignoring case. */
  readonly text: string | null
  readonly look: LookKind | null
  readonly host: string | null
  /** Only those whose value of the variable is this; a null value: the fallback stands there. */
  readonly having: { readonly variable: string; readonly value: string | null } | null
}

/** A value of a variable, and how many messages have it. */
export interface ShownValue {
  /** Null: the fallback. */
  readonly value: string | null
  readonly people: number
}

/** How the people of two approvals differ. */
export interface ContentDifference {
  readonly added: number
  readonly removed: number
  /** In both, with other values. */
  readonly changed: number
}

/** What an approval covers of each person. Written once, with the approval; its pages and its execution read it. */
export class ContentStore extends Context.Service<
  ContentStore,
  {
    /** Stores the people of an approval. */
    readonly insert: (workspaceId: string, approvalId: string, people: ReadonlyArray<ShownPerson>) => InTx<void>
    /**
     * Drops the people of the target's superseded approvals: nobody can approve those. The newest one's stay, so that
     * the next can be compared with it.
     */
    readonly forget: (workspaceId: string, target: string) => InTx<void>
    /** The digest of each person, by the keyed hash of the address. */
    readonly digests: (workspaceId: string, approvalId: string) => FromStore<ReadonlyMap<string, string>>
    /** How many of these people are open leads of another campaign that is active or paused. */
    readonly overlapping: (
      workspaceId: string,
      campaignId: string,
      addressHashes: ReadonlyArray<string>
    ) => FromStore<number>
    /**
     * In the order of the people. `after`: the last id of the previous page. `before`: the last ones before that id
     * instead.
     */
    readonly people: (
      workspaceId: string,
      approvalId: string,
      filter: ShownFilter,
      page: { readonly after: string | null; readonly before?: string; readonly limit: number }
    ) => FromStore<ReadonlyArray<ShownPerson>>
    readonly person: (workspaceId: string, approvalId: string, shownId: string) => FromStore<Option.Option<ShownPerson>>
    /** The distinct values of a variable, those of the fewest people first, then by value. `text`: part of the value. */
    readonly values: (
      workspaceId: string,
      approvalId: string,
      variable: string,
      page: { readonly text: string | null; readonly offset: number; readonly limit: number }
    ) => FromStore<ReadonlyArray<ShownValue>>
    readonly differences: (workspaceId: string, earlierId: string, approvalId: string) => FromStore<ContentDifference>
  }
>()("@outbound/domain/outreach/launching/content/ContentStore") {}

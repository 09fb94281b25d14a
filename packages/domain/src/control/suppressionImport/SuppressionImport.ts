import { Context, type Effect, type Stream } from "effect"
import type { ControlRefused } from "../Control.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** One row of an owner's list. */
export interface ListedAddress {
  /** Where it stands, counted from 1. */
  readonly line: number
  /** As it was written. */
  readonly address: string
}

/** The rows of a text with one address on each line, such as a person types or pastes. */
export const listedAddresses = (text: string): ReadonlyArray<ListedAddress> =>
  text.split(/\r\n|\r|\n/).flatMap((line, index) => (line.trim() === "" ? [] : [{ line: index + 1, address: line }]))

/** A row that names nobody. */
export interface UnusableRow {
  readonly line: number
  readonly reason: string
}

/** How many unusable rows a report names; the rest is a count. */
export const UNUSABLE_LISTED_MAX = 1_000

/** What became of a list, or would. Every row of it is in one of the counts. */
export interface ImportReport {
  readonly dryRun: boolean
  readonly rows: number
  /** People who were not on the owner's list before. */
  readonly added: number
  /** Rows of people who were, and repetitions. */
  readonly known: number
  readonly unusable: number
  /** The first of them. */
  readonly unusableRows: ReadonlyArray<UnusableRow>
  /** Leads that left the campaigns they were in. */
  readonly leadsRemoved: number
}

type Rows<E> = Stream.Stream<ListedAddress, E>

/**
 * Takes over an owner's list of people who are never to be written to, of any length, in bounded memory. It is
 * permanent, as every suppression is. One that breaks off has taken over its first rows: the same again goes on.
 */
export class SuppressionImport extends Context.Tag("@outbound/domain/control/suppressionImport/SuppressionImport")<
  SuppressionImport,
  {
    /** For an owner. `dryRun`: everything but the taking over. */
    readonly take: <E>(
      by: SignedIn,
      list: Rows<E>,
      options: { readonly dryRun: boolean }
    ) => Effect.Effect<ImportReport, E | ControlRefused | StoreUnavailable>
    /** For the operator. `not_found`: there is no such workspace. */
    readonly takeFor: <E>(
      workspaceId: string,
      list: Rows<E>,
      options: { readonly dryRun: boolean }
    ) => Effect.Effect<ImportReport, E | AnyWireError | StoreUnavailable>
  }
>() {}

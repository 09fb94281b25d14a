import { Context, type Stream } from "effect"
import type { ControlRefused } from "../Control.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** One row of the imported list. */
export interface ListedAddress {
  /** Line number, from 1. */
  readonly line: number
  /** As written in the list. */
  readonly address: string
}

/** Splits a text into rows, one address per line. */
export const listedAddresses = (text: string): ReadonlyArray<ListedAddress> =>
  text.split(/\r\n|\r|\n/).flatMap((line, index) => (line.trim() === "" ? [] : [{ line: index + 1, address: line }]))

/** A row without a usable address. */
export interface UnusableRow {
  readonly line: number
  readonly reason: string
}

/** Most unusable rows that a report lists; the rest are only counted. */
export const UNUSABLE_LISTED_MAX = 1_000

/** The result of an import or its dry run. Each row is in exactly one count. */
export interface ImportReport {
  readonly dryRun: boolean
  readonly rows: number
  /** People who were not on the owner's list before. */
  readonly added: number
  /** People who already were, and duplicates. */
  readonly known: number
  readonly unusable: number
  /** The first of them. */
  readonly unusableRows: ReadonlyArray<UnusableRow>
  /** Leads that were removed from their campaigns. */
  readonly leadsRemoved: number
}

type Rows<E> = Stream.Stream<ListedAddress, E>

/**
 * Imports an owner's list of people who must never be emailed, of any length, in bounded memory. Like every
 * suppression, it is permanent. An interrupted import keeps its first rows; repeating it adds the rest.
 */
export class SuppressionImport extends Context.Tag("@outbound/domain/control/suppressionImport/SuppressionImport")<
  SuppressionImport,
  {
    /** For owners. `dryRun`: reports without importing. */
    readonly take: <E>(
      by: SignedIn,
      list: Rows<E>,
      options: { readonly dryRun: boolean }
    ) => FromStore<ImportReport, E | ControlRefused>
    /** For the operator. `not_found`: no such workspace. */
    readonly takeFor: <E>(
      workspaceId: string,
      list: Rows<E>,
      options: { readonly dryRun: boolean }
    ) => FromStore<ImportReport, E | AnyWireError>
  }
>() {}

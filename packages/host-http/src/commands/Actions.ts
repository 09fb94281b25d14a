import type { SealedTotals } from "@outbound/domain/kernel/trail/seals.js"
import type { Admin } from "@outbound/domain/app/Admin.js"
import type { Console } from "@outbound/domain/control/console/Console.js"
import type { WingServices } from "@outbound/domain/wings/wings.js"
import type { CallStories } from "@outbound/domain/control/CallStories.js"
import type { MarginStore } from "@outbound/domain/calls/MarginStore.js"
import type { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import type { Domains } from "@outbound/domain/control/domains/Domains.js"
import type { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import type { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import type { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { MailboxAdoption } from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import type { SealStore, TrailHead } from "@outbound/domain/kernel/trail/SealStore.js"
import type { SignUp } from "@outbound/domain/control/signUp/SignUp.js"
import type { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { Effect } from "effect"
import type { FindRunning, OutboundConfig } from "../Config.js"
import type { WingActions } from "../wings/actions.js"
import type { Finding } from "./Finding.js"

/** An invariant of the stored data, and where it is violated. */
export interface RuleReport {
  readonly name: string
  readonly rule: string
  /** The number of violations; `breaches` lists the first ones. */
  readonly count: number
  readonly breaches: ReadonlyArray<{ readonly workspaceId: string | null; readonly breach: string }>
}

/** What `outbound check` found. */
export interface CheckReport {
  readonly rules: ReadonlyArray<RuleReport>
  /** The trails that were sealed last, and how many there are in all. */
  readonly heads: ReadonlyArray<TrailHead>
  readonly trails: number
}

/** What providers are asked: nothing; whether they work; or that, with their answers kept in a folder. */
export type Asked =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Standing" }
  /** `verify`: an address that each email verifier also checks, which it may charge for. */
  | { readonly _tag: "Recorded"; readonly folder: string; readonly verify: string | null }

/** What is configured for live workspaces, and what became of asking it whether it works. */
export interface ProvidersReport {
  /** `sandbox`, or the path of the file. */
  readonly configuration: string
  readonly ports: ReadonlyArray<{
    readonly port: string
    readonly tools: ReadonlyArray<string>
    /** In the order of the configuration. */
    readonly sources: ReadonlyArray<{
      readonly name: string
      readonly costMicros: number
      readonly missRate: number
      readonly latencyMillis: number
    }>
  }>
  readonly sending: string | null
  readonly chat: ReadonlyArray<{
    readonly model: string
    readonly tier: string
    readonly upstreams: ReadonlyArray<string>
  }>
  /** Every vendor that could be configured. */
  readonly vendors: ReadonlyArray<{
    readonly name: string
    readonly title: string
    readonly serves: ReadonlyArray<string>
    readonly unit: string
    readonly unitMicros: number
    readonly known: string
    readonly isConfigured: boolean
  }>
  /** Empty where nothing was asked. */
  readonly checks: ReadonlyArray<{
    readonly name: string
    readonly kind: string
    readonly state: "works" | "warning" | "fails" | "untested"
    readonly left: number | null
    readonly unit: string | null
    readonly says: ReadonlyArray<string>
  }>
  readonly notes: ReadonlyArray<string>
  /** Files that were written. */
  readonly recorded: ReadonlyArray<string>
}

/** A backup that was made. */
export interface BackupReport {
  readonly folder: string
  readonly made_at: string
  readonly tables: number
  readonly rows: number
  /** Where the secret is, which is not in the backup. */
  readonly secret: string
}

/** A backup that was taken up. */
export interface RestoreReport {
  readonly made_at: string
  readonly rows: number
  readonly campaigns_paused: number
}

/** What was deleted of a workspace. */
export interface DeletionReport {
  readonly workspace_id: string
  readonly rows: number
  readonly tables: number
  /** Members of no other workspace, who are gone with it. */
  readonly people: number
  readonly was_deleted: boolean
}

/** What became of the values that are sealed under the secret. */
export interface RotationReport {
  /** The database had moved to the new secret before. */
  readonly was_finished: boolean
  readonly values: ReadonlyArray<{
    readonly table: string
    readonly resealed: number
    /** Neither secret opens them. */
    readonly unreadable: number
  }>
}

/** The longest secret on standard input. */
export const STDIN_CHARS_MAX = 65_536

/** What the commands do. Each part is loaded when it is used. */
export interface Actions extends WingActions {
  readonly running: FindRunning
  /** Runs the service until it is stopped. */
  readonly serve: (config: OutboundConfig, isTestClock: boolean) => Effect.Effect<void, unknown>
  /** The names of the migrations that were applied. */
  readonly migrate: (config: OutboundConfig) => Effect.Effect<ReadonlyArray<string>, unknown>
  /** What the service relies on. */
  readonly doctor: (config: OutboundConfig) => Effect.Effect<ReadonlyArray<Finding>, unknown>
  /** Copies the database into a folder. */
  readonly backUp: (config: OutboundConfig, folder: string) => Effect.Effect<BackupReport, unknown>
  /** Puts a backup into an empty database. */
  readonly restore: (config: OutboundConfig, folder: string) => Effect.Effect<RestoreReport, unknown>
  /** Deletes a stopped workspace, whose name is given too. */
  readonly deleteWorkspace: (
    config: OutboundConfig,
    workspaceId: string,
    name: string
  ) => Effect.Effect<DeletionReport, unknown>
  /** Moves the database from the secret before to the secret. */
  readonly rotateSecret: (config: OutboundConfig) => Effect.Effect<RotationReport, unknown>
  /** The seals and events of a trail's archived part, as lines of an export. Fails if they are not what was archived. */
  readonly archivedTrail: (folder: string, workspaceId: string, archived: SealedTotals) => AsyncIterable<string>
  /** With `all`, also the rows that sealed sums stand for; with an archive, also what it holds. */
  readonly check: (
    config: OutboundConfig,
    what: { readonly all: boolean; readonly archive: string | null }
  ) => Effect.Effect<CheckReport, unknown>
  /** The providers of live workspaces, and what comes of asking them. */
  readonly providers: (config: OutboundConfig, asked: Asked) => Effect.Effect<ProvidersReport, unknown>
  /** Standard input, up to `STDIN_CHARS_MAX` characters. */
  readonly readStdin: Effect.Effect<string, unknown>
  /** Runs on the database, with the configured sending vendor. */
  readonly adopt: <A, E>(
    config: OutboundConfig,
    work: Effect.Effect<A, E, MailboxAdoption>
  ) => Effect.Effect<A, unknown>
  /** Runs on the database, with the operator's services. */
  readonly operate: <A, E>(
    config: OutboundConfig,
    work: Effect.Effect<
      A,
      E,
      | Admin
      | CallStories
      | Console
      | DirectoryImport
      | Domains
      | Erasure
      | PersonFiles
      | MailboxAdmin
      | MarginStore
      | SealStore
      | SignUp
      | SuppressionImport
      | WingServices
    >
  ) => Effect.Effect<A, unknown>
}

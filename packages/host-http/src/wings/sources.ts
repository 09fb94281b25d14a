import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"
import { openSources } from "./openDirectory/sources.js"

/** By port. */
interface MadeSources {
  readonly company_source?: CompanySource
}

/** Sources that a wing makes of its own store. */
export interface WingSources<R> {
  /** What each declares of itself, by which a configuration is shown without a database. */
  readonly declared: ReadonlyArray<Source>
  /** By their names. */
  readonly make: Effect.Effect<Readonly<Record<string, MadeSources>>, never, R>
}

const NO_SOURCES: WingSources<never> = { declared: [], make: Effect.succeed({}) }

/** The sources of every wing, a line each. */
const SOURCES = [NO_SOURCES, openSources] as const

type Made = (typeof SOURCES)[number]["make"]

export const wingDeclared: ReadonlyArray<Source> = SOURCES.flatMap(({ declared }) => declared)

export const wingSources: Effect.Effect<
  Readonly<Record<string, MadeSources>>,
  never,
  Effect.Services<Made>
> = Effect.map(Effect.all(SOURCES.map(({ make }): Made => make)), (all) => Object.assign({}, ...all))

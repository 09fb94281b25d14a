import type { Effect, Option } from "effect"
import type { ProviderFailure, Source } from "./Source.js"

export const BRIEF_DEPTHS = ["fast", "deep"] as const
export type BriefDepth = (typeof BRIEF_DEPTHS)[number]

export interface BriefSource {
  readonly url: string
  readonly title: string | null
}

/** Some paragraphs about a company and their source pages. */
export interface Brief {
  readonly text: string
  readonly sources: ReadonlyArray<BriefSource>
}

export interface BriefRequest {
  /** Registrable. */
  readonly companyDomain: string
  readonly depth: BriefDepth
}

/** Researches a company and writes about it. None is an answer: there was nothing to write about. */
export interface BriefWriter extends Source {
  readonly depths: ReadonlyArray<BriefDepth>
  readonly write: (request: BriefRequest) => Effect.Effect<Option.Option<Brief>, ProviderFailure>
}

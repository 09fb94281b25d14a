import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { FollowUps } from "@outbound/domain/sources/FollowUps.js"
import type { FollowUp } from "@outbound/domain/sources/ports/FollowUpSource.js"
import type { FollowUpRequest, LaterAnswer } from "@outbound/domain/sources/Later.js"
import type { LaterStore } from "@outbound/domain/sources/LaterStore.js"
import type { MarginStore } from "@outbound/domain/calls/MarginStore.js"
import { SourceAccessFactory } from "@outbound/domain/sources/SourceAccessFactory.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Option } from "effect"
import type { Service } from "../../service/Service.js"
import { freshId, givenWorkspace } from "../fixtures.js"
import { TestPassing, type TestRows } from "../../memory/Hooks.js"

export const SOURCE = "scripted"
export const OTHER_SOURCE = "scripted_too"
export const HOUR_SECONDS = 60 * 60
export const EMAIL = "ada@corp.example"

interface Asked {
  readonly request: JsonObject
  readonly tries: number
  readonly workspaceId: string | null
}

export type Script = (asked: Asked) => Effect.Effect<FollowUp, ProviderFailure>

/** What the source does about a subject, and what it was asked about it. */
export const scripts = new Map<string, Script>()
export const asked: Array<Asked> = []

export const subjectOf = ({ request }: Asked): string => String(request["subject"])
export const timesAsked = (subject: string) => asked.filter((one) => subjectOf(one) === subject).length

/** A source whose every answer comes late. */
export const liveWithFollowUps = {
  ...noProviders,
  followUps: [SOURCE, OTHER_SOURCE].map((name) => ({
    name,
    followUp: (request: JsonObject, tries: number) =>
      Effect.flatMap(CurrentSourceAccess, ({ workspaceId }) => {
        const one = { request, tries, workspaceId }
        asked.push(one)
        return scripts.get(subjectOf(one))?.(one) ?? Effect.succeed({ _tag: "Gone" as const })
      })
  }))
}

export const failing = (
  reason: ProviderFailure["reason"],
  more: { readonly retryAfterSeconds?: number } = {}
): Script => {
  const failure = new ProviderFailure({ provider: SOURCE, reason, ...more })
  return () => Effect.fail(failure)
}

export const ANSWER: JsonObject = { work_email: EMAIL }
export const answering: Script = () =>
  Effect.succeed({ _tag: "Answer", answer: ANSWER, keepSeconds: 10 * 24 * HOUR_SECONDS })

export type FollowUpsOnStores =
  | Service
  | LaterStore
  | MarginStore
  | TestPassing
  | TestRows
  | UnitOfWork
  | WorkspaceStore

export const pass = (seconds: number) => Effect.flatMap(TestPassing, (passing) => passing.pass(seconds * 1000))

export const round = Effect.flatMap(FollowUps, (followUps) => followUps.round)

export const laterOf = (workspaceId: string) =>
  Effect.map(SourceAccessFactory, (reaches) => reaches.of({ workspaceId, workspaceKind: "live" }).later)

/** A follow-up about something that no other test asks about. */
export const given = (script: Script, more: Partial<FollowUpRequest> = {}) =>
  Effect.gen(function* () {
    const { workspaceId } = yield* givenWorkspace({ kind: "live" })
    const subject = freshId()
    scripts.set(subject, script)
    const later = yield* laterOf(workspaceId)
    const request = { subject, about: `somebody ${subject}`, ...more.request }
    const { source = SOURCE } = more
    const ask = later.ask({ subject, email: null, afterSeconds: 30, ...more, source, request })
    yield* ask
    return { workspaceId, subject, later, ask, find: later.find(source, subject) }
  })

export const tagOf = (found: Option.Option<LaterAnswer>) => Option.getOrNull(Option.map(found, ({ _tag }) => _tag))

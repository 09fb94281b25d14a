import { Clock, Context, Effect, Layer, Option } from "effect"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { credibleJudgement } from "../../data/checks/credibleSite.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { Judge } from "../../sources/ports/Judge.js"
import { Providers } from "../../sources/ports/Providers.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Circuits } from "../../sources/Circuits.js"
import { noAccess, CurrentSourceAccess } from "../../sources/SourceAccess.js"
import { incredible, askSourcesOrFail } from "../../sources/Waterfall.js"
import { suppress as makeSuppress } from "../optOut/Suppress.js"
import { makeTell, ofLead } from "../../kernel/trail/TrailEvent.js"
import { ownText } from "../meaning/ownText.js"
import { type OpenReply, type OpenReplyRef, ReadingStore } from "./ReadingStore.js"
import type { Classification } from "../meaning/Classification.js"

/** Most replies that one round asks about. */
const REPLIES_MAX = 20

/** How much of a reply's text a judge gets, in characters. */
const TEXT_CHARS_MAX = 4_000

/** The waits before each try. After the last failure the reply stays unclassified. */
export const TRIES_AFTER_MILLIS = [0, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000] as const

/** Older replies are never asked about, even if another host asked before. */
export const ASKED_WITHIN_MILLIS = 24 * 3_600_000

/** Most replies whose tries are remembered. */
const TRIES_KEPT_MAX = 5_000

type Judged = Extract<Classification, "unsubscribe" | "not_interested" | "interested" | "other">

/** The questions, most serious first: the first yes counts. */
const QUESTIONS: ReadonlyArray<readonly [Exclude<Judged, "other">, string]> = [
  [
    "unsubscribe",
    "Does the writer of this e-mail ask not to be written to any more, or to be taken off a list or out of a database?"
  ],
  [
    "not_interested",
    "Does the writer of this e-mail say that they do not want what was offered to them, now or at all?"
  ],
  [
    "interested",
    "Does the writer of this e-mail want to go on: to know more, to talk, to meet, to see a price, or to have a colleague contacted?"
  ]
]

/** Placeholder for the page address that the judge requires. It leads nowhere. */
const PAGE_URL = "mid:reply"

/**
 * Classifies replies that the rules could not. Their sequences have already stopped. A judge only names what the reply
 * says; its one further effect is that a request to be left alone also unsubscribes. It gets the writer's own text,
 * bounded, as data.
 */
export class Judging extends Context.Service<
  Judging,
  {
    /** Returns how many replies got a classification. */
    readonly round: FromStore<number>
  }
>()("@outbound/domain/outreach/replies/Judging") {}

export const layer = Layer.effect(
  Judging,
  Effect.gen(function* () {
    const reading = yield* ReadingStore
    const campaigns = yield* CampaignStore
    const tell = yield* makeTell
    const providers = yield* Providers
    const { atomically } = yield* UnitOfWork
    const circuits = yield* Circuits
    const suppress = yield* makeSuppress
    const tries = new Map<string, { readonly count: number; readonly atMillis: number }>()

    const isYes = (question: string, companyDomain: string, text: string) => {
      const pages = [{ url: PAGE_URL, title: null, text }]
      return Effect.map(
        askSourcesOrFail<Judge, boolean>({ kind: "judge", sources: providers.live.judges, request: null }, (judge) =>
          Effect.flatMap(judge.judge({ question, about: "email", companyDomain, pages }), (judgement) => {
            const credible = credibleJudgement(judgement, pages)
            return credible === null ? Effect.fail(incredible(judge)) : Effect.succeedSome(credible.answer === "yes")
          })
        ),
        ({ answer }) => Option.getOrElse(answer, () => false)
      )
    }

    const judge = (reply: OpenReply) =>
      Effect.gen(function* () {
        const text = ownText(reply.bodyText).slice(0, TEXT_CHARS_MAX).trim()
        if (text === "") return "other" as const
        const companyDomain = usableEmail(reply.fromEmail)?.replace(/^.*@/, "") ?? "unknown"
        for (const [classification, question] of QUESTIONS) {
          if (yield* isYes(question, companyDomain, text)) return classification
        }
        return "other" as const
      })

    /** A request to be left alone: record both the reply and the unsubscribe. */
    const unsubscribe = (reply: OpenReply, lead: CampaignLead, nowMillis: number) =>
      Effect.gen(function* () {
        const common = { ...ofLead(lead), source: "system" as const, replyId: reply.replyId }
        yield* tell(nowMillis, { ...common, kind: "unsubscribe" })
        const no = { sources: ["unsubscribe"], event: "unsubscribe", reason: "unsubscribe" } as const
        // The answer itself suppressed its writer, unless nothing proves who that is.
        yield* suppress({ lead, common, ...no, writer: reply.fromEmail, ifSuppressed: true }, nowMillis)
      })

    const record = (reply: OpenReply, classification: Judged, nowMillis: number) =>
      Effect.gen(function* () {
        const { campaignLeadId, replyId, workspaceId } = reply
        const leaves = classification === "unsubscribe"
        const lead = leaves ? yield* campaigns.lockPerson(workspaceId, campaignLeadId) : Option.none()
        const isFirst = yield* reading.classify(workspaceId, replyId, classification)
        if (isFirst && Option.isSome(lead)) yield* unsubscribe(reply, lead.value, nowMillis)
        return isFirst
      }).pipe(atomically)

    const isDue = ({ replyId }: OpenReplyRef, nowMillis: number): boolean => {
      const { atMillis, count } = tries.get(replyId) ?? { count: 0, atMillis: 0 }
      const wait = TRIES_AFTER_MILLIS[count]
      return wait !== undefined && nowMillis >= atMillis + wait
    }

    const remember = (replyId: string, nowMillis: number): void => {
      if (tries.size >= TRIES_KEPT_MAX) tries.clear()
      tries.set(replyId, { count: (tries.get(replyId)?.count ?? 0) + 1, atMillis: nowMillis })
    }

    return Judging.of({
      round: Effect.gen(function* () {
        if (providers.live.judges.length === 0) return 0
        const nowMillis = yield* Clock.currentTimeMillis
        const open = yield* reading.unclassified(nowMillis - ASKED_WITHIN_MILLIS, TRIES_KEPT_MAX)
        let classified = 0
        for (const ref of open.filter((one) => isDue(one, nowMillis)).slice(0, REPLIES_MAX)) {
          remember(ref.replyId, nowMillis)
          const found = yield* reading.openReply(ref)
          if (Option.isNone(found)) continue
          const reply = found.value
          const judged = yield* Effect.option(judge(reply))
          if (Option.isNone(judged)) continue
          tries.delete(reply.replyId)
          if (yield* record(reply, judged.value, yield* Clock.currentTimeMillis)) classified += 1
        }
        return classified
      }).pipe(Effect.provideService(CurrentSourceAccess, { ...noAccess, circuits }))
    })
  })
)

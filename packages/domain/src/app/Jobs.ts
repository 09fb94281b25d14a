import { Effect, Layer } from "effect"
import { makeKillHandler } from "../control/Kills.js"
import { makeWinnerHandler } from "../control/VariantChoice.js"
import { makeDomainHandler } from "../outreach/domains/domainJob.js"
import { makeWatchHandler } from "../outreach/reputation/watchJob.js"
import { makeLookHandler } from "../outreach/health/lookJob.js"
import { makeOperationHandler } from "../outreach/provisioning/Provisioning.js"
import * as Wings from "../wings/wings.js"
import { JobHandlers } from "../kernel/ports/LongWork.js"
import { FollowUps } from "../sources/FollowUps.js"
import { makeSweepsHandler } from "./Sweeps.js"

/** The handler of every kind of job. */
export const layer = Layer.effect(
  JobHandlers,
  Effect.all({
    wings: Wings.makeJobs,
    operation: makeOperationHandler,
    kill: makeKillHandler,
    domain: makeDomainHandler,
    watch: makeWatchHandler,
    look: makeLookHandler,
    follow_ups: Effect.map(FollowUps, ({ handler }) => handler),
    winner: makeWinnerHandler,
    sweeps: makeSweepsHandler
  }).pipe(Effect.map(({ wings, ...ours }) => ({ ...wings, ...ours })))
)

import { Effect, Layer } from "effect"
import { makeKillHandler } from "../control/Kills.js"
import { makeWinnerHandler } from "../control/VariantChoice.js"
import { makeDomainHandler } from "../outreach/domains/domainJob.js"
import { makeWatchHandler } from "../outreach/reputation/watchJob.js"
import { makeOperationHandler } from "../outreach/provisioning/Provisioning.js"
import { makeCrmHandler } from "../outreach/crm/crmHandler.js"
import { JobHandlers } from "../kernel/ports/LongWork.js"
import { FollowUps } from "../sources/FollowUps.js"
import { makeSweepsHandler } from "./Sweeps.js"

/** The handler of every kind of job. */
export const layer = Layer.effect(
  JobHandlers,
  Effect.all({
    operation: makeOperationHandler,
    kill: makeKillHandler,
    domain: makeDomainHandler,
    watch: makeWatchHandler,
    follow_ups: Effect.map(FollowUps, ({ handler }) => handler),
    crm: makeCrmHandler,
    winner: makeWinnerHandler,
    sweeps: makeSweepsHandler
  })
)

import { Clock, Effect } from "effect"
import { killJob, KillStore } from "../control/KillStore.js"
import { makeRetention } from "../control/erasure/Retention.js"
import { makeOfferPurge } from "../data/leads/Offers.js"
import { makeOAuthPurge } from "../control/oauth/OAuthPurge.js"
import { CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { winnerJob } from "../outreach/campaigns/winnerRule.js"
import * as Wings from "../wings/wings.js"
import { operationJob, OperationStore } from "../outreach/operations/OperationStore.js"
import { lookJob, LookStore } from "../outreach/authentication/LookStore.js"
import { ReputationStore, watchJob } from "../outreach/reputation/ReputationStore.js"
import { sendingDomainJob, SendingDomainStore } from "../outreach/domains/SendingDomainStore.js"
import { type Job, type JobHandler, LongWork, waitFor } from "../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { FollowUps } from "../sources/FollowUps.js"
import { makeNoticePurge } from "../control/notices/NoticeRounds.js"

/** The pause between sweeps that find nothing. */
export const SWEEPS_MILLIS = 10 * 60_000

/** How many of the oldest operations, kills and domains, and of the newest rules, one round announces again. */
const OPEN_MAX = 100

export const SWEEPS_JOB: Job = { kind: "sweeps", key: "all" }

/** What one of all hosts looks for every ten minutes: what has expired, and jobs that were lost. */
export const makeSweepsHandler = Effect.gen(function* () {
  const operations = yield* OperationStore
  const kills = yield* KillStore
  const ofWings = yield* Wings.makeLost
  const campaigns = yield* CampaignStore
  const domains = yield* SendingDomainStore
  const reputation = yield* ReputationStore
  const looks = yield* LookStore
  const followUps = yield* FollowUps
  const work = yield* LongWork
  const { atomically } = yield* UnitOfWork

  // Jobs are announced with their rows. A job can only be missing from a restored backup.
  const lost = Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const found = [
      ...(yield* operations.open(OPEN_MAX)).map(operationJob),
      ...(yield* kills.open(OPEN_MAX)).map(killJob),
      ...(yield* ofWings(OPEN_MAX)),
      ...(yield* campaigns.underWinnerRule(OPEN_MAX)).map(winnerJob),
      ...(yield* domains.underWay(OPEN_MAX)).map(sendingDomainJob),
      ...(yield* reputation.unwatched(nowMillis - SWEEPS_MILLIS, OPEN_MAX)).map(watchJob),
      ...(yield* looks.due(nowMillis - SWEEPS_MILLIS, OPEN_MAX)).map(lookJob)
    ]
    // One that waits already is not brought forward.
    if (found.length > 0) yield* atomically(work.announce(found.map((job) => ({ ...job, afterMillis: SWEEPS_MILLIS }))))
    yield* followUps.announce
    return 0
  })

  const rounds: Readonly<Record<string, FromStore<number>>> = {
    lost,
    ...(yield* Wings.makeSweeps),
    later: followUps.purge,
    notices: yield* makeNoticePurge,
    offers: yield* makeOfferPurge,
    oauth: yield* makeOAuthPurge,
    retention: yield* makeRetention
  }

  /** A sweep that fails keeps no other from its turn. */
  const swept = ([name, round]: readonly [string, FromStore<number>]) =>
    round.pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning(`${name}: a sweep failed`, cause), 0)),
      Effect.withLogSpan(name)
    )

  const handler: JobHandler = () =>
    Effect.map(Effect.forEach(Object.entries(rounds), swept), (found) =>
      waitFor(found.some((count) => count > 0) ? 0 : SWEEPS_MILLIS)
    )
  return handler
})

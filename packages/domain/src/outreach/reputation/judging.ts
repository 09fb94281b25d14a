import { Effect } from "effect"
import { dayOf, failingMail, JUDGED_DAYS, provenFailing, sinceDay } from "./alignment.js"
import type { DomainWatch } from "./DomainWatch.js"
import { makePauseDomain } from "./pauseDomain.js"
import { ReputationStore } from "./ReputationStore.js"

const DAY_MILLIS = 86_400_000

/**
 * Judges a domain by its reports of the last days. Returns the watch with the result, and pauses mailboxes if the
 * workspace wants that. A mailbox that a human resumed is judged by later days alone.
 */
export const makeJudging = Effect.gen(function* () {
  const store = yield* ReputationStore
  const pauseDomain = yield* makePauseDomain

  return (watch: DomainWatch, domain: string, nowMillis: number) =>
    Effect.gen(function* () {
      const { domainId, workspaceId } = watch
      const rule = yield* store.rule(workspaceId)
      const days = yield* store.sourceDays(workspaceId, domainId, sinceDay(nowMillis, JUDGED_DAYS))
      const failing = failingMail(days, rule)
      if (rule.pausesForDmarc) {
        yield* pauseDomain(
          workspaceId,
          domain,
          ({ activeAtMillis }) => {
            const fromDay = dayOf((activeAtMillis ?? 0) + DAY_MILLIS)
            const proven = provenFailing(
              days.filter(({ day }) => day >= fromDay),
              rule
            )
            return proven === null
              ? null
              : { reason: "dmarc", detail: { messages: proven.messages, failed: proven.failed } }
          },
          nowMillis
        )
      }
      return {
        ...watch,
        failing: failing === null ? null : { ...failing, sinceMillis: watch.failing?.sinceMillis ?? nowMillis }
      } satisfies DomainWatch
    })
})

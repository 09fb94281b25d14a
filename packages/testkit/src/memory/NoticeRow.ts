import type { NoticeState } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import type {
  NoticeChannel,
  NoticeFailure,
  NoticeKey,
  NoticeTopic
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"

/** A notice in the outbox. */
export interface NoticeRow extends NoticeKey {
  readonly channel: NoticeChannel
  readonly topic: NoticeTopic
  readonly state: NoticeState
  readonly createdAtMillis: number
  readonly dueAtMillis: number
  readonly attempts: number
  readonly claim: { readonly claimId: string; readonly untilMillis: number } | null
  readonly attemptedAtMillis: number | null
  readonly failure: NoticeFailure | null
  readonly status: number | null
}

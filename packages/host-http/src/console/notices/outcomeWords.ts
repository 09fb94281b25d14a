import type {
  ChatKind,
  ListedNotice,
  NoticeChannel,
  NoticeFailure
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import type { NoticeState } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import type { StateWords } from "../Parts.js"

export const CHAT_WORDS: Readonly<Record<ChatKind, string>> = { slack: "Slack", teams: "Microsoft Teams" }

export const CHANNEL_WORDS: Readonly<Record<NoticeChannel, string>> = { mail: "Email", ...CHAT_WORDS }

export const STATE_WORDS: Readonly<Record<NoticeState, StateWords>> = {
  waiting: ["Waiting", "wait"],
  sending: ["Sending", "wait"],
  sent: ["Sent", "good"],
  unknown: ["May not have arrived", "bad"],
  failed: ["Not sent", "bad"],
  cancelled: ["No longer needed", undefined]
}

const FAILURES: Readonly<Record<Exclude<NoticeFailure, "status">, string>> = {
  redirect: "the address redirects",
  timeout: "no answer in time",
  unreachable: "the server can’t be reached",
  forbidden_address: "the address is not public",
  refused: "the mail server refused it",
  no_mail_server: "this service has no mail server",
  sealed: "the address can’t be read any more; set it again",
  too_many: "too many requests within an hour",
  interrupted: "the service was interrupted while it sent"
}

/** Why a notice did not arrive; null: nothing is wrong. */
export const troubleWords = ({ failure, status }: Pick<ListedNotice, "failure" | "status">): string | null => {
  if (failure === null) return null
  return failure === "status" ? `the server answered ${status ?? "something else"}` : FAILURES[failure]
}

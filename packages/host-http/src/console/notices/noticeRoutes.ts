import {
  CHAT_KINDS,
  type ChatKind,
  type ListedNotice,
  MUTABLE,
  NOTICE_FAILURES
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { NOTICES_PATH } from "@outbound/domain/control/notices/noticeWords.js"
import { Effect, Either } from "effect"
import { acting } from "../control/acting.js"
import { formsOf } from "../control/formsOf.js"
import type { Typed } from "../control/fields.js"
import { typed } from "../keys/keyRoutes.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Problem } from "../Fields.js"
import type { Inside, Page, Route } from "../Visit.js"
import { noticesPage } from "./NoticesPage.js"

const kindOf = (form: URLSearchParams): Typed<ChatKind> => {
  const kind = CHAT_KINDS.find((one) => one === form.get("kind"))
  return kind === undefined
    ? Either.left([{ path: "kind", message: `must be ${CHAT_KINDS.join(" or ")}` }])
    : Either.right(kind)
}

/** The failure of a test, from the address of the page that tells it. */
const failureOf = (failure: string | null, status: string | null) => {
  const found = NOTICE_FAILURES.find((one) => one === failure)
  return found === undefined ? null : { failure: found, status: /^\d{3}$/.test(status ?? "") ? Number(status) : null }
}

const testedPath = (failed: Pick<ListedNotice, "failure" | "status"> | null) =>
  failed === null
    ? (`${NOTICES_PATH}?done=tested` as const)
    : (`${NOTICES_PATH}?failed=${failed.failure ?? ""}&status=${failed.status ?? ""}` as const)

export const noticeRoutes = ({ mail, notices }: Pick<ConsoleServices, "mail" | "notices">): ReadonlyArray<Route> => {
  const show = ({ by, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      return noticesPage({
        viewer,
        muted: yield* notices.muted(by),
        channels: yield* notices.channels(by),
        hasMail: mail?.isOn === true,
        done: query.get("done"),
        failed: failureOf(query.get("failed"), query.get("status")),
        problem
      })
    })

  const choose = (visit: Inside): Page => {
    const wanted = visit.form.getAll("wanted")
    const muted = MUTABLE.filter((one) => !wanted.includes(one))
    return acting(visit, NOTICES_PATH, notices.setMuted(visit.by, muted), {
      done: () => `${NOTICES_PATH}?done=chosen`
    })
  }

  const { route } = formsOf(NOTICES_PATH, show)
  const about =
    <A, E>(work: (visit: Inside, kind: ChatKind) => Effect.Effect<A, E>) =>
    (visit: Inside) =>
      Effect.flatMap(typed(kindOf(visit.form)), (kind) => work(visit, kind))

  return [
    { access: "member", path: NOTICES_PATH, get: (visit) => show(visit), post: choose },
    route(
      "channel",
      "set",
      about(({ by, form }, kind) => notices.setChannel(by, { kind, url: form.get("url") ?? "" }))
    ),
    route(
      "channel/test",
      testedPath,
      about(({ by }, kind) => notices.testChannel(by, kind))
    ),
    route(
      "channel/remove",
      "removed",
      about(({ by }, kind) => notices.removeChannel(by, kind))
    )
  ]
}

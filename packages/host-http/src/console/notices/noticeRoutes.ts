import {
  CHAT_KINDS,
  type ChatKind,
  MUTABLE,
  NOTICE_FAILURES
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { NOTICES_PATH } from "@outbound/domain/control/notices/noticeWords.js"
import { Effect, Either } from "effect"
import { acting } from "../control/acting.js"
import type { Typed } from "../control/fields.js"
import { typed } from "../keys/keyRoutes.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Problem } from "../Parts.js"
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

  const change =
    (done: string, work: (visit: Inside, kind: ChatKind) => Parameters<typeof acting>[2]) =>
    (visit: Inside): Page =>
      acting(
        visit,
        NOTICES_PATH,
        Effect.flatMap(typed(kindOf(visit.form)), (kind) => work(visit, kind)),
        { done: () => `${NOTICES_PATH}?done=${done}`, again: (problem) => show(visit, problem) }
      )

  return [
    { access: "member", path: NOTICES_PATH, get: (visit) => show(visit), post: choose },
    {
      access: "member",
      path: `${NOTICES_PATH}/channel`,
      formOn: NOTICES_PATH,
      post: change("set", ({ by, form }, kind) => notices.setChannel(by, { kind, url: form.get("url") ?? "" }))
    },
    {
      access: "member",
      path: `${NOTICES_PATH}/channel/test`,
      formOn: NOTICES_PATH,
      post: (visit) =>
        acting(
          visit,
          NOTICES_PATH,
          Effect.flatMap(typed(kindOf(visit.form)), (kind) => notices.testChannel(visit.by, kind)),
          {
            done: (failed) =>
              failed === null
                ? `${NOTICES_PATH}?done=tested`
                : `${NOTICES_PATH}?failed=${failed.failure ?? ""}&status=${failed.status ?? ""}`,
            again: (problem) => show(visit, problem)
          }
        )
    },
    {
      access: "member",
      path: `${NOTICES_PATH}/channel/remove`,
      formOn: NOTICES_PATH,
      post: change("removed", ({ by }, kind) => notices.removeChannel(by, kind))
    }
  ]
}

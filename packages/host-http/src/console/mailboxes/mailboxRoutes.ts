import { freshOwner, may, mend, owner } from "@outbound/domain/control/access.js"
import type { ControlRefused } from "@outbound/domain/control/Control.js"
import type { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { type Context, Effect, Option } from "effect"
import { acting } from "../control/acting.js"
import { asControl } from "../control/wire.js"
import { typed } from "../keys/keyRoutes.js"
import type { Problem } from "../Parts.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { connectionOf } from "./connectionForm.js"
import { mailboxAddedPage, newMailboxPage } from "./NewMailboxPage.js"

const SENDING = "/console/sending"
const LIST = "/console/mailboxes"
const NEW = `${LIST}/new`

/** How many mailboxes a host tries out at one time, each for up to two minutes; of one workspace it is one. */
export const TRIED_AT_ONCE_MAX = 8

/** What owners do with own mailboxes. Any member pauses one; adding and going on asks for a fresh sign-in. */
export const mailboxRoutes = ({
  mailboxes,
  workspaces
}: Pick<ConsoleServices, "mailboxes" | "workspaces">): ReadonlyArray<Route> =>
  mailboxes === null ? [] : routesWith(mailboxes, workspaces)

const routesWith = (
  mailboxes: Context.Tag.Service<typeof MailboxAdmin>,
  workspaces: ConsoleServices["workspaces"]
): ReadonlyArray<Route> => {
  const trying = new Set<string>()

  const enter = (workspaceId: string): Effect.Effect<void, ControlRefused> =>
    Effect.suspend(() => {
      if (trying.has(workspaceId) || trying.size >= TRIED_AT_ONCE_MAX) {
        return mend([{ path: "mailbox", message: "can’t be tried out while another one is. Repeat it in two minutes" }])
      }
      trying.add(workspaceId)
      return Effect.void
    })

  const tried = <A, E>(workspaceId: string, work: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      enter(workspaceId),
      () => work,
      () => Effect.sync(() => void trying.delete(workspaceId))
    )

  const show = ({ nowMillis, viewer, workspaceId }: Inside, problem?: Problem): Page =>
    Effect.map(workspaces.get(workspaceId), (found) => {
      const isLive = Option.exists(found, ({ kind }) => kind === "live")
      return newMailboxPage({ viewer, nowMillis, isLive, problem })
    })

  const add = (visit: Inside): Page => {
    const { by, form, nowMillis, viewer, workspaceId } = visit
    const added = Effect.gen(function* () {
      yield* freshOwner(by, nowMillis)
      const connection = yield* typed(connectionOf(form))
      return yield* tried(workspaceId, asControl(mailboxes.add(workspaceId, connection, "console")))
    })
    return acting(visit, NEW, added, {
      done: (report) =>
        report.mailbox === null
          ? newMailboxPage({ viewer, nowMillis, isLive: true, failed: { report, form } })
          : mailboxAddedPage(viewer, report, report.mailbox),
      again: (problem) => show(visit, problem)
    })
  }

  const change = (
    event: "pause" | "resume" | "remove",
    allowed: (visit: Inside) => Effect.Effect<void, ControlRefused>
  ): Route => ({
    access: "member",
    path: `${LIST}/:id/${event}`,
    formOn: SENDING,
    post: (visit) =>
      acting(
        visit,
        SENDING,
        Effect.zipRight(allowed(visit), asControl(mailboxes[event](visit.workspaceId, visit.id, "console")))
      )
  })

  return [
    { access: "member", path: NEW, get: (visit) => show(visit) },
    { access: "member", path: LIST, formOn: NEW, post: add },
    change("pause", ({ by, nowMillis }) => may(by, "tighten", nowMillis)),
    change("resume", ({ by, nowMillis }) => may(by, "loosen", nowMillis)),
    change("remove", ({ by }) => owner(by))
  ]
}

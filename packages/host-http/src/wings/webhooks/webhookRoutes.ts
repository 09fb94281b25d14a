import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Webhooks } from "@outbound/domain/wings/webhooks/Webhooks.js"
import { maybe, pages } from "../../console/pages.js"
import { ControlRefused } from "@outbound/domain/control/Control.js"
import { isAtHome, Settings } from "@outbound/domain/kernel/Settings.js"
import { DeliveryMachine } from "@outbound/domain/control/webhooks/DeliveryMachine.js"
import { urlIssues } from "@outbound/domain/control/webhooks/target.js"
import { Effect, Option, Result } from "effect"
import { acting, typed } from "../../console/control/acting.js"
import { idAfterOf, pageOf, ROWS_MAX } from "../../console/paging.js"
import type { Problem } from "../../console/Parts.js"
import { type Inside, member, type Page, type Route } from "../../console/Visit.js"
import { kindsOf, newWebhookPage, webhookPage, webhookSecretPage, webhooksPage } from "./WebhookPage.js"

export const LIST = "/console/webhooks"

const NEEDS = { settings: Settings, webhooks: maybe(Webhooks), workspaces: WorkspaceStore }

export const webhookPages = pages(NEEDS, ({ settings: { baseUrl }, webhooks, workspaces }) => {
  if (webhooks === null) return []

  const list = ({ by, viewer }: Inside): Page =>
    Effect.map(webhooks.list(by), (endpoints) => webhooksPage({ viewer, endpoints }))

  const add = (visit: Inside): Page => {
    const { by, form, viewer, workspaceId } = visit
    const url = form.get("url") ?? ""
    const kinds = kindsOf(form)
    const made = Result.isSuccess(kinds)
      ? webhooks.add(by, { url, kinds: kinds.success })
      : Effect.flatMap(workspaces.get(workspaceId), (workspace) => {
          // Validate the URL as well, so that all errors are shown together.
          const { kind } = Option.getOrThrow(workspace)
          const issues = [...urlIssues(url.trim(), kind, isAtHome(baseUrl)), ...kinds.failure]
          return Effect.fail(new ControlRefused({ reason: "invalid", issues }))
        })
    return acting(visit, `${LIST}/new`, made, {
      done: ({ endpointId, secret }) => webhookSecretPage(viewer, endpointId, secret, false),
      again: (problem) => Effect.succeed(newWebhookPage({ viewer, problem }))
    })
  }

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, id, query, viewer } = visit
    const before = idAfterOf(query.get("before"))
    const state = DeliveryMachine.states.find((one) => one === query.get("state")) ?? null
    const found = Effect.all({ of: webhooks.endpoint(by, id), log: webhooks.log(by, id, { state, before }) })
    return acting(visit, LIST, found, {
      done: ({ log, of }) => {
        const page = pageOf(log, ROWS_MAX, ({ eventId }) => eventId, before)
        return webhookPage({ viewer, of, ...page, state, problem })
      }
    })
  }

  const setKinds = (visit: Inside): Page => {
    const { by, form, id } = visit
    const changed = Effect.flatMap(typed(kindsOf(form)), (kinds) => webhooks.setKinds(by, id, kinds))
    return acting(visit, `${LIST}/${id}`, changed, { again: (problem) => show(visit, problem) })
  }

  const rotate = (visit: Inside): Page =>
    acting(visit, `${LIST}/${visit.id}`, webhooks.rotate(visit.by, visit.id), {
      done: ({ secret }) => webhookSecretPage(visit.viewer, visit.id, secret, true)
    })

  const post = (path: string, work: (visit: Inside) => Page): Route =>
    member(`${LIST}/:id/${path}`, { formOn: `${LIST}/:id`, post: work })

  const act = (change: "enable" | "disable" | "sendFailedAgain") =>
    ((visit) => acting(visit, `${LIST}/${visit.id}`, Effect.asVoid(webhooks[change](visit.by, visit.id)))) satisfies (
      visit: Inside
    ) => Page

  return [
    member(LIST, { formOn: `${LIST}/new`, get: list, post: add }),
    member(`${LIST}/new`, { get: ({ viewer }) => Effect.succeed(newWebhookPage({ viewer })) }),
    member(`${LIST}/:id`, { get: (visit) => show(visit) }),
    post("kinds", setKinds),
    post("enable", act("enable")),
    post("disable", act("disable")),
    post("failed-again", act("sendFailedAgain")),
    post("rotate", rotate),
    post("remove", (visit) => acting(visit, LIST, webhooks.remove(visit.by, visit.id))),
    post("again", (visit) =>
      acting(
        visit,
        `${LIST}/${visit.id}`,
        webhooks.sendAgain(visit.by, visit.id, (visit.form.get("event_id") ?? "").toLowerCase())
      )
    )
  ]
})

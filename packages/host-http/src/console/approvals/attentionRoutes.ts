import { Attention } from "@outbound/domain/control/attention/Attention.js"
import { SHARES } from "@outbound/domain/control/attention/plan.js"
import { ratesOf } from "@outbound/domain/control/attention/rates.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Effect, Option } from "effect"
import { seeOther } from "../../web/Page.js"
import type { Given } from "../pages.js"
import { messagePage, missingPage } from "../Shell.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { ATTENTION_PATH } from "./AttentionPart.js"
import { attentionPage, lookPage } from "./LookPage.js"

export const ATTENDING = { attention: Attention, console: Console }

const POSITION = /^\d{1,4}$/

const positionOf = (text: string | null): number | null => (POSITION.test(text ?? "") ? Number(text) : null)

/** The pages on which people look at messages before they approve them. */
export const attentionRoutes = ({ attention, console }: Given<typeof ATTENDING>): ReadonlyArray<Route> => {
  const tooLate = ({ id, viewer }: Inside): Page =>
    Effect.succeed(
      messagePage({
        status: 409,
        title: "Nothing was changed",
        text: "This request is decided, or you have approved it already, so nothing is looked at any more.",
        viewer,
        to: { path: `/console/approvals/${id}`, text: "Go to the request" }
      })
    )

  const look = (visit: Inside): Page =>
    Effect.gen(function* () {
      const { id, query, viewer, workspaceId } = visit
      const found = Option.getOrNull(yield* console.approval(workspaceId, id))
      if (found === null) return missingPage(viewer)
      const { approval } = found
      const standing = yield* attention.standing(approval, viewer.signedIn.user.userId)
      if (standing === null) return missingPage(viewer)
      const at = positionOf(query.get("at")) ?? standing.own?.found.next ?? null
      if (standing.own !== null && at === null) return seeOther(`/console/approvals/${id}#attention`)
      const item = standing.own?.plan.items[at ?? 0] ?? null
      if (standing.own !== null && item === null) return missingPage(viewer)
      const person = item === null ? null : yield* attention.shown(approval, item)
      return lookPage({ viewer, of: approval, standing, at: at ?? 0, person })
    })

  /** Another workspace's request is one that never was. */
  const aboutOurs =
    (act: (visit: Inside) => Page) =>
    (visit: Inside): Page =>
      Effect.flatMap(console.approval(visit.workspaceId, visit.id), (found) =>
        Option.isNone(found) ? Effect.succeed(missingPage(visit.viewer)) : act(visit)
      )

  const begin = (visit: Inside): Page => {
    const share = SHARES.find((one) => String(one) === visit.form.get("share")) ?? SHARES[0]
    return Effect.flatMap(attention.begin(visit.by, visit.id, share), (isDrawn) =>
      isDrawn ? Effect.succeed(seeOther(`/console/approvals/${visit.id}/look`)) : tooLate(visit)
    )
  }

  const say = (visit: Inside): Page => {
    const at = positionOf(visit.form.get("at"))
    const verdict = visit.form.get("verdict")
    if (at === null || (verdict !== "right" && verdict !== "wrong")) return tooLate(visit)
    return Effect.flatMap(attention.say(visit.by, visit.id, at, verdict === "wrong"), (isSaid) =>
      isSaid ? Effect.succeed(seeOther(`/console/approvals/${visit.id}/look`)) : tooLate(visit)
    )
  }

  const rates = ({ viewer, workspaceId }: Inside): Page =>
    Effect.map(attention.latest(workspaceId), (latest) => attentionPage({ viewer, rates: ratesOf(latest) }))

  return [
    member("/console/approvals/:id/look", { get: look }),
    member("/console/approvals/:id/look/say", { post: aboutOurs(say), formOn: "/console/approvals/:id/look" }),
    member("/console/approvals/:id/look/begin", { post: aboutOurs(begin), formOn: "/console/approvals/:id/look" }),
    member(ATTENTION_PATH, { get: rates })
  ]
}

import { Effect, Option } from "effect"
import { acting } from "../control/acting.js"
import { formsOf } from "../control/formsOf.js"
import type { Problem } from "../Fields.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { ownKeysPage } from "./OwnKeysPage.js"

const OWN_KEYS = "/console/settings/own-keys"

/** The page exists only where the host supports own keys. */
export const ownKeyRoutes = ({
  ownKeys,
  workspaces
}: Pick<ConsoleServices, "ownKeys" | "workspaces">): ReadonlyArray<Route> => {
  if (ownKeys === null) return []

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, query, viewer, workspaceId } = visit
    return Effect.flatMap(workspaces.get(workspaceId), (workspace) => {
      const isLive = Option.exists(workspace, ({ kind }) => kind === "live")
      const listed = Effect.map(ownKeys.list(by), (standings) =>
        ownKeysPage({ viewer, isLive, standings: isLive ? standings : [], done: query.get("done"), problem })
      )
      return acting(visit, "/console/settings", listed, { done: (page) => page })
    })
  }

  const set = formsOf(OWN_KEYS, show).post("set", ({ by, form }) =>
    ownKeys.set(by, form.get("vendor") ?? "", form.get("secret") ?? "")
  )

  const remove = (visit: Inside): Page =>
    acting(visit, OWN_KEYS, ownKeys.remove(visit.by, visit.form.get("vendor") ?? ""), {
      done: () => `${OWN_KEYS}?done=removed`
    })

  return [
    { access: "member", path: OWN_KEYS, get: (visit) => show(visit), post: set },
    { access: "member", path: `${OWN_KEYS}/remove`, formOn: OWN_KEYS, post: remove }
  ]
}

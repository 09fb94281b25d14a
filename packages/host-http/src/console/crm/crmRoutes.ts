import type { CrmPolicy } from "@outbound/domain/outreach/crm/keepingOut.js"
import { Effect } from "effect"
import { acting, isOn } from "../control/acting.js"
import { formsOf } from "../control/formsOf.js"
import type { Problem } from "../Parts.js"
import { type ConsoleServices, type Inside, member, type Page, type Route } from "../Visit.js"
import { crmPage, CRM_PATH } from "./CrmPage.js"

const policyOf = (form: URLSearchParams): CrmPolicy => ({
  keepsCustomers: isOn(form, "keeps_customers"),
  keepsOpenDeals: isOn(form, "keeps_open_deals"),
  keepsOwned: isOn(form, "keeps_owned"),
  writesReplies: isOn(form, "writes_replies"),
  writesMeetings: isOn(form, "writes_meetings"),
  createsContacts: isOn(form, "creates_contacts")
})

/** The page exists only where the host speaks to CRMs. */
export const crmRoutes = ({ control, crm }: Pick<ConsoleServices, "control" | "crm">): ReadonlyArray<Route> => {
  if (crm === null) return []

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, query, viewer } = visit
    const shown = Effect.gen(function* () {
      const standing = yield* crm.standing(by)
      const members = yield* control.members(by)
      return crmPage({ viewer, standing, members, chosen: query.get("crm"), done: query.get("done"), problem })
    })
    return acting(visit, "/console/settings", shown, { done: (page) => page })
  }

  const { route } = formsOf(CRM_PATH, show)

  return [
    member(CRM_PATH, { get: (visit) => show(visit) }),
    route("connect", "connected", ({ by, form: given }) =>
      crm.connect(by, {
        vendor: given.get("vendor") ?? "",
        address: given.get("address") ?? "",
        clientId: given.get("client_id") ?? "",
        secret: given.get("secret") ?? "",
        // A form that replaces the key says nothing of it.
        policy: given.has("keeps_customers") ? policyOf(given) : null
      })
    ),
    route("policy", "policy", ({ by, form: given }) => crm.setPolicy(by, policyOf(given))),
    route("owner", "owner", ({ by, form: given }) =>
      crm.mapOwner(by, given.get("owner") ?? "", given.get("member") || null)
    ),
    route("remove", "removed", ({ by }) => crm.remove(by))
  ]
}

import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { maybe, pages } from "../pages.js"
import { actorOf, freshOwner, may, mend, owner } from "@outbound/domain/control/access.js"
import { Domains } from "@outbound/domain/control/domains/Domains.js"
import type { SendingDomain } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { ZONE_VENDORS } from "@outbound/domain/outreach/domains/DnsZones.js"
import { type GivenDomain, MAIL_HOSTS } from "@outbound/domain/outreach/domains/wishesOf.js"
import { Effect, Option } from "effect"
import { acting, isOn } from "../control/acting.js"
import { formsOf } from "../control/formsOf.js"
import type { Problem } from "../Parts.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { changesPage, domainPage } from "./DomainPage.js"
import { DOMAINS, domainsPage, RULE, ruleIn } from "./DomainsPage.js"

const lines = (form: URLSearchParams, name: string): ReadonlyArray<string> =>
  (form.get(name) ?? "").split(/\r?\n/).filter((line) => line.trim() !== "")

const givenIn = (form: URLSearchParams): GivenDomain => ({
  domain: form.get("domain") ?? "",
  mailHost: MAIL_HOSTS.find((name) => name === form.get("mail_host")) ?? "other",
  spf: lines(form, "spf"),
  dkim: lines(form, "dkim"),
  reportsTo: form.get("reports_to") ?? "",
  mx: lines(form, "mx"),
  takesMail: isOn(form, "takes_mail")
})

/** Sending domains, where the host supports them. */
export const domainPages = pages({ domains: maybe(Domains), workspaces: WorkspaceStore }, ({ domains, workspaces }) =>
  domains === null ? [] : routesWith(domains, workspaces)
)

const routesWith = (domains: Domains["Service"], workspaces: WorkspaceStore["Service"]): ReadonlyArray<Route> => {
  const pathOf = ({ id }: Inside) => `${DOMAINS}/${id}` as const

  const list = (visit: Inside, problem?: Problem): Page => {
    const { query, viewer, workspaceId } = visit
    return Effect.flatMap(workspaces.get(workspaceId), (found) => {
      const isLive = Option.exists(found, ({ kind }) => kind === "live")
      const read = Effect.all([isLive ? domains.list(workspaceId) : Effect.succeed([]), domains.rule(workspaceId)])
      const shown = Effect.map(read, ([all, rule]) =>
        domainsPage({ viewer, isLive, domains: all, rule, problem, done: query.get("done") })
      )
      return acting(visit, "/console/sending", shown, { done: (page) => page })
    })
  }

  const show = (visit: Inside, problem?: Problem): Page => {
    const { id, query, viewer, workspaceId } = visit
    const viewed = Effect.map(domains.view(workspaceId, id), (of) =>
      domainPage({ viewer, of, done: query.get("done"), problem })
    )
    return acting(visit, DOMAINS, viewed, { done: (page) => page })
  }

  const forms = formsOf(DOMAINS, list)

  const add = forms.post(
    ({ domainId }: SendingDomain) => `${DOMAINS}/${domainId}?done=added`,
    ({ by, form, workspaceId }) => Effect.andThen(freshOwner(by), domains.add(workspaceId, givenIn(form), actorOf(by)))
  )

  const setRule = forms.post("rule", ({ by, form }) => domains.setRule(by, ruleIn(form)))

  const setAccess = (visit: Inside): Page => {
    const { by, form, id } = visit
    const saved = Effect.gen(function* () {
      const vendor = ZONE_VENDORS.find((name) => name === form.get("vendor"))
      if (vendor === undefined) return yield* mend([{ path: "vendor", message: "must be a DNS host that we know" }])
      yield* domains.setAccess(by, id, vendor, form.get("secret") ?? "")
    })
    return acting(visit, pathOf(visit), saved, {
      done: () => `${pathOf(visit)}?done=access`,
      again: (problem) => show(visit, problem)
    })
  }

  const changes = (visit: Inside): Page => {
    const { by, id, viewer } = visit
    return acting(visit, pathOf(visit), domains.plan(by, id), {
      done: (of) => changesPage({ viewer, of, isChanged: false })
    })
  }

  const approve = (visit: Inside): Page => {
    const { by, form, id, viewer } = visit
    return acting(visit, `${pathOf(visit)}/changes`, domains.approve(by, id, form.get("digest") ?? ""), {
      done: (result) =>
        result._tag === "Approved"
          ? `${pathOf(visit)}?done=approved`
          : changesPage({ viewer, of: result.now, isChanged: true })
    })
  }

  const check = (visit: Inside): Page => {
    const { by, id, workspaceId } = visit
    const checked = Effect.andThen(may(by, "none"), domains.check(workspaceId, id, actorOf(by)))
    return acting(visit, pathOf(visit), checked, { done: () => `${pathOf(visit)}?done=checking` })
  }

  const remove = (visit: Inside): Page =>
    acting(
      visit,
      pathOf(visit),
      Effect.andThen(owner(visit.by), domains.remove(visit.workspaceId, visit.id, actorOf(visit.by))),
      { done: () => `${DOMAINS}?done=removed` }
    )

  const removeAccess = (visit: Inside): Page =>
    acting(visit, pathOf(visit), domains.removeAccess(visit.by, visit.id), {
      done: () => `${pathOf(visit)}?done=removed`
    })

  const one = `${DOMAINS}/:id`
  return [
    member(DOMAINS, { get: (visit) => list(visit), post: add }),
    member(RULE, { formOn: DOMAINS, post: setRule }),
    member(one, { get: (visit) => show(visit) }),
    member(`${one}/access`, { formOn: DOMAINS, post: setAccess }),
    member(`${one}/access/remove`, { formOn: DOMAINS, post: removeAccess }),
    member(`${one}/changes`, { get: changes }),
    member(`${one}/approve`, { formOn: DOMAINS, post: approve }),
    member(`${one}/check`, { formOn: DOMAINS, post: check }),
    member(`${one}/remove`, { formOn: DOMAINS, post: remove })
  ]
}

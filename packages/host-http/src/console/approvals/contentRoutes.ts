import { Console } from "@outbound/domain/control/console/Console.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import {
  type AddLeadsSnapshot,
  type LaunchSnapshot,
  LOOK_KINDS,
  type LookKind
} from "@outbound/domain/calls/approvals/Snapshot.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect, Option } from "effect"
import type { Given } from "../pages.js"
import { CARDS_MAX, idAfterOf, pageOf } from "../paging.js"
import { searchOf } from "../searching.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { peoplePage, personPage, valuesPage } from "./ContentPages.js"

type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

/** Values of a variable start at one of these. */
const OFFSET = /^\d{1,4}$/

const lookOf = (text: string | null): LookKind | null => LOOK_KINDS.find((kind) => kind === text) ?? null

export const CONTENT = { console: Console, content: ContentStore }

/** The pages of what a request's messages are merged from. All read what the approved call compares with the leads. */
export const contentRoutes = ({ console, content }: Given<typeof CONTENT>): ReadonlyArray<Route> => {
  const about =
    (show: (visit: Inside, approval: Approval, snapshot: Sending) => Page) =>
    (visit: Inside): Page =>
      Effect.flatMap(console.approval(visit.workspaceId, visit.id), (found) => {
        const approval = Option.getOrNull(found)?.approval ?? null
        return approval !== null && (approval.snapshot.kind === "launch" || approval.snapshot.kind === "add_leads")
          ? show(visit, approval, approval.snapshot)
          : Effect.succeed(missingPage(visit.viewer))
      })

  const people = about(({ query, viewer, workspaceId }, of) =>
    Effect.gen(function* () {
      const filter = {
        text: searchOf(query.get("q")),
        look: lookOf(query.get("look")),
        host: searchOf(query.get("host"))
      }
      const after = idAfterOf(query.get("after"))
      const found = yield* content.people(
        workspaceId,
        of.approvalId,
        { ...filter, having: null },
        { after, limit: CARDS_MAX + 1 }
      )
      const page = pageOf(found, CARDS_MAX, ({ shownId }) => shownId, after)
      const filters = new URLSearchParams()
      if (filter.look !== null) filters.set("look", filter.look)
      if (filter.host !== null) filters.set("host", filter.host)
      if (filter.text !== null) filters.set("q", filter.text)
      return peoplePage({ viewer, of }, { ...filter, ...page, filters })
    })
  )

  const values = about(({ query, viewer, workspaceId }, of, snapshot) =>
    Effect.gen(function* () {
      const variable = snapshot.content?.variables.find(({ name }) => name === query.get("variable"))
      if (variable === undefined) return missingPage(viewer)
      const text = searchOf(query.get("q"))
      const from = OFFSET.exec(query.get("from") ?? "")?.[0]
      const offset = from === undefined ? 0 : Number(from)
      const found = yield* content.values(workspaceId, of.approvalId, variable.name, {
        text,
        offset,
        limit: CARDS_MAX + 1
      })
      return valuesPage(
        { viewer, of },
        {
          variable: variable.name,
          fallbacks: variable.fallbacks,
          ...pageOf(found, CARDS_MAX, () => String(offset + CARDS_MAX), offset > 0 ? offset : null),
          text
        }
      )
    })
  )

  const person = about(({ query, viewer, workspaceId }, of, snapshot) =>
    Effect.gen(function* () {
      const shownId = query.get("of") ?? ""
      const found = isUuid(shownId)
        ? yield* content.person(workspaceId, of.approvalId, shownId.toLowerCase())
        : Option.none()
      if (Option.isNone(found)) return missingPage(viewer)
      const { campaign_id, mailboxes, postal_address, steps } = snapshot
      return personPage({ viewer, of }, found.value, {
        campaignId: campaign_id,
        steps,
        mailboxes,
        postalAddress: postal_address,
        texts: snapshot.words?.texts ?? {}
      })
    })
  )

  return [
    member("/console/approvals/:id/people", { get: people }),
    member("/console/approvals/:id/values", { get: values }),
    member("/console/approvals/:id/person", { get: person })
  ]
}

import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { Forecasts } from "@outbound/domain/control/Forecasts.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { type Given, pages } from "./pages.js"
import { Console, DECLINE_REASON_CHARS_MAX } from "@outbound/domain/control/console/Console.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { PEOPLE_FOUND_MAX, ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { Effect, Option } from "effect"
import {
  type AddLeadsSnapshot,
  type LaunchSnapshot,
  LOOK_KINDS,
  type LookKind
} from "@outbound/domain/calls/approvals/Snapshot.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { seeOther } from "../web/Page.js"
import { approvalPage, type Notice } from "./ApprovalPage.js"
import { readContent } from "./approvals/readContent.js"
import { waitingFor } from "./approvals/waiting.js"
import { approvalsPage } from "./ApprovalsPage.js"
import { afterOf, afterWords, CARDS_MAX, idAfterOf, pageOf } from "./paging.js"
import { IN_OWN_NAME, makeInOwnName } from "./inOwnName/inOwnName.js"
import { searchOf } from "./searching.js"
import { messagePage, missingPage } from "./Shell.js"
import { type Inside, member, type Page, type Route } from "./Visit.js"
import { peoplePage, personPage, valuesPage } from "./approvals/ContentPages.js"

type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

/** Values of a variable start at one of these. */
const OFFSET = /^\d{1,4}$/

const lookOf = (text: string | null): LookKind | null => LOOK_KINDS.find((kind) => kind === text) ?? null

const CONTENT = { console: Console, content: ContentStore }

/** The pages of what a request's messages are merged from. All read what the approved call compares with the leads. */
const contentRoutes = ({ console, content }: Given<typeof CONTENT>): ReadonlyArray<Route> => {
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
        postalAddress: postal_address
      })
    })
  )

  return [
    member("/console/approvals/:id/people", { get: people }),
    member("/console/approvals/:id/values", { get: values }),
    member("/console/approvals/:id/person", { get: person })
  ]
}

/** The most pending approvals that the list shows at once. */
const PENDING_MAX = 50

const cursorOf = ({ approval }: ApprovalSummary): string =>
  afterWords({ atMillis: approval.createdAtMillis, id: approval.approvalId })

const NEEDS = {
  ...IN_OWN_NAME,
  ...CONTENT,
  credits: CreditStore,
  forecasts: Forecasts,
  notices: Notices,
  reads: ConsoleReads,
  workspaces: WorkspaceStore
}

export const approvalPages = pages(NEEDS, (services) => {
  const { console, credits, forecasts, notices, reads, workspaces } = services
  const inOwnName = makeInOwnName(services)

  const list = ({ by, nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const after = afterOf(query.get("after"))
      const pending =
        after === null ? yield* waitingFor(reads, { viewer, workspaceId }, { after, limit: PENDING_MAX }) : null
      const closed = yield* reads.approvals(workspaceId, "closed", { after, limit: CARDS_MAX + 1 })
      const channels = after === null ? yield* notices.channels(by) : []
      return approvalsPage({ viewer, pending, channels, ...pageOf(closed, CARDS_MAX, cursorOf, after), nowMillis })
    })

  /** The leads of a launch that match the search. */
  const found = (workspaceId: string, { approval }: ApprovalSummary, text: string | null) =>
    text !== null && "campaign_id" in approval.snapshot
      ? Effect.map(
          reads.leads(workspaceId, approval.snapshot.campaign_id, {
            text,
            state: null,
            after: null,
            limit: PEOPLE_FOUND_MAX + 1
          }),
          (people) => ({ text, people })
        )
      : Effect.succeed(null)

  /** What a launch that waits for a decision would do. */
  const forecastOf = ({ snapshot, state, workspaceId }: Approval) =>
    snapshot.kind === "launch" && ApprovalMachine.is.undecided(state)
      ? forecasts.ofLaunch(workspaceId, snapshot.campaign_id).pipe(
          Effect.map(Option.getOrNull),
          Effect.catchIf(isWireError, () => Effect.succeed("unavailable" as const))
        )
      : Effect.succeed(null)

  const show = ({ by, id, nowMillis, query, viewer, workspaceId }: Inside, notice?: Notice): Page =>
    Effect.gen(function* () {
      const of = yield* console.approval(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const earlier = Option.getOrNull(yield* reads.earlierApproval(workspaceId, id))
      const text = searchOf(query.get("q"))
      const { approval } = of.value
      const content = yield* readContent(services.content, approval, { text, earlier: earlier?.approval ?? null })
      const search = content === null ? yield* found(workspaceId, of.value, text) : null
      const isWaiting = approval.snapshot.kind === "purchase" && ApprovalMachine.is.undecided(approval.state)
      const balance = isWaiting ? yield* credits.balance(workspaceId) : null
      return approvalPage({
        viewer,
        of: of.value,
        earlier,
        search,
        content,
        asked: { text, isAllHosts: query.get("hosts") === "all", overlap: yield* workspaces.overlap(workspaceId) },
        standing: yield* console.standing(of.value.approval),
        told: yield* notices.ofApproval(by, id),
        forecast: yield* forecastOf(approval),
        available: balance === null ? null : fromMicros(balance.balance - balance.reserved),
        nowMillis,
        ...(notice === undefined ? {} : { notice })
      })
    })

  const decide =
    (decision: "approve" | "decline") =>
    (visit: Inside): Page => {
      const reason = (visit.form.get("reason") ?? "").trim()
      if (reason.length > DECLINE_REASON_CHARS_MAX) return tooLong(visit)
      return Effect.flatMap(
        console.decide(visit.by, visit.id, decision, visit.form.get("digest") ?? "", {
          winnerRule: visit.form.get("winner_rule") === "on",
          reason: reason === "" ? null : reason
        }),
        Option.match({
          onNone: () => Effect.succeed(missingPage(visit.viewer)),
          onSome: (result) =>
            result === "approved" || result === "counted" || result === "declined" || result === "withdrawn"
              ? Effect.as(
                  // Nobody else does what a person asked for themselves.
                  result === "approved"
                    ? inOwnName.completeApproved(visit.workspaceId, visit.id)
                    : Effect.succeed(null),
                  seeOther(`/console/approvals/${visit.id}`)
                )
              : show(visit, result)
        })
      )
    }

  const tooLong = ({ id, viewer }: Inside): Page =>
    Effect.succeed(
      messagePage({
        status: 400,
        title: "Nothing was changed",
        text: `A reason has at most ${DECLINE_REASON_CHARS_MAX} characters.`,
        viewer,
        to: { path: `/console/approvals/${id}`, text: "Go back" }
      })
    )

  const withdraw = (visit: Inside): Page =>
    Effect.flatMap(
      console.withdraw(visit.by, visit.id),
      Option.match({
        onNone: () => Effect.succeed(missingPage(visit.viewer)),
        onSome: (result) =>
          result === "closed" || result === "excluded"
            ? show(visit, result)
            : Effect.succeed(seeOther(`/console/approvals/${visit.id}`))
      })
    )

  /** For what was approved and not done, because the host died in between or something stood against it. */
  const finish = ({ id, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      if (Option.isNone(yield* console.approval(workspaceId, id))) return missingPage(viewer)
      const result = yield* inOwnName.completeApproved(workspaceId, id)
      const to = { path: `/console/approvals/${id}`, text: "Go back" } as const
      return result?._tag === "refused"
        ? messagePage({ status: 409, title: "Not done yet", text: result.message, viewer, to })
        : seeOther(to.path)
    })

  return [
    member("/console/approvals", { get: list }),
    member("/console/approvals/:id", { get: (visit) => show(visit) }),
    ...contentRoutes(services),
    member("/console/approvals/:id/approve", { post: decide("approve") }),
    member("/console/approvals/:id/decline", { post: decide("decline") }),
    member("/console/approvals/:id/withdraw", { post: withdraw }),
    member("/console/approvals/:id/finish", { post: finish })
  ]
})

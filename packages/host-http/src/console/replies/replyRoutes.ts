import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { pages } from "../pages.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { ReplyChange } from "@outbound/domain/control/console/Console.js"
import type { Member } from "@outbound/domain/control/users/UserStore.js"
import { NOT_HANDLED, type Reply, ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { signKindsIn } from "@outbound/domain/kernel/text/signs.js"
import { Effect, Option } from "effect"
import { LIMITS } from "../../http/Limits.js"
import { text } from "../../http/Pages.js"
import { seeOther } from "../../web/Page.js"
import { IN_OWN_NAME, makeInOwnName } from "../inOwnName/inOwnName.js"
import { afterOf, afterWords, CARDS_MAX, pageOf } from "../paging.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"
import { referralsOf } from "../referrals/ReferralsSection.js"
import { searchOf } from "../searching.js"
import { type Listed, repliesPage, type ReplySearch, shownOf } from "./RepliesPage.js"
import { replyPage, shownOf as shownDraft, type Unsent } from "./ReplyPage.js"

/** How many campaigns the filters offer, newest first. */
export const CAMPAIGNS_OFFERED_MAX = 50

const cursorOf = ({ receivedAtMillis, replyId }: Reply): string =>
  afterWords({ atMillis: receivedAtMillis, id: replyId })

/** The id of a filter, or null. */
export const idOf = (given: string | null): string | null =>
  given !== null && isUuid(given) ? given.toLowerCase() : null

/** How many other replies stand beside one. */
const BESIDE_MAX = 20
const INTERESTED_FIRST_MAX = 5

/** Browsers send line ends as CRLF. */
const textOf = (form: URLSearchParams): string => (form.get("body") ?? "").replaceAll("\r\n", "\n").trim()

const WHY_CHANGED =
  "The recipient, the mailbox or the subject is no longer what the page showed, so nothing was sent. Check it and send again."

const WHY_UNSEEN =
  "Nothing was sent yet. Your text holds characters that can’t be seen, or letters that look like others; they are marked below. Remove them, or send it as it is."

export const replyPages = pages({ ...IN_OWN_NAME, reads: ConsoleReads, replies: ReplyStore }, (services) => {
  const { console, control, crypto, ids, reads, replies } = services
  const inOwnName = makeInOwnName(services)

  const listed = (workspaceId: string, found: ReadonlyArray<Reply>, members: ReadonlyArray<Member>) =>
    Effect.map(
      replies.handling(
        workspaceId,
        found.map(({ replyId }) => replyId)
      ),
      (handling) =>
        found.map((reply): Listed => {
          const of = handling.get(reply.replyId) ?? NOT_HANDLED
          const owner = members.find(({ userId }) => userId === of.ownerUserId)
          return { reply, handling: of, ownerEmail: owner?.email ?? null }
        })
    )

  const list = ({ by, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const place = afterOf(query.get("after"))
      const campaignId = idOf(query.get("campaign"))
      const tab = shownOf(query.get("classification"))
      const search: ReplySearch = {
        text: searchOf(query.get("q")),
        isOpen: query.get("open") === "yes",
        ownerUserId: idOf(query.get("owner"))
      }
      const members = yield* control.members(by)
      const wanted = {
        workspaceId,
        sinceMillis: null,
        campaignId,
        ...(search.text === null ? {} : { text: search.text }),
        ...(search.ownerUserId === null ? {} : { ownerUserId: search.ownerUserId })
      }
      const isPlain = tab === "people" && place === null && !search.isOpen && search.text === null
      const interested = isPlain
        ? yield* replies.page({
            ...wanted,
            isOpen: true,
            classification: "interested",
            limit: INTERESTED_FIRST_MAX,
            after: null
          })
        : []
      const found = yield* replies.page({
        ...wanted,
        ...(search.isOpen ? { isOpen: true as const } : {}),
        classification: tab === "all" ? null : tab,
        limit: CARDS_MAX + 1,
        after: place === null ? null : { receivedAtMillis: place.atMillis, replyId: place.id }
      })
      const { shown, ...at } = pageOf(found, CARDS_MAX, cursorOf, place)
      const isFirst = new Set(interested.map(({ replyId }) => replyId))
      const named = [
        ...new Set([
          ...[...interested, ...shown].map((reply) => reply.campaignId),
          ...(campaignId === null ? [] : [campaignId])
        ])
      ]
      const rest = shown.filter(({ replyId }) => !isFirst.has(replyId))
      return repliesPage({
        viewer,
        first: yield* listed(workspaceId, interested, members),
        shown: yield* listed(workspaceId, rest, members),
        ...at,
        campaigns: yield* reads.campaignNames(workspaceId, named, CAMPAIGNS_OFFERED_MAX),
        campaignId,
        search,
        members,
        tab,
        counts: yield* reads.repliesByClass(workspaceId, campaignId)
      })
    })

  const show = ({ by, id, nowMillis, viewer, workspaceId }: Inside, unsent?: Unsent): Page =>
    Effect.gen(function* () {
      const of = yield* replies.get(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const conversation = yield* reads.conversation(workspaceId, of.value.reply.campaignLeadId)
      if (Option.isNone(conversation)) return missingPage(viewer)
      const { campaign } = conversation.value
      const members = yield* control.members(by)
      const wanted = { workspaceId, sinceMillis: null, campaignId: null, classification: "people" as const }
      const waiting = yield* replies.page({ ...wanted, isOpen: true, limit: BESIDE_MAX, after: null })
      const handling = (yield* replies.handling(workspaceId, [id])).get(id) ?? NOT_HANDLED
      if (handling.readAtMillis === null) yield* console.handleReply(by, id, { isRead: true })
      const isAnswered = conversation.value.ours.some(
        ({ replyId, state }) => replyId === id && !SentReplyMachine.is.unsent(state)
      )
      return replyPage({
        viewer,
        of: of.value,
        conversation: conversation.value,
        handling,
        members,
        others: yield* listed(workspaceId, waiting, members),
        referrals:
          handling.referral === "open"
            ? referralsOf([of.value.reply], new Map([[campaign.campaignId, campaign.name]]))
            : [],
        formId: isAnswered ? null : ids.next(nowMillis),
        ...(unsent === undefined ? {} : { unsent })
      })
    })

  /** Sends the person's own answer: pressing the button approves exactly what the page showed. */
  const answer = (visit: Inside): Page =>
    Effect.gen(function* () {
      const { form, id, nowMillis } = visit
      const text = textOf(form)
      const given = form.get("form_id") ?? ""
      const formId = isUuid(given) ? given : ids.next(nowMillis)
      const seen = signKindsIn(text).size === 0 ? null : crypto.sha256Hex(text)
      const again = (why: string) => show(visit, { text, formId: ids.next(nowMillis), why, seen })
      if (seen !== null && form.get("seen") !== seen) return yield* again(WHY_UNSEEN)
      const result = yield* inOwnName.ask(visit, {
        verb: "reply_to_thread",
        input: { reply_id: id, body_text: text },
        formId,
        isShown: (snapshot) =>
          snapshot.kind === "reply" &&
          snapshot.body_text === text &&
          form.get("shown") ===
            shownDraft({ toEmail: snapshot.to_email, fromEmail: snapshot.from_email, subject: snapshot.subject })
      })
      switch (result._tag) {
        case "done":
          return seeOther(`/console/replies/${id}`)
        case "waits":
          return seeOther(`/console/approvals/${result.approvalId}`)
        case "changed":
          return yield* again(WHY_CHANGED)
        case "refused":
          return yield* again(`Nothing was sent. ${result.message}`)
      }
    })

  const handle = ({ by, form, id, viewer }: Inside): Page => {
    const owner = form.get("owner")
    const handled = form.get("handled")
    const change: ReplyChange = {
      ...(handled === null ? {} : { isHandled: handled === "yes" }),
      ...(owner === null ? {} : { ownerUserId: idOf(owner) })
    }
    return Effect.map(console.handleReply(by, id, change), (isDone) =>
      isDone ? seeOther(`/console/replies/${id}`) : missingPage(viewer)
    )
  }

  /** The stored body as plain text. */
  const whole = ({ id, viewer, workspaceId }: Inside): Page =>
    Effect.map(
      replies.get(workspaceId, id),
      Option.match({
        onNone: () => missingPage(viewer),
        onSome: ({ reply: { bodyHtml, bodyText } }) => {
          const plain = text(200, bodyText.trim() === "" ? (bodyHtml ?? "") : bodyText)
          return {
            ...plain,
            headers: {
              ...plain.headers,
              "content-security-policy": "default-src 'none'; sandbox",
              "x-frame-options": "DENY"
            }
          }
        }
      })
    )

  return [
    member("/console/replies", { get: list }),
    member("/console/replies/:id", { get: (visit) => show(visit) }),
    member("/console/replies/:id/answer", { post: answer, formBytesMax: LIMITS.replyFormBytesMax }),
    member("/console/replies/:id/handling", { post: handle }),
    member("/console/replies/:id/text", { get: whole })
  ]
})

import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { pages } from "../pages.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { ReplyChange } from "@outbound/domain/control/console/Console.js"
import type { Member } from "@outbound/domain/control/users/UserStore.js"
import { NOT_HANDLED, type Reply, ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { TRIAGE, triageOf } from "@outbound/domain/outreach/replies/triage.js"
import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { LeadStatuses } from "@outbound/domain/control/LeadStatuses.js"
import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { isUnfilled } from "@outbound/domain/outreach/replies/savedAnswer.js"
import { SavedAnswers } from "@outbound/domain/control/SavedAnswers.js"
import { signKindsIn } from "@outbound/domain/kernel/text/signs.js"
import { Effect, Option } from "effect"
import { LIMITS } from "../../http/Limits.js"
import { text } from "../../http/Pages.js"
import { seeOther } from "../../web/Page.js"
import { IN_OWN_NAME, makeInOwnName } from "../inOwnName/inOwnName.js"
import { addressAfter, afterOf as afterEditOf, editedOf } from "../approvals/editing.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { afterOf, afterWords, CARDS_MAX, pageOf } from "../paging.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"
import { referralsOf } from "../referrals/ReferralsSection.js"
import { searchOf } from "../searching.js"
import { BULK_MAX, type Done, doneOf, doneQuery } from "./doneNote.js"
import { listedOf } from "./listed.js"
import type { Listed } from "./ReplyItem.js"
import { repliesPage, type ReplySearch, shownOf } from "./RepliesPage.js"
import { SORTED_MAX, type Sorted } from "./Triage.js"
import { confirmPage } from "../control/ConfirmPage.js"
import { shownOf as shownDraft, type Unsent } from "./AnswerSection.js"
import { WHY_OPEN, withSaved } from "./saved/withSaved.js"
import { replyPage } from "./ReplyPage.js"

/** How many campaigns the filters offer, newest first. */
export const CAMPAIGNS_OFFERED_MAX = 50

const cursorOf = ({ receivedAtMillis, replyId }: Reply): string =>
  afterWords({ atMillis: receivedAtMillis, id: replyId })

/** The id of a filter, or null. */
export const idOf = (given: string | null): string | null =>
  given !== null && isUuid(given) ? given.toLowerCase() : null

/** How many other replies stand beside one. */
const BESIDE_MAX = 20

/** What is to be done first, newest first in each kind. */
const sortedBy = (lines: ReadonlyArray<Listed>, nowMillis: number): ReadonlyArray<Sorted> =>
  lines
    .map((line): Sorted => ({ ...line, triage: triageOf(line.reply, line.handling, nowMillis) }))
    .toSorted((one, other) => TRIAGE.indexOf(one.triage) - TRIAGE.indexOf(other.triage))

/** Browsers send line ends as CRLF. */
const textOf = (form: URLSearchParams): string => (form.get("body") ?? "").replaceAll("\r\n", "\n").trim()

const WHY_CHANGED =
  "The recipient, the mailbox or the subject is no longer what the page showed, so nothing was sent. Check it and send again."

/** What an agent reads whose answer a person replaced. */
const WHY_DECLINED = "A person answers this message themselves, in their own words."

const WHY_DECIDED =
  "Somebody has decided on the request meanwhile, or it has changed, so nothing was sent. Look at the thread before you send your text."

const WHY_UNSEEN =
  "Nothing was sent yet. Your text holds characters that can’t be seen, or letters that look like others; they are marked below. Remove them, or send it as it is."

export const replyPages = pages(
  { ...IN_OWN_NAME, leadStatuses: LeadStatuses, reads: ConsoleReads, replies: ReplyStore, saved: SavedAnswers },
  (services) => {
    const { console, control, crypto, ids, leadStatuses, reads, replies, saved } = services
    const inOwnName = makeInOwnName(services)

    const listed = (workspaceId: string, found: ReadonlyArray<Reply>, members: ReadonlyArray<Member>) =>
      listedOf(replies, workspaceId, found, members)

    const list = ({ by, nowMillis, query, viewer, workspaceId }: Inside): Page =>
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
        const isSorted =
          place === null &&
          query.get("classification") === null &&
          !search.isOpen &&
          search.text === null &&
          search.ownerUserId === null
        const found = yield* replies.page({
          ...wanted,
          ...(search.isOpen || isSorted ? { isOpen: true as const } : {}),
          classification: tab === "all" ? null : tab,
          limit: isSorted ? SORTED_MAX : CARDS_MAX + 1,
          after: place === null ? null : { receivedAtMillis: place.atMillis, replyId: place.id }
        })
        const { shown, ...at } = pageOf(found, isSorted ? SORTED_MAX : CARDS_MAX, cursorOf, place)
        const named = [
          ...new Set([...shown.map((reply) => reply.campaignId), ...(campaignId === null ? [] : [campaignId])])
        ]
        const lines = yield* listed(workspaceId, shown, members)
        return repliesPage({
          viewer,
          sorted: isSorted ? sortedBy(lines, nowMillis) : null,
          done: doneOf(query),
          nowMillis,
          shown: lines,
          ...at,
          campaigns: yield* reads.campaignNames(workspaceId, named, CAMPAIGNS_OFFERED_MAX),
          campaignId,
          search,
          members,
          tab,
          counts: yield* reads.repliesByClass(workspaceId, campaignId)
        })
      })

    /** The request to answer this message that the person changes, while it waits, or after they declined it for that; otherwise null. */
    const editedIn = ({ by, id, nowMillis, workspaceId }: Inside, given: URLSearchParams) =>
      Effect.gen(function* () {
        const approvalId = editedOf(given)
        const found = approvalId === null ? null : Option.getOrNull(yield* console.approval(workspaceId, approvalId))
        if (approvalId === null || found === null) return null
        const { declineReason, expiresAtMillis, snapshot, snapshotDigest, state } = found.approval
        if (snapshot.kind !== "reply" || snapshot.reply_id !== id) return null
        const waits = ApprovalMachine.is.undecided(state) && expiresAtMillis > nowMillis
        const isMine = declineReason === WHY_DECLINED && found.approval.decidedByUserId === by.user.userId
        return waits || isMine
          ? { approvalId, digest: snapshotDigest, text: snapshot.body_text, after: afterEditOf(given), waits }
          : null
      })

    /** `begun`: what the person has typed. `inserts`: the saved answer that they chose is put below it. */
    const show = (visit: Inside, begun?: Unsent, inserts = false): Page =>
      Effect.gen(function* () {
        const { by, id, nowMillis, query, viewer, workspaceId } = visit
        // A form that could not be sent still is about the same request.
        const edited = yield* editedIn(visit, begun === undefined ? query : visit.form)
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
        const offered = yield* saved.list(workspaceId)
        const unsent =
          inserts && begun !== undefined
            ? { ...begun, ...withSaved(begun.text, offered, visit.form, conversation.value.lead) }
            : begun
        return replyPage({
          viewer,
          of: of.value,
          saved: offered,
          conversation: conversation.value,
          handling,
          members,
          others: sortedBy(yield* listed(workspaceId, waiting, members), nowMillis).filter(
            ({ reply, triage }) => triage !== "closed" || reply.replyId === id
          ),
          done: doneOf(query),
          nowMillis,
          referrals:
            handling.referral === "open"
              ? referralsOf([of.value.reply], new Map([[campaign.campaignId, campaign.name]]))
              : [],
          formId: isAnswered ? null : ids.next(nowMillis),
          ...(unsent === undefined ? {} : { unsent }),
          ...(edited?.waits === true ? { edited } : {})
        })
      })

    /**
     * Declines the request whose text the person changed, before theirs is sent, so that never both are. False: it no longer
     * waits as it was shown.
     */
    const declineEdited = (visit: Inside) =>
      Effect.gen(function* () {
        const { by, form } = visit
        if (editedOf(form) === null) return true
        const edited = yield* editedIn(visit, form)
        const digest = form.get("edit_digest") ?? ""
        if (edited === null || edited.digest !== digest) return false
        // The same form was sent before.
        if (!edited.waits) return true
        const also = { winnerRule: false, reason: WHY_DECLINED }
        const decided = yield* console.decide(by, edited.approvalId, "decline", digest, also)
        return Option.getOrNull(decided) === "declined"
      })

    /** Sends the person's own answer: pressing the button approves exactly what the page showed. */
    const answer = (visit: Inside): Page =>
      Effect.gen(function* () {
        const { form, id, nowMillis } = visit
        const text = textOf(form)
        const given = form.get("form_id") ?? ""
        const formId = isUuid(given) ? given : ids.next(nowMillis)
        const isOpen = isUnfilled(text)
        const seen = signKindsIn(text).size === 0 && !isOpen ? null : crypto.sha256Hex(text)
        const again = (why: string) => show(visit, { text, formId: ids.next(nowMillis), why, seen })
        if (seen !== null && form.get("seen") !== seen) return yield* again(isOpen ? WHY_OPEN : WHY_UNSEEN)
        const approvalId = editedOf(form)
        if (!(yield* declineEdited(visit))) return yield* again(WHY_DECIDED)
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
          case "done": {
            const after = approvalId === null ? null : addressAfter(afterEditOf(form), approvalId)
            return seeOther(after ?? `/console/replies/${id}?${doneQuery({ what: "sent" })}`)
          }
          case "waits":
            return seeOther(`/console/approvals/${result.approvalId}`)
          case "changed":
            return yield* again(WHY_CHANGED)
          case "refused":
            return yield* again(`Nothing was sent. ${result.message}`)
        }
      })

    /** Begins the answer with a saved one. Nothing is sent: the person sees the text, changes it and sends it. */
    const insert = (visit: Inside): Page => {
      const given = visit.form.get("form_id") ?? ""
      const formId = isUuid(given) ? given : ids.next(visit.nowMillis)
      return show(visit, { text: textOf(visit.form), formId, why: null, seen: null }, true)
    }

    const handle = ({ by, form, id, nowMillis, viewer, workspaceId }: Inside): Page =>
      Effect.gen(function* () {
        const owner = form.get("owner")
        const handled = form.get("handled")
        const change: ReplyChange = {
          ...(handled === null ? {} : { isHandled: handled === "yes" }),
          ...(owner === null ? {} : { ownerUserId: idOf(owner) })
        }
        const before = (yield* replies.handling(workspaceId, [id])).get(id) ?? NOT_HANDLED
        if (!(yield* console.handleReply(by, id, change))) return missingPage(viewer)
        const done: Done =
          owner === null
            ? { what: handled === "yes" ? "handled" : "reopened", atMillis: nowMillis, replyIds: [] }
            : { what: "owner", atMillis: nowMillis, was: before.ownerUserId }
        return seeOther(`/console/replies/${id}?${doneQuery(done)}`)
      })

    /** Handles many at once, or makes the person their owner; what is no reply of the workspace is left out. */
    const handleMany = ({ by, form, nowMillis }: Inside): Page =>
      Effect.gen(function* () {
        const what = form.get("what")
        const chosen = [...new Set(form.getAll("reply").flatMap((given) => idOf(given) ?? []))].slice(0, BULK_MAX)
        const change: ReplyChange = what === "mine" ? { ownerUserId: by.user.userId } : { isHandled: what !== "reopen" }
        const done: Array<string> = []
        for (const id of chosen) if (yield* console.handleReply(by, id, change)) done.push(id)
        const back = form.get("after") === "home" ? "/console/home" : "/console/replies"
        if (done.length === 0 || what === "mine") return seeOther(back)
        const said: Done = { what: what === "reopen" ? "reopened" : "handled", atMillis: nowMillis, replyIds: done }
        return seeOther(`${back}?${doneQuery(said)}`)
      })

    /** Sets what became of the lead. An opt-out is for good, so it is asked for once more. */
    const setStatus = ({ by, form, id, nowMillis, viewer, workspaceId }: Inside): Page =>
      Effect.gen(function* () {
        const of = yield* replies.get(workspaceId, id)
        const typed = form.get("status")
        const status = INTEREST_STATUSES.find((one) => one === typed) ?? null
        if (Option.isNone(of) || (status === null && typed !== "none")) return missingPage(viewer)
        const path = `/console/replies/${id}` as const
        if (status === "not_interested" && form.get("sure") !== "yes") {
          return confirmPage({
            viewer,
            title: `Not interested: ${of.value.lead.email}`,
            at: "replies",
            effects: [
              "This person is never written to again, in any campaign of this workspace.",
              "They leave every campaign that they are in. Nobody can take this back."
            ],
            action: `${path}/status`,
            fields: { status: "not_interested", sure: "yes" },
            button: "Never write to them again",
            back: path
          })
        }
        const set = yield* leadStatuses.set(by, of.value.lead.campaignLeadId, status)
        if (Option.isNone(set)) return missingPage(viewer)
        const done: Done = { what: "status", atMillis: nowMillis, was: set.value.before }
        return seeOther(`${path}?${doneQuery(done)}`)
      })

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
      member("/console/replies/bulk", { formOn: "/console/replies", post: handleMany }),
      member("/console/replies/:id", { get: (visit) => show(visit) }),
      member("/console/replies/:id/answer", { post: answer, formBytesMax: LIMITS.replyFormBytesMax }),
      member("/console/replies/:id/answer/insert", {
        formOn: "/console/replies/:id",
        post: insert,
        formBytesMax: LIMITS.replyFormBytesMax
      }),
      member("/console/replies/:id/handling", { post: handle }),
      member("/console/replies/:id/status", { post: setStatus }),
      member("/console/replies/:id/text", { get: whole })
    ]
  }
)

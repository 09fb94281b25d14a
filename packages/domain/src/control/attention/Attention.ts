import { Clock, Context, Effect, Layer, Option } from "effect"
import { ApprovalMachine } from "../../calls/approvals/ApprovalMachine.js"
import { type Approval, ApprovalStore } from "../../calls/approvals/ApprovalStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import { ContentStore, type ShownPerson } from "../../outreach/launching/content/ContentStore.js"
import type { SignedIn } from "../users/UserStore.js"
import { AttentionStore, type ListedAttention } from "./AttentionStore.js"
import { shownWith } from "./Planted.js"
import { draw, type Found, foundBy, type Item, type Plan, type Share, SHARES, sizesOf } from "./plan.js"
import { wordedFor } from "./worded.js"

/** Above so many people the page offers to measure attention, where no rule asks for it. */
export const OFFERED_ABOVE = 200

/** Most plans that the page about approvers reads. */
export const LATEST_MAX = 200

/** What a person has to look at, or may, before they approve a request. */
export interface AttentionStanding {
  /** A rule refuses their approval until they have looked at all of it. */
  readonly isAsked: boolean
  /** Their own plan and what came of it; null: nothing was drawn for them. */
  readonly own: { readonly plan: Plan; readonly found: Found } | null
  /** How many messages each size means, where nothing was drawn. */
  readonly sizes: ReadonlyArray<{ readonly share: Share; readonly messages: number }>
}

/** People to write to, where a request has messages to look at. */
const peopleOf = ({ snapshot }: Approval): number | null =>
  (snapshot.kind === "launch" || snapshot.kind === "add_leads") && snapshot.content !== undefined
    ? snapshot.leads
    : null

/** Decides, in the deciding transaction, whether a person has looked at what a rule asks. */
export const makeAttentionGate = Effect.gen(function* () {
  const store = yield* AttentionStore
  const rules = yield* RuleStore

  const isAsked = (approval: Approval) =>
    Effect.map(rules.rules(approval.workspaceId), ({ attentionAbove }) => {
      const people = peopleOf(approval)
      return people !== null && attentionAbove !== null && people > attentionAbove
    })

  /** True: they have not looked at everything yet, and the workspace asks for it. */
  const refuses = (approval: Approval, userId: string) =>
    Effect.gen(function* () {
      if (!(yield* isAsked(approval))) return false
      const own = yield* store.find(approval.workspaceId, approval.approvalId, userId)
      return Option.isNone(own) || !foundBy(own.value.plan, own.value.looks).isDone
    })

  /** What the trail says of how the request was looked at. Empty: nobody was asked. */
  const told = ({ approvalId, workspaceId }: Approval) =>
    Effect.map(store.ofApproval(workspaceId, approvalId), (all) =>
      all.length === 0
        ? {}
        : {
            attention: all.map(({ email, looks, plan }) => {
              const { isDone, people, planted, real, wrongAtMost } = foundBy(plan, looks)
              return {
                by: email,
                seed: plan.seed,
                people,
                looked_at: real.looked,
                wrong: real.wrong,
                wrong_at_most: wrongAtMost,
                planted: planted.looked,
                caught: planted.caught,
                complete: isDone
              }
            })
          }
    )

  return { isAsked, refuses, told }
})

/** Asks people to look at messages before they approve a large launch, and measures how they do. */
export class Attention extends Context.Service<
  Attention,
  {
    /** Null: the request has no messages to look at. */
    readonly standing: (approval: Approval, userId: string) => FromStore<AttentionStanding | null>
    /** Draws what they look at. A second time, or from another window, it leaves what was drawn. False: it is too late. */
    readonly begin: (by: SignedIn, approvalId: string, share: Share) => FromStore<boolean>
    /** Whose values an item shows, the planted one in its place; null: they are not kept any more. For pages only. */
    readonly shown: (approval: Approval, item: Item) => FromStore<ShownPerson | null>
    /** False: it is decided, they have approved it, or nothing of theirs stands there. */
    readonly say: (by: SignedIn, approvalId: string, position: number, isWrong: boolean) => FromStore<boolean>
    /** How those did who looked at a request that is decided. */
    readonly ofApproval: (workspaceId: string, approvalId: string) => FromStore<ReadonlyArray<ListedAttention>>
    /** How approvers did in the latest requests that are decided. */
    readonly latest: (workspaceId: string) => FromStore<ReadonlyArray<ListedAttention>>
  }
>()("@outbound/domain/control/attention/Attention") {}

export const layer = Layer.effect(
  Attention,
  Effect.gen(function* () {
    const store = yield* AttentionStore
    const approvals = yield* ApprovalStore
    const content = yield* ContentStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const gate = yield* makeAttentionGate

    const everybody = ({ approvalId, workspaceId }: Approval, people: number) =>
      content.people(
        workspaceId,
        approvalId,
        { text: null, look: null, host: null, having: null },
        { after: null, limit: people }
      )

    /** The request, locked, while this person can still decide it. */
    const openFor = (by: SignedIn, approvalId: string) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        const locked = yield* approvals.lock(workspaceId, approvalId)
        if (Option.isNone(locked)) return null
        const { expiresAtMillis, state } = locked.value
        if (!ApprovalMachine.is.undecided(state) || expiresAtMillis <= (yield* Clock.currentTimeMillis)) return null
        const votes = yield* approvals.votes(workspaceId, approvalId)
        return votes.some(({ userId }) => userId === by.user.userId) ? null : locked.value
      })

    const standing = (approval: Approval, userId: string) =>
      Effect.gen(function* () {
        const people = peopleOf(approval)
        if (people === null) return null
        const isAsked = yield* gate.isAsked(approval)
        const own = Option.getOrNull(yield* store.find(approval.workspaceId, approval.approvalId, userId))
        if (!isAsked && own === null && people <= OFFERED_ABOVE) return null
        const risky = riskyIn(approval)
        return {
          isAsked,
          own: own === null ? null : { plan: own.plan, found: foundBy(own.plan, own.looks) },
          sizes:
            own === null
              ? SHARES.map((share) => {
                  const sizes = sizesOf(people, risky, share)
                  return { share, messages: sizes.risky + sizes.random }
                })
              : []
        }
      })

    const begin = (by: SignedIn, approvalId: string, share: Share) =>
      Effect.gen(function* () {
        const approval = yield* openFor(by, approvalId)
        const people = approval === null ? null : peopleOf(approval)
        if (approval === null || people === null || !("steps" in approval.snapshot)) return false
        const shown = yield* everybody(approval, people)
        const worded = wordedFor(approval.snapshot)
        const seed = crypto.randomToken()
        yield* store.keep({
          workspaceId: approval.workspaceId,
          approvalId,
          userId: by.user.userId,
          snapshotDigest: approval.snapshotDigest,
          seed,
          people: shown.length,
          items: draw({
            people: shown,
            sequenceOf: ({ addressHash }) => worded(addressHash),
            share,
            seed,
            sha256: crypto.sha256Hex
          }),
          drawnAtMillis: yield* Clock.currentTimeMillis
        })
        return true
      }).pipe(atomically)

    const say = (by: SignedIn, approvalId: string, position: number, isWrong: boolean) =>
      Effect.gen(function* () {
        if ((yield* openFor(by, approvalId)) === null) return false
        const own = yield* store.find(by.session.workspaceId, approvalId, by.user.userId)
        if (Option.isNone(own) || own.value.plan.items[position] === undefined) return false
        yield* store.say(own.value.plan, { position, isWrong, atMillis: yield* Clock.currentTimeMillis })
        return true
      }).pipe(atomically)

    const shown = ({ approvalId, workspaceId }: Approval, item: Item) =>
      Effect.map(
        content.person(workspaceId, approvalId, item.kind === "planted" ? item.borrowed : item.shownId),
        Option.match({
          onNone: () => null,
          onSome: (person) => (item.kind === "planted" ? shownWith(item, person) : person)
        })
      )

    return Attention.of({
      standing,
      begin,
      shown,
      say,
      ofApproval: store.ofApproval,
      latest: (workspaceId) => store.latest(workspaceId, LATEST_MAX)
    })
  })
)

/** At most so many people are risky: some have several looks. */
const riskyIn = ({ snapshot }: Approval): number =>
  "content" in snapshot && snapshot.content !== undefined
    ? Object.entries(snapshot.content.looks).reduce(
        (sum, [look, people]) => sum + (look === "rare" ? 0 : (people ?? 0)),
        0
      )
    : 0

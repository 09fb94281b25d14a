import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { type Tx, type StoreUnavailable, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Deferred, Effect, Fiber, type Layer, Option } from "effect"
import { addressHashOf, freshId, givenKey, NOON, SUITE } from "./fixtures.js"
import { claimsOf, givenSending, makeApproval } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | ErasureStore
  | Inbound
  | KeyStore
  | ReplyStore
  | SendingStore
  | SentReplyStore
  | UnitOfWork
  | UserStore
  | WorkspaceStore

type InTx<A> = Effect.Effect<A, StoreUnavailable, Tx>

/** What is read under a lock, and what its holder writes. */
interface Held {
  readonly read: InTx<unknown>
  /** What the second one does; absent: the same. */
  readonly second?: InTx<unknown>
  readonly write: InTx<unknown>
}

/** How many statements the holder makes meanwhile, so that the other one has all the time to read too early. */
const STATEMENTS = 12

/**
 * Who takes a lock that somebody holds reads what its holder wrote. `atOnce`: several transactions are open at once, so that
 * the second one has begun before the first one writes.
 */
export const locksContract = <E>(
  name: string,
  adapter: Layer.Layer<Stores, E>,
  { atOnce }: { readonly atOnce: boolean }
): void => {
  /** What the second one reads, that came while the first one held the lock and had written nothing yet. */
  const secondOf = ({ read, second = read, write }: Held) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const workspaces = yield* WorkspaceStore
      const [begun, held] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // It has a connection of its own before it reads.
      const begin = Effect.andThen(workspaces.get(freshId()), Deferred.succeed(begun, undefined))
      const waiting = Effect.andThen(begin, Deferred.await(held))
      const other = yield* Effect.forkChild(
        atOnce
          ? atomically(Effect.andThen(waiting, second))
          : Effect.andThen(
              waiting,
              Effect.suspend(() => atomically(second))
            )
      )
      yield* Deferred.await(begun)
      yield* atomically(
        Effect.gen(function* () {
          yield* read
          yield* Deferred.succeed(held, undefined)
          for (let statement = 0; statement < STATEMENTS; statement += 1) yield* read
          yield* write
        })
      )
      return yield* Fiber.join(other)
    })

  const approvals = Effect.gen(function* () {
    const store = yield* ApprovalStore
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = yield* givenSending(0)
    const approval = makeApproval({ workspaceId, state: "approved", tokenHash: freshId(), decidedAtMillis: NOON })
    yield* atomically(store.insert(approval))
    const write = store.update({ ...approval, state: "used", usedByIdempotencyKey: "key" })
    return { store, approval, workspaceId, write }
  })

  const cases: Readonly<Record<string, readonly [held: Effect.Effect<Held, unknown, Stores>, after: unknown]>> = {
    "an approval by its token": [
      Effect.map(approvals, ({ approval, store, workspaceId, write }) => ({
        read: Effect.map(store.lockByToken(workspaceId, approval.tokenHash), (found) => Option.getOrThrow(found).state),
        write
      })),
      "used"
    ],
    "an approval": [
      Effect.map(approvals, ({ approval, store, workspaceId, write }) => ({
        read: Effect.map(store.lock(workspaceId, approval.approvalId), (found) => Option.getOrThrow(found).state),
        write
      })),
      "used"
    ],
    "the open approvals of a workspace": [
      Effect.map(approvals, ({ store, workspaceId, write }) => ({
        read: Effect.map(store.lockOpen(workspaceId, null), (found) => found.length),
        write
      })),
      0
    ],
    "the open approvals of a target": [
      Effect.map(approvals, ({ approval, store, workspaceId, write }) => ({
        read: Effect.map(store.lockOpenOfTarget(workspaceId, approval.target), (found) => found.length),
        write
      })),
      0
    ],
    "a campaign": [
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { campaign, workspaceId } = yield* givenSending(1)
        return {
          read: Effect.map(store.lock(workspaceId, campaign.campaignId), (found) => Option.getOrThrow(found).state),
          write: store.update({ ...campaign, state: "paused", pauseReason: "owner" })
        }
      }),
      "paused"
    ],
    "a lead": [
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const { atomically } = yield* UnitOfWork
        const { leads, workspaceId } = yield* givenSending(1)
        const { campaignLeadId } = leads[0]!
        const lead = Option.getOrThrow(yield* atomically(store.lockLead(workspaceId, campaignLeadId)))
        return {
          read: Effect.map(store.lockLead(workspaceId, campaignLeadId), (found) => Option.getOrThrow(found).state),
          write: store.updateLead({ ...lead, state: "active" })
        }
      }),
      "active"
    ],
    "a mailbox": [
      Effect.gen(function* () {
        const store = yield* SendingStore
        const { mailboxes, workspaceId } = yield* givenSending(0)
        const mailbox = mailboxes[0]!
        return {
          read: Effect.map(
            store.lockMailbox(workspaceId, mailbox.mailboxId),
            (found) => Option.getOrThrow(found).state
          ),
          write: store.updateMailboxes([{ ...mailbox, state: "paused", pauseReason: "owner" }])
        }
      }),
      "paused"
    ],
    "a message": [
      Effect.gen(function* () {
        const store = yield* SendingStore
        const { workspaceId } = yield* givenSending(1)
        const [claim] = yield* claimsOf(workspaceId)
        const { lead, message } = claim!
        return {
          read: Effect.map(
            store.lockMessage(workspaceId, message.messageId),
            (found) => Option.getOrThrow(found).state
          ),
          write: store.endMessage({ ...message, state: "sent", sentAtMillis: NOON }, lead.addressHash, null)
        }
      }),
      "sent"
    ],
    "an answer of ours": [
      Effect.gen(function* () {
        const [store, replies] = [yield* SentReplyStore, yield* ReplyStore]
        const { atomically } = yield* UnitOfWork
        const { campaign, leads, workspaceId } = yield* givenSending(1)
        const replyId = freshId()
        const { campaignLeadId, email } = leads[0]!
        const of = { workspaceId, replyId, campaignId: campaign.campaignId, campaignLeadId }
        yield* atomically(
          replies.insert({
            ...of,
            threadId: null,
            fromEmail: email,
            toEmail: "jo@acme-mail.test",
            subject: "Re: Hello",
            snippet: "Yes",
            bodyText: "Yes",
            bodyHtml: null,
            bodyTruncated: false,
            classification: "interested",
            messageId: null,
            inReplyTo: null,
            receivedAtMillis: NOON
          })
        )
        const sent = {
          ...of,
          sentReplyId: freshId(),
          threadId: null,
          requestId: freshId(),
          approvalId: freshId(),
          mailboxId: freshId(),
          addressHash: addressHashOf(workspaceId, email),
          fromEmail: "jo@acme-mail.test",
          toEmail: email,
          subject: "Re: Hello",
          bodyText: "When?",
          references: [],
          state: "pending" as const,
          createdAtMillis: NOON,
          askedAtMillis: null,
          sentAtMillis: null,
          lookUps: 0
        }
        yield* atomically(store.insert(sent))
        return {
          read: Effect.map(
            store.lock(workspaceId, sent.sentReplyId),
            (found) => Option.getOrThrow(found).askedAtMillis
          ),
          write: store.update({ ...sent, askedAtMillis: NOON })
        }
      }),
      NOON
    ],
    "the request to erase a person": [
      Effect.gen(function* () {
        const store = yield* ErasureStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenSending(0)
        const request = yield* atomically(
          store.open({
            workspaceId,
            erasureId: freshId(),
            addressHash: freshId(),
            requestedByUserId: null,
            requestedAtMillis: NOON,
            fingerprints: [],
            told: false,
            finishedAtMillis: null
          })
        )
        return {
          read: Effect.map(store.open({ ...request, erasureId: freshId() }), ({ told }) => told),
          write: store.update({ ...request, told: true })
        }
      }),
      true
    ],
    "a lead that an erasure blanks": [
      Effect.gen(function* () {
        const [store, campaigns] = [yield* ErasureStore, yield* CampaignStore]
        const { leads, workspaceId } = yield* givenSending(1)
        const { addressHash, campaignLeadId, email } = leads[0]!
        const blanked = Effect.map(
          store.eraseLeads({ workspaceId, addressHash, email }, ["ready"], 9),
          ({ length }) => length
        )
        return { read: campaigns.lockLead(workspaceId, campaignLeadId), second: blanked, write: blanked }
      }),
      0
    ],
    "mail that an erasure takes out": [
      Effect.gen(function* () {
        const [store, inbound, replies] = [yield* ErasureStore, yield* Inbound, yield* ReplyStore]
        const { workspaceId } = yield* givenSending(0)
        const email = "ann@example.com"
        const event: InboundEvent = {
          workspaceId,
          provider: "sandbox",
          providerEventId: freshId(),
          kind: "reply",
          source: "provider_poll",
          inReplyTo: `${freshId()}@acme-mail.test`,
          messageId: null,
          fromEmail: email,
          toEmail: null,
          subject: "Re: Hello",
          bodyText: "Yes",
          bodyHtml: null,
          classification: null,
          bounce: null,
          receivedAtMillis: NOON
        }
        yield* inbound.receive([event])
        const person = { workspaceId, email, addressHash: addressHashOf(workspaceId, email) }
        return {
          read: replies.lockInbox(NOON, 1_000),
          second: Effect.map(store.takeWaiting(person, 9), ({ length }) => length),
          write: replies.takeFromInbox(event)
        }
      }),
      0
    ],
    "who holds the sending of a workspace": [
      Effect.gen(function* () {
        const workspaces = yield* WorkspaceStore
        const { workspaceId } = yield* givenSending(0)
        return {
          read: Effect.map(workspaces.lockSending(workspaceId), ({ suspendedAtMillis }) => suspendedAtMillis),
          second: Effect.map(workspaces.shareSending(workspaceId), ({ suspendedAtMillis }) => suspendedAtMillis),
          write: workspaces.setSending(workspaceId, { suspendedAtMillis: NOON, suspendedReason: "enough" })
        }
      }),
      NOON
    ],
    "the members of a workspace": [
      Effect.gen(function* () {
        const users = yield* UserStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenSending(0)
        const member = { userId: freshId(), email: `${freshId()}@owner.test`, workspaceId, atMillis: NOON }
        const { userId } = yield* atomically(users.ensureMember({ ...member, role: "owner" }))
        return {
          read: Effect.map(users.lockMembers(workspaceId), (members) => members.map(({ role }) => role)),
          write: users.setRole(workspaceId, userId, "reader")
        }
      }),
      ["reader"]
    ],
    "a key": [
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const { workspaceId } = yield* givenSending(0)
        const { key } = yield* givenKey(workspaceId)
        return {
          read: Effect.map(keys.lock(key.keyId), (found) => Option.getOrThrow(found).state),
          write: keys.update({ ...key, state: "revoked" })
        }
      }),
      "revoked"
    ],
    "a workspace": [
      Effect.gen(function* () {
        const workspaces = yield* WorkspaceStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenSending(0)
        const workspace = Option.getOrThrow(yield* atomically(workspaces.lock(workspaceId)))
        return {
          read: Effect.map(workspaces.lock(workspaceId), (found) => Option.getOrThrow(found).postalAddress),
          write: workspaces.update({ ...workspace, postalAddress: "2 Side Street" })
        }
      }),
      "2 Side Street"
    ]
  }

  it.layer(adapter, SUITE)(`locks (${name})`, (it) => {
    for (const [what, [held, after]] of Object.entries(cases)) {
      it.effect(`of ${what}: who comes second reads what the first one wrote`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* secondOf(yield* held), after)
        })
      )
    }
  })
}

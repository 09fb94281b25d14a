import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { HOLD_MILLIS, type OwnMailbox, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { makeMailbox } from "./outboundFixtures.js"

const HOSTS = 6
const EVERYTHING = 1_000

export const makeOwnMailbox = (given: Partial<Mailbox> & Pick<Mailbox, "workspaceId">): Mailbox =>
  makeMailbox({ kind: "own", operationId: null, upkeepPaidUntilMillis: null, ...given })

export const makeConnection = ({ address, mailboxId, workspaceId }: Mailbox): OwnMailbox => ({
  workspaceId,
  mailboxId,
  smtp: { host: "smtp.acme.test", port: 465, security: "tls" },
  imap: { host: "imap.acme.test", port: 993, security: "tls" },
  username: address,
  auth: "password",
  sealedSecret: "v1.sealed",
  sentFolder: "Sent",
  keepsSent: true,
  keepsMessageIds: true
})

/** Own mailboxes of a new workspace, each with its connection. */
export const givenOwnMailboxes = (count: number, given: Partial<Mailbox> = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const sending = yield* SendingStore
    const store = yield* OwnMailboxStore
    const { workspaceId } = yield* givenWorkspace({ kind: "live" })
    const mailboxes = Array.from({ length: count }, () => makeOwnMailbox({ workspaceId, ...given }))
    yield* atomically(
      Effect.gen(function* () {
        yield* sending.insertMailboxes(mailboxes)
        yield* Effect.forEach(mailboxes, (mailbox) => store.put(makeConnection(mailbox)), { discard: true })
      })
    )
    return { workspaceId, mailboxes }
  })

/** What every store of own mailboxes guarantees. */
export const ownMailboxesContract = <E>(
  name: string,
  adapter: Layer.Layer<OwnMailboxStore | SendingStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const holdOf = (workspaceId: string, hostId: string, limit = EVERYTHING, millis = HOLD_MILLIS) =>
    Effect.gen(function* () {
      const store = yield* OwnMailboxStore
      const held = yield* store.hold({ hostId, limit, millis })
      return held.filter(({ own }) => own.workspaceId === workspaceId).map(({ own }) => own.mailboxId)
    })

  /** Holds end by the clock of the store: one of no length has ended at once. */
  const dies = (hostId: string) =>
    Effect.flatMap(OwnMailboxStore, (store) => store.hold({ hostId, limit: EVERYTHING, millis: 0 }))

  const holdersOf = (mailboxIds: ReadonlyArray<string>, hosts: ReadonlyArray<string>) =>
    Effect.flatMap(OwnMailboxStore, (store) =>
      Effect.forEach(hosts, (hostId) => Effect.map(store.holds(hostId, mailboxIds), (held) => held.toSorted()))
    )

  it.layer(adapter, SUITE)(`own mailboxes (${name})`, (it) => {
    it.effect("a connection comes back as it was stored, with its mailbox, and is replaced as a whole", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(2)
        const [first, second] = mailboxes.toSorted((a, b) => (a.address < b.address ? -1 : 1))
        const connections = [first!, second!].map((mailbox) => ({ mailbox, own: makeConnection(mailbox), skipped: 0 }))
        assert.deepStrictEqual(yield* store.list(workspaceId), connections)
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, first!.mailboxId)), connections[0]!)
        assert.isTrue(Option.isNone(yield* store.get(freshId(), first!.mailboxId)))
        const other: OwnMailbox = {
          workspaceId,
          mailboxId: first!.mailboxId,
          smtp: { host: "127.0.0.1", port: 587, security: "none" },
          imap: { host: "127.0.0.1", port: 143, security: "starttls" },
          username: "jo",
          auth: "xoauth2",
          sealedSecret: "v1.other",
          sentFolder: null,
          keepsSent: false,
          keepsMessageIds: false
        }
        yield* atomically(store.put(other))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, first!.mailboxId)), {
          mailbox: first!,
          own: other,
          skipped: 0
        })
      })
    )

    it.effect(
      "what came in place of a secret is kept beside it, takes it from no host, and goes with a new secret",
      () =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const store = yield* OwnMailboxStore
          const { workspaceId, mailboxes } = yield* givenOwnMailboxes(2)
          const [mailbox, other] = mailboxes as [Mailbox, Mailbox]
          const hostId = freshId()
          yield* holdOf(workspaceId, hostId)
          const before = yield* store.get(workspaceId, mailbox.mailboxId)
          const renewed = (mailboxId: string) => store.renewedSecret(workspaceId, mailboxId)
          assert.isNull(yield* renewed(mailbox.mailboxId))
          yield* store.keepRenewed(workspaceId, mailbox.mailboxId, "v1.renewed")
          yield* store.keepRenewed(workspaceId, mailbox.mailboxId, "v1.renewed again")
          assert.strictEqual(yield* renewed(mailbox.mailboxId), "v1.renewed again")
          assert.isNull(yield* renewed(other.mailboxId))
          assert.isNull(yield* store.renewedSecret(freshId(), mailbox.mailboxId))
          assert.deepStrictEqual(yield* store.get(workspaceId, mailbox.mailboxId), before)
          assert.deepStrictEqual(yield* holdersOf([mailbox.mailboxId], [hostId]), [[mailbox.mailboxId]])
          yield* atomically(store.put({ ...makeConnection(mailbox), auth: "oauth" }))
          assert.isNull(yield* renewed(mailbox.mailboxId))
          // Who renewed it is late.
          yield* atomically(store.remove(workspaceId, mailbox.mailboxId))
          yield* store.keepRenewed(workspaceId, mailbox.mailboxId, "v1.late")
          assert.isNull(yield* renewed(mailbox.mailboxId))
          yield* dies(hostId)
        })
    )

    it.effect("an own mailbox has an address once, and is an active mailbox that nothing ordered", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnMailboxStore
        const sending = yield* SendingStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(1)
        const [mailbox] = mailboxes
        assert.deepStrictEqual(yield* sending.activeMailboxes(workspaceId), [mailbox!])
        const again = makeOwnMailbox({ workspaceId, address: mailbox!.address })
        assert.isTrue((yield* Effect.exit(atomically(sending.insertMailboxes([again]))))._tag === "Failure")
        assert.deepStrictEqual(
          Option.getOrNull(yield* atomically(store.lockAddress(workspaceId, mailbox!.address))),
          mailbox!
        )
        assert.isTrue(Option.isNone(yield* atomically(store.lockAddress(freshId(), mailbox!.address))))
        const due = yield* atomically(sending.lockUpkeepDue(NOON * 2, EVERYTHING, null))
        assert.isFalse(due.some(({ mailboxId }) => mailboxId === mailbox!.mailboxId))
      })
    )

    it.effect("what is removed is forgotten but for the mailbox itself, which is found again by its address", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(1)
        const { address, mailboxId } = mailboxes[0]!
        yield* store.moveCursor(workspaceId, mailboxId, { folder: "INBOX", uidValidity: 7, lastUid: 3 }, 0)
        yield* atomically(store.remove(workspaceId, mailboxId))
        assert.isEmpty(yield* store.list(workspaceId))
        assert.isEmpty(yield* store.cursors(workspaceId, mailboxId))
        assert.isEmpty(yield* holdOf(workspaceId, freshId()))
        assert.isTrue(Option.isSome(yield* atomically(store.lockAddress(workspaceId, address))))
        // Its reader is late.
        yield* store.moveCursor(workspaceId, mailboxId, { folder: "INBOX", uidValidity: 7, lastUid: 4 }, 0)
        assert.isEmpty(yield* store.cursors(workspaceId, mailboxId))
      })
    )

    it.effect("what is removed, read or put anew is one mailbox's: those beside it keep theirs", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(2)
        const [gone, stays] = mailboxes as [Mailbox, Mailbox]
        const cursor = { folder: "INBOX", uidValidity: 7, lastUid: 3 }
        yield* store.moveCursor(workspaceId, stays.mailboxId, cursor, 2)
        assert.isEmpty(yield* store.cursors(workspaceId, gone.mailboxId))
        const skipped = ({ mailboxId }: Mailbox) =>
          Effect.map(store.get(workspaceId, mailboxId), (found) => Option.getOrThrow(found).skipped)
        assert.deepStrictEqual([yield* skipped(gone), yield* skipped(stays)], [0, 2])
        yield* atomically(store.put({ ...makeConnection(gone), sealedSecret: "v1.newer" }))
        const secretOf = ({ mailboxId }: Mailbox) =>
          Effect.map(store.get(workspaceId, mailboxId), (found) => Option.getOrThrow(found).own.sealedSecret)
        assert.deepStrictEqual([yield* secretOf(gone), yield* secretOf(stays)], ["v1.newer", "v1.sealed"])
        yield* atomically(store.remove(workspaceId, gone.mailboxId))
        assert.deepStrictEqual(
          (yield* store.list(workspaceId)).map(({ mailbox }) => mailbox.mailboxId),
          [stays.mailboxId]
        )
        assert.deepStrictEqual(yield* store.cursors(workspaceId, stays.mailboxId), [cursor])
      })
    )

    it.effect("messages that could not be looked at are counted, whatever becomes of the folder", () =>
      Effect.gen(function* () {
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(1)
        const { mailboxId } = mailboxes[0]!
        const move = (folder: string, uidValidity: number, lastUid: number, skipped: number) =>
          Effect.andThen(
            store.moveCursor(workspaceId, mailboxId, { folder, uidValidity, lastUid }, skipped),
            Effect.map(store.get(workspaceId, mailboxId), (found) => Option.getOrThrow(found).skipped)
          )
        assert.strictEqual(yield* move("INBOX", 7, 3, 0), 0)
        assert.strictEqual(yield* move("INBOX", 7, 4, 1), 1)
        assert.strictEqual(yield* move("Junk", 1, 2, 2), 3)
        assert.strictEqual(yield* move("INBOX", 8, 1, 0), 3)
        const [listed] = yield* store.list(workspaceId)
        assert.strictEqual(listed?.skipped, 3)
      })
    )

    it.effect("a cursor goes on and never back, and begins anew where the folder did", () =>
      Effect.gen(function* () {
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(1)
        const { mailboxId } = mailboxes[0]!
        const move = (folder: string, uidValidity: number, lastUid: number) =>
          Effect.andThen(
            store.moveCursor(workspaceId, mailboxId, { folder, uidValidity, lastUid }, 0),
            store.cursors(workspaceId, mailboxId)
          )
        assert.deepStrictEqual(yield* move("INBOX", 4_294_967_295, 10), [
          { folder: "INBOX", uidValidity: 4_294_967_295, lastUid: 10 }
        ])
        assert.deepStrictEqual(yield* move("INBOX", 4_294_967_295, 8), [
          { folder: "INBOX", uidValidity: 4_294_967_295, lastUid: 10 }
        ])
        assert.deepStrictEqual(yield* move("Entwürfe", 1, 4_000_000_000), [
          { folder: "Entwürfe", uidValidity: 1, lastUid: 4_000_000_000 },
          { folder: "INBOX", uidValidity: 4_294_967_295, lastUid: 10 }
        ])
        assert.deepStrictEqual(yield* move("INBOX", 5, 2), [
          { folder: "Entwürfe", uidValidity: 1, lastUid: 4_000_000_000 },
          { folder: "INBOX", uidValidity: 5, lastUid: 2 }
        ])
      })
    )

    it.effect("one host holds a mailbox, renews its hold, and lets others have it when it lets go", () =>
      Effect.gen(function* () {
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(2)
        const mailboxIds = mailboxes.map(({ mailboxId }) => mailboxId).toSorted()
        const [a, b] = [freshId(), freshId()]
        assert.sameMembers(yield* holdOf(workspaceId, a), mailboxIds)
        assert.isEmpty(yield* holdOf(workspaceId, b))
        assert.sameMembers(yield* holdOf(workspaceId, a), mailboxIds)
        assert.deepStrictEqual(yield* holdersOf(mailboxIds, [a, b]), [mailboxIds, []])
        // Who does not hold it can't let go of it.
        yield* store.release(b, mailboxIds)
        assert.isEmpty(yield* holdOf(workspaceId, b))
        yield* store.release(a, [mailboxIds[0]!])
        assert.deepStrictEqual(yield* holdOf(workspaceId, b), [mailboxIds[0]!])
        assert.deepStrictEqual(yield* holdersOf(mailboxIds, [a, b]), [[mailboxIds[1]!], [mailboxIds[0]!]])
        yield* store.release(a, mailboxIds)
        yield* store.release(b, mailboxIds)
      })
    )

    it.effect("a host that is gone loses its mailboxes when its holds run out, and does not get them back", () =>
      Effect.gen(function* () {
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(1)
        const [{ mailboxId }] = mailboxes as [Mailbox]
        const [dead, other] = [freshId(), freshId()]
        assert.deepStrictEqual(yield* holdOf(workspaceId, dead), [mailboxId])
        yield* dies(dead)
        assert.deepStrictEqual(yield* holdersOf([mailboxId], [dead]), [[]])
        assert.deepStrictEqual(yield* holdOf(workspaceId, other), [mailboxId])
        assert.isEmpty(yield* holdOf(workspaceId, dead))
        // It wakes, and lets go of what it thinks is its own.
        yield* store.release(dead, [mailboxId])
        assert.deepStrictEqual(yield* holdersOf([mailboxId], [dead, other]), [[], [mailboxId]])
        yield* store.release(other, [mailboxId])
      })
    )

    it.effect("a host holds no more than its limit, and what waited the longest comes first", () =>
      Effect.gen(function* () {
        const store = yield* OwnMailboxStore
        const { workspaceId } = yield* givenOwnMailboxes(5)
        const [first, second] = [freshId(), freshId()]
        const free = yield* store.hold({ hostId: first, limit: EVERYTHING, millis: HOLD_MILLIS })
        const ids = free.map(({ own }) => own.mailboxId)
        for (const mailboxId of ids) yield* store.release(first, [mailboxId])
        const held = (hostId: string, limit: number) =>
          Effect.map(store.hold({ hostId, limit, millis: HOLD_MILLIS }), (found) =>
            found.map(({ own }) => own.mailboxId)
          )
        assert.isTrue(workspaceId !== "" && ids.length >= 5)
        const two = yield* held(second, 2)
        assert.lengthOf(two, 2)
        assert.sameMembers(yield* held(second, 2), two)
        assert.lengthOf(yield* held(second, 3), 3)
        yield* store.release(second, ids)
      })
    )

    it.effect("of hosts that reach for a mailbox at once, one gets it", () =>
      Effect.gen(function* () {
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(3)
        const hosts = Array.from({ length: HOSTS }, freshId)
        const held = yield* Effect.forEach(hosts, (hostId) => holdOf(workspaceId, hostId), {
          concurrency: "unbounded"
        })
        assert.sameMembers(
          held.flat(),
          mailboxes.map(({ mailboxId }) => mailboxId)
        )
        yield* Effect.forEach(hosts, dies, { discard: true })
      })
    )

    it.effect("a paused mailbox is still held, for it is read, whatever it is paused for", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(2, { state: "paused", pauseReason: "bounces" })
        const hostId = freshId()
        assert.lengthOf(yield* holdOf(workspaceId, hostId), 2)
        yield* atomically(sending.updateMailboxes([{ ...mailboxes[0]!, pauseReason: "login" }]))
        assert.lengthOf(yield* holdOf(workspaceId, hostId), 2)
        yield* dies(hostId)
      })
    )

    it.effect("a connection that is replaced is taken from the host that held the old one", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnMailboxStore
        const { workspaceId, mailboxes } = yield* givenOwnMailboxes(1)
        const [mailbox] = mailboxes
        const hostId = freshId()
        yield* holdOf(workspaceId, hostId)
        yield* atomically(store.put({ ...makeConnection(mailbox!), sealedSecret: "v1.newer" }))
        assert.deepStrictEqual(yield* holdersOf([mailbox!.mailboxId], [hostId]), [[]])
        assert.lengthOf(yield* holdOf(workspaceId, freshId()), 1)
      })
    )
  })
}

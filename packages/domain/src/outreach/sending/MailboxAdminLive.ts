import { Clock, Effect, Layer, Option, Result, Struct } from "effect"
import { invalid, refuse } from "../../kernel/errors/Wire.js"
import { iso } from "../../kernel/text.js"
import { orFail } from "../../kernel/orFail.js"
import { step } from "../../kernel/machine.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { DomainRecords } from "../mail/DomainRecords.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { MailProbe, type ProbeReport, type SeenSignature } from "../mail/MailProbe.js"
import type { MailAccount } from "../mail/MailTransport.js"
import { type Tx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import {
  type AddReport,
  connectionIssues,
  MailboxAdmin,
  type MailboxConnection,
  type MailboxSummary,
  type MailboxStatement,
  OWN_MAILBOXES_MAX,
  statementIssues
} from "./MailboxAdmin.js"
import { MailboxMachine, type MailboxPauseReason } from "./MailboxMachine.js"
import { type ConnectedMailbox, OwnMailboxStore, sealAccount, UNREAD_REST_MILLIS } from "./OwnMailboxes.js"
import { UNDECLARED } from "./ramp.js"
import { type Mailbox, SendingStore } from "./SendingStore.js"
import { mendsOf } from "./mailboxMends.js"
import { makePauseMailbox } from "./Breaker.js"
import { LookStore } from "../authentication/LookStore.js"
import { checkVitals, type Vital } from "../authentication/vitals.js"

type By = Parameters<MailboxAdmin["Service"]["pause"]>[2]

const summaryOf = ({ mailbox, own, skipped }: ConnectedMailbox): MailboxSummary => ({
  ...Struct.pick(mailbox, ["mailboxId", "address", "displayName", "state", "pauseReason", "createdAtMillis"]),
  ...Struct.pick(own, ["smtp", "imap", "username", "auth", "sentFolder", "keepsSent"]),
  skipped
})

const STEPS = ["smtpLogin", "imapLogin", "send", "read"] as const

const works = (probe: ProbeReport): boolean => STEPS.every((name) => probe[name].state === "ok")

/** The problems, most urgent first, and how to mend them. */
export const adviceOf = (
  probe: ProbeReport,
  vitals: ReadonlyArray<Vital>,
  connection: Pick<MailboxConnection, "auth" | "imap" | "smtp">
): ReadonlyArray<string> => [
  ...STEPS.flatMap((name) => {
    const tried = probe[name]
    return "says" in tried ? [tried.says] : []
  }),
  ...mendsOf(probe, connection),
  ...(probe.isJunk ? ["The test message was classified as junk. Fix the domain records below before you send."] : []),
  ...(works(probe) && probe.sentFolder === null
    ? [
        "The server has no folder of sent mail. If the outcome of a message is lost, we can't check whether it was sent."
      ]
    : []),
  ...(works(probe) && !probe.keepsMessageIds
    ? [
        probe.keepsSent
          ? "The server replaces the ids of messages. Answers from other addresses than those written to are found by the copies in its folder of sent mail, which must stay there."
          : "The server replaces the ids of messages and keeps no copies of them. An answer from another address than the one written to is recognised only if it quotes the message with its unsubscribe link, or once the person has answered in that thread."
      ]
    : []),
  ...vitals.flatMap(({ advice }) => (advice === null ? [] : [advice]))
]

/** Pause reasons that a working connection resolves. */
const MENDED_BY_CONNECTION: ReadonlyArray<MailboxPauseReason> = ["login", "unreachable", "owner"]

const notFound = refuse("not_found", {}, "Mailbox not found.")

export const layer = Layer.effect(
  MailboxAdmin,
  Effect.gen(function* () {
    const workspaces = yield* WorkspaceStore
    const owns = yield* OwnMailboxStore
    const looks = yield* LookStore
    const sendings = yield* SendingStore
    const tell = yield* makeTell
    const mails = yield* MailProbe
    const records = yield* DomainRecords
    const crypto = yield* Crypto
    const ids = yield* Ids
    const pauseMailbox = yield* makePauseMailbox
    const { atomically } = yield* UnitOfWork

    const requireLive = (workspaceId: string) =>
      Effect.gen(function* () {
        const workspace = yield* workspaces
          .get(workspaceId)
          .pipe(orFail(refuse("not_found", {}, "Workspace not found.")))
        if (workspace.kind === "live") return
        const message = "is a sandbox, which never sends real email. Create a live workspace for own mailboxes."
        return yield* Effect.fail(invalid([{ path: "workspace", message }]))
      })

    const tellOf = (mailbox: Mailbox, nowMillis: number, by: By) =>
      tell(nowMillis, {
        workspaceId: mailbox.workspaceId,
        source: by,
        kind: MailboxMachine.is.sending(mailbox.state) ? "mailbox_active" : "mailbox_paused",
        detail: {
          mailbox: mailbox.address,
          ...(mailbox.pauseReason === null ? {} : { reason: mailbox.pauseReason })
        }
      })

    /** Changes its state and records a change in the trail. */
    const move = (mailbox: Mailbox, event: "pause" | "resume", nowMillis: number, by: By) =>
      Effect.gen(function* () {
        const moved = step(MailboxMachine, mailbox.state, event)
        if (Result.isFailure(moved)) {
          return yield* Effect.fail(
            invalid([{ path: "mailbox", message: `is ${mailbox.state}, so you can't ${event} it` }])
          )
        }
        if (moved.success === mailbox.state) return mailbox
        const pauseReason = MailboxMachine.is.paused(moved.success) ? ("owner" as const) : null
        // Nothing is sent before the mailbox was read: while sign-in was refused, no host could read it.
        const restsUntilMillis = mailbox.pauseReason === "login" ? nowMillis + UNREAD_REST_MILLIS : null
        // A resumed mailbox starts over with the breaker.
        const activeAtMillis = MailboxMachine.is.sending(moved.success) ? nowMillis : mailbox.activeAtMillis
        const changed: Mailbox = { ...mailbox, state: moved.success, pauseReason, restsUntilMillis, activeAtMillis }
        yield* sendings.updateMailboxes([changed])
        yield* tellOf(changed, nowMillis, by)
        return changed
      })

    const change = <A, E>(
      workspaceId: string,
      mailboxId: string,
      to: (connected: ConnectedMailbox, nowMillis: number) => Effect.Effect<A, E, Tx>
    ) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* owns.get(workspaceId, mailboxId).pipe(orFail(notFound))
        const { address } = found.mailbox
        const mailbox = Option.getOrThrow(yield* owns.lockAddress(workspaceId, address))
        return yield* to({ ...found, mailbox }, nowMillis)
      }).pipe(atomically)

    const made = (account: MailAccount, nowMillis: number, by: By) =>
      Effect.gen(function* () {
        const alive = step(MailboxMachine, MailboxMachine.initial, "activate")
        const mailbox: Mailbox = {
          workspaceId: account.workspaceId,
          mailboxId: account.mailboxId,
          kind: "own",
          operationId: null,
          domain: account.address.slice(account.address.lastIndexOf("@") + 1),
          address: account.address,
          displayName: account.displayName,
          state: Result.getOrThrow(alive),
          pauseReason: null,
          activeAtMillis: nowMillis,
          upkeepPaidUntilMillis: null,
          ...UNDECLARED,
          restsUntilMillis: null,
          createdAtMillis: nowMillis
        }
        yield* sendings.insertMailboxes([mailbox])
        yield* tellOf(mailbox, nowMillis, by)
        return mailbox
      })

    /** A pause for its health stays: a new password doesn't improve health. */
    const renewed = (before: Mailbox, displayName: string, nowMillis: number, by: By) =>
      Effect.gen(function* () {
        const named: Mailbox = { ...before, displayName }
        yield* sendings.updateMailboxes([named])
        const mayGoOn = named.pauseReason !== null && MENDED_BY_CONNECTION.includes(named.pauseReason)
        return mayGoOn ? yield* move(named, "resume", nowMillis, by) : named
      })

    const store = (account: MailAccount, signatures: ReadonlyArray<SeenSignature> | undefined, by: By) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { workspaceId } = account
        const before = yield* owns.lockAddress(workspaceId, account.address)
        const mailboxId = Option.match(before, {
          onNone: () => ids.next(nowMillis),
          onSome: (mailbox) => mailbox.mailboxId
        })
        const settled = { ...account, mailboxId }
        const mailbox = yield* Option.match(before, {
          onNone: () => made(settled, nowMillis, by),
          onSome: (one) => renewed(one, account.displayName, nowMillis, by)
        })
        const own = sealAccount(crypto, settled)
        yield* owns.put(own)
        if (signatures !== undefined) yield* looks.sawSignatures(mailbox, signatures, nowMillis)
        return summaryOf({ mailbox, own, skipped: 0 })
      }).pipe(atomically)

    const requireRoom = (workspaceId: string, address: string) =>
      Effect.gen(function* () {
        const all = yield* owns.list(workspaceId)
        if (all.length < OWN_MAILBOXES_MAX || all.some(({ mailbox }) => mailbox.address === address)) return
        const message = `already has ${OWN_MAILBOXES_MAX} mailboxes, the maximum`
        return yield* Effect.fail(invalid([{ path: "workspace", message }]))
      })

    const add = (workspaceId: string, given: MailboxConnection, by: By) =>
      Effect.gen(function* () {
        yield* requireLive(workspaceId)
        const issues = connectionIssues(given, by === "system")
        const address = usableEmail(given.address)
        if (issues.length > 0 || address === null) return yield* Effect.fail(invalid(issues))
        yield* requireRoom(workspaceId, address)
        const { dkimSelectors, ...connection } = given
        const account: MailAccount = {
          ...connection,
          workspaceId,
          // It gets an id when it is stored.
          mailboxId: "",
          address,
          displayName: given.displayName.trim(),
          sentFolder: null,
          keepsSent: false,
          keepsMessageIds: false
        }
        const { secret = account.secret, ...probe } = yield* mails.probe(account)
        const domain = address.slice(address.lastIndexOf("@") + 1)
        const vitals = yield* checkVitals(records, domain, [...new Set([...dkimSelectors, ...probe.dkimSelectors])])
        const { keepsMessageIds, keepsSent, sentFolder } = probe
        const mailbox = works(probe)
          ? yield* store({ ...account, secret, sentFolder, keepsSent, keepsMessageIds }, probe.signatures, by)
          : null
        return { mailbox, probe, vitals, advice: adviceOf(probe, vitals, given) } satisfies AddReport
      })

    /** Stops campaigns that have no other mailbox. Its pause reason stays, in case it is added again. */
    const retire = (mailbox: Mailbox, nowMillis: number, by: By) =>
      Effect.gen(function* () {
        const alive: Mailbox = { ...mailbox, state: "active", pauseReason: null }
        if (MailboxMachine.is.paused(mailbox.state)) yield* sendings.updateMailboxes([alive])
        const reason = mailbox.pauseReason ?? "owner"
        const detail = { reason: "removed" }
        yield* pauseMailbox(alive, { reason, detail, campaigns: "without_another", source: by }, nowMillis)
      })

    const declared = (
      connected: ConnectedMailbox,
      { sends, sinceMillis }: MailboxStatement,
      nowMillis: number,
      by: By
    ) =>
      Effect.gen(function* () {
        const { mailbox } = connected
        const issues = [
          ...statementIssues({ sends, sinceMillis }, nowMillis),
          ...(MailboxMachine.is.sending(mailbox.state)
            ? []
            : [{ path: "mailbox", message: `is ${mailbox.state}: resume it first` }])
        ]
        if (issues.length > 0) return yield* Effect.fail(invalid(issues))
        const stated: Mailbox = {
          ...mailbox,
          declaredSends: sends,
          declaredSinceMillis: sinceMillis,
          declaredAtMillis: nowMillis
        }
        yield* sendings.updateMailboxes([stated])
        const since = iso(sinceMillis)
        yield* tell(nowMillis, {
          workspaceId: mailbox.workspaceId,
          source: by,
          kind: "mailbox_active",
          detail: { mailbox: mailbox.address, reason: "sends_elsewhere", sends_a_day: sends, since }
        })
        return summaryOf({ ...connected, mailbox: stated })
      })

    const moved = (event: "pause" | "resume") => (workspaceId: string, mailboxId: string, by: By) =>
      change(workspaceId, mailboxId, (connected, nowMillis) =>
        Effect.map(move(connected.mailbox, event, nowMillis, by), (mailbox) => summaryOf({ ...connected, mailbox }))
      )

    return MailboxAdmin.of({
      add,
      list: (workspaceId) =>
        Effect.andThen(
          requireLive(workspaceId),
          Effect.map(owns.list(workspaceId), (all) => all.map(summaryOf))
        ),
      pause: moved("pause"),
      resume: moved("resume"),
      declare: (workspaceId, mailboxId, statement, by) =>
        change(workspaceId, mailboxId, (connected, nowMillis) => declared(connected, statement, nowMillis, by)),
      remove: (workspaceId, mailboxId, by) =>
        change(workspaceId, mailboxId, ({ mailbox }, nowMillis) =>
          Effect.andThen(retire(mailbox, nowMillis, by), owns.remove(workspaceId, mailboxId))
        )
    })
  })
)

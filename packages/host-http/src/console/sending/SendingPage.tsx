import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { MailClients } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import type { GrantProvider } from "@outbound/domain/outreach/sending/mailGrant.js"
import { ConnectButtons } from "../mailboxes/NewMailboxPage.js"
import { maybe, pages } from "../pages.js"
import {
  type MailboxLine,
  type MailboxRecord,
  type OperationLine,
  type SendingView,
  ConsoleReads
} from "@outbound/domain/control/console/ConsoleReads.js"
import {
  MailboxMachine,
  type MailboxPauseReason,
  type MailboxState
} from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { mailboxCap } from "@outbound/domain/outreach/sending/planner.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { UseBook } from "@outbound/domain/outreach/sending/UseBook.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { Effect, Option } from "effect"
import type { Reply } from "../../http/Reply.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { count, dayStartOf, grouped, Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import {
  Cards,
  Form,
  LinkLine,
  Meter,
  MomentOr,
  Note,
  Pager,
  type Row,
  Section,
  StateBadge,
  type StateWords,
  Table
} from "../Parts.js"
import { OperationCard } from "../operations/OperationPage.js"
import { titledPage } from "../Shell.js"
import { useViewer, type Viewer } from "../Viewer.js"
import { afterOf, afterWords, idAfterOf, type Listing, pageOf, ROWS_MAX } from "../paging.js"
import { type Inside, member, type Page } from "../Visit.js"

/** For how many days the page says what became of messages. */
const RECORD_DAYS = 30

const MAILBOX_WORDS: Readonly<Record<MailboxState, StateWords>> = {
  provisioning: ["Being set up", "wait"],
  active: ["Active", "good"],
  paused: ["Paused", "wait"],
  failed: ["Failed", "bad"]
}

const PAUSE_WORDS: Readonly<Record<MailboxPauseReason, string>> = {
  upkeep: "too few credits for its upkeep",
  owner: "paused manually",
  bounces: "too many messages bounced",
  complaints: "too many spam complaints",
  login: "its server rejected the sign-in",
  unreachable: "its server was unreachable for hours",
  dmarc: "mail of its domain fails DMARC",
  blocklist: "its domain or server is on a blocklist",
  authentication: "its domain is not authenticated"
}

/** The actions on a connected own mailbox. */
const Actions = (props: { readonly of: MailboxLine }) => {
  const { address, mailboxId, state } = props.of
  const isOwner = mayLoosen(useViewer())
  const buttons = [
    ...(MailboxMachine.is.sending(state) ? [["pause", "Pause"] as const] : []),
    ...(MailboxMachine.is.paused(state) && isOwner ? [["resume", "Resume"] as const] : [])
  ]
  return (
    <div class="actions">
      {buttons.map(([event, text]) => (
        <Form key={event} action={`/console/mailboxes/${mailboxId}/${event}`} button={text} about={address} />
      ))}
      {isOwner && MailboxMachine.is.sending(state) ? (
        <a class="button" href={`/console/mailboxes/${mailboxId}/declare`}>
          Sends elsewhere…<span class="unseen"> {address}</span>
        </a>
      ) : null}
      {isOwner ? (
        <a class="button stop" href={`/console/mailboxes/${mailboxId}/remove`}>
          Remove…<span class="unseen"> {address}</span>
        </a>
      ) : null}
    </div>
  )
}

const RecordWords = (props: { readonly of: MailboxRecord | undefined }) => {
  if (props.of === undefined) return <span class="soft">Nothing sent</span>
  const { bounced, complained, replied, sent } = props.of
  return (
    <>
      {grouped(sent)} sent, {grouped(replied)} answered
      <div class="soft">
        {grouped(bounced)} bounced, {count(complained, "complaint")}
      </div>
    </>
  )
}

const mailboxRow = (
  of: MailboxLine,
  cap: number,
  record: MailboxRecord | undefined,
  /** Null where the workspace can't have own mailboxes. */
  connected: ReadonlyMap<string, { readonly skipped: number }> | null
): Row => {
  const { address, displayName, domain, kind, mailboxId, pauseReason, sendsToday, state, upkeepPaidUntilMillis } = of
  const isReleased = MailboxMachine.is.gone(state) && of.activeAtMillis !== null
  const skipped = connected?.get(mailboxId)?.skipped ?? 0
  const cells = [
    <>
      {address}
      <div class="soft">{displayName}</div>
    </>,
    domain,
    <>
      <StateBadge of={isReleased ? (["Released", "wait"] as const) : MAILBOX_WORDS[state]} />
      {pauseReason === null ? null : <div class="soft">{PAUSE_WORDS[pauseReason]}</div>}
      {skipped === 0 ? null : <div class="soft">{count(skipped, "message")} could not be read</div>}
    </>,
    `${grouped(sendsToday)} of ${grouped(cap)}`,
    <RecordWords of={record} />,
    kind === "own" ? "Your own" : <MomentOr atMillis={upkeepPaidUntilMillis} />
  ]
  if (connected === null) return cells
  const isConnected = connected.has(mailboxId)
  return [...cells, kind !== "own" ? null : isConnected ? <Actions of={of} /> : <span class="soft">Removed</span>]
}

const sendingPage = (options: {
  readonly viewer: Viewer
  readonly sending: SendingView
  /** Whether this service can connect own mailboxes. */
  readonly canHaveOwn: boolean
  /** The connected own mailboxes; null where the workspace can't have any. */
  readonly connected: ReadonlyMap<string, { readonly skipped: number }> | null
  readonly mailboxes: Listing<MailboxLine>
  /** What own mailboxes sent in the last days. */
  readonly use: UseBook
  /** Of the last `RECORD_DAYS`. */
  readonly records: ReadonlyMap<string, MailboxRecord>
  readonly operations: Listing<OperationLine>
  /** The providers whose mailboxes are connected by a button. */
  readonly providers: ReadonlyArray<GrantProvider>
  readonly filters: URLSearchParams
  readonly nowMillis: number
}): Reply => {
  const { canHaveOwn, connected, filters, mailboxes, operations, providers, records, sending, viewer } = options
  const { active, failed, paused, provisioning } = sending.mailboxes
  /** An own mailbox may send by what was delivered of its mail. */
  const capOf = ({ mailboxId, sendsToday }: MailboxLine): number =>
    mailboxCap(sending.mailboxDailySends, options.use.of(mailboxId), sendsToday, options.nowMillis)
  return titledPage(
    {
      title: "Sending",
      viewer,
      at: "sending",
      isLive: true,
      lead: "Your mailboxes, and how much of today’s sending capacity is used."
    },
    <>
      {sending.suspendedAtMillis === null ? null : (
        <Note tone="bad">
          All sending was stopped on <Moment atMillis={sending.suspendedAtMillis} />
          {sending.suspendedReason === null ? "." : `: ${sending.suspendedReason}`}
        </Note>
      )}
      {sending.postalAddress === null ? (
        <Note>
          This workspace has no postal address. Every message must show one, so you can’t launch a campaign without it.{" "}
          <a href="/console/settings#address">Add the address</a>
        </Note>
      ) : null}
      <Section id="today" title="Today (UTC)" isCard>
        <Meter label="messages sent by this workspace" used={sending.sendsToday} of={sending.dailySends} />
        <p class="soft">
          {count(active, "mailbox is", "mailboxes are")} active; {grouped(sending.mailboxesWithRoom)} can send more
          today (at most {count(sending.mailboxDailySends, "message")} each).
          {provisioning > 0 ? ` ${grouped(provisioning)} are being set up.` : ""}
          {paused > 0 ? ` ${grouped(paused)} paused.` : ""}
          {failed > 0 ? ` ${grouped(failed)} failed.` : ""}
        </p>
      </Section>
      <Section id="mailboxes" title="Mailboxes">
        <LinkLine to="/console/sending/health" text="Sending health: records, receivers, and what to do" />
        {connected === null ? null : <LinkLine to="/console/domains" text="Domains and their DNS records" />}
        {connected === null ? (
          canHaveOwn ? (
            <p class="soft">
              These are simulated mailboxes: a sandbox workspace never sends real email. You can connect your own
              mailboxes in a live workspace.
            </p>
          ) : null
        ) : mayLoosen(viewer) ? (
          <>
            <MayNote path="/console/sending" loosening="add or resume a mailbox" />
            <p>
              <a class="button" href="/console/mailboxes/new">
                Add a mailbox
              </a>
            </p>
            <ConnectButtons of={providers} />
          </>
        ) : null}
        <Table
          label="Mailboxes"
          head={[
            "Email",
            "Domain",
            "State",
            "Sent today",
            `Last ${RECORD_DAYS} days`,
            "Upkeep paid until",
            ...(connected === null ? [] : ["Actions"])
          ]}
          numbers={[3]}
          firm={[1]}
          none={
            mailboxes.isLater
              ? "No more mailboxes."
              : connected === null
                ? "No mailboxes yet. An agent asks to buy sending capacity, and a human approves."
                : "No mailboxes yet. Add your own, or let an agent ask to buy sending capacity."
          }
          rows={mailboxes.shown.map((of) => mailboxRow(of, capOf(of), records.get(of.mailboxId), connected))}
        />
        <Pager path="/console/sending" name="mailboxes" filters={filters} of={mailboxes} first="First" more="Next" />
      </Section>
      <Section id="operations" title="Operations">
        <LinkLine to="/console/lists" text="Check or enrich a list from a CSV" />
        <Cards
          of={operations.shown}
          none={operations.isLater ? "No more operations." : "No operations yet."}
          each={(of) => <OperationCard of={of} />}
        />
        <Pager path="/console/sending" name="operations" filters={filters} of={operations} />
      </Section>
    </>
  )
}

/** How many operations the page shows at once. */
const OPERATIONS_MAX = 10

const NEEDS = {
  clients: maybe(MailClients),
  mailboxes: maybe(MailboxAdmin),
  reads: ConsoleReads,
  sendings: SendingStore,
  workspaces: WorkspaceStore
}

export const sendingPages = pages(NEEDS, ({ clients, mailboxes: admin, reads, sendings, workspaces }) => {
  const providers = clients?.all.map(({ provider }) => provider) ?? []

  /** The connected own mailboxes; null where the workspace can't have any. */
  const connectedOf = (workspaceId: string) =>
    Effect.gen(function* () {
      const workspace = yield* workspaces.get(workspaceId)
      if (admin === null || !Option.exists(workspace, ({ kind }) => kind === "live")) return null
      const all = yield* admin.list(workspaceId).pipe(Effect.catchIf(isWireError, (error) => Effect.die(error)))
      return new Map(all.map((one) => [one.mailboxId, one]))
    })

  const show = ({ nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const today = dayStartOf(nowMillis)
      const sending = yield* reads.sending(workspaceId, today, nowMillis)
      const lastMailbox = idAfterOf(query.get("mailboxes"))
      const mailboxes = pageOf(
        yield* reads.mailboxes(workspaceId, today, lastMailbox, ROWS_MAX + 1),
        ROWS_MAX,
        ({ mailboxId }) => mailboxId,
        lastMailbox
      )
      const records = yield* reads.mailboxRecords(workspaceId, nowMillis - RECORD_DAYS * DAY_MILLIS)
      const after = afterOf(query.get("operations"))
      const operations = pageOf(
        yield* reads.operations(workspaceId, { after, limit: OPERATIONS_MAX + 1 }),
        OPERATIONS_MAX,
        ({ createdAtMillis, operationId }) => afterWords({ atMillis: createdAtMillis, id: operationId }),
        after
      )
      const filters = new URLSearchParams({
        ...(lastMailbox === null ? {} : { mailboxes: lastMailbox }),
        ...(after === null ? {} : { operations: afterWords(after) })
      })
      return sendingPage({
        viewer,
        sending,
        canHaveOwn: admin !== null,
        connected: yield* connectedOf(workspaceId),
        mailboxes,
        use: yield* sendings.uses(workspaceId, nowMillis, "day"),
        records: new Map(records.map((one) => [one.mailboxId, one])),
        operations,
        providers,
        filters,
        nowMillis
      })
    })

  return [member("/console/sending", { get: show })]
})

import type { Alert } from "@outbound/domain/control/alerts/AlertStore.js"
import type { ApprovalRules, Vote } from "@outbound/domain/calls/approvals/approvers.js"
import type { ChatChannel, Muted } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { IdempotencyClaim, RequestRecord } from "@outbound/domain/calls/Attempt.js"
import type { Account, IdempotencyRecord, KeyUsage } from "@outbound/domain/calls/decideAdmission.js"
import type { Campaign, CampaignLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { InterestSync } from "@outbound/domain/outreach/interest/InterestSyncStore.js"
import type { ChangeRequest } from "@outbound/domain/control/ChangeRequestStore.js"
import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import type { Kill } from "@outbound/domain/control/KillStore.js"
import type { LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeptCompany, KeptPerson } from "@outbound/domain/data/directory/Records.js"
import type { CachedContact } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import type { ErasureRequest } from "@outbound/domain/control/erasure/ErasureStore.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import type { Offer } from "@outbound/domain/data/leads/OfferStore.js"
import type { Credits } from "@outbound/domain/kernel/money/Credits.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { Operation } from "@outbound/domain/outreach/operations/OperationStore.js"
import { oauthTables } from "./oauthTables.js"
import { personTables } from "./personTables.js"
import { reputationTables } from "./reputationTables.js"
import type { SavedAnswer } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import type { OwnKey } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import type { InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import type { KeptNotes } from "@outbound/domain/sources/CallNotes.js"
import type { ClaimedFollowUp } from "@outbound/domain/sources/LaterStore.js"
import type { Handling, Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { SentReply } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import type { Run } from "@outbound/domain/calls/runs/RunStore.js"
import type { FolderCursor } from "@outbound/domain/outreach/mail/MailReader.js"
import type { OwnMailbox } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import type { CampaignWindow, Mailbox, Message, ReceiverRest } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { MessageOutcome } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type { OrderState, VendorCampaign, VendorLead } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import type { TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { Challenge, Passkey } from "@outbound/domain/control/users/PasskeyStore.js"
import type { Role, Session, SignInLink, User } from "@outbound/domain/control/users/UserStore.js"
import type { Delivery, Endpoint, EndpointHealth } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { Retention, SendingState, Workspace } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { WingRows } from "./WingRows.js"
import type { LeftOutRow, ShownRow } from "./CampaignPeopleRows.js"
import type { SealRow } from "./SealRow.js"
import type { SuppressedDomainRow, SuppressionRow } from "./SuppressionRows.js"
import type { NoticeRow } from "./NoticeRow.js"
import { ruleTables } from "./ruleTables.js"
import { signUpTables } from "./signUpTables.js"
import { sourceMemoryTables } from "./sourceMemoryTables.js"
import { keyOf, Table, type UndoLog } from "./Table.js"

export interface KeyRow {
  readonly key: ApiKey
  readonly secretHash: string
}

export interface LedgerRow {
  readonly entryId: string
  readonly workspaceId: string
  readonly kind: LedgerKind
  /** Signed micro-credits: the balance is their sum. */
  readonly micros: bigint
  readonly requestId: string | null
  readonly atMillis: number
}

/** Somebody who has approved. */
export interface VoteRow extends Vote {
  readonly workspaceId: string
  readonly approvalId: string
}

export interface RunRow {
  readonly run: Run
  readonly spent: Credits
  readonly reserved: Credits
  readonly closedAtMillis: number | null
}

export interface KillRow {
  readonly kill: Kill
  /** When the pause of each campaign was verified. */
  readonly campaigns: Readonly<Record<string, number | null>>
}

export interface CallRow {
  readonly record: RequestRecord
  readonly workspaceId: string
  readonly keyId: string
  readonly month: string
  readonly runId: string | null
  readonly idempotency: IdempotencyClaim | null
  readonly hostId: string
  readonly effectStarted: boolean
  readonly notes: KeptNotes | null
  /** Refused ones are listed, and count as no usage. */
  readonly admitted: boolean
}

/** A message that left: whom it reached, and of which campaign it was. */
export interface ContactRow {
  readonly workspaceId: string
  readonly addressHash: string
  readonly campaignId: string
  readonly atMillis: number
}

export interface InboxRow {
  readonly event: InboundEvent
  /** Taken ones stay known, so that a late duplicate is dropped. */
  readonly taken: boolean
}

export interface OwnMailboxRow {
  readonly own: OwnMailbox
  readonly renewedSecret: string | null
  /** Who held it last, and until when; null while nobody ever did. */
  readonly hold: { readonly hostId: string; readonly untilMillis: number } | null
}

export interface FolderRow extends FolderCursor {
  readonly workspaceId: string
  readonly mailboxId: string
  readonly skipped: number
}

export interface VendorCampaignRow {
  readonly campaign: VendorCampaign
  readonly dueAtMillis: number | null
  readonly heldUntilMillis: number | null
}

export interface CacheRow extends CachedContact {
  readonly expiresAtMillis: number
}

export interface DirectoryRow<Kept> {
  readonly workspaceId: string
  readonly kept: Kept
}

export interface MembershipRow {
  readonly userId: string
  readonly workspaceId: string
  readonly role: Role
  readonly atMillis: number
}

export interface LinkRow {
  readonly link: SignInLink
  readonly spent: boolean
}

/** Whom something stored names, by keyed hash. */
export interface SubjectRow {
  readonly workspaceId: string
  readonly subject: string
  /** The call, or the cached contact. */
  readonly ref: string
}

const personOf = ({ subject, workspaceId }: SubjectRow): string => keyOf(workspaceId, subject)

export interface FollowUpRow extends Omit<ClaimedFollowUp, "workspaceKind"> {
  readonly requestId: string | null
  readonly isUnknown: boolean
  readonly dueAtMillis: number
  readonly answeredAtMillis: number | null
  readonly keptUntilMillis: number
}

export interface EndpointRow extends EndpointHealth {
  readonly endpoint: Endpoint
  readonly recoveredAtMillis: number | null
  readonly restsUntilMillis: number
  readonly claim: { readonly claimId: string; readonly untilMillis: number } | null
}

export interface AlertRow {
  readonly alert: Alert
  readonly attempts: number
  readonly dueAtMillis: number
}

export interface DeliveryRow extends Omit<Delivery, "kind" | "nextAttemptAtMillis"> {
  readonly workspaceId: string
  readonly endpointId: string
  readonly dueAtMillis: number
}

/** Everything that is stored. Each table's key is said beside it. */
export const makeTables = (log: UndoLog) => ({
  /** By workspace. */
  workspaces: new Table<Workspace>(log),
  accounts: new Table<Account>(log),
  sending: new Table<SendingState>(log),
  /** By entry. */
  ledger: new Table<LedgerRow>(log),
  /** By key. */
  keys: new Table<KeyRow>(log),
  usage: new Table<KeyUsage>(log),
  /** Key ids by the hash of their secret. */
  keyIds: new Table<string>(log),
  /** By workspace and run. */
  runs: new Table<RunRow>(log),
  /** By request. */
  calls: new Table<CallRow, "workspace">(log, { workspace: ({ workspaceId }) => workspaceId }),
  /** By key, Idempotency-Key and phase. */
  records: new Table<IdempotencyRecord, "request">(log, { request: ({ requestId }) => requestId }),
  /** By clock: the latest time that it said. */
  clockMarks: new Table<number>(log),
  /** By host: whether its lease holds. */
  hosts: new Table<boolean>(log),
  /** By workspace and approval. */
  approvals: new Table<Approval>(log),
  /** By workspace, approval and user. */
  approvalVotes: new Table<VoteRow>(log),
  /** By workspace. */
  approvalRules: new Table<ApprovalRules>(log),
  /** By workspace and id. */
  leftOut: new Table<LeftOutRow, "campaign" | "person">(log, {
    campaign: ({ campaignId, workspaceId }) => keyOf(workspaceId, campaignId),
    person: ({ person, workspaceId }) => keyOf(workspaceId, person.addressHash)
  }),
  /** By workspace and shown person. */
  shownPeople: new Table<ShownRow, "approval" | "person">(log, {
    approval: ({ approvalId, workspaceId }) => keyOf(workspaceId, approvalId),
    person: ({ person, workspaceId }) => keyOf(workspaceId, person.addressHash)
  }),
  /** By workspace and change request. */
  changeRequests: new Table<ChangeRequest>(log),
  /** By workspace and entry. */
  controlLog: new Table<ControlLogEntry>(log),
  /** By workspace and kill. */
  kills: new Table<KillRow>(log),
  /** By workspace, address and source. */
  suppressions: new Table<SuppressionRow>(log),
  suppressedDomains: new Table<SuppressedDomainRow>(log),
  /** By workspace and message. */
  contacts: new Table<ContactRow, "person">(log, {
    person: ({ addressHash, workspaceId }) => keyOf(workspaceId, addressHash)
  }),
  messages: new Table<Message, "lead" | "workspace">(log, {
    lead: ({ campaignLeadId, workspaceId }) => keyOf(workspaceId, campaignLeadId),
    workspace: ({ workspaceId }) => workspaceId
  }),
  /** By workspace and message. */
  outcomes: new Table<MessageOutcome>(log),
  receivers: new Table<string>(log),
  receiverRests: new Table<ReceiverRest>(log),
  mailReceivers: new Table<{ readonly workspaceId: string; readonly mailDomain: string; readonly receiver: string }>(
    log
  ),
  /** By workspace and campaign. */
  campaigns: new Table<Campaign>(log),
  /** By workspace, campaign and hours; a campaign without a row of its own has no windows. */
  windows: new Table<CampaignWindow>(log),
  /** By workspace and campaign: the ids of the mailboxes that it may send from, and the companies stopped in it. */
  campaignMailboxes: new Table<ReadonlySet<string>>(log),
  stoppedCompanies: new Table<ReadonlySet<string>>(log),
  /** By workspace and lead. */
  leads: new Table<CampaignLead, "campaign" | "person">(log, {
    campaign: ({ campaignId, workspaceId }) => keyOf(workspaceId, campaignId),
    person: ({ addressHash, workspaceId }) => keyOf(workspaceId, addressHash)
  }),
  /** By workspace and lead: the company that the campaign's rules hold for. */
  companies: new Table<string>(log),
  /** By workspace and mailbox. */
  mailboxes: new Table<Mailbox>(log),
  ownMailboxes: new Table<OwnMailboxRow>(log),
  /** By workspace, mailbox and folder. */
  folders: new Table<FolderRow, "mailbox">(log, {
    mailbox: ({ mailboxId, workspaceId }) => keyOf(workspaceId, mailboxId)
  }),
  /** By workspace and campaign. */
  vendorCampaigns: new Table<VendorCampaignRow>(log),
  /** By workspace and lead. */
  vendorLeads: new Table<VendorLead, "campaign">(log, {
    campaign: ({ campaignId, workspaceId }) => keyOf(workspaceId, campaignId)
  }),
  /** By workspace and operation. */
  vendorOrders: new Table<OrderState>(log),
  /** By workspace and reply. */
  replies: new Table<Reply, "workspace">(log, { workspace: ({ workspaceId }) => workspaceId }),
  /** By workspace and the hash of an id under which a message left. */
  learnedIds: new Table<{ readonly workspaceId: string; readonly messageId: string }>(log),
  /** By workspace and answer of ours. */
  handling: new Table<Handling>(log),
  sentReplies: new Table<SentReply, "workspace">(log, { workspace: ({ workspaceId }) => workspaceId }),
  /** By workspace and lead. */
  interestSyncs: new Table<InterestSync>(log),
  /** By workspace: those whose answers in threads are switched off. */
  replySendOff: new Table<true>(log),
  retentions: new Table<Retention>(log),
  queuedOverlaps: new Table<true>(log),
  /** By workspace, provider and the provider's event. */
  inbox: new Table<InboxRow>(log),
  /** By event. */
  trail: new Table<TrailEvent, "workspace">(log, { workspace: ({ workspaceId }) => workspaceId }),
  /** By workspace and address: when the person was last seen. */
  seen: new Table<number>(log),
  /** By workspace and address: the salt of the commitment to it. */
  salts: new Table<string>(log),
  /** By workspace and number. */
  seals: new Table<SealRow, "workspace">(log, { workspace: ({ seal }) => seal.workspaceId }),
  /** By event: its seal. */
  sealed: new Table<number>(log),
  /** By workspace, kind, subject and period. */
  alerts: new Table<AlertRow>(log),
  /** By workspace. */
  alertThresholds: new Table<Credits>(log),
  /** By workspace, approval, kind and recipient. */
  notices: new Table<NoticeRow, "recipient">(log, {
    recipient: ({ recipient, workspaceId }) => keyOf(workspaceId, recipient)
  }),
  /** By workspace and user. */
  mutedNotices: new Table<ReadonlyArray<Muted>>(log),
  /** By workspace and kind. */
  chatChannels: new Table<ChatChannel>(log),
  /** By workspace and endpoint. */
  endpoints: new Table<EndpointRow>(log),
  /** By workspace, endpoint and event. */
  deliveries: new Table<DeliveryRow, "endpoint">(log, {
    endpoint: ({ endpointId, workspaceId }) => keyOf(workspaceId, endpointId)
  }),
  /** By workspace and operation. */
  operations: new Table<{ readonly operation: Operation }>(log),
  /** By workspace and row. */
  listRows: new Table<ListRow, "list" | "request" | "person">(log, {
    person: ({ addressHash, workspaceId }) => keyOf(workspaceId, addressHash ?? ""),
    list: ({ operationId, workspaceId }) => keyOf(workspaceId, operationId),
    request: ({ listRequestId }) => listRequestId
  }),
  /** By workspace and person. */
  cache: new Table<CacheRow>(log),
  /** By workspace and fingerprint. */
  directoryPeople: new Table<DirectoryRow<KeptPerson>, "workspace" | "company">(log, {
    workspace: ({ workspaceId }) => workspaceId,
    company: ({ kept, workspaceId }) => keyOf(workspaceId, kept.companyDomain ?? "")
  }),
  /** By workspace and domain. */
  directoryCompanies: new Table<DirectoryRow<KeptCompany>, "workspace">(log, {
    workspace: ({ workspaceId }) => workspaceId
  }),
  ...personTables(log),
  /** By workspace and erasure. */
  erasures: new Table<ErasureRequest>(log),
  /** By workspace, person and call, or cached contact. */
  callSubjects: new Table<SubjectRow, "person">(log, { person: personOf }),
  contactSubjects: new Table<SubjectRow, "person">(log, { person: personOf }),
  /** By workspace, source and subject. */
  followUps: new Table<FollowUpRow>(log),
  wings: new WingRows(log),
  /** By workspace and vendor. */
  ownKeys: new Table<OwnKey>(log),
  savedAnswers: new Table<SavedAnswer>(log),
  ...reputationTables(log),
  ...signUpTables(log),
  ...sourceMemoryTables(log),
  ...ruleTables(log),
  /** By workspace and offer. */
  offers: new Table<Offer, "token">(log, { token: ({ tokenHash, workspaceId }) => keyOf(workspaceId, tokenHash) }),
  ...oauthTables(log),
  /** By address. */
  users: new Table<User>(log),
  /** By user and workspace. */
  memberships: new Table<MembershipRow>(log),
  /** By hash. */
  links: new Table<LinkRow>(log),
  sessions: new Table<Session>(log),
  /** By hash. */
  challenges: new Table<Challenge>(log),
  /** By credential. */
  passkeys: new Table<Passkey>(log)
})

export type Tables = ReturnType<typeof makeTables>

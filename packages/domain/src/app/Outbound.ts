import { Layer } from "effect"
import * as AdminLive from "./Admin.js"
import * as AlertRounds from "../control/alerts/AlertRounds.js"
import * as Alerts from "../control/alerts/Alerts.js"
import * as Approvals from "../calls/approvals/Approvals.js"
import * as ApproversLive from "../control/approvers/Approvers.js"
import * as RecipientWordsLive from "../control/words/RecipientWords.js"
import * as RulesLive from "../control/rules/Rules.js"
import * as ApprovalWatch from "../calls/approvals/ApprovalWatch.js"
import * as Handlers from "./handlers.js"
import * as Pipeline from "../calls/Pipeline.js"
import * as ListedCalls from "../calls/ListedCalls.js"
import * as Forecasts from "../control/Forecasts.js"
import * as SavedAnswersLive from "../control/SavedAnswers.js"
import * as LeadStatuses from "../control/LeadStatuses.js"
import * as CampaignPauses from "../outreach/launching/pausing/CampaignPauses.js"
import * as VariantChoice from "../control/VariantChoice.js"
import * as CampaignMailboxes from "../outreach/launching/CampaignMailboxes.js"
import * as InterestMirror from "../outreach/interest/InterestMirror.js"
import * as AttentionLive from "../control/attention/Attention.js"
import * as ConsoleLive from "../control/console/Console.js"
import * as PasskeyAccessLive from "../control/console/PasskeyAccess.js"
import * as SignInMailLive from "../control/console/SignInMail.js"
import * as ControlLive from "../control/ControlLive.js"
import * as DirectoryImportLive from "../data/directory/DirectoryImport.js"
import * as ErasureLive from "../control/erasure/Erasure.js"
import * as PersonFilesLive from "../control/personFile/PersonFile.js"
import * as AccessTokens from "../control/oauth/rememberedTokens.js"
import * as OAuthLive from "../control/oauth/OAuthLive.js"
import * as Jobs from "./Jobs.js"
import * as NoticeRounds from "../control/notices/NoticeRounds.js"
import * as NoticesLive from "../control/notices/Notices.js"
import * as Wings from "../wings/wings.js"
import * as OwnKeys from "../control/ownKeys/OwnKeys.js"
import * as Circuits from "../sources/Circuits.js"
import * as Coalesce from "../sources/Coalesce.js"
import * as FollowUps from "../sources/FollowUps.js"
import * as SourceAccessFactory from "../sources/SourceAccessFactory.js"
import * as Inbox from "../outreach/replies/Inbox.js"
import * as Judging from "../outreach/replies/Judging.js"
import * as MailReading from "../outreach/replies/MailReading.js"
import * as Dispatcher from "../outreach/sending/Dispatcher.js"
import * as HeldMailboxes from "../outreach/sending/HeldMailboxes.js"
import * as MailboxAdminLive from "../outreach/sending/MailboxAdminLive.js"
import * as OwnDispatch from "../outreach/sending/OwnDispatch.js"
import * as VendorRounds from "../outreach/sending/vendor/VendorRounds.js"
import * as Upkeep from "../outreach/sending/Upkeep.js"
import * as Contactability from "../outreach/suppression/Contactability.js"
import * as SuppressionImportLive from "../control/suppressionImport/SuppressionImport.js"
import * as Unsubscribe from "../outreach/optOut/Unsubscribe.js"
import * as DomainsLive from "../control/domains/Domains.js"
import * as Workers from "./Workers.js"

/*
 * The service as layers, for embedding: provide stores, journal, providers, ids, crypto, settings and `LongWork` to
 * `calls`, `console`, `jobs` and `workers`, and `jobs` to the runner of the engine behind `LongWork`.
 */

/** What this host knows of its sources, and the lookups under way. All callers and metrics share one. */
export const sourceState = Layer.merge(Circuits.layer, Coalesce.layer)

/** How sources are reached in the name of a workspace; it needs the stores. */
export const sourceAccess = SourceAccessFactory.layer.pipe(Layer.provide(sourceState))

/** Where links of new mail lead, for the rounds and for pages; it needs the stores and the settings. */
export const linkBases = Wings.linkBases

/** What is measured of where mail arrives, for calls and pages; it needs the stores. */
export const measurements = Wings.measurements

/** One round of what vendors that schedule by themselves hold; `workers` runs it for ever. */
export const vendorRounds = VendorRounds.layer.pipe(Layer.provide(Contactability.layer), Layer.provide(sourceAccess))

/** Every verb, behind the one pipeline. */
export const calls = Pipeline.layer.pipe(
  Layer.provide(Handlers.layer),
  Layer.provide(vendorRounds),
  Layer.provide(sourceAccess),
  Layer.provide(sourceState),
  Layer.provide(Layer.merge(Approvals.layer, Contactability.layer)),
  Layer.provide(AccessTokens.layer),
  Layer.provide(Layer.mergeAll(Wings.leadNews, Wings.linkBases, measurements))
)

/** For surfaces that wait for a human on their caller's behalf. */
export const approvalWatch = ApprovalWatch.layer.pipe(Layer.provide(AccessTokens.layer))

/** The human side. */
export const console = ConsoleLive.layer

/** Ways in beside the operator's links; they need `console`, a mailer, and what verifies passkeys. */
export const signIn = PasskeyAccessLive.layer.pipe(Layer.provideMerge(SignInMailLive.layer))

/** What a signed-in human may do to keys, limits and sending. */
export const control = ControlLive.layer.pipe(Layer.provide(sourceAccess))

/** Consent for clients of the tool protocol, and their tokens; it needs a reader of their documents. */
export const oauth = OAuthLive.layer

/** What owners are told of, for the console; the letters go by the mailer that is at hand, if one is. */
export const alerts = Alerts.layer

/** How many people must approve. */
export const approvers = ApproversLive.layer

/** What a workspace asks of its launches. */
export const rules = RulesLive.layer

/** What recipients are told by their country. */
export const recipientWords = RecipientWordsLive.layer

/** What approvers look at before they approve a large launch. */
export const attention = AttentionLive.layer

/** Who is told of approvals that wait, and how. */
export const notices = NoticesLive.layer

/** Workspaces' own credentials with vendors, for their owners. */
export const ownKeys = OwnKeys.layer

/** What people and the operator use of the wings; it needs what each of them says. */
export const wings = Wings.services

/** From which mailboxes launched campaigns send, for owners who add one. */
export const campaignMailboxes = CampaignMailboxes.layer

/** Pausing and resuming campaigns, for people. */
export const campaignPauses = CampaignPauses.layer

/** What became of leads, as people say. */
export const leadStatuses = LeadStatuses.layer.pipe(Layer.provide(Contactability.layer), Layer.provide(Wings.leadNews))

/** The texts that people save for their answers. */
export const savedAnswers = SavedAnswersLive.layer

/** The choice between approved variants of a message. */
export const variantChoice = VariantChoice.layer

/** What a launch would do, for the people who approve it. */
export const forecasts = Forecasts.layer.pipe(Layer.provide(Contactability.layer))

/** What the HTTP host can't do without, beside the calls. */
export const pages = Layer.mergeAll(
  console,
  control,
  oauth,
  alerts,
  notices,
  approvers,
  rules,
  recipientWords,
  attention,
  campaignMailboxes,
  campaignPauses,
  leadStatuses,
  savedAnswers,
  variantChoice,
  forecasts
)

/** The operator's side. */
export const admin = AdminLive.layer

/** Own mailboxes, for their owners and the operator; it needs a probe of mail and the name system's records. */
export const mailboxes = MailboxAdminLive.layer

/** Sending domains and their DNS records; it needs the name system's records and the DNS hosts. */
export const domains = DomainsLive.layer

/** One round each of sending and of reading what came in; `workers` runs them for ever. They need `sourceState`. */
export const rounds = Layer.mergeAll(
  Dispatcher.layer,
  Inbox.layer,
  InterestMirror.layer,
  Judging.layer,
  Upkeep.layer,
  vendorRounds
).pipe(Layer.provide(Layer.merge(sourceAccess, Wings.leadNews)))

/** As `rounds`, for what sources answer after the call. */
export const followUps = FollowUps.layer.pipe(Layer.provide(sourceAccess))

/** The handlers that the runner of long work wakes. */
export const jobs = Jobs.layer.pipe(
  Layer.provide(ListedCalls.layer),
  Layer.provide(Upkeep.layer),
  Layer.provide(followUps),
  Layer.provide(sourceAccess),
  Layer.provide(linkBases)
)

/** As `rounds`, for the own mailboxes that this host holds; they need a transport and a reader of mail. */
export const ownRounds = Layer.merge(OwnDispatch.layer, MailReading.layer).pipe(Layer.provideMerge(HeldMailboxes.layer))

/** Whom nobody may be written to again, from a list of the owner's, and whose data is to go. */
export const people = Layer.mergeAll(
  DirectoryImportLive.layer,
  ErasureLive.layer,
  PersonFilesLive.layer,
  SuppressionImportLive.layer
)

/** As `rounds`, for what owners are told of. */
export const alertRounds = AlertRounds.layer

/** As `rounds`, for what approvers are told of; letters go by the mailer that is at hand, chat by a sender of messages. */
export const noticeRounds = NoticeRounds.layer

/** The way out that every message names. */
export const unsubscribe = Unsubscribe.layer

/** What a host does beside answering, until its scope closes; it needs what the wings need of the world outside. */
export const workers = Workers.layer.pipe(
  Layer.provide(Layer.mergeAll(rounds, ownRounds, followUps, alertRounds, noticeRounds)),
  Layer.provide(linkBases)
)

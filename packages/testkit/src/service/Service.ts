import { Admin } from "@outbound/domain/app/Admin.js"
import type { ApprovalWatch } from "@outbound/domain/calls/approvals/ApprovalWatch.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { type Changes, looking } from "@outbound/domain/control/console/Changes.js"
import { Control } from "@outbound/domain/control/Control.js"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import type { ClientDocuments } from "@outbound/domain/control/oauth/ClientDocuments.js"
import type { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { DONE, JobHandlers, type LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import type { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { polling, type WorkSignals } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { noProviders, Providers, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { type OwnKeyVendor, OwnKeyVendors } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import type { Circuits } from "@outbound/domain/sources/Circuits.js"
import type { Coalesce } from "@outbound/domain/sources/Coalesce.js"
import type { FollowUps } from "@outbound/domain/sources/FollowUps.js"
import type { SourceAccessFactory } from "@outbound/domain/sources/SourceAccessFactory.js"
import { InterestMirror } from "@outbound/domain/outreach/interest/InterestMirror.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Judging } from "@outbound/domain/outreach/replies/Judging.js"
import { MailReading } from "@outbound/domain/outreach/replies/MailReading.js"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import type { MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { HeldMailboxes } from "@outbound/domain/outreach/sending/HeldMailboxes.js"
import type { Forecasts } from "@outbound/domain/control/Forecasts.js"
import type { CampaignPauses } from "@outbound/domain/outreach/launching/pausing/CampaignPauses.js"
import type { SavedAnswers } from "@outbound/domain/control/SavedAnswers.js"
import type { LeadStatuses } from "@outbound/domain/control/LeadStatuses.js"
import type { VariantChoice } from "@outbound/domain/control/VariantChoice.js"
import { CampaignMailboxes } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { OwnDispatch } from "@outbound/domain/outreach/sending/OwnDispatch.js"
import { Upkeep } from "@outbound/domain/outreach/sending/Upkeep.js"
import type { VendorRounds } from "@outbound/domain/outreach/sending/vendor/VendorRounds.js"
import type { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import type { LinkBases } from "@outbound/domain/outreach/suppression/linkBases.js"
import { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import type { ChatSender } from "@outbound/domain/control/notices/ChatSender.js"
import type { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import type { RecipientWords } from "@outbound/domain/control/words/RecipientWords.js"
import type { Attention } from "@outbound/domain/control/attention/Attention.js"
import type { Rules } from "@outbound/domain/control/rules/Rules.js"
import type { Notices } from "@outbound/domain/control/notices/Notices.js"
import type { Alerts } from "@outbound/domain/control/alerts/Alerts.js"
import { Context, Effect, Layer } from "effect"
import * as QuietClock from "../clock/QuietClock.js"
import * as MemoryMail from "../mail/MemoryMail.js"
import * as ScriptedProbe from "../mail/ScriptedProbe.js"
import * as MemoryLayer from "../memory/layer.js"
import type { Memory } from "../memory/Memory.js"
import type { MemoryFaults } from "../memory/MemoryFaults.js"
import * as MemoryWork from "../memory/MemoryWork.js"
import { layer as disposable } from "../memory/TestDisposable.js"
import * as TestHolidays from "../memory/TestHolidays.js"
import * as TestCrypto from "../memory/TestCrypto.js"
import * as TestIds from "../memory/TestIds.js"
import { type FaultyProviders, makeFaulty } from "../providers/Faulty.js"
import { providerSet } from "@outbound/sandbox/providers/Sandbox.js"
import * as ScriptedChat from "../webhooks/ScriptedChat.js"
import { wingsOutside } from "../wings/outside.js"
import * as ScriptedDocuments from "../providers/ScriptedDocuments.js"

export const BASE_URL = "https://outbound.test"

/** The sandbox's sources, which behave badly on request. */
export class Faults extends Context.Service<Faults, FaultyProviders>()("@outbound/testkit/service/Service/Faults") {}

const faults = Layer.effect(
  Faults,
  Effect.flatMap(Inbound, (inbound) => makeFaulty(providerSet(inbound)))
)

/** Every source of the set is one that workspaces may bring credentials for. */
const ownKeyVendorsOf = (set: ProviderSet): ReadonlyArray<OwnKeyVendor> => {
  const names = Object.values(set).flatMap((sources) => (Array.isArray(sources) ? sources.map(({ name }) => name) : []))
  return [...new Set(names)].map((name: string) => ({ name, title: name, hasServiceKey: true }))
}

const providersWith = (live: ProviderSet) =>
  Layer.merge(
    Layer.effect(
      Providers,
      Effect.map(Faults, (faulty) => Providers.of({ sandbox: faulty.providers, live }))
    ),
    Layer.succeed(OwnKeyVendors, ownKeyVendorsOf(live))
  )

type Stores = Exclude<Layer.Success<typeof MemoryLayer.layer>, Memory | MemoryFaults>

/** What the whole service offers a test: every verb, the human, the operator, and one round each of the workers. */
export type Service =
  | ApprovalWatch
  | Calls
  | CampaignMailboxes
  | CampaignPauses
  | LeadStatuses
  | SavedAnswers
  | VariantChoice
  | Forecasts
  | Circuits
  | Coalesce
  | FollowUps
  | SourceAccessFactory
  | Console
  | Changes
  | Control
  | Admin
  | OAuth
  | ScriptedDocuments.ScriptedDocuments
  | ClientDocuments
  | MailboxAdmin
  | ScriptedProbe.ScriptedProbe
  | Dispatcher
  | Inbox
  | InterestMirror
  | Judging
  | MailReading
  | Upkeep
  | VendorRounds
  | VendorStore
  | HeldMailboxes
  | OwnDispatch
  | Unsubscribe
  | Alerts
  | Layer.Success<typeof wingsOutside>
  | Approvers
  | Rules
  | RecipientWords
  | Attention
  | Notices
  | ChatSender
  | ScriptedChat.ScriptedChat
  | DirectoryImport
  | Erasure
  | PersonFiles
  | SuppressionImport
  | MemoryMail.MemoryMail
  | MailTransport
  | MailReader
  | Faults
  | LongWork
  | WorkSignals
  | MemoryWork.MemoryWork
  | Ids
  | Crypto
  | PublicHolidays
  | Providers
  | Settings
  | LinkBases

/** The suites ask the sources of follow-ups themselves, by their rounds. */
const jobs = Layer.effect(
  JobHandlers,
  Effect.map(JobHandlers, (all) => ({ ...all, follow_ups: () => Effect.succeed(DONE) }))
).pipe(Layer.provide(Outbound.jobs))

/** The real domain on any stores, with the sandbox as its providers, and those of live workspaces. Time is the fiber's `Clock`. */
export const over = <S, E, R>(
  stores: Layer.Layer<S | Stores, E, R>,
  live: ProviderSet = noProviders,
  baseUrl: string = BASE_URL
): Layer.Layer<Service | S | Stores, E, R> => {
  const ground = Layer.mergeAll(
    TestIds.layer,
    TestCrypto.layer,
    TestHolidays.layer,
    disposable,
    MemoryMail.layer,
    ScriptedProbe.layer,
    ScriptedDocuments.layer,
    wingsOutside,
    ScriptedChat.layer,
    polling,
    Layer.succeed(Settings, { baseUrl })
  )
  const stored = Layer.provideMerge(
    Layer.merge(Outbound.linkBases, Outbound.measurements),
    Layer.provideMerge(stores, ground)
  )
  const working = Layer.provideMerge(MemoryWork.layer, stored)
  const base = Layer.provideMerge(Layer.provideMerge(providersWith(live), faults), working)
  const runner = MemoryWork.runner.pipe(Layer.provide(jobs))
  const services = Layer.mergeAll(
    Outbound.calls,
    Outbound.approvalWatch,
    Outbound.pages,
    looking,
    Outbound.admin,
    Outbound.mailboxes,
    Outbound.rounds,
    Outbound.ownRounds,
    Outbound.followUps,
    Outbound.sourceAccess,
    Outbound.people,
    Outbound.unsubscribe
  ).pipe(Layer.provideMerge(Outbound.sourceState))
  return services.pipe(Layer.provideMerge(runner), Layer.provideMerge(base)) as Layer.Layer<Service | S | Stores, E, R>
}

/** Everything in memory. */
export const layerMemory = over(MemoryLayer.layer)

/** The same for stories, whose time moves while nothing is under way. */
export const quietMemory = Layer.provideMerge(
  layerMemory,
  QuietClock.layer(() => false, QuietClock.MEMORY_TURN)
)

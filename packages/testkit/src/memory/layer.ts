import { Layer } from "effect"
import * as Memory from "./Memory.js"
import * as MemoryAlertStore from "./MemoryAlertStore.js"
import * as MemoryApprovalStore from "./MemoryApprovalStore.js"
import * as MemoryCallJournal from "./MemoryCallJournal.js"
import * as MemoryCallStories from "./MemoryCallStories.js"
import * as MemoryCampaignStore from "./MemoryCampaignStore.js"
import * as MemoryChangeRequestStore from "./MemoryChangeRequestStore.js"
import * as MemoryClockStore from "./MemoryClockStore.js"
import * as MemoryConsoleReads from "./MemoryConsoleReads.js"
import * as MemoryAttentionStore from "./MemoryAttentionStore.js"
import * as MemoryContentStore from "./MemoryContentStore.js"
import * as MemoryControlLog from "./MemoryControlLog.js"
import * as MemoryCreditStore from "./MemoryCreditStore.js"
import { memoryStores } from "../wings/memory.js"
import * as MemoryDirectoryStore from "./MemoryDirectoryStore.js"
import * as MemoryEnrichmentCache from "./MemoryEnrichmentCache.js"
import * as MemoryEvidenceStore from "./MemoryEvidenceStore.js"
import * as MemoryErasureStore from "./MemoryErasureStore.js"
import * as MemoryFaults from "./MemoryFaults.js"
import * as MemoryInbound from "./MemoryInbound.js"
import * as MemoryInterestSyncStore from "./MemoryInterestSyncStore.js"
import * as MemoryKeyStore from "./MemoryKeyStore.js"
import * as MemoryKillStore from "./MemoryKillStore.js"
import * as MemoryLaterStore from "./MemoryLaterStore.js"
import * as MemoryHealthReads from "./MemoryHealthReads.js"
import * as MemoryLookStore from "./MemoryLookStore.js"
import * as MemoryMarginStore from "./MemoryMarginStore.js"
import * as MemoryNoticeStore from "./MemoryNoticeStore.js"
import * as MemoryOAuthStore from "./MemoryOAuthStore.js"
import * as MemoryOfferStore from "./MemoryOfferStore.js"
import * as MemoryHoldoutStore from "./MemoryHoldoutStore.js"
import * as MemoryOriginStore from "./MemoryOriginStore.js"
import * as MemoryListStore from "./MemoryListStore.js"
import * as MemoryOperationStore from "./MemoryOperationStore.js"
import * as MemorySavedAnswerStore from "./MemorySavedAnswerStore.js"
import * as MemoryOwnKeyStore from "./MemoryOwnKeyStore.js"
import * as MemoryOwnMailboxStore from "./MemoryOwnMailboxStore.js"
import * as MemoryPasskeyStore from "./MemoryPasskeyStore.js"
import * as MemoryPersonRecords from "./MemoryPersonRecords.js"
import * as MemoryReadingStore from "./MemoryReadingStore.js"
import * as MemoryReplyStore from "./MemoryReplyStore.js"
import * as MemoryRetentionStore from "./MemoryRetentionStore.js"
import * as MemoryReputationStore from "./MemoryReputationStore.js"
import * as MemoryRuleStore from "./MemoryRuleStore.js"
import * as MemoryRunStore from "./MemoryRunStore.js"
import * as MemorySealStore from "./MemorySealStore.js"
import * as MemorySendingDomainStore from "./MemorySendingDomainStore.js"
import * as MemorySendingStore from "./MemorySendingStore.js"
import * as MemorySentReplyStore from "./MemorySentReplyStore.js"
import * as MemorySignInAskStore from "./MemorySignInAskStore.js"
import * as MemorySignUpStore from "./MemorySignUpStore.js"
import * as MemorySourceMemoryStore from "./MemorySourceMemoryStore.js"
import * as MemorySuppressionStore from "./MemorySuppressionStore.js"
import * as MemoryTrailStore from "./MemoryTrailStore.js"
import * as MemoryUnitOfWork from "./MemoryUnitOfWork.js"
import * as MemoryUserStore from "./MemoryUserStore.js"
import * as MemoryVerdictStore from "./MemoryVerdictStore.js"
import * as MemoryVendorStore from "./MemoryVendorStore.js"
import * as MemoryWebhookStore from "./MemoryWebhookStore.js"
import * as MemoryWorkspaceStore from "./MemoryWorkspaceStore.js"

/** Every store and the journal of one host over one memory, empty with each build. */
export const layer = Layer.mergeAll(
  MemoryAlertStore.layer,
  MemoryApprovalStore.layer,
  MemoryCallJournal.layer,
  MemoryCallStories.layer,
  MemoryCampaignStore.layer,
  MemoryChangeRequestStore.layer,
  MemoryClockStore.layer,
  MemoryConsoleReads.layer,
  MemoryContentStore.layer,
  MemoryAttentionStore.layer,
  MemoryControlLog.layer,
  MemoryCreditStore.layer,
  memoryStores,
  MemoryDirectoryStore.layer,
  MemoryEnrichmentCache.layer,
  MemoryEvidenceStore.layer,
  MemoryErasureStore.layer,
  MemoryInbound.layer,
  MemoryInterestSyncStore.layer,
  MemoryKeyStore.layer,
  MemoryKillStore.layer,
  MemoryLaterStore.layer,
  MemoryHealthReads.layer,
  MemoryLookStore.layer,
  MemoryMarginStore.layer,
  MemoryNoticeStore.layer,
  MemoryOAuthStore.layer,
  MemoryOfferStore.layer,
  MemoryOriginStore.layer,
  MemoryHoldoutStore.layer,
  MemoryListStore.layer,
  MemoryOperationStore.layer,
  MemoryOwnKeyStore.layer,
  MemoryOwnMailboxStore.layer,
  MemoryPasskeyStore.layer,
  MemoryPersonRecords.layer,
  MemoryReadingStore.layer,
  MemoryReplyStore.layer,
  MemoryRetentionStore.layer,
  MemoryReputationStore.layer,
  MemoryRuleStore.layer,
  MemoryRunStore.layer,
  MemorySavedAnswerStore.layer,
  MemorySealStore.layer,
  MemorySendingDomainStore.layer,
  MemorySendingStore.layer,
  MemorySentReplyStore.layer,
  MemorySignInAskStore.layer,
  MemorySignUpStore.layer,
  MemorySourceMemoryStore.layer,
  MemorySuppressionStore.layer,
  MemoryTrailStore.layer,
  MemoryUnitOfWork.layer,
  MemoryUserStore.layer,
  MemoryVendorStore.layer,
  MemoryVerdictStore.layer,
  MemoryWebhookStore.layer,
  MemoryWorkspaceStore.layer
).pipe(Layer.provideMerge(Layer.mergeAll(Memory.layer, MemoryFaults.layer)))

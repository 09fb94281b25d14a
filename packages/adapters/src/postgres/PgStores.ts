import { Layer } from "effect"
import * as PgPasskeyStore from "./console/PgPasskeyStore.js"
import * as PgSignInAskStore from "./console/PgSignInAskStore.js"
import { wingStores } from "../wings/stores.js"
import * as PgSignUpStore from "./signUp/PgSignUpStore.js"
import * as PgPersonRecords from "./personFile/PgPersonRecords.js"
import * as PgAlertStore from "./PgAlertStore.js"
import * as PgApprovalStore from "./PgApprovalStore.js"
import * as PgCallJournal from "./PgCallJournal.js"
import * as PgCallStories from "./PgCallStories.js"
import * as PgCampaignStore from "./PgCampaignStore.js"
import * as PgChangeRequestStore from "./PgChangeRequestStore.js"
import * as PgClockStore from "./PgClockStore.js"
import * as PgConsoleReads from "./PgConsoleReads.js"
import * as PgAttentionStore from "./PgAttentionStore.js"
import * as PgContentStore from "./PgContentStore.js"
import * as PgControlLog from "./PgControlLog.js"
import * as PgCreditStore from "./PgCreditStore.js"
import * as PgDirectoryStore from "./PgDirectoryStore.js"
import * as PgEnrichmentCache from "./PgEnrichmentCache.js"
import * as PgEvidenceStore from "./PgEvidenceStore.js"
import * as PgErasureStore from "./PgErasureStore.js"
import * as PgInbound from "./PgInbound.js"
import * as PgInterestSyncStore from "./PgInterestSyncStore.js"
import * as PgKeyStore from "./PgKeyStore.js"
import * as PgKillStore from "./PgKillStore.js"
import * as PgLaterStore from "./PgLaterStore.js"
import * as PgHealthReads from "./PgHealthReads.js"
import * as PgLookStore from "./PgLookStore.js"
import * as PgMarginStore from "./PgMarginStore.js"
import * as PgOAuthStore from "./PgOAuthStore.js"
import * as PgNoticeStore from "./PgNoticeStore.js"
import * as PgOfferStore from "./PgOfferStore.js"
import * as PgHoldoutStore from "./PgHoldoutStore.js"
import * as PgOriginStore from "./PgOriginStore.js"
import * as PgListStore from "./PgListStore.js"
import * as PgOperationStore from "./PgOperationStore.js"
import * as PgSavedAnswerStore from "./PgSavedAnswerStore.js"
import * as PgOwnKeyStore from "./PgOwnKeyStore.js"
import * as PgOwnMailboxStore from "./PgOwnMailboxStore.js"
import * as PgReadingStore from "./PgReadingStore.js"
import * as PgReplyStore from "./PgReplyStore.js"
import * as PgRetentionStore from "./PgRetentionStore.js"
import * as PgRuleStore from "./PgRuleStore.js"
import * as PgRunStore from "./PgRunStore.js"
import * as PgReputationStore from "./PgReputationStore.js"
import * as PgSandboxLetters from "./PgSandboxLetters.js"
import * as PgSealStore from "./PgSealStore.js"
import * as PgSendingDomainStore from "./PgSendingDomainStore.js"
import * as PgSendingStore from "./PgSendingStore.js"
import * as PgSentReplyStore from "./PgSentReplyStore.js"
import * as PgSourceMemoryStore from "./PgSourceMemoryStore.js"
import * as PgSuppressionStore from "./PgSuppressionStore.js"
import * as PgTrailStore from "./PgTrailStore.js"
import * as PgUnitOfWork from "./PgUnitOfWork.js"
import * as PgUserStore from "./PgUserStore.js"
import * as PgVerdictStore from "./PgVerdictStore.js"
import * as PgVendorStore from "./PgVendorStore.js"
import * as PgWebhookStore from "./PgWebhookStore.js"
import * as PgWorkspaceStore from "./PgWorkspaceStore.js"

/** The stores that the operator's program needs. No journal, so it is no host. */
export const stores = Layer.mergeAll(
  PgAlertStore.layer,
  PgApprovalStore.layer,
  PgCallStories.layer,
  PgCampaignStore.layer,
  PgChangeRequestStore.layer,
  PgClockStore.layer,
  PgConsoleReads.layer,
  PgContentStore.layer,
  PgAttentionStore.layer,
  PgControlLog.layer,
  PgCreditStore.layer,
  wingStores,
  PgDirectoryStore.layer,
  PgEnrichmentCache.layer,
  PgEvidenceStore.layer,
  PgErasureStore.layer,
  PgInbound.layer,
  PgInterestSyncStore.layer,
  PgKeyStore.layer,
  PgKillStore.layer,
  PgLaterStore.layer,
  PgHealthReads.layer,
  PgLookStore.layer,
  PgMarginStore.layer,
  PgOAuthStore.layer,
  PgNoticeStore.layer,
  PgOfferStore.layer,
  PgOriginStore.layer,
  PgHoldoutStore.layer,
  PgListStore.layer,
  PgOperationStore.layer,
  PgOwnKeyStore.layer,
  PgSavedAnswerStore.layer,
  PgOwnMailboxStore.layer,
  PgPasskeyStore.layer,
  PgPersonRecords.layer,
  PgReadingStore.layer,
  PgReplyStore.layer,
  PgRetentionStore.layer,
  PgRuleStore.layer,
  PgRunStore.layer,
  PgReputationStore.layer,
  PgSandboxLetters.layer,
  PgSealStore.layer,
  PgSendingDomainStore.layer,
  PgSendingStore.layer,
  PgSentReplyStore.layer,
  PgSignInAskStore.layer,
  PgSignUpStore.layer,
  PgSourceMemoryStore.layer,
  PgSuppressionStore.layer,
  PgTrailStore.layer,
  PgUserStore.layer,
  PgVendorStore.layer,
  PgVerdictStore.layer,
  PgWebhookStore.layer,
  PgWorkspaceStore.layer
).pipe(Layer.provideMerge(PgUnitOfWork.layer))

/** Every store, and the journal of this host. */
export const layer = Layer.merge(stores, PgCallJournal.layer)

/** The parts that keep the promises, by the word that names them: folders (with all below) and files. */

const DOMAIN = "packages/domain/src"
const POSTGRES = "packages/adapters/src/postgres"

export const MODULES = {
  money: [
    `${DOMAIN}/kernel/money`,
    `${DOMAIN}/calls/credits`,
    `${DOMAIN}/calls/settlementOf.ts`,
    `${DOMAIN}/calls/releases`,
    `${DOMAIN}/data/chat/price.ts`,
    `${DOMAIN}/data/chat/TokenUsage.ts`,
    `${DOMAIN}/data/chat/completeChat.ts`,
    `${DOMAIN}/data/chat/streamChat.ts`,
    `${DOMAIN}/data/chat/wire.ts`,
    `${DOMAIN}/data/chat/written.ts`,
    `${DOMAIN}/data/chat/StreamTally.ts`,
    `${DOMAIN}/data/chat/chatPlan.ts`,
    `${DOMAIN}/data/chat/llmChat.ts`,
    `${POSTGRES}/PgCreditStore.ts`
  ],
  payments: [`${DOMAIN}/control/payments`, `${POSTGRES}/PgPaymentStore.ts`],
  admission: [
    `${DOMAIN}/calls/decideAdmission.ts`,
    `${DOMAIN}/calls/Pipeline.ts`,
    `${DOMAIN}/calls/Prepared.ts`,
    `${DOMAIN}/calls/Attempt.ts`,
    `${DOMAIN}/calls/abandonedCall.ts`,
    `${DOMAIN}/calls/keys`
  ],
  journal: [
    `${POSTGRES}/journal/accepted.ts`,
    `${POSTGRES}/journal/Changes.ts`,
    `${POSTGRES}/journal/decide.ts`,
    `${POSTGRES}/journal/limits.ts`,
    `${POSTGRES}/journal/readRequest.ts`,
    `${POSTGRES}/journal/readStanding.ts`,
    `${POSTGRES}/journal/reads.ts`,
    `${POSTGRES}/journal/reconcileIn.ts`,
    `${POSTGRES}/journal/Settle.ts`,
    `${POSTGRES}/journal/State.ts`,
    `${POSTGRES}/journal/Statements.ts`
  ],
  approvals: [
    `${DOMAIN}/calls/approvals`,
    `${DOMAIN}/control/approvers`,
    `${DOMAIN}/control/console/Console.ts`,
    `${DOMAIN}/control/access.ts`,
    `${DOMAIN}/control/attention`,
    `${DOMAIN}/control/risks`,
    `${DOMAIN}/control/rules`,
    `${DOMAIN}/outreach/launching/content`,
    `${POSTGRES}/PgApprovalStore.ts`,
    `${POSTGRES}/PgContentStore.ts`
  ],
  suppression: [
    `${DOMAIN}/outreach/suppression`,
    `${DOMAIN}/outreach/optOut`,
    `${DOMAIN}/control/suppressionImport`,
    `${DOMAIN}/outreach/campaigns/Importer.ts`,
    `${DOMAIN}/outreach/launching/addLeads.ts`,
    `${DOMAIN}/outreach/launching/launchCampaign.ts`,
    `${DOMAIN}/outreach/launching/extendCampaign.ts`,
    `${DOMAIN}/outreach/campaigns/leave.ts`,
    `${DOMAIN}/outreach/campaigns/moveLead.ts`,
    `${DOMAIN}/outreach/campaigns/companyRules.ts`,
    `${POSTGRES}/PgSuppressionStore.ts`
  ],
  sending: [
    `${DOMAIN}/outreach/sending/sendRule.ts`,
    `${DOMAIN}/outreach/sending/chooseClaims.ts`,
    `${DOMAIN}/outreach/sending/Dispatcher.ts`,
    `${DOMAIN}/outreach/sending/MessageOutcome.ts`,
    `${DOMAIN}/calls/approvals/approvers.ts`,
    `${DOMAIN}/control/Kills.ts`,
    `${DOMAIN}/calls/approvals/Approvals.ts`,
    `${DOMAIN}/outreach/sending/OwnDispatch.ts`,
    `${DOMAIN}/outreach/sending/OwnRecord.ts`,
    `${DOMAIN}/outreach/sending/planner.ts`,
    `${DOMAIN}/outreach/sending/refusals.ts`,
    `${DOMAIN}/outreach/sending/suspended.ts`,
    `${DOMAIN}/outreach/sending/compose.ts`,
    `${DOMAIN}/outreach/sending/Breaker.ts`,
    `${POSTGRES}/PgSendingStore.ts`,
    `${POSTGRES}/claimDue.ts`,
    `${POSTGRES}/claimOwn.ts`,
    `${POSTGRES}/dueLeads.ts`,
    `${POSTGRES}/dueRows.ts`,
    `${POSTGRES}/sendFacts.ts`,
    `${POSTGRES}/bars.ts`,
    `${POSTGRES}/campaignCompanies.ts`
  ],
  gates: [
    `${DOMAIN}/outreach/authentication`,
    `${DOMAIN}/outreach/evidence`,
    `${DOMAIN}/outreach/health`,
    `${DOMAIN}/data/verification`
  ],
  signUp: [`${DOMAIN}/control/signUp`],
  person: [`${DOMAIN}/control/personFile`],
  replies: [
    `${DOMAIN}/outreach/replies/replyToThread.ts`,
    `${DOMAIN}/outreach/replies/sendReply.ts`,
    `${DOMAIN}/outreach/replies/outgoingReply.ts`,
    `${DOMAIN}/outreach/replies/ReplyOutcome.ts`,
    `${DOMAIN}/outreach/replies/SentReplyMachine.ts`,
    `${POSTGRES}/PgSentReplyStore.ts`,
    `${POSTGRES}/PgReplyStore.ts`
  ],
  trail: [
    `${DOMAIN}/kernel/trail`,
    `${DOMAIN}/control/trail`,
    `${POSTGRES}/PgTrailStore.ts`,
    `${POSTGRES}/PgSealStore.ts`
  ],
  oauth: [`${DOMAIN}/control/oauth`, `${POSTGRES}/PgOAuthStore.ts`],
  kill: [
    `${DOMAIN}/control/Kills.ts`,
    `${DOMAIN}/outreach/sending/vendor/Activating.ts`,
    `${DOMAIN}/outreach/sending/vendor/VendorPause.ts`,
    `${DOMAIN}/outreach/sending/vendor/tellPause.ts`,
    `${DOMAIN}/outreach/sending/vendor/Withdrawing.ts`,
    `${POSTGRES}/PgKillStore.ts`
  ]
}

/** Files of which at least nine of ten faults are noticed, by all of them tried: they are held to it. More are to come. */
export const HELD = [
  `${DOMAIN}/outreach/sending/MessageOutcome.ts`,
  `${DOMAIN}/outreach/sending/chooseClaims.ts`,
  `${DOMAIN}/outreach/sending/Breaker.ts`,
  `${DOMAIN}/outreach/sending/Dispatcher.ts`,
  `${DOMAIN}/outreach/sending/OwnRecord.ts`,
  `${DOMAIN}/kernel/money/Credits.ts`,
  `${DOMAIN}/control/oauth/asking.ts`,
  `${DOMAIN}/control/oauth/issuing.ts`,
  `${DOMAIN}/control/signUp/SignUp.ts`,
  `${DOMAIN}/control/payments/Booking.ts`,
  `${DOMAIN}/control/payments/PaymentMachine.ts`,
  `${DOMAIN}/data/chat/chatPlan.ts`,
  `${DOMAIN}/data/chat/completeChat.ts`,
  `${DOMAIN}/data/chat/price.ts`,
  `${DOMAIN}/data/chat/streamChat.ts`,
  `${DOMAIN}/data/chat/StreamTally.ts`,
  `${DOMAIN}/data/chat/TokenUsage.ts`,
  `${DOMAIN}/data/chat/wire.ts`,
  `${DOMAIN}/data/chat/written.ts`,
  `${DOMAIN}/kernel/trail/seals.ts`,
  `${DOMAIN}/outreach/sending/sendRule.ts`,
  `${DOMAIN}/calls/settlementOf.ts`,
  `${DOMAIN}/control/suppressionImport/chooseColumns.ts`,
  `${DOMAIN}/control/suppressionImport/listedRows.ts`,
  `${DOMAIN}/outreach/optOut/Suppress.ts`,
  `${DOMAIN}/outreach/optOut/Unsubscribe.ts`,
  `${DOMAIN}/outreach/suppression/Contactability.ts`,
  `${DOMAIN}/outreach/suppression/SuppressionStore.ts`,
  `${DOMAIN}/outreach/suppression/keepingOut.ts`,
  `${DOMAIN}/outreach/suppression/links.ts`,
  `${POSTGRES}/PgContentStore.ts`,
  `${POSTGRES}/PgCreditStore.ts`,
  `${POSTGRES}/PgOAuthStore.ts`,
  `${POSTGRES}/PgSuppressionStore.ts`,
  `${POSTGRES}/PgKillStore.ts`,
  `${POSTGRES}/PgTrailStore.ts`,
  `${POSTGRES}/bars.ts`
]

import { Effect, Layer } from "effect"
import { Handlers } from "../calls/Handlers.js"
import { pauseCampaign } from "../outreach/launching/pausing/pauseCampaign.js"
import { addLeads } from "../outreach/launching/addLeads.js"
import { createCampaign } from "../outreach/launching/createCampaign.js"
import { launchCampaign } from "../outreach/launching/launchCampaign.js"
import { setLeadStatus } from "../outreach/interest/setLeadStatus.js"
import { enrichCompany } from "../data/companies/enrichCompany.js"
import { findCompanies } from "../data/companies/findCompanies.js"
import { llmChat } from "../data/chat/llmChat.js"
import { llmModel, llmModels } from "../data/chat/llmModels.js"
import { checkCompanies } from "../data/checks/checkCompanies.js"
import { kill, updateKey } from "../control/updateKey.js"
import { enrich } from "../data/enrichment/enrich.js"
import { findIntent } from "../data/intent/findIntent.js"
import { findLeads } from "../data/leads/findLeads.js"
import { findPosts } from "../data/posts/findPosts.js"
import { forecastCampaign, getCampaign, listCampaigns, listLeads } from "../control/reads/campaigns.js"
import { listSavedAnswers } from "../control/reads/savedAnswers.js"
import { listMailboxes } from "../control/reads/mailboxes.js"
import { getSendingHealth } from "../control/reads/sendingHealth.js"
import { getMe } from "../control/reads/getMe.js"
import { cancelOperation, getOperation, getOperationResults } from "../control/reads/operations.js"
import { getRequest, getTrail, getUsage } from "../control/reads/reads.js"
import { enrichPeople, findIntentOfList, verifyEmails } from "../outreach/operations/lists/listVerbs.js"
import { getReplies, getReply } from "../outreach/replies/handlers.js"
import { replyToThread } from "../outreach/replies/replyToThread.js"
import { setupSending } from "../outreach/provisioning/setupSending.js"
import { addSuppressions } from "../outreach/optOut/addSuppressions.js"
import { verifyEmail } from "../data/verification/verifyEmail.js"
import { verbList } from "../verbs/verbs.js"

/** The handler of every verb. */
export const layer = Layer.effect(
  Handlers,
  Effect.all({
    find_leads: findLeads,
    find_companies: findCompanies,
    find_intent: Effect.succeed(findIntent),
    find_posts: findPosts,
    enrich,
    enrich_company: enrichCompany,
    verify_email: Effect.succeed(verifyEmail),
    check_companies: Effect.succeed(checkCompanies),
    verify_emails: verifyEmails,
    enrich_people: enrichPeople,
    find_intent_of_list: findIntentOfList,
    llm_chat: llmChat,
    llm_models: Effect.succeed(llmModels),
    llm_model: Effect.succeed(llmModel),
    setup_sending: setupSending,
    create_campaign: createCampaign,
    add_leads: addLeads,
    launch_campaign: launchCampaign,
    pause_campaign: pauseCampaign,
    list_campaigns: listCampaigns,
    get_campaign: getCampaign,
    list_leads: listLeads,
    forecast_campaign: forecastCampaign,
    list_mailboxes: listMailboxes,
    get_sending_health: getSendingHealth,
    list_saved_answers: listSavedAnswers,
    get_replies: getReplies,
    get_reply: getReply,
    set_lead_status: setLeadStatus,
    add_suppressions: addSuppressions,
    reply_to_thread: replyToThread,
    get_me: getMe(verbList),
    get_usage: getUsage,
    get_request: getRequest,
    get_operation: getOperation,
    get_operation_results: getOperationResults,
    cancel_operation: cancelOperation,
    get_trail: getTrail,
    update_key: updateKey,
    kill
  })
)

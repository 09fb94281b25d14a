import { AddLeads } from "./AddLeads.js"
import { AddSuppressions } from "./AddSuppressions.js"
import { GetCampaign, ListCampaigns, ListLeads } from "./Campaigns.js"
import { CheckCompanies } from "./CheckCompanies.js"
import { Kill, UpdateKey } from "./Control.js"
import { CreateCampaign } from "./CreateCampaign.js"
import { Enrich } from "./Enrich.js"
import { EnrichCompany } from "./EnrichCompany.js"
import { FindCompanies } from "./FindCompanies.js"
import { FindIntent } from "./FindIntent.js"
import { FindLeads } from "./FindLeads.js"
import { FindPosts } from "./FindPosts.js"
import { ForecastCampaign } from "./ForecastCampaign.js"
import { LaunchCampaign } from "./LaunchCampaign.js"
import { ListMailboxes } from "./ListMailboxes.js"
import { LlmChat, LlmModel, LlmModels } from "./LlmChat.js"
import { CancelOperation, EnrichPeople, FindIntentOfList, GetOperationResults, VerifyEmails } from "./Lists.js"
import { GetSendingHealth } from "./SendingHealth.js"
import { PauseCampaign } from "./PauseCampaign.js"
import { GetMe, GetOperation, GetRequest, GetTrail, GetUsage } from "./Reads.js"
import { GetReplies, GetReply, SetLeadStatus } from "./Replies.js"
import { ReplyToThread } from "./ReplyToThread.js"
import { ListSavedAnswers } from "./SavedAnswers.js"
import { SetupSending } from "./SetupSending.js"
import type { AnyVerb } from "./Verb.js"
import { VerifyEmail } from "./VerifyEmail.js"

/** Every verb of the service. All surfaces derive from this list. */
export const verbs = {
  find_leads: FindLeads,
  find_companies: FindCompanies,
  find_intent: FindIntent,
  find_posts: FindPosts,
  enrich: Enrich,
  enrich_company: EnrichCompany,
  verify_email: VerifyEmail,
  check_companies: CheckCompanies,
  verify_emails: VerifyEmails,
  enrich_people: EnrichPeople,
  find_intent_of_list: FindIntentOfList,
  llm_chat: LlmChat,
  llm_models: LlmModels,
  llm_model: LlmModel,
  setup_sending: SetupSending,
  create_campaign: CreateCampaign,
  add_leads: AddLeads,
  launch_campaign: LaunchCampaign,
  pause_campaign: PauseCampaign,
  list_campaigns: ListCampaigns,
  get_campaign: GetCampaign,
  list_leads: ListLeads,
  forecast_campaign: ForecastCampaign,
  list_mailboxes: ListMailboxes,
  get_sending_health: GetSendingHealth,
  get_replies: GetReplies,
  get_reply: GetReply,
  list_saved_answers: ListSavedAnswers,
  set_lead_status: SetLeadStatus,
  add_suppressions: AddSuppressions,
  reply_to_thread: ReplyToThread,
  get_me: GetMe,
  get_usage: GetUsage,
  get_request: GetRequest,
  get_operation: GetOperation,
  get_operation_results: GetOperationResults,
  cancel_operation: CancelOperation,
  get_trail: GetTrail,
  update_key: UpdateKey,
  kill: Kill
} as const

export type Verbs = typeof verbs
export type VerbName = keyof Verbs

export const verbList: ReadonlyArray<AnyVerb> = Object.values(verbs)

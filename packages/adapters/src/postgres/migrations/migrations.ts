import { foundation } from "./0001_foundation.js"
import { outbound } from "./0002_outbound.js"
import { offers } from "./0003_offers.js"
import { recipients } from "./0004_recipients.js"
import { answers } from "./0005_answers.js"
import { ownMail } from "./0006_own_mail.js"
import { control } from "./0007_control.js"
import { consoleTables } from "./0008_console.js"
import { erasure } from "./0009_erasure.js"
import { webhooks } from "./0010_webhooks.js"
import { oauth } from "./0011_oauth.js"
import { directory } from "./0012_directory.js"
import { later } from "./0013_later.js"
import { ownKeys } from "./0014_own_keys.js"
import { vendorSending } from "./0015_vendor_sending.js"
import { sandboxMail } from "./0016_sandbox_mail.js"
import { mailboxTokens } from "./0017_mailbox_tokens.js"
import { adoptedMailboxes } from "./0018_adopted_mailboxes.js"
import { laterLanes } from "./0019_later_lanes.js"
import { keptRows } from "./0020_kept_rows.js"
import { usageOfKeys } from "./0021_usage_of_keys.js"
import { longWork } from "./0022_long_work.js"
import { refusals } from "./0023_refusals.js"
import { approvalPeople } from "./0024_approval_people.js"
import { workSignals } from "./0025_work_signals.js"
import { campaignMailboxes } from "./0026_campaign_mailboxes.js"
import { suppressedDomains } from "./0027_suppressed_domains.js"
import { approvalNotices } from "./0028_approval_notices.js"
import { lists } from "./0029_lists.js"
import { trailSeals } from "./0030_trail_seals.js"
import { approvalVotes } from "./0031_approval_votes.js"
import { companies } from "./0032_companies.js"
import { monthsOfRequests } from "./0033_months_of_requests.js"
import { clockMarks } from "./0034_clock_marks.js"
import { hours } from "./0035_hours.js"
import { variants } from "./0036_variants.js"
import { startedLists } from "./0037_started_lists.js"
import { needs } from "./0038_needs.js"
import { months } from "./0039_months.js"
import { returnedPayments } from "./0040_returned_payments.js"
import { overlap } from "./0041_overlap.js"
import { archivedTrails } from "./0042_archived_trails.js"
import { crm } from "./0043_crm.js"
import { domains } from "./0044_domains.js"
import { handling } from "./0045_handling.js"
import { openReplies } from "./0046_open_replies.js"
import { campaignReferrals } from "./0047_campaign_referrals.js"

import { domainLooks } from "./0069_domain_looks.js"
import { dailyCaps } from "./0070_daily_caps.js"
import { secretRotation } from "./0071_secret_rotation.js"
import { listFiles } from "./0072_list_files.js"
import { uploadedPeople } from "./0073_uploaded_people.js"
import { mailUse } from "./0074_mail_use.js"
import { deletedWorkspaces } from "./0075_deleted_workspaces.js"
import { linkHosts } from "./0076_link_hosts.js"
import { sourceMemory } from "./0077_source_memory.js"
import { openProbes } from "./0078_open_probes.js"
import { canaries } from "./0079_canaries.js"
import { postmaster } from "./0080_postmaster.js"
import { mailUseCounts } from "./0081_mail_use_counts.js"
import { fewOfACampaign } from "./0082_few_of_a_campaign.js"
import { savedAnswers } from "./0083_saved_answers.js"
import { campaignDayCounts } from "./0084_campaign_day_counts.js"
import { dayCountIndexes } from "./0085_day_count_indexes.js"
import { canaryCompauth } from "./0086_canary_compauth.js"
import { crmNoes } from "./0087_crm_noes.js"
import { reputation } from "./0048_reputation.js"
import { campaignCounts } from "./0049_campaign_counts.js"
import { changeSignals } from "./0050_change_signals.js"
import { mailboxRecords } from "./0051_mailbox_records.js"
import { startLinks } from "./0053_start_links.js"
import { leftOut } from "./0054_left_out.js"
import { uploadedRows } from "./0055_uploaded_rows.js"
import { learnedIds } from "./0056_learned_ids.js"
import { declineReasons } from "./0057_decline_reasons.js"
import { personRequests } from "./0058_person_requests.js"
import { roles } from "./0059_roles.js"
import { signUps } from "./0060_sign_ups.js"
import { workspaceRules } from "./0061_workspace_rules.js"
import { holdouts } from "./0067_holdouts.js"
import { recipientWords } from "./0062_recipient_words.js"
import { attention } from "./0064_attention.js"
import { evidence } from "./0065_evidence.js"
import { interestedOfReplied } from "./0066_interested_of_replied.js"
import { emailVerdicts } from "./0068_email_verdicts.js"
import { winnerRule } from "./0052_winner_rule.js"
import { openDirectory } from "./0063_open_directory.js"
import type { Migration } from "./Migration.js"

/** Every migration, in order. A test checks that all files of this folder are listed. */
export const migrations: ReadonlyArray<Migration> = [
  foundation,
  outbound,
  offers,
  recipients,
  answers,
  ownMail,
  control,
  consoleTables,
  erasure,
  webhooks,
  oauth,
  directory,
  later,
  ownKeys,
  vendorSending,
  sandboxMail,
  mailboxTokens,
  adoptedMailboxes,
  laterLanes,
  keptRows,
  usageOfKeys,
  longWork,
  refusals,
  approvalPeople,
  workSignals,
  campaignMailboxes,
  suppressedDomains,
  approvalNotices,
  lists,
  trailSeals,
  approvalVotes,
  companies,
  monthsOfRequests,
  clockMarks,
  hours,
  variants,
  startedLists,
  needs,
  months,
  returnedPayments,
  overlap,
  archivedTrails,
  crm,
  domains,
  handling,
  openReplies,
  campaignReferrals,
  reputation,
  campaignCounts,
  changeSignals,
  mailboxRecords,
  winnerRule,
  startLinks,
  leftOut,
  uploadedRows,
  learnedIds,
  declineReasons,
  personRequests,
  roles,
  signUps,
  workspaceRules,
  recipientWords,
  openDirectory,
  attention,
  evidence,
  interestedOfReplied,
  holdouts,
  emailVerdicts,
  domainLooks,
  dailyCaps,
  secretRotation,
  listFiles,
  uploadedPeople,
  mailUse,
  deletedWorkspaces,
  linkHosts,
  sourceMemory,
  openProbes,
  canaries,
  postmaster,
  mailUseCounts,
  fewOfACampaign,
  savedAnswers,
  campaignDayCounts,
  dayCountIndexes,
  canaryCompauth,
  crmNoes
]

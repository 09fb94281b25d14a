/** Made from the verbs: run words.test.ts with `--update`. */
export interface ActingVerbs {
  /**
   * Buy sending capacity: domains and warmed mailboxes.
   *
   * Without a token, returns a free quote and a single-use `confirmation_token` (15 minutes). Once a human has approved it in the console, the same call with the token and an Idempotency-Key buys the capacity: 1,500 credits per domain once, and 750 per mailbox and month. Provisioning is asynchronous: poll `GET /v1/operations/:id`.
   *
   * Reference: docs/reference/setup_sending.md
   */
  readonly setup_sending: {
    /** Desired sends per day at steady state: 25 per mailbox, 5 mailboxes per domain. 1 to 5000. */
    readonly daily_sends: unknown
    /** The word that the domain names are made from. */
    readonly brand: unknown
    /** The sender whose name the mailboxes show. */
    readonly identity: unknown
    /** The single-use token of the previous call, once a human has approved it. */
    readonly confirmation_token?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Draft a campaign: recipients, a sequence of messages, a schedule.
   *
   * Free. Creates a draft; sends nothing. Suppressed and invalid recipients are left out and counted. Duplicates are merged. Who is a lead of another campaign, and of whom a row says that they opted out, leaves it at once.
   *
   * Reference: docs/reference/create_campaign.md
   */
  readonly create_campaign: {
    /** A name for people to recognize it. */
    readonly name: unknown
    readonly recipients: unknown
    /** The messages, in order. The first needs a subject and no wait. */
    readonly sequence: unknown
    /** Sending hours. Default: weekdays, 9 to 17, UTC. `end_hour` must be greater than `start_hour`. */
    readonly schedule?: unknown
    /** An answer, a refusal or an unsubscription of one person ends the sequence of everybody of the same company. Default: false. Addresses at mail providers, such as gmail.com, belong to no company. */
    readonly stop_for_company?: unknown
    /** Most messages of this campaign to one company on one day (UTC). Default: no limit. 1 to 100. */
    readonly max_per_company_per_day?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Add leads to a campaign.
   *
   * Free. Leads are added to a draft at once. Adding to an active campaign pauses it and returns a single-use `confirmation_token` (24 hours). Once a human has approved it, the same call with the token adds them and resumes the campaign. Suppressed and invalid recipients are left out and counted; leads already in the campaign are neither added nor counted. Who is a lead already, and of whom a row says that they opted out, leaves every campaign at once. A campaign can have at most 5000 leads.
   *
   * Reference: docs/reference/add_leads.md
   */
  readonly add_leads: {
    /** A UUID. */
    readonly campaign_id: unknown
    /** The leads to add. Can be empty only with `finalize_incomplete`. */
    readonly leads?: unknown
    /** For an incomplete campaign: ask the sending provider again about the leads that it has not confirmed. */
    readonly finalize_incomplete?: unknown
    /** The single-use token of the previous call, once a human has approved it. */
    readonly confirmation_token?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Start sending a campaign, once a human has approved it.
   *
   * Free. Without a token, returns a preview and a single-use `confirmation_token` (24 hours). With an approved token, launches. Suppression is checked again at launch; if that check fails, nothing is launched. Needs active mailboxes (`setup_sending`).
   *
   * Reference: docs/reference/launch_campaign.md
   */
  readonly launch_campaign: {
    /** A UUID. */
    readonly campaign_id: unknown
    /** So many percent of the people, drawn by chance, are not written to by this campaign, so that `get_campaign` can tell what it brought from what would have come anyway. Only at the first launch. 1 to 50. */
    readonly holdout_percent?: unknown
    /** The single-use token of the previous call, once a human has approved it. */
    readonly confirmation_token?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Pause a campaign.
   *
   * Free. From then on no further message of it is begun. Pausing a paused campaign changes nothing. An owner resumes it in the console, or `launch_campaign` with an approval.
   *
   * Reference: docs/reference/pause_campaign.md
   */
  readonly pause_campaign: {
    /** A UUID. */
    readonly campaign_id: unknown
    /** Shown in the trail. */
    readonly reason?: unknown
  }

  /**
   * Set a lead's interest status.
   *
   * Free. Setting the same status again changes nothing. `not_interested` suppresses the person permanently and removes them from every active campaign. No status lifts a suppression.
   *
   * Reference: docs/reference/set_lead_status.md
   */
  readonly set_lead_status: {
    /** A UUID. */
    readonly campaign_lead_id: unknown
    readonly status: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Never email these people and companies again.
   *
   * Free and permanent: no call lifts a suppression. Whom it covers leaves every campaign at once, and is left out of later ones (`opted_out`). One unusable address or domain refuses the whole call.
   *
   * Reference: docs/reference/add_suppressions.md
   */
  readonly add_suppressions: {
    /** People who must not be emailed. */
    readonly emails?: unknown
    /** Domains or URLs: everybody with an address in the registrable domain or below it. No provider of mail, such as gmail.com, and no public suffix. */
    readonly domains?: unknown
    /** Shown in the trail. */
    readonly reason?: unknown
  }

  /**
   * Reply to a lead, once a human has approved the text.
   *
   * Free. Without a token, returns a preview and a single-use `confirmation_token` (24 hours). Once a human has approved it in the console, the same call with the token and an Idempotency-Key sends a real email in the thread, from the mailbox that received the reply. Sender and subject come from the thread; the body is plain text. You can reply once to each message. On `operation_unknown_state` do not retry: poll `GET /v1/operations/:id` or read `our_replies` of the reply.
   *
   * Reference: docs/reference/reply_to_thread.md
   */
  readonly reply_to_thread: {
    /** A UUID. */
    readonly reply_id: unknown
    /** Plain text, sent unchanged. */
    readonly body_text: unknown
    /** The single-use token of the previous call, once a human has approved it. */
    readonly confirmation_token?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Tighten another key: lower its cap, remove scopes, turn its autonomy off.
   *
   * Free. Fields left out stay unchanged. A request that loosens any field changes nothing: it fails with `owner_required` and becomes a change request for an owner to decide in the console. `monthly_spend_cap: null` removes the cap, which loosens. A key can't change its own policy.
   *
   * Reference: docs/reference/update_key.md
   */
  readonly update_key: {
    /** A UUID. */
    readonly key_id: unknown
    /** Credits per calendar month (UTC). Null: no cap. */
    readonly monthly_spend_cap?: unknown
    /** The key's complete new list of scopes. */
    readonly scopes?: unknown
    /** Whether the key can ask for and use approvals. */
    readonly autonomous_external_actions?: unknown
  }

  /**
   * Stop all sending in the workspace.
   *
   * Free. Nothing is sent after the answer, except possibly from the campaigns in `campaigns_unconfirmed`; the service repeats their pause until the provider confirms it. Active campaigns are paused permanently: they can't be resumed, even after an owner clears the suspension. Open approvals are cancelled. Keys are not revoked. Mail that a provider has accepted can't be recalled. A second kill returns the first one's result.
   *
   * Reference: docs/reference/kill.md
   */
  readonly kill: {
    /** The reason, shown to people and agents. */
    readonly reason: unknown
  }
}

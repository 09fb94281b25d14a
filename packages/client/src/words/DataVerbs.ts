/** Made from the verbs: run words.test.ts with `--update`. */
export interface DataVerbs {
  /**
   * Find leads by title, location, industry, company and company size.
   *
   * Costs 0.2 credits per returned lead. No results, no charge. Emails are masked: call `enrich` to reveal one. A `budget_credits` too low for `limit` lowers `limit`; `budget_applied` reports it. If standard sources find too few, the answer may contain an `offer`: the same call with its `offer_token`, within 15 minutes, runs only the premium step, once, at 1 credit per added lead. With `premium: within_budget` that step runs in the same call, within `budget_credits`.
   *
   * Reference: docs/reference/find_leads.md
   */
  readonly find_leads: {
    /** Your audience, in plain language. It ranks results; the filters select them. */
    readonly audience: unknown
    /** The title contains any of them. Short forms such as CTO or VP are matched by word, with their long forms. */
    readonly titles?: unknown
    /** Countries or cities. */
    readonly locations?: unknown
    /** Professional-network industry names. */
    readonly industries?: unknown
    readonly company_domains?: unknown
    readonly company_headcount?: unknown
    /** 1 to 200. Default: 25. */
    readonly limit?: unknown
    /** The order in which sources are asked. Does not change the price. */
    readonly route?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** The single-use token of an offer. Repeat the rest of the call unchanged. */
    readonly offer_token?: unknown
    /** Use premium sources, at 1 credit per added lead, if standard sources find too few. Requires budget_credits, which limits the whole call. */
    readonly premium?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Find companies by hiring, technology, similarity, description, industry or place.
   *
   * Costs 7 credits per returned company for technology searches, 6 for all others. No results, no charge. Set `hiring`, `technologies` or both; or one of `similar_to`, `query` and `mode`. `industries`, `country_codes` and `company_headcount` filter every kind of search. Pass `company_domains` to `find_leads`. A `budget_credits` too low for `limit` lowers `limit`; `budget_applied` reports it.
   *
   * Reference: docs/reference/find_companies.md
   */
  readonly find_companies: {
    /** Your audience, in plain language. It ranks results but is not a criterion by itself. */
    readonly audience?: unknown
    /** The companies you want, in plain language. Can't be combined with another kind of search. */
    readonly query?: unknown
    /** Companies with a matching job posting; an empty object matches any posting. */
    readonly hiring?: unknown
    /** The company uses any of them. With hiring, both must match. */
    readonly technologies?: unknown
    /** Also return uncertain matches. They are free. */
    readonly include_low_confidence?: unknown
    /** Find companies similar to this domain or URL. Can't be combined with another kind of search. */
    readonly similar_to?: unknown
    /** Can't be combined with hiring, technologies, similar_to or query. */
    readonly mode?: unknown
    /** Only with mode. firmographic: cities or regions of the headquarters. local: required, each a city with its country. */
    readonly locations?: unknown
    /** Kinds of business. Only with mode local. */
    readonly categories?: unknown
    /** Professional-network industry names. Required with mode firmographic unless keywords is set. */
    readonly industries?: unknown
    /** Only with mode firmographic. The description, products or specialties mention any of them. Results then include descriptions. */
    readonly keywords?: unknown
    /** Only with mode firmographic. Leaves out companies whose description mentions any of them. */
    readonly exclude_keywords?: unknown
    /** ISO 3166-1 alpha-2, of the headquarters. */
    readonly country_codes?: unknown
    /** Default: at least 10 employees. */
    readonly company_headcount?: unknown
    /** 1 to 100. Default: 25. */
    readonly limit?: unknown
    /** The order in which sources are asked. Does not change the price. */
    readonly route?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Find buying-intent signals of companies: hiring, funding, news, job changes.
   *
   * Costs 10 credits per company with signals and 0.5 per company without, for any number of kinds of signal. A company that could not be checked is free. Signals before the window are in `historical`, at no extra cost. A `budget_credits` below 10 credits per company is refused.
   *
   * Reference: docs/reference/find_intent.md
   */
  readonly find_intent: {
    /** Domains or URLs, in any order. Duplicates are merged. */
    readonly company_domains: unknown
    /** What you want from the companies, in plain language. It ranks the results. */
    readonly audience?: unknown
    /** The first day of the window (UTC). Can't be combined with within_days. */
    readonly since?: unknown
    /** How many days back the window begins. Can't be combined with since. 1 to 730. Default: 90. */
    readonly within_days?: unknown
    /** Only for hiring: postings for any of these roles, matched by meaning. Put a role in double quotes to match it word for word. */
    readonly roles?: unknown
    /** What to check each company for. Default: hiring, with the latest funding round of companies that hire. technology is deprecated: use find_companies.technologies. */
    readonly signals?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Find public posts by keyword or by profile.
   *
   * Costs 0.5 credits per returned post. A profile costs 1 credit more, even without posts; a keyword without results is free. Only posts that pass the relevance check are returned and charged. Each platform has its own `status`; if none answers, the call is free. A name that several people share returns `candidates`, free. A ceiling below the most that the call could cost is refused.
   *
   * Reference: docs/reference/find_posts.md
   */
  readonly find_posts: {
    /** What to search. The scope `company` is not available yet. */
    readonly scope: unknown
    /** Platforms to search. Default: all. Duplicates are merged. */
    readonly platforms?: unknown
    /** No posts older than this date or time. */
    readonly since?: unknown
    /** 1 to 100. Default: 25. */
    readonly limit?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Reveal a person's verified work email and mobile number.
   *
   * Costs 5 credits if the email lookup finds the person, plus 17 if a separate mobile search finds a number that the lookup lacked. A miss is free. Repeats within 90 days are free (`from_cache`). A ceiling from 5 to below 22 skips the mobile search.
   *
   * Reference: docs/reference/enrich.md
   */
  readonly enrich: {
    /** The person: a name and company_domain, or social_url, or email. */
    readonly person: unknown
    readonly want?: unknown
    /** Credits as a decimal string with at most 6 fraction digits. */
    readonly max_credits?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** The order in which sources are asked. Does not change the price. */
    readonly route?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Look up a company: profile, technologies, funding, relationships, or a sourced brief.
   *
   * Takes either `datasets` or `brief`. Costs 7 credits per dataset with data; a brief costs 10 (`fast`) or 40 (`deep`). Each dataset has its own `status`; `empty` and `unavailable` are free, and the call succeeds even if all of them are. A ceiling below the most that the call could cost is refused.
   *
   * Reference: docs/reference/enrich_company.md
   */
  readonly enrich_company: {
    /** A domain or URL; resolved to the registrable domain. */
    readonly company_domain: unknown
    /** Duplicates are merged. */
    readonly datasets?: unknown
    /** A text about the company with its sources, instead of datasets. */
    readonly brief?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Check whether an email address can receive mail.
   *
   * Costs 1 credit; a result of `unknown` is free. `valid` is safe to send to. If every provider is unavailable, the call fails with `provider_unavailable` and is refunded; retry with the same Idempotency-Key.
   *
   * Reference: docs/reference/verify_email.md
   */
  readonly verify_email: {
    /** The address to check. */
    readonly email: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Answer a yes/no question about companies from their websites.
   *
   * Costs 3 credits per company with the `answer` `yes` or `not_found`; `unclear` and `unreadable` are free. `charged` says which were charged. Answers come only from the company's own website; a `yes` quotes it. A `budget_credits` below 3 credits per company is refused. If no source can answer for any company, the call fails with `provider_unavailable` and is refunded; retry with the same Idempotency-Key.
   *
   * Reference: docs/reference/check_companies.md
   */
  readonly check_companies: {
    /** One yes/no question about each company's own offering. */
    readonly question: unknown
    /** The companies to check. Duplicates are merged. */
    readonly company_domains: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Check a list of email addresses.
   *
   * Costs 1 credit a row, as `verify_email`. Returns 202 with an `operation_id` at once. Reserves the most that the list can cost, or `budget_credits`, once. Each row is charged when it ends; a row that the reservation no longer covers fails with `insufficient_credits`. Read rows with `get_operation_results`; `cancel_operation` cancels those that have not begun.
   *
   * Reference: docs/reference/verify_emails.md
   */
  readonly verify_emails: {
    /** The addresses to check, a row each. */
    readonly emails: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Reveal work emails and mobile numbers of a list of people.
   *
   * Costs as `enrich`: 5 credits a row that is found, and 17 for a mobile number. Returns 202 with an `operation_id` at once. Reserves the most that the list can cost, or `budget_credits`, once. Each row is charged when it ends; a row that the reservation no longer covers fails with `insufficient_credits`. Read rows with `get_operation_results`; `cancel_operation` cancels those that have not begun.
   *
   * Reference: docs/reference/enrich_people.md
   */
  readonly enrich_people: {
    /** The people, a row each, as `person` of `enrich`. */
    readonly people: unknown
    readonly want?: unknown
    /** The order in which sources are asked. Does not change the price. */
    readonly route?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Check a list of companies for buying signals.
   *
   * Costs as `find_intent`: 10 credits a company with signals, 0.5 without. Returns 202 with an `operation_id` at once. Reserves the most that the list can cost, or `budget_credits`, once. Each row is charged when it ends; a row that the reservation no longer covers fails with `insufficient_credits`. Read rows with `get_operation_results`; `cancel_operation` cancels those that have not begun.
   *
   * Reference: docs/reference/find_intent_of_list.md
   */
  readonly find_intent_of_list: {
    /** Domains or URLs, a row each. */
    readonly company_domains: unknown
    readonly signals?: unknown
    /** Spend ceiling for this call, in credits. It never allows a more expensive source. */
    readonly budget_credits?: unknown
    /** Return a plan only: nothing is looked up, reserved, charged or sent. */
    readonly dry_run?: unknown
  }

  /**
   * Complete a chat with an allowlisted model.
   *
   * Costs credits per 1,000 tokens (prompt and completion, as the upstream counts them), by the model's tier: large 0.5, small 0.25, mini 0.1. The estimated prompt and `max_tokens` are reserved; the rest is released afterwards. Other fields are passed to the upstream unchanged, except those that choose another model or provider, cost extra or store the chat. With `stream: true` both paths send the same server-sent events: the upstream's chunks, then one chunk with `usage` and `svc`, then `[DONE]`. If the client disconnects, the upstream call ends and only what was delivered is charged. If the upstream breaks off, the stream ends with an error event. A stream can't be replayed: repeating its Idempotency-Key fails with `stream_consumed`.
   *
   * Reference: docs/reference/llm_chat.md
   */
  readonly llm_chat: {
    /** A model of `GET /v1/llm/models`. */
    readonly model: unknown
    /** The conversation so far, oldest first. */
    readonly messages: unknown
    /** Answer with server-sent events: the upstream's chunks, one chunk with `usage` and `svc`, then `[DONE]`. */
    readonly stream?: unknown
    /** The most tokens to generate per choice. Default: 4096. 1 to 1000000. */
    readonly max_tokens?: unknown
    /** The newer name of `max_tokens`, which it overrides. 1 to 1000000. */
    readonly max_completion_tokens?: unknown
    /** How many choices to generate. Default: 1. 1 to 128. */
    readonly n?: unknown
  }

  /**
   * Cancel the rows of a list that have not begun.
   *
   * Free. Their reservation is free again; rows under way still end and are charged. Only for lists: other operations are refused with `invalid_request`. A list that has ended stays as it is.
   *
   * Reference: docs/reference/cancel_operation.md
   */
  readonly cancel_operation: {
    /** A UUID. */
    readonly operation_id: unknown
  }
}

/** They name another model, provider or address than the configured one. */
const ELSEWHERE =
  "models model_list fallbacks context_window_fallbacks content_policy_fallbacks deployment_id provider " +
  "custom_llm_provider route preset transforms plugins api_base api_key api_version base_url extra_headers " +
  "extra_query extra_body providerOptions safety_model lora_path adapter_id user_config kv_transfer_params " +
  "bootstrap_host bootstrap_port bootstrap_room custom_logit_processor"

/** They are paid beside the tokens, change their price, or let more be generated than counts. */
const DEARER =
  "service_tier speed inference_geo web_search web_search_options search_parameters search_options search_settings " +
  "enable_search compound_custom connectors data_sources dataSources enable_code_interpreter best_of use_beam_search " +
  "enable_enhancement force_search_enhancement enable_deep_search enable_speed_search serviceTier performanceConfig " +
  "performance_config candidate_count candidateCount num_return_sequences num_completions"

/** They keep the chat in the operator's account, use what is kept there, or answer elsewhere than here. */
const KEEPING =
  "store conversation previous_response_id prompt cached_content container mcp_servers knowledge_bases " +
  "vector_store_ids background deferred"

/** What steers LiteLLM itself, by its own list (`all_litellm_params`), but for `metadata`, which is everybody's. */
const STEERING =
  "litellm_metadata litellm_trace_id tags acompletion aimg_generation atext_completion text_completion caching " +
  "mock_response mock_timeout disable_add_transform_inline_image_block litellm_proxy_rate_limit_response api_key " +
  "api_version prompt_id provider_specific_header prompt_variables api_base force_timeout logger_fn verbose " +
  "custom_llm_provider model_file_id_mapping litellm_logging_obj litellm_call_id use_client id fallbacks azure headers " +
  "model_list num_retries context_window_fallback_dict retry_policy retry_strategy roles final_prompt_value bos_token " +
  "eos_token request_timeout complete_response self client rpm tpm max_parallel_requests input_cost_per_token " +
  "output_cost_per_token input_cost_per_second output_cost_per_second hf_model_name model_info proxy_server_request " +
  "preset_cache_key caching_groups ttl cache no-log base_model stream_timeout supports_system_message region_name " +
  "allowed_model_region model_config fastest_response cooldown_time cache_key max_retries azure_ad_token_provider " +
  "tenant_id client_id azure_username azure_password azure_scope user_continue_message client_secret " +
  "configurable_clientside_auth_params weight ensure_alternating_roles assistant_continue_message fallback_depth " +
  "max_fallbacks max_budget budget_duration use_in_pass_through merge_reasoning_content_in_choices " +
  "litellm_credential_name allowed_openai_params litellm_session_id use_litellm_proxy prompt_label " +
  "turn_off_message_logging cache_control_injection_points guardrails timeout"

const NAMES: ReadonlySet<string> = new Set([ELSEWHERE, DEARER, KEEPING, STEERING].flatMap((names) => names.split(" ")))

/** Credentials and places of providers, and of what keeps a copy of a chat, as proxies take them. */
const OF_A_PROVIDER = /^(?:litellm|mock|aws|vertex|azure|watsonx|gcs|langfuse|langsmith|humanloop|arize)_/

/** Whether a field could choose what the operator pays for, or where the chat goes (decision 0048). */
export const isWithheld = (name: string): boolean => NAMES.has(name) || OF_A_PROVIDER.test(name)

/** Other names of the output limit: with one of them a caller could generate more than was reserved. */
const LIMITS: ReadonlySet<string> = new Set(
  [
    "n_predict num_predict max_length max_new_tokens max_output_tokens max_gen_len max_gen_toks max_tokens_to_sample",
    "max_generated_tokens max_completion_length max_decode_steps maxTokens maxOutputTokens maxNewTokens"
  ].flatMap((names) => names.split(" "))
)

/** Whether a field could lift the output limit. Below it, it means what it says. */
export const liftsLimit = (name: string, value: unknown, limit: number): boolean =>
  LIMITS.has(name) && !(typeof value === "number" && value >= 1 && value <= limit)

/** Where vendors keep fields of their own. What is withheld or too large is so in there too. */
const CONTAINERS: ReadonlySet<string> = new Set(
  (
    "google options parameters sampling_params generationConfig generation_config inferenceConfig inference_config nvext " +
    "additionalModelRequestFields additional_model_request_fields"
  ).split(" ")
)

export const isContainer = (name: string): boolean => CONTAINERS.has(name)

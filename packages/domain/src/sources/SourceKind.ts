interface KindPolicy {
  /**
   * Whether a request that surely did nothing may be repeated. Reads may. Sources that write or judge may have been
   * paid for already, and premium ones are asked once per consent.
   */
  readonly isRepeatable: boolean
  /**
   * Whether a circuit counts its failures. Our site reader's failures are the sites': a workspace that names five slow
   * sites must not stop others from reading.
   */
  readonly hasCircuit: boolean
}

/** What sources do for us, each behind its own port. */
export const SOURCE_KINDS = {
  lead_source: { isRepeatable: true, hasCircuit: true },
  premium_lead_source: { isRepeatable: false, hasCircuit: true },
  company_source: { isRepeatable: true, hasCircuit: true },
  company_dataset_source: { isRepeatable: true, hasCircuit: true },
  brief_writer: { isRepeatable: false, hasCircuit: true },
  intent_source: { isRepeatable: true, hasCircuit: true },
  post_source: { isRepeatable: true, hasCircuit: true },
  contact_enricher: { isRepeatable: true, hasCircuit: true },
  mobile_finder: { isRepeatable: true, hasCircuit: true },
  email_verifier: { isRepeatable: true, hasCircuit: true },
  site_reader: { isRepeatable: false, hasCircuit: false },
  judge: { isRepeatable: false, hasCircuit: true },
  chat_upstream: { isRepeatable: false, hasCircuit: true }
} as const satisfies Readonly<Record<string, KindPolicy>>

export type SourceKind = keyof typeof SOURCE_KINDS

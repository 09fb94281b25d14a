/** How the sources of a port are treated. */
interface KindPolicy {
  /**
   * Whether a source that says that nothing happened may be asked the same again: a read that costs nothing twice. Who
   * writes or judges may have been paid for by then, and dearer sources are asked once for each consent.
   */
  readonly isRepeatable: boolean
  /**
   * Whether a circuit counts its failures. Our own reader's failures are those of the sites: a workspace that names five
   * slow ones must not keep the others from reading any.
   */
  readonly hasCircuit: boolean
}

/** What sources do for us, each behind a port of its own. */
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
  judge: { isRepeatable: false, hasCircuit: true }
} as const satisfies Readonly<Record<string, KindPolicy>>

export type SourceKind = keyof typeof SOURCE_KINDS

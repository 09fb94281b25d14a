import type { SuppressionSource } from "@outbound/domain/outreach/suppression/SuppressionStore.js"

export interface SuppressionRow {
  readonly workspaceId: string
  readonly addressHash: string
  readonly source: SuppressionSource
  readonly atMillis: number
}

export interface SuppressedDomainRow {
  readonly workspaceId: string
  readonly domain: string
  readonly atMillis: number
}

import { Result } from "effect"
import type { Attempt } from "../../src/calls/Attempt.js"
import type { AdmissionState, IdempotencyRecord } from "../../src/calls/decideAdmission.js"
import type { ApiKey } from "../../src/calls/keys/KeyStore.js"
import { emptyWindow } from "../../src/calls/keys/RateWindow.js"
import { credits, zero } from "../../src/kernel/money/Credits.js"
import { SCOPES } from "../../src/verbs/Policy.js"

/** A call that is admitted, and the state that admits it. */

export const NOW = Date.UTC(2026, 2, 10, 12)
export const MONTH = "2026-03"

export const KEY: ApiKey = {
  keyId: "k",
  workspaceId: "w",
  workspaceKind: "sandbox",
  name: "A key",
  prefix: "svc_key_abcd",
  state: "active",
  pausedAtMillis: null,
  scopes: SCOPES,
  capabilitiesOff: [],
  autonomousExternalActions: true,
  monthlySpendCap: null,
  dailySpendCap: null,
  premiumAllowance: credits("50"),
  ratePerMinute: 10,
  runRequired: false,
  createdAtMillis: 0
}

export const STATE: AdmissionState = {
  key: KEY,
  usage: { month: MONTH, spent: zero, reserved: zero, rate: emptyWindow },
  today: zero,
  account: { balance: credits("100"), reserved: zero, hasPaymentMethod: true },
  run: null,
  records: []
}

export const ATTEMPT: Attempt = {
  requestId: "r",
  keyHash: "h",
  verb: "verify_email",
  mode: "act",
  nowMillis: NOW,
  reject: null,
  scope: "data:read",
  allowedWhilePaused: false,
  needsAutonomy: false,
  isPurchase: false,
  idempotency: null,
  runId: null,
  subject: null,
  consoleUrl: "https://outbound.test/console",
  plan: () => Result.succeed({ maximum: credits("1"), capabilities: [] })
}

export const CLAIM = { key: "one", phase: "act", baseFingerprint: "body", tokenHash: null } as const

export const RECORD: IdempotencyRecord = {
  phase: "act",
  verb: "verify_email",
  baseFingerprint: "body",
  tokenHash: null,
  requestId: "first",
  outcome: null
}

export const withKey = (key: Partial<ApiKey>) => (state: AdmissionState) => ({
  ...state,
  key: { ...state.key, ...key }
})

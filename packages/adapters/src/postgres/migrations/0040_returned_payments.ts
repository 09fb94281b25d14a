import type { Migration } from "./Migration.js"

const KINDS = "'grant', 'top_up', 'charge', 'refund', 'upkeep', 'reversal'"

/** The ledger's rules, wider by reversals. */
const RULES = [
  ["kind_check", `kind IN (${KINDS})`],
  [
    "check",
    "CASE WHEN kind IN ('charge', 'upkeep') THEN amount <= 0 ELSE amount >= 0 END OR kind = 'reversal' AND amount <> 0"
  ]
] as const

/** A rule that is believed while calls go on, before it takes the place of the one before. */
const validated = ([name, check]: (typeof RULES)[number]): ReadonlyArray<string> => [
  `DO $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_constraint WHERE conname = 'ledger_entries_wider_${name}' AND conrelid = 'ledger_entries'::regclass
  ) THEN
    ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_wider_${name} CHECK (${check}) NOT VALID;
  END IF;
END $$`,
  `ALTER TABLE ledger_entries VALIDATE CONSTRAINT ledger_entries_wider_${name}`
]

/** Payments that are refunded or disputed are taken back as far as their credits are there, and the rest later. */
export const returnedPayments: Migration = {
  id: 40,
  name: "returned_payments",
  note: "What went back of a payment, and the ledger entries that took its credits back.",
  stalls: "Top-ups, for as long as all payments take to be read: there are few.",
  before: RULES.flatMap(validated),
  sql: `
${RULES.map(
  ([name]) => `
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_${name};
ALTER TABLE ledger_entries RENAME CONSTRAINT ledger_entries_wider_${name} TO ledger_entries_${name};`
).join("")}
ALTER TABLE late_rows DROP CONSTRAINT late_rows_kind_check,
  ADD CONSTRAINT late_rows_kind_check CHECK (kind IN ('call', ${KINDS}));

ALTER TABLE payments
  -- US cents that went back to the payer.
  ADD COLUMN returned_cents integer NOT NULL DEFAULT 0,
  -- Credits taken back for them so far.
  ADD COLUMN taken_back bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT payments_return_no_less_than_nothing CHECK (returned_cents >= 0 AND taken_back >= 0);
CREATE INDEX payments_returned ON payments (workspace_id, payment_id) WHERE returned_cents > 0;

-- The ledger entries that took credits of a payment back; below zero: that gave them again.
CREATE TABLE payment_returns (
  workspace_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (workspace_id, payment_id, entry_id),
  FOREIGN KEY (workspace_id, payment_id) REFERENCES payments
);

-- Nobody asked after those that were paid before: begin now, spread over a day.
UPDATE payments SET looks = 0, next_look_at = clock_timestamp() + random() * interval '1 day'
WHERE state = 'paid' AND created_at > clock_timestamp() - interval '180 days';

ALTER TABLE alerts DROP CONSTRAINT alerts_kind_check, ADD CONSTRAINT alerts_kind_check CHECK (
  kind IN ('low_balance', 'key_cap', 'mailbox_paused', 'campaign_capacity', 'webhook_failing', 'payment_returned')
);
`
}

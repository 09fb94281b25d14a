/** Rows of campaigns and leads at sending vendors. */
import { VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { VendorLeadMachine } from "@outbound/domain/outreach/sending/vendor/VendorLeadMachine.js"
import { VENDOR_ACCOUNTS, type VendorLeadAt } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Schema, Struct } from "effect"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { LeadRow } from "./CampaignRows.js"
import { Millis } from "./Columns.js"
import { columnsOf, integers, texts, textsOrNull } from "./Table.js"

export const VendorCampaignRow = Schema.Struct({
  ...texts("workspaceId", "campaignId", "vendor"),
  account: Schema.Literals(VENDOR_ACCOUNTS),
  state: Schema.Literals(VendorCampaignMachine.states),
  ...textsOrNull("ref", "terms"),
  askedUntilMillis: Schema.NullOr(Millis),
  owesPause: Schema.Boolean,
  cursor: Schema.NullOr(Schema.String),
  readAtMillis: Schema.NullOr(Millis),
  failures: Schema.Int,
  turn: NumberText
})

export const VENDOR_CAMPAIGN_COLUMNS = columnsOf(VendorCampaignRow, "v", {
  cursor: "v.read_cursor",
  turn: "v.turn::text"
})

export const VendorLeadRow = Schema.Struct({
  ...texts("workspaceId", "campaignId", "campaignLeadId"),
  state: Schema.Literals(VendorLeadMachine.states),
  ref: Schema.NullOr(Schema.String),
  ...integers("pushes", "looks"),
  dueAtMillis: Millis,
  leavingAtMillis: Schema.NullOr(Millis),
  blocked: Schema.Boolean
})

export const VENDOR_LEAD_COLUMNS = columnsOf(VendorLeadRow, "v")

const { state: thereState, ...others } = VendorLeadRow.mapFields(
  Struct.omit(["workspaceId", "campaignId", "campaignLeadId"])
).fields

/** A lead with its state at the vendor. */
export const VendorLeadAtRow = Schema.Struct({ ...LeadRow.fields, thereState, ...others })

/** In addition to the columns of `LeadRow`. */
export const THERE_COLUMNS = columnsOf(Schema.Struct({ thereState, ...others }), "v", { thereState: "v.state" })

export const toLeadAt = (row: typeof VendorLeadAtRow.Type): VendorLeadAt => {
  const { blocked, dueAtMillis, leavingAtMillis, looks, pushes, ref, thereState, ...lead } = row
  const { campaignId, campaignLeadId, workspaceId } = lead
  const others = { ref, pushes, looks, dueAtMillis, leavingAtMillis, blocked }
  return { vendorLead: { workspaceId, campaignId, campaignLeadId, state: thereState, ...others }, lead }
}

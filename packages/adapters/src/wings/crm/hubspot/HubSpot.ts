import { classifiedWithSaying } from "../../../providers/saying.js"
import { isJsonObject, type VendorAnswer } from "../../../providers/VendorHttp.js"
import type { Classified } from "../../../providers/classify.js"
import { byKey, type CrmDefinition } from "../CrmHttp.js"
import { makeNotes } from "./notes.js"
import { makeOwners, makePages } from "./pages.js"

/** A day's allowance is used up: it begins anew at midnight of the account's zone. */
const DAY_USED_SECONDS = 60 * 60

/** Its refusals for pace name the policy that was broken. */
const classify = (answer: VendorAnswer): Classified | null => {
  const classified = classifiedWithSaying(answer)
  if (classified?.reason !== "rate_limited" || !isJsonObject(answer.json)) return classified
  const isDaily = answer.json["policyName"] === "DAILY"
  return isDaily ? { ...classified, retryAfterSeconds: DAY_USED_SECONDS } : classified
}

/** Contacts, companies, deals and notes, by a private app's token. */
export const hubspot: CrmDefinition = {
  name: "hubspot",
  title: "HubSpot",
  hint: "The access token of a private app, with the scopes to read contacts, companies, deals and owners, and to write contacts.",
  baseUrl: "https://api.hubapi.com",
  // Searches are allowed five a second for an account.
  callsPerMinute: 240,
  authorize: (token) => ({ headers: { authorization: `Bearer ${token}` } }),
  classify,
  make: byKey({ makeNotes, makeOwners, makePages })
}

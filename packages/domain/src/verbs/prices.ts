import { type Credits, credits, format } from "../kernel/money/Credits.js"

// What verbs cost (contract: credits, prices). The verbs' descriptions are built from these.

/** Of a lead that a standard source found, and of one that a premium source added. */
export const FIND_LEADS_PRICE = credits("0.2")
export const PREMIUM_LEAD_PRICE = credits("1")

/** Of each company found: by its technologies, and by anything else. */
export const TECHNOLOGIES_PRICE = credits("7")
export const COMPANIES_PRICE = credits("6")

/** Of a data set of a company that has data, and of a brief. */
export const DATASET_PRICE = credits("7")
export const BRIEF_PRICES = { fast: credits("10"), deep: credits("40") } as const

/** Of a company whose website gave an answer. */
export const CHECK_COMPANIES_PRICE = credits("3")

/** Of a company that shows signals, and of one that shows none. */
export const SIGNALS_PRICE = credits("10")
export const QUIET_PRICE = credits("0.5")

/** Of a post, and of looking at a profile. */
export const POST_PRICE = credits("0.5")
export const SCOPED_BASE_PRICE = credits("1")

export const EMAIL_LOOKUP_PRICE = credits("5")
export const MOBILE_SEARCH_PRICE = credits("17")

export const VERIFY_EMAIL_PRICE = credits("1")

/** Of a sending domain, once; of a mailbox, each month. */
export const DOMAIN_SETUP_PRICE = credits("1500")
export const MAILBOX_UPKEEP_PRICE = credits("750")

/** A price in a text, with its thousands apart. */
export const inWords = (price: Credits): string => format(price).replace(/\B(?=(\d{3})+$)/g, ",")

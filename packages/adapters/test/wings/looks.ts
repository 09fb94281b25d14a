import { paymentLooks } from "./payments/looks.js"

/** The methods by which rounds of every wing look for work, and whose work it is, a line each. */
export const WING_LOOKS = [...paymentLooks] as const

import type { Wait } from "../../postgres/Wait.js"

/** What waits until a time of the service's clock. */
export const paymentWaits: ReadonlyArray<Wait> = [{ table: "payments", column: "next_look_at" }]

/** What stands beside a request, in the headers of its message; the same as by REST. */
export const IDEMPOTENCY_KEY = "idempotency-key"
export const RUN_ID = "svc-run-id"

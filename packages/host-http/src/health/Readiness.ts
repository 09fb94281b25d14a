import { Context, type Effect } from "effect"

/** Whether this host can serve: its database answers and is migrated. */
export class Readiness extends Context.Tag("@outbound/host-http/health/Readiness")<
  Readiness,
  { readonly ready: Effect.Effect<boolean> }
>() {}

import { Context, type Effect } from "effect"

/** Whether this host can serve calls: its database answers, and has every migration. */
export class Readiness extends Context.Tag("@outbound/host-http/health/Readiness")<
  Readiness,
  { readonly ready: Effect.Effect<boolean> }
>() {}

import { type Context, Effect } from "effect"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import { format, zero } from "../kernel/money/Credits.js"
import type { Crypto } from "../kernel/ports/Crypto.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import type { Admission, Attempt } from "./Attempt.js"
import type { CallResponse } from "./Calls.js"
import { canonicalRequest } from "../kernel/canonical.js"
import { successResponse } from "./envelope.js"
import type { Plan } from "./Handler.js"
import { type Prepared, scopeOf } from "./Prepared.js"

/** Answers a dry run with the call's plan and its refusals (contract: calls, dry runs). */
export const preview = (
  prepared: Prepared,
  attempt: Attempt<Plan>,
  admission: Extract<Admission<Plan>, { _tag: "Previewed" }>,
  crypto: Context.Tag.Service<Crypto>
): FromStore<CallResponse, AnyWireError> =>
  Effect.gen(function* () {
    const { plan, rate, key, available } = admission
    const look = prepared.handler.would
    const scope = scopeOf(prepared, attempt.nowMillis, key)
    const would =
      look === undefined
        ? yield* Effect.fail(refuse("invalid_request", { reason: "dry_run_unsupported" }))
        : yield* look(prepared.decoded.request, plan, scope)
    const result = {
      dry_run: true,
      advisory: true,
      evaluated_at: new Date(attempt.nowMillis).toISOString(),
      plan: {
        verb: prepared.verb.name,
        plan_version: prepared.verb.planVersion,
        input_version: crypto.sha256Hex(canonicalRequest(prepared.incoming.input)),
        credits_estimate: format(plan.maximum),
        would_exceed: admission.wouldExceed,
        warnings: plan.warnings,
        would
      }
    }
    return successResponse({
      requestId: attempt.requestId,
      body: JSON.stringify(result),
      charged: zero,
      available,
      replayed: false,
      route: plan.route,
      rate,
      form: "envelope"
    })
  })

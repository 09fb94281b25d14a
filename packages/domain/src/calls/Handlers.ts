import { Context } from "effect"
import type { VerbName, Verbs } from "../verbs/verbs.js"
import type { Handler } from "./Handler.js"

/** The handler of every verb. A missing one does not compile. */
export class Handlers extends Context.Service<
  Handlers,
  // oxlint-disable-next-line typescript/no-explicit-any -- a plan is its own handler's; the pipeline only carries it
  { readonly [Name in VerbName]: Handler<Verbs[Name], any> }
>()("@outbound/domain/calls/Handlers") {}

import { SIGN_UP_LINK_MINUTES, signUpUrl } from "@outbound/domain/control/signUp/letters.js"
import { SignUp } from "@outbound/domain/control/signUp/SignUp.js"
import { Effect, Schema } from "effect"
import type { Actions } from "./Actions.js"
import { command, required } from "./Command.js"
import type { OutboundConfig } from "../Config.js"

/** For services without a mail server, and people whom the operator invites. */
export const signUpCommand = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) =>
  command(
    "sign-up-link",
    "Creates a link with which somebody makes a workspace of their own, with 300 credits and a first key.",
    {
      email: required(Schema.String, "E", "Their email address"),
      name: required(Schema.String, "N", "The workspace's name")
    },
    ({ email, name }) =>
      Effect.flatMap(config, (read) =>
        actions.operate(
          read,
          Effect.gen(function* () {
            const secret = yield* (yield* SignUp).makeLink({ email, workspaceName: name })
            const url = signUpUrl(read.baseUrl, secret)
            return { json: { url }, text: `${url}\nIt works once, within ${SIGN_UP_LINK_MINUTES} minutes.` }
          })
        )
      )
  )

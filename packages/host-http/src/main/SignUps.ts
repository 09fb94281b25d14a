import * as DisposableList from "@outbound/adapters/platform/DisposableList.js"
import * as SignUpLive from "@outbound/domain/control/signUp/SignUp.js"
import { SignUpPolicy } from "@outbound/domain/control/signUp/policy.js"
import { Layer } from "effect"
import type { OutboundConfig } from "../Config.js"

/** Sign-up as the operator configured it. A new workspace is of the kind that `workspace create` makes. */
export const layer = ({ providers, signUp }: Pick<OutboundConfig, "providers" | "signUp">) =>
  SignUpLive.layer.pipe(
    Layer.provide(DisposableList.layer),
    Layer.provide(Layer.succeed(SignUpPolicy, { ...signUp, kind: providers === "sandbox" ? "sandbox" : "live" }))
  )

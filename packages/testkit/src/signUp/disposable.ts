import { DisposableDomains } from "@outbound/domain/control/signUp/SignUpStore.js"
import { Layer } from "effect"

/** One domain is disposable. */
export const DISPOSABLE = "throwaway.test"

export const layer = Layer.succeed(DisposableDomains, { has: (domain) => domain === DISPOSABLE })

/** Everybody may sign up. */
export const OPEN_SIGN_UP = { who: { _tag: "Open" }, perDayMax: 100, perNetworkMax: 100 } as const

import { Effect } from "effect"
import { json } from "../../http/Reply.js"
import { acting } from "../control/acting.js"
import { type ConsoleServices, member, type Route } from "../Visit.js"

const SETTINGS = "/console/settings"

export const passkeyRoutes = ({ passkeys }: ConsoleServices): ReadonlyArray<Route> =>
  passkeys === null
    ? []
    : [
        member(`${SETTINGS}/passkeys/options`, {
          formOn: SETTINGS,
          post: (visit) =>
            acting(visit, SETTINGS, passkeys.beginAdding(visit.by, visit.secret), {
              done: (options) => json(200, JSON.stringify(options))
            })
        }),
        member(`${SETTINGS}/passkeys`, {
          formOn: SETTINGS,
          post: (visit) => {
            const [answer, name] = [visit.form.get("answer") ?? "", visit.form.get("name") ?? ""]
            return acting(visit, SETTINGS, Effect.asVoid(passkeys.add(visit.by, visit.secret, answer, name)), {
              done: () => `${SETTINGS}?done=passkey`
            })
          }
        }),
        member(`${SETTINGS}/passkeys/:id/remove`, {
          formOn: SETTINGS,
          post: (visit) =>
            acting(visit, SETTINGS, passkeys.remove(visit.by, visit.id), {
              done: () => `${SETTINGS}?done=passkey-removed`
            })
        })
      ]

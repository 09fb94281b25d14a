import { SESSION_DAYS } from "@outbound/domain/control/console/Console.js"
import { Csrf } from "../Parts.js"
import type { Viewer } from "../Shell.js"

/** Ends every session of the viewer: what a person does who left a device behind. */
export const SessionsSection = (props: { readonly viewer: Viewer }) => (
  <section class="card" aria-labelledby="sessions">
    <h2 id="sessions">Your sessions</h2>
    <p>
      A session lasts {SESSION_DAYS} days. If you lost a device or a sign-in link, end all your sessions, here and on
      every other device, in every workspace. Sign-in links that were not used stop working too. Keys and passkeys stay.
    </p>
    <form method="post" action="/console/sign-out/everywhere">
      <Csrf viewer={props.viewer} />
      <button class="stop" type="submit">
        End all my sessions
      </button>
    </form>
  </section>
)

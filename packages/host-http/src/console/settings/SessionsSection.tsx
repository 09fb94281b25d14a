import { SESSION_DAYS } from "@outbound/domain/control/console/Console.js"
import { Form, Section } from "../Parts.js"

/** Ends every session of the viewer: what a person does who left a device behind. */
export const SessionsSection = () => (
  <Section id="sessions" title="Your sessions" isCard>
    <p>
      A session lasts {SESSION_DAYS} days. If you lost a device or a sign-in link, end all your sessions, here and on
      every other device, in every workspace. Sign-in links that were not used stop working too. Keys and passkeys stay.
    </p>
    <Form action="/console/sign-out/everywhere" button="End all my sessions" tone="stop" />
  </Section>
)

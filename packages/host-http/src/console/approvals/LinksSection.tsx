import { Section } from "../Parts.js"
import type { Part } from "./Part.js"

/** Which host the links in the messages carry: receivers judge mail by it. */
export const LinksPart: Part = ({ links }) =>
  links.length === 0 ? null : (
    <Section id="links" title="Where the links lead" isCard>
      <p>Each message links to a page to unsubscribe on:</p>
      <ul>
        {links.map(({ domains, host }) => (
          <li key={host}>
            <strong>{host}</strong>
            {links.length < 2 ? null : `, in mail from ${domains.join(", ")}`}
          </li>
        ))}
      </ul>
      <p class="soft">So it stands now. A link host that stops answering is replaced by this service’s own address.</p>
    </Section>
  )

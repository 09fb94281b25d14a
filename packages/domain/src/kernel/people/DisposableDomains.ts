import { Context } from "effect"

/** Domains whose mailboxes are there for a moment, and everybody's. */
export class DisposableDomains extends Context.Service<
  DisposableDomains,
  {
    /** `domain`: in lower case. The domains below a disposable one are, too. */
    readonly has: (domain: string) => boolean
  }
>()("@outbound/domain/kernel/people/DisposableDomains") {}

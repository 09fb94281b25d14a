import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { SignUpFacts } from "./policy.js"

/** A link that was sent, to be spent once. Person and network are keyed digests. */
export interface SignUpLink {
  readonly linkHash: string
  readonly personHash: string
  /** Null: the operator made it. */
  readonly networkHash: string | null
  /** In its canonical form. */
  readonly email: string
  readonly workspaceName: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
}

export interface SignUpGrant {
  readonly personHash: string
  readonly networkHash: string | null
  readonly grantedAtMillis: number
}

/** Whose facts are wanted, and since when grants count. */
export interface SignUpSubject {
  readonly personHash: string
  readonly networkHash: string | null
  readonly sinceMillis: number
}

export class SignUpStore extends Context.Service<
  SignUpStore,
  {
    /** Also forgets links that ran out before it. */
    readonly insert: (link: SignUpLink) => InTx<void>
    /** A link that is neither spent nor run out. */
    readonly find: (linkHash: string, nowMillis: number) => FromStore<Option.Option<SignUpLink>>
    /** Uses up a link: exactly one of concurrent callers gets true. */
    readonly spend: (linkHash: string, nowMillis: number) => InTx<boolean>
    /** Without a lock, so it decides nothing. */
    readonly facts: (of: SignUpSubject) => FromStore<SignUpFacts>
    /** The same under a lock that lets one grant at a time be decided, in the whole installation. */
    readonly lockFacts: (of: SignUpSubject) => InTx<SignUpFacts>
    readonly grant: (grant: SignUpGrant) => InTx<void>
  }
>()("@outbound/domain/control/signUp/SignUpStore") {}

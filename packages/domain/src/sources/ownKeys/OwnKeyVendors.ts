import { Context } from "effect"

export interface CredentialForm {
  readonly pattern: RegExp
  /** The form of the key, after "must have the form": `key:token`. */
  readonly words: string
}

/** A vendor that workspaces may bring a credential for. */
export interface OwnKeyVendor {
  /** As the configuration, errors and own keys name it. */
  readonly name: string
  readonly title: string
  /** Whether the service has a credential of its own there; without one, only who brings theirs is served. */
  readonly hasServiceKey: boolean
  /** How its credentials are written, where they have a form of their own. */
  readonly credentialForm?: CredentialForm
}

/** The vendors of this host's configuration that workspaces may bring credentials for. */
export class OwnKeyVendors extends Context.Reference<OwnKeyVendors>()(
  "@outbound/domain/sources/ownKeys/OwnKeyVendors",
  {
    defaultValue: (): ReadonlyArray<OwnKeyVendor> => []
  }
) {}

import { Context } from "effect"

export interface CredentialForm {
  readonly pattern: RegExp
  /** The form of the key, after "must have the form": `key:token`. */
  readonly words: string
}

/** A vendor that workspaces may bring a credential for. */
export interface OwnKeyVendor {
  /** Its name in the configuration, in errors and in own keys. */
  readonly name: string
  readonly title: string
  /** Whether the service has a credential there. Without one, only workspaces with their own are served. */
  readonly hasServiceKey: boolean
  /** The form of its credentials, if it has one. */
  readonly credentialForm?: CredentialForm
}

/** The configured vendors that accept workspaces' own credentials. */
export const OwnKeyVendors = Context.Reference("@outbound/domain/sources/ownKeys/OwnKeyVendors", {
  defaultValue: (): ReadonlyArray<OwnKeyVendor> => []
})

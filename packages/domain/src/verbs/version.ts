/** The version of the interface (contract: calls, envelope). */
export const INTERFACE_VERSION = "1.1.0"

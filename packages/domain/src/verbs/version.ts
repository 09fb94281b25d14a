/** The version of the interface (interface.md §9). */
export const INTERFACE_VERSION = "1.1.0"

/**
 * `NODE_OPTIONS` of a deployed service, as the image and the unit set it (a test compares them). What is measured of a
 * service is measured as it is deployed.
 */
export const NODE_OPTIONS = "--max-semi-space-size=8"

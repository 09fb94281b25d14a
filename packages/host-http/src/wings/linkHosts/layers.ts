import * as LinkProbe from "@outbound/adapters/wings/linkHosts/LinkProbe.js"
import type { Place } from "../Place.js"

/** How link hosts are asked whether they lead to this service. */
export const linkHostGround = ({ config: { baseUrl }, outside }: Place) => LinkProbe.layer({ baseUrl, ...outside })

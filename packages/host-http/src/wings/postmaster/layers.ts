import * as GooglePostmaster from "@outbound/adapters/wings/postmaster/GooglePostmaster.js"
import type { Place } from "../Place.js"

/** How Google's Postmaster Tools are asked. */
export const postmasterGround = ({ outside }: Place) => GooglePostmaster.layer(outside)

import * as Sender from "@outbound/adapters/wings/webhooks/Sender.js"
import type { Place } from "../Place.js"

/** How endpoints are told. */
export const webhooksGround = ({ outside }: Place) => Sender.layer(outside)

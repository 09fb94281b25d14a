import { Layer } from "effect"
import { crmGround } from "./crm/layers.js"
import type { Place } from "./Place.js"

const noGround = (_place: Place) => Layer.empty

/** What every wing needs of the world outside, a line each. */
const GROUNDS = [noGround, crmGround] as const

export const wingGround = (place: Place) => Layer.mergeAll(Layer.empty, ...GROUNDS.map((ground) => ground(place)))

import { Layer } from "effect"
import { crmGround } from "./crm/layers.js"
import { linkHostGround } from "./linkHosts/layers.js"
import { openGround } from "./openDirectory/layers.js"
import { paymentGround } from "./payments/layers.js"
import { postmasterGround } from "./postmaster/layers.js"
import { webhooksGround } from "./webhooks/layers.js"
import type { Place } from "./Place.js"

const noGround = (_place: Place) => Layer.empty

/** What every wing needs of the world outside, a line each. */
const GROUNDS = [
  noGround,
  crmGround,
  linkHostGround,
  openGround,
  paymentGround,
  postmasterGround,
  webhooksGround
] as const

type Ground = ReturnType<(typeof GROUNDS)[number]>

export const wingGround = (place: Place): Layer.Layer<Layer.Success<Ground>> =>
  Layer.mergeAll(Layer.empty, ...GROUNDS.map((ground): Ground => ground(place)))

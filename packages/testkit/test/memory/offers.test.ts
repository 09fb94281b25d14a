import { offersContract } from "../../src/contracts/offers.js"
import { layer } from "../../src/memory/layer.js"

offersContract("memory", layer)

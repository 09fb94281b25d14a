import { creditsContract } from "../../src/contracts/credits.js"
import { layer } from "../../src/memory/layer.js"

creditsContract("memory", layer)

import { sealsContract } from "../../src/contracts/seals.js"
import { layer } from "../../src/memory/layer.js"

sealsContract("memory", layer)

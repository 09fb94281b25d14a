import { suppressionContract } from "../../src/contracts/suppression.js"
import { layer } from "../../src/memory/layer.js"

suppressionContract("memory", layer)
